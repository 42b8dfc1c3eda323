import { UsageError } from '../../base/core/errors.ts';

/** The place of a crawl: a database, and the crawl's name there. */
export interface EngineAddress {
  /** Address of the database in the form of `libpq`, without a password. */
  readonly database: string;
  readonly crawl: string;
  /** The address for messages and logs: without user and options. */
  readonly shown: string;
}

/** Letters, digits and a few signs: messages show the name. */
const NAME = /^[\w.-]{1,100}$/;
/** Parameters of libpq that are secrets (PostgreSQL 17, 32.1.2 Parameter Key Words). */
const SECRETS = ['password', 'sslpassword'];

/**
 * Reads `postgres://[user@]host[:port]/database?crawl=NAME[&sslmode=…]`. The password comes from PGPASSWORD or a password file (PGPASSFILE), never from the
 * address, since process lists and shell histories show addresses.
 * @throws UsageError
 */
export function readEngineAddress(text: string): EngineAddress {
  const remedy = 'e.g. --at "postgres://forager@db.example.org/crawls?crawl=mosses"';
  const url = URL.canParse(text) ? new URL(text) : null;
  // Not shown: it may have a password.
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new UsageError(`--at: is not the address of a PostgreSQL database; ${remedy}`);
  if (url.password !== '' || SECRETS.some((name) => url.searchParams.has(name)))
    throw new UsageError(
      '--at: has a password in it; give the address without it, and the password in the environment variable PGPASSWORD',
    );
  const crawl = url.searchParams.get('crawl');
  if (crawl === null) throw new UsageError(`--at ${text}: does not name the crawl; ${remedy}`);
  if (!NAME.test(crawl))
    throw new UsageError(
      `--at: ${crawl} is not a name of a crawl; use up to 100 letters, digits, dots, hyphens and underscores; ${remedy}`,
    );
  url.searchParams.delete('crawl');
  return { database: url.href, crawl, shown: `${url.host}${url.pathname} (crawl ${crawl})` };
}
