#!/usr/bin/env node
import { CrawlerError, EXIT, messageOf } from '../core/errors.ts';
import type { Ms } from '../core/types.ts';
import { harmless } from '../text/harmless.ts';
import { runCommand } from './cli.ts';

/** LMDB prints the errors it then rejects with. What a user is to know is written below, in one line. */
console.error = () => undefined;

/** A reader that stops reading (`forager ledger … | head`) is no error, nor is a terminal that was closed (EIO). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO') process.exit(process.exitCode ?? EXIT.done);
  throw error;
});

/** Where nobody listens any more the work still goes on. */
process.stderr.on('error', () => undefined);

/** What an error has left open, such as a database, does not keep the process: all that was to be stored is. */
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
