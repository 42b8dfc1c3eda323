/** The connections to a PostgreSQL database, with errors as this program means them. */

import type { Pool, PoolConfig } from 'pg';
import { askAgain } from '../../base/core/ask-again.ts';
import { systemClock } from '../../base/core/clock.ts';
import { CrawlerError, messageOf, StoreError, UsageError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { StoreAwayError } from '../../corpus/object-store/store-away.ts';
import type { EngineAddress } from './engine-address.ts';

/** Another worker has taken over partitions of this one. The changes that this worker had not committed never happened. */
export class FencedError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super('STORE_LOCKED', message, options);
  }
}

/** The database does not answer. A statement that was sent may have taken effect. */
export class EngineGoneError extends CrawlerError<'ENVIRONMENT'> {
  constructor(message: string, options?: ErrorOptions) {
    super('ENVIRONMENT', message, options);
  }
}

/** Time between attempts to reach a database or a bucket that is gone. */
const RETRY_AFTER: Ms = 500;

/** Gets the error of an attempt that found the database or the bucket gone; null after one that succeeded. */
export type Tried = (gone: EngineGoneError | StoreAwayError | null) => void;

/**
 * Tries again while the database, or the bucket of the pages, is gone.
 * @param run must be the same if it happens twice
 * @param signal ends the attempts
 * @param tried is called after each attempt
 * @throws the error of `run`; EngineGoneError, StoreAwayError when `signal` aborts
 */
export async function persistently<T>(run: () => Promise<T>, signal: AbortSignal, tried: Tried = () => undefined): Promise<T> {
  const attempt = async (): Promise<Attempt<T>> => {
    try {
      return { gone: null, result: await run() };
    } catch (error) {
      if (!(error instanceof EngineGoneError || error instanceof StoreAwayError) || signal.aborted) throw error;
      return { gone: error };
    }
  };
  const pauseAfter = ({ gone }: Attempt<T>) => {
    tried(gone);
    return gone === null ? null : RETRY_AFTER;
  };
  const end = await askAgain(attempt, pauseAfter, systemClock, signal);
  if (end.gone !== null) throw end.gone;
  return end.result;
}

type Attempt<T> = { readonly gone: null; readonly result: T } | { readonly gone: EngineGoneError | StoreAwayError };

/** One for commits, one for looks at the crawl, one for claims, one to spare. */
const CONNECTIONS = 4;
const CONNECT_WITHIN: Ms = 5_000;
/** A commit takes milliseconds. After this time the database counts as gone, so that a crawl notices well within a lease. */
const ANSWER_WITHIN: Ms = 10_000;
/** SQLSTATE of the functions in `migrations.ts`. */
const [FENCED, DROPPED, OCCUPIED, OTHER_HISTORY] = ['FG001', 'FG002', 'FG003', 'FG004'];
/** SQLSTATE of PostgreSQL. */
const DISK_FULL = '53100';
/** Rows of a crawl need its row (foreign keys), and its partitions of the tables: both are gone when it was dropped. */
const WITHOUT_CRAWL = new Set(['23503', '23514']);
/**
 * Classes of SQLSTATE that end by waiting: the connection is lost (08), the server has no room for more (53), an operator intervened or it starts (57), it has
 * an error of its own (58), and conflicts with other transactions (40).
 */
const PASSING = new Set(['08', '53', '57', '58', '40']);

export class SqlClient {
  readonly #pool: Pool;
  /** Name of the database, for messages. */
  readonly shown: string;

  private constructor(pool: Pool, shown: string) {
    this.#pool = pool;
    this.shown = shown;
    // A connection that breaks while nothing uses it: the next statement finds out.
    pool.on('error', () => undefined);
  }

  /** @throws CrawlerError without the package `pg`; EngineGoneError, StoreError without the database */
  static async connect({ database, shown }: EngineAddress): Promise<SqlClient> {
    const { Pool } = await loadPg();
    const client = new SqlClient(new Pool(configFor(database)), shown);
    try {
      await client.query('select 1');
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /**
   * @param values `$1`, `$2` … in the text. A statement with a name is prepared once a connection.
   * @throws FencedError, EngineGoneError; StoreError for anything that waiting does not mend
   */
  async query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    try {
      const { rows } = await this.#pool.query({ text, values: [...values], ...(name !== undefined && { name }) });
      return rows as Row[];
    } catch (error) {
      throw this.#errorFrom(error);
    }
  }

  /** Statements in one transaction. @throws as `query` */
  async transaction<T>(run: (query: (text: string, values?: readonly unknown[]) => Promise<unknown>) => Promise<T>): Promise<T> {
    const connection = await this.#pool.connect().catch((error: unknown) => {
      throw this.#errorFrom(error);
    });
    let failure: Error | undefined;
    // A connection that breaks between two statements: the next one finds out.
    const ignore = () => undefined;
    connection.on('error', ignore);
    try {
      await connection.query('begin');
      const result = await run((text, values = []) => connection.query(text, [...values]));
      await connection.query('commit');
      return result;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error instanceof CrawlerError ? error : this.#errorFrom(error);
    } finally {
      if (failure === undefined) connection.off('error', ignore);
      // A connection that failed is closed, which rolls its transaction back.
      connection.release(failure);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #errorFrom(error: unknown): CrawlerError {
    const state = sqlStateOf(error);
    const why = `${this.shown}: ${messageOf(error)}`;
    if (state === FENCED) return new FencedError(why, { cause: error });
    if (state === OTHER_HISTORY) return otherLogError(why, { cause: error });
    if (state !== null && WITHOUT_CRAWL.has(state))
      return new StoreError('STORE_IO', `${this.shown}: the crawl was dropped (${messageOf(error)}); start another crawl`, {
        cause: error,
      });
    if (state === DROPPED) return new StoreError('STORE_IO', `${why}; start another crawl`, { cause: error });
    if (state === OCCUPIED)
      return new UsageError(`${why}; stop them first: ${foragerCommand('workers', 'stop', '--at', '…')}`, { cause: error });
    if (state === DISK_FULL) return new EngineGoneError(`${why}; free some space on the disk of the database`, { cause: error });
    if (state === null || PASSING.has(state.slice(0, 2)))
      return new EngineGoneError(`${why}; start the database, or correct --at`, { cause: error });
    if (state.startsWith('28'))
      return new StoreError('STORE_IO', `${why}; give the password in PGPASSWORD, and check user and database of --at`, { cause: error });
    return new StoreError('STORE_IO', `${why} (SQLSTATE ${state})`, { cause: error });
  }
}

/**
 * The error for a database that lacks a commit which is known to have been made, or has another one of its number.
 * @param why names the database, and the commits
 */
export function otherLogError(why: string, options?: ErrorOptions): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `${why}: it is an older copy of the database, or continued from one; restore a later one, or continue from it in new directories, and keep the former ones for their pages`,
    options,
  );
}

async function loadPg(): Promise<{ readonly Pool: typeof Pool }> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new CrawlerError('ENVIRONMENT', '--at: needs the package pg; install it with: npm install pg', { cause: error });
  }
}

function configFor(database: string): PoolConfig {
  return {
    connectionString: database,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN,
    query_timeout: ANSWER_WITHIN,
    statement_timeout: ANSWER_WITHIN,
    keepAlive: true,
    application_name: 'forager',
    // A commit is on the server's disk, regardless of its default.
    options: '-c synchronous_commit=on',
  };
}

/** null for an error that is not of the server: the connection is at fault. */
function sqlStateOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}
