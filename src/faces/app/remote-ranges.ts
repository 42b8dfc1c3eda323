/** Reads records of WARC files at an address by ranges (RFC 9110 §14): one request after another, as politely as a crawl. */
import { askAgain } from '../../base/core/ask-again.ts';
import { systemClock } from '../../base/core/clock.ts';
import { EnvironmentError, UsageError } from '../../base/core/errors.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { canonicalize } from '../../base/web/url.ts';
import { FileBytes } from '../../corpus/records/file-bytes.ts';
import type { ReadRange } from '../../crawling/archive/archived-response.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { proxyOf } from '../../crawling/crawl-dir/crawl-settings.ts';
import { hostPolicyOf } from '../../crawling/fetch/host-policy.ts';
import { HttpFetcher } from '../../crawling/fetch/http-fetcher.ts';
import { RobotsCache } from '../../crawling/fetch/robots-cache.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { PoliteRequests, type Requested } from './polite-requests.ts';

/** Pauses before a range is requested again: a minute in all. */
const PAUSES: readonly Ms[] = [2000, 8000, 50_000];

/** @throws UsageError if the address is no http(s) URL */
export function openRanges(from: string, manifest: CrawlManifest, options: CrawlOptions): { read: ReadRange; close: () => Promise<void> } {
  if (canonicalize(from) === null)
    throw new UsageError(`--archive-from ${from}: not a usable http(s) URL; give that of the folder to which the names of files belong`);
  const { userAgent, contact, allowPrivate, delay } = manifest;
  const proxy = proxyOf(options, manifest);
  const fetcher = new HttpFetcher({ userAgent, contact, clock: systemClock, allowPrivate, ...(proxy !== null && { proxy }) });
  const robots = new RobotsCache(fetcher, PRODUCT_TOKEN, systemClock);
  const requests = new PoliteRequests(
    { fetcher, robots, hostPolicy: hostPolicyOf(manifest, fetcher, { optOut: null, withdrawn: null }) },
    { delay, scope: [], documents: [] },
  );
  const signal = options.signal ?? new AbortController().signal;
  // The leases of a crawl are of many hosts, and here all of them ask one.
  let turn: Promise<unknown> = Promise.resolve();
  const read: ReadRange = (url, offset, length) => {
    const bytes = turn.then(() => rangeOf(requests, fetcher, url, offset, length, signal));
    turn = bytes.catch(() => undefined);
    return bytes.then((body) => FileBytes.from(url, inOnePiece(body)));
  };
  return { read, close: () => fetcher.close() };
}

/** @throws EnvironmentError that ends the run if the range is not available now; a later run continues the crawl */
async function rangeOf(
  requests: PoliteRequests,
  fetcher: HttpFetcher,
  address: string,
  offset: Bytes,
  length: Bytes,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = canonicalize(address);
  if (url === null)
    throw new EnvironmentError(`${address}: not a usable URL of a file; check --archive-from and the names in --archive-index`);
  const asked = await askAgain(
    () => requests.request(url, signal, (one) => fetcher.fetchRange(one, offset, length, signal)),
    (answer, tries) => (isFinal(answer) ? null : (PAUSES[tries - 1] ?? null)),
    systemClock,
    signal,
  );
  if (asked.page?.status === 206) return asked.page.body;
  const why = asked.page === null ? asked.reason : 'the server sends no ranges';
  throw new EnvironmentError(
    `${url}: bytes ${offset} to ${offset + length - 1} cannot be read (${why}); run the command again later to continue`,
  );
}

function isFinal(answer: Requested): boolean {
  return answer.page !== null || /^(?:robots|opt-out|private-address|http-4xx)/.test(answer.reason);
}

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
