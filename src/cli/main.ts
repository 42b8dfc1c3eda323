#!/usr/bin/env node
import { CrawlerError, EXIT, messageOf } from '../core/errors.ts';
import type { Ms } from '../core/types.ts';
import { harmless } from '../text/harmless.ts';
import { runCommand } from './cli.ts';

/** LMDB prints the errors that it then rejects with. The message for the user is written below, in one line. */
console.error = () => undefined;

/** A reader that stops reading (`forager ledger … | head`) is not an error; neither is a closed terminal (EIO). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO') process.exit(process.exitCode ?? EXIT.done);
  throw error;
});

/** The work continues even if nobody reads standard error. */
process.stderr.on('error', () => undefined);

/** A resource that an error left open, such as a database, must not keep the process alive: everything is stored by then. */
const GRACE: Ms = 1000;

try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  if (error instanceof CrawlerError && error.exitCode !== EXIT.bug) {
    process.stderr.write(`forager: ${harmless(error.message)}\n`);
    process.exitCode = error.exitCode;
  } else {
    process.stderr.write(
      `forager: this is a bug of Forager, please report it: ${harmless(`${messageOf(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`)}\n`,
    );
    process.exitCode = EXIT.bug;
  }
  setTimeout(() => process.exit(), GRACE).unref();
}
