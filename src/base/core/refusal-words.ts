/** Reasons for refusals, in words: a scope that the user set is no trouble, and robots.txt is another matter than a picture. */
import type { RefusalReason } from './types.ts';

const WORDS: Readonly<Record<RefusalReason, string>> = {
  scope: 'out of scope',
  'content-type': 'not HTML or plain text',
  robots: 'forbidden by robots.txt',
  'robots-unreachable': 'of hosts whose robots.txt does not answer',
  tunnel: 'behind too many off-topic pages',
  'max-depth': 'too deep',
  'opt-out': 'on the opt-out list',
  withdrawn: 'taken back (corpus withdraw)',
  unchanged: 'as the corpus of --since has them',
  'private-address': 'at private addresses',
  'too-large': 'too large',
  'redirect-limit': 'of too many redirects',
  encrypted: 'of documents that want a password',
  'no-text': 'of documents without text, such as scans',
  'not-in-archive': 'that the archive does not have',
  noindex: 'that ask not to be kept',
  login: 'with a login in place of the page',
  'consent-wall': 'with a consent wall in place of the page',
  'needs-javascript': 'that need JavaScript',
  'no-sitemaps': 'of sitemaps and feeds',
  hook: 'by a hook of --hooks',
  'next-round': 'on other hosts, which wait for the next round',
};
/** Reasons that follow from options or pages: nothing is wrong. */
const EXPECTED: ReadonlySet<string> = new Set([
  'scope',
  'content-type',
  'tunnel',
  'max-depth',
  'opt-out',
  'withdrawn',
  'unchanged',
  'noindex',
  'no-sitemaps',
  'hook',
  'next-round',
]);

/** Refused URLs by the word of their reason, the most frequent first. */
export type RefusalCounts = Readonly<Partial<Record<RefusalReason, number>>>;

/** @param reason of a refused URL, perhaps with a cause behind a colon */
export function refusalText(reason: string): string {
  const [word = '', ...cause] = reason.split(':');
  const known = Object.entries(WORDS).find(([name]) => name === word)?.[1];
  return known === undefined ? reason : `${known}${cause.length === 0 ? '' : ` (${cause.join(':')})`}`;
}

/** Is it what the user or the page asked for? @param reason see `refusalText` */
export function isExpected(reason: string): boolean {
  return EXPECTED.has(reason.split(':', 1)[0] ?? '');
}
