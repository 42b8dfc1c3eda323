/** How much of what a background is made of. Figures behind these numbers: README.md beside this file. */
import type { Shares, WebShares } from './collect.ts';

/** Hosts the benches crawl or train on: a background that had seen their pages would know the answers. */
const BENCH_HOSTS = ['en.cppreference.com', 'doc.sagemath.org', 'docs.kernel.org', 'macaulay2.com'];
/** Hosts about databases, the topic of the demonstration. */
const DATABASE_HOSTS = [
  'www.postgresql.org',
  'www.sqlite.org',
  'docs.oracle.com',
  'docs.sqlalchemy.org',
  'db.apache.org',
  'groonga.org',
  'postgis.net',
];
export const EXCLUDED_HOSTS: ReadonlySet<string> = new Set([...BENCH_HOSTS, ...DATABASE_HOSTS]);

/** Of a host of the web: there are some hundred with English pages, and a dozen with pages in each larger other language. */
export const WEB_SHARES: WebShares = { english: { counted: 20, sampled: 3 }, other: { counted: 30, sampled: 6 } };
/** Of a package in one language, where its entry in sources.ts does not say otherwise. */
export const PACKAGE_SHARES: Shares = { counted: 60, sampled: 10 };
