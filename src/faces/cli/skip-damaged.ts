import type { OnDamaged } from '../../base/core/errors.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { warn } from './command.ts';

/** Damaged records that are named, once each; other lines count the rest. */
const NAMED = 20;

/** The library's `onDamaged`; absent without `--skip-damaged`. */
export function onDamagedOf(skips = false): { readonly onDamaged?: OnDamaged } {
  if (!skips) return {};
  const named = new Set<string>();
  return {
    onDamaged: (message) => {
      if (named.has(message)) return;
      named.add(message);
      if (named.size <= NAMED) warn(`skipped: ${message}`);
      else if (named.size === NAMED + 1) warn(`more records are damaged; ${foragerCommand('verify')} names all of them`);
    },
  };
}
