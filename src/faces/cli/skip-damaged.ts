import type { OnDamaged } from '../../base/core/errors.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { warn } from './command.ts';

/** Damaged records that are named, once each; other lines count the rest. */
const NAMED = 20;

/** The library's `onDamaged`; absent without `--skip-damaged`. */
export function onDamagedOf(skips = false): { readonly onDamaged?: OnDamaged } {
  if (!skips) return {};
  const told = new Set<string>();
  return {
    onDamaged: (message) => {
      if (told.has(message)) return;
      told.add(message);
      if (told.size <= NAMED) warn(`skipped: ${message}`);
      else if (told.size === NAMED + 1) warn(`more records are damaged; ${foragerCommand('verify')} names all of them`);
    },
  };
}
