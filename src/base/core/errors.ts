/** Errors that end a command. Failures of the web are never such errors: they are values. */
import { systemFault, withRemedy } from './system-errors.ts';

export type ErrorCode =
  | 'USAGE'
  | 'DATA'
  | 'MODEL'
  | 'STORE_FULL'
  | 'STORE_CORRUPT'
  | 'STORE_LOCKED'
  | 'STORE_IO'
  | 'ENVIRONMENT'
  | 'INVARIANT';

/** Exit codes of the CLI: 0 done; 1 no seed of a crawl returned a page, a corpus without a page, or our bug; 2 usage or data; 3 environment; 130 interrupted. */
export const EXIT = { done: 0, noPage: 1, bug: 1, usage: 2, environment: 3, interrupted: 130 } as const;

const EXIT_OF: Record<ErrorCode, number> = {
  USAGE: EXIT.usage,
  DATA: EXIT.usage,
  MODEL: EXIT.usage,
  STORE_FULL: EXIT.environment,
  STORE_CORRUPT: EXIT.environment,
  STORE_LOCKED: EXIT.environment,
  STORE_IO: EXIT.environment,
  ENVIRONMENT: EXIT.environment,
  INVARIANT: EXIT.bug,
};

/** Codes of errors about the user's input. If the machine is the cause, as with a file that may not be read, the input is not at fault. */
const OF_INPUT: ReadonlySet<ErrorCode> = new Set(['USAGE', 'DATA', 'MODEL', 'STORE_CORRUPT']);

/** The message names the event, the file or URL, and the next step, in one line. An error that the machine caused has that remedy, and the code ENVIRONMENT. */
export class CrawlerError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code | 'ENVIRONMENT';
  constructor(code: Code, message: string, options?: ErrorOptions) {
    const fault = OF_INPUT.has(code) ? systemFault(options?.cause) : null;
    super(fault ? withRemedy(message, fault) : message, options);
    this.name = new.target.name;
    this.code = fault ? 'ENVIRONMENT' : code;
  }
  get exitCode(): number {
    return EXIT_OF[this.code];
  }
}

/** The user called a command in a way that it does not understand. */
export class UsageError extends CrawlerError<'USAGE'> {
  constructor(message: string, options?: ErrorOptions) {
    super('USAGE', message, options);
  }
}

/** A file of the user cannot be used. The message names the file and, if known, the line and the field. */
export class DataError extends CrawlerError<'DATA' | 'STORE_CORRUPT'> {
  constructor(message: string, options?: ErrorOptions, code: 'DATA' | 'STORE_CORRUPT' = 'DATA') {
    super(code, message, options);
  }
}

/** A file of a crawl differs from the data the crawl wrote. Every command that finds it exits with the code of a damaged frontier. */
export class DamageError extends DataError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'STORE_CORRUPT');
  }
}

/** Gets one line about each damaged part, which is then skipped. */
export type OnDamaged = (message: string) => void;

/** A topic model is missing, damaged or of another version. */
export class ModelError extends CrawlerError<'MODEL'> {
  constructor(message: string, options?: ErrorOptions) {
    super('MODEL', message, options);
  }
}

/** A topic model is whole, and of another version. */
export class ModelVersionError extends ModelError {}

/** Turns an error about data or a model into damage, where the files of a crawl are read. Other errors stay as they are. */
export function damageIn(error: unknown): unknown {
  const isDamage = error instanceof DataError || (error instanceof ModelError && !(error instanceof ModelVersionError));
  return isDamage ? new DamageError(error.message, { cause: error }) : error;
}

/** The disk or the database under a crawl failed. The crawl stops, and everything committed stays. */
export class StoreError extends CrawlerError<'STORE_FULL' | 'STORE_CORRUPT' | 'STORE_LOCKED' | 'STORE_IO'> {
  constructor(code: 'STORE_FULL' | 'STORE_CORRUPT' | 'STORE_LOCKED' | 'STORE_IO', message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** Something outside the process is missing: a proxy that does not answer, a port that is taken. */
export class EnvironmentError extends CrawlerError<'ENVIRONMENT'> {
  constructor(message: string, options?: ErrorOptions) {
    super('ENVIRONMENT', message, options);
  }
}

/** Our bug. */
export class InvariantError extends CrawlerError<'INVARIANT'> {
  constructor(message: string, options?: ErrorOptions) {
    super('INVARIANT', message, options);
  }
}

/** Every error that Forager throws on purpose; `code` distinguishes them. */
export type ForagerError = UsageError | DataError | ModelError | StoreError | EnvironmentError | InvariantError;

/** Narrows a caught error, so that `switch (error.code)` is checked for completeness. */
export function isForagerError(error: unknown): error is ForagerError {
  return error instanceof CrawlerError;
}

/** Wraps an error that the file system or LMDB threw while `doing` something to `what`. */
export function storeErrorFrom(error: unknown, doing: string, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const fault = systemFault(error);
  const text = messageOf(error);
  if (fault?.isFull || /MDB_MAP_FULL|No space left|disk quota/i.test(text))
    return new StoreError('STORE_FULL', `${what}: no space left while ${doing}; free some and run the same command again`, {
      cause: error,
    });
  if (/MDB_(CORRUPTED|INVALID|PAGE_NOTFOUND)/.test(text)) {
    return new StoreError(
      'STORE_CORRUPT',
      `${what}: damaged (${text}) while ${doing}; restore it from a copy or start a new crawl directory`,
      { cause: error },
    );
  }
  return new StoreError('STORE_IO', `${what}: ${text} while ${doing}${fault ? `; ${fault.remedy}` : ''}`, { cause: error });
}

/** An error of the file system that no command expected; null for any other error. */
export function environmentErrorFrom(error: unknown): EnvironmentError | null {
  const fault = systemFault(error);
  return fault && new EnvironmentError(`${fault.text}; ${fault.remedy}`, { cause: error });
}

/** The error of some work, in words: one of the file system that nobody expected gets them here. */
function inWordsOf(error: unknown): unknown {
  return error instanceof CrawlerError ? error : (environmentErrorFrom(error) ?? error);
}

/** Does work of the library. @throws CrawlerError also for errors of the file system; otherwise the error of the work */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inWordsOf(error);
  }
}

/** Does work of the library that gives its results one by one. @throws CrawlerError as `inWords` does */
export async function* eachInWords<T>(work: () => Promise<AsyncIterable<T>>): AsyncGenerator<T> {
  try {
    yield* await work();
  } catch (error) {
    throw inWordsOf(error);
  }
}

/** One line for people: the message of an error without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Must this error end the crawl? Such an error means that the machine under the crawl failed, not one page. */
export function isFatal(error: unknown): error is CrawlerError {
  return error instanceof StoreError || error instanceof EnvironmentError;
}
