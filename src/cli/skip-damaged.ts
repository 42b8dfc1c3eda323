import type { Options } from 'yargs';
import type { OnDamaged } from '../core/errors.ts';
import { type Args, flag, flagOf, warn } from './command.ts';

/** Damaged records that are named, each once; of the rest there is a count elsewhere. */
const NAMED = 20;

/** The option of everything that reads the records of a crawl. */
export const SKIP_DAMAGED: Readonly<Record<string, Options>> = {
  'skip-damaged': flag('go on without records that are damaged or missing, and name them'),
};

/** For the library's `onDamaged`: nothing without `--skip-damaged`. */
export function onDamagedOf(args: Args): { readonly onDamaged?: OnDamaged } {
  if (!flagOf(args, 'skip-damaged')) return {};
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
