import { expect, test } from 'vitest';
import type { CanonicalUrl, FetchOutcome } from '../../../src/base/core/types.ts';
import { guardedRequests } from '../../../src/crawling/cluster/guarded-requests.ts';
import type { ResourceWish } from '../../../src/crawling/fetch/http-fetcher.ts';

const URL = 'http://a.example/' as CanonicalUrl;
const CAME: FetchOutcome = { kind: 'refused', reason: 'content-type', status: 200, ms: 1 };

/** Answers after `ms`, or throws the reason of an abort, as the fetcher of a crawl does. */
function answering(ms: number | null) {
  const ask = (signal: AbortSignal): Promise<FetchOutcome> =>
    new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      if (ms !== null) setTimeout(() => resolve(CAME), ms);
    });
  return {
    fetch: (_: CanonicalUrl, signal: AbortSignal) => ask(signal),
    fetchFile: (_: CanonicalUrl, __: number, signal: AbortSignal) => ask(signal),
    fetchResource: (_: CanonicalUrl, __: ResourceWish, signal: AbortSignal) => ask(signal),
    fetchSeed: (_: CanonicalUrl, signal: AbortSignal) => ask(signal),
    close: async () => undefined,
  };
}

const live = new AbortController().signal;
const TIMEOUT = { kind: 'failed', code: 'timeout', status: null };

test('a request that has its answer in time gives it', async () => {
  const guarded = guardedRequests(answering(0), () => 60_000);
  expect(await guarded.fetch(URL, live)).toBe(CAME);
  expect(await guarded.fetchFile(URL, 100, live)).toBe(CAME);
});

test('a request of a page or a file that lasts until others may ask the host is a timeout, which is tried again', async () => {
  const guarded = guardedRequests(answering(null), () => 5);
  expect(await guarded.fetch(URL, live)).toMatchObject(TIMEOUT);
  expect(await guarded.fetchFile(URL, 100, live)).toMatchObject(TIMEOUT);
  expect(await guarded.fetchSeed(URL, live)).toMatchObject(TIMEOUT);
  expect(await guarded.fetchResource(URL, { fields: [], maxBytes: 100, hasCredentials: false }, live)).toMatchObject(TIMEOUT);
  expect(await guardedRequests(answering(null), () => 0).fetch(URL, live)).toMatchObject(TIMEOUT);
});

test('an abort by the crawl stays an abort, and an error of the fetcher an error', async () => {
  const guarded = guardedRequests(answering(null), () => 60_000);
  const stop = new AbortController();
  const asked = guarded.fetch(URL, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  const broken = { ...answering(0), fetch: async () => Promise.reject(new Error('no descriptors')) };
  await expect(guardedRequests(broken, () => 60_000).fetch(URL, live)).rejects.toThrow('no descriptors');
});
