#!/usr/bin/env node
import { EXIT } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { showAs } from '../../base/text/forager-command.ts';
import { exitCodeOfError, runCommand } from './cli.ts';
import { outputFailed, reported } from './ending.ts';
import { programOf } from './program-name.ts';

/** LMDB prints the errors that it then rejects with. The message for the user is written below, in one line. */
console.error = () => undefined;

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(outputFailed(error) ?? process.exitCode ?? EXIT.done));

/** The work continues even if nobody reads standard error. */
process.stderr.on('error', () => undefined);

process.on('uncaughtException', (error) => process.exit(reported(error)));

/** A resource that an error left open, such as a database, must not keep the process alive: everything is stored by then. */
const GRACE: Ms = 1000;

showAs(programOf(process.argv[1] ?? '', process.env));
try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOfError(process.argv.slice(2), reported(error));
  setTimeout(() => process.exit(), GRACE).unref();
}
