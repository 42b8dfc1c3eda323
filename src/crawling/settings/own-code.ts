/** Code of the user that an option names: a module, or a command of the shell. */
import { isThere } from '../../base/core/on-disk.ts';

/** Stands for a command in a manifest: it may have secrets, and a directory of another person should not run programs. */
export const COMMAND = 'command';

const MODULE = /\.mjs$/;

/** Is it the path of a module? Otherwise it is a command. `node judge.mjs` is a command, unless there is a file of that name. */
export function isModule(given: string): boolean {
  return MODULE.test(given) && (!/\s/.test(given) || isThere(given));
}
