/** The end of a command that failed: its last line, and its exit code. */
import { CrawlerError, EXIT, environmentErrorFrom, messageOf } from '../../base/core/errors.ts';
import { systemFault } from '../../base/core/system-errors.ts';
import { printable } from '../../base/text/printable.ts';

/** Prints the error, in one line unless it is our bug. @returns the exit code */
export function reported(error: unknown): number {
  const known = error instanceof CrawlerError ? error : environmentErrorFrom(error);
  if (known !== null && known.exitCode !== EXIT.bug) return failed(known.message, known.exitCode);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return failed(`this is a bug of Forager, please report it: ${messageOf(error)}\n${stack}`, EXIT.bug);
}

/**
 * A reader that stops reading (`forager ledger … | head`) has enough; neither does a closed terminal (EIO) matter. Anything else loses output.
 * @returns the exit code; null if there is nothing wrong
 */
export function outputFailed(error: NodeJS.ErrnoException, isTerminal = process.stdout.isTTY === true): number | null {
  if (error.code === 'EPIPE' || (error.code === 'EIO' && isTerminal)) return null;
  const remedy = systemFault(error)?.remedy ?? 'check where it leads';
  return failed(`standard output: cannot be written (${messageOf(error)}); ${remedy}`, EXIT.environment);
}

function failed(message: string, exitCode: number): number {
  process.stderr.write(`forager: ${printable(message)}\n`);
  return exitCode;
}
