/** Code of the user that an option names: a module, or a command of the shell. */
import { createHash } from 'node:crypto';
import { isThere } from '../../base/core/on-disk.ts';

/** Stands for a command in a manifest: it may have secrets, and a directory of another person should not run programs. */
export const COMMAND = 'command';

const COMMAND_NAME = `${COMMAND} `;

/** The name of a sink in reports and marks: the path of a module, or the digest of a command. */
export function nameOfSink(given: string): string {
  return isModule(given) ? given : `${COMMAND_NAME}${createHash('sha256').update(given).digest('hex').slice(0, 12)}`;
}

export function isCommandName(name: string): boolean {
  return name.startsWith(COMMAND_NAME);
}

const MODULE = /\.mjs$/;

/** Is it the path of a module? Otherwise it is a command. `node judge.mjs` is a command, unless there is a file of that name. */
export function isModule(given: string): boolean {
  return MODULE.test(given) && (!/\s/.test(given) || isThere(given));
}
