/** Reasons of refusals and failures in words, for messages. */
import type { FailureCode, RefusalReason } from './types.ts';

const UNVERIFIED = "a crawl accepts it with 'tls: unverified' in the file of --hosts";

const TEXTS: Readonly<Record<FailureCode | RefusalReason, string>> = {
  dns: 'no such host, or no answer from the name server',
  connect: 'connection refused, or no route to the host',
  tls: 'TLS failed',
  'certificate-expired': `the certificate has expired, or is not valid yet; ${UNVERIFIED}`,
  'certificate-self-signed': `the certificate is self-signed; ${UNVERIFIED}`,
  'certificate-name': `the certificate is of another host name; ${UNVERIFIED}`,
  'certificate-issuer': `the issuer of the certificate is not known; NODE_EXTRA_CA_CERTS=FILE adds it, and ${UNVERIFIED}`,
  proxy: 'the proxy failed',
  timeout: 'timed out',
  reset: 'connection reset',
  protocol: 'no valid HTTP answer',
  'http-4xx': 'the server says that the page does not exist or is forbidden',
  'http-429': 'the server asks for a pause',
  'http-5xx': 'the server failed',
  blocked: 'a challenge instead of the page',
  'needs-cookies': 'the page leads back to itself until a cookie is sent; --cookies keeps cookies',
  decode: 'damaged compression, or a damaged document',
  'read-timeout': 'took too long to read',
  'read-crash': 'could not be read',
  hook: 'a hook of --hooks',
  internal: 'a bug of Forager',
  'opt-out': 'on the list of --opt-out',
  withdrawn: 'taken back by corpus withdraw',
  unchanged: 'the corpus of --since has it with the same text',
  'no-sitemaps': 'a sitemap or feed, and --sitemaps is never',
  robots: 'robots.txt forbids it',
  'robots-unreachable': 'robots.txt could not be fetched',
  scope: 'out of scope',
  'max-depth': 'too deep',
  tunnel: 'too many off-topic pages on the way',
  'next-round': 'a link to another host, which waits for the next round',
  'private-address': 'a private address',
  'content-type': 'not HTML or plain text',
  'too-large': 'too large',
  'redirect-limit': 'too many redirects',
  encrypted: 'the document wants a password',
  'no-text': 'the document has no text: its pages are pictures',
  'not-in-archive': 'the archive has no answer for it',
  noindex: 'the page asks not to be kept',
  login: 'a login in place of the page; see --hosts',
  'consent-wall': 'a consent wall: a dialog about cookies in place of the page; see --cookies',
  'needs-javascript': 'the page needs JavaScript: it has no text without its scripts; see --render',
};

/** The statuses of `http-4xx` that say more than their class. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [401, 'HTTP 401: it wants a name and password; see --hosts'],
  [403, 'HTTP 403: the server forbids the page'],
  [404, 'HTTP 404: no such page'],
  [407, 'HTTP 407: the proxy wants a name and password'],
  [410, 'HTTP 410: the page is gone'],
  [451, 'HTTP 451: withheld for legal reasons'],
]);

/** A reason of the ledger in words: `robots.txt could not be fetched: timed out`. @param status of the answer; null without one */
export function failureText(reason: string, status: number | null = null): string {
  const known = reason === 'http-4xx' && status !== null ? (STATUSES.get(status) ?? `HTTP ${status}: ${TEXTS[reason]}`) : null;
  if (known !== null) return known;
  const words = reason.split(':').map((word) => (isKnown(word) ? TEXTS[word] : word));
  return words.join(': ');
}

function isKnown(word: string): word is FailureCode | RefusalReason {
  return Object.hasOwn(TEXTS, word);
}
