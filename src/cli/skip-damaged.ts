import type { OnDamaged } from '../core/errors.ts';
import { warn } from './command.ts';

/** Damaged records that are named, each once; of the rest there is a count elsewhere. */
const NAMED = 20;

/** For the library's `onDamaged`: nothing without `--skip-damaged`. */
export function onDamagedOf(skips = false): { readonly onDamaged?: OnDamaged } {
  if (!skips) return {};
  const told = new Set<string>();
  return {
    onDamaged: (message) => {
      if (told.has(message)) return;
      told.add(message);
      if (told.size <= NAMED) warn(`left out: ${message}`);
      else if (told.size === NAMED + 1) warn('more is damaged; forager verify names all');
    },
  };
}
