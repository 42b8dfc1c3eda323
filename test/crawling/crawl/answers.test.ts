/** What the loop makes of answers that are no page: how often they are tried again, after how long, and what is told of the host. */
import { describe, expect, test } from 'vitest';
import type { HostReport } from '../../../src/base/core/parts/queueing.ts';
import type { FailureCode, FetchOutcome, RefusalReason } from '../../../src/base/core/types.ts';
import { failure, redirect, type SmallCrawl, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';
const S = 1000;

/** How the URL of the only seed was settled, time after time, with the time from the settlement to when it may be tried again. */
function settled({ settlements, requests }: SmallCrawl, url = A) {
  return settlements
    .filter((one) => one.url === url)
    .map(({ settlement }, i) => ({
      kind: settlement.kind,
      pause: settlement.kind === 'retry' ? settlement.notBefore - (requests[i]?.end ?? 0) : null,
      host: settlement.host,
    }));
}

const FAILURES: readonly (readonly [FailureCode, number | null, HostReport['sign'], readonly number[]])[] = [
  ['dns', null, 'fault', [10 * S]],
  ['connect', null, 'fault', [5 * S, 10 * S]],
  ['tls', null, 'fault', []],
  ['proxy', null, 'unclear', [5 * S, 10 * S, 20 * S]],
  ['proxy', 502, 'unclear', [5 * S, 10 * S, 20 * S]],
  ['timeout', null, 'fault', [5 * S, 10 * S]],
  ['reset', null, 'fault', [2 * S, 4 * S]],
  ['protocol', null, 'unclear', []],
  ['http-4xx', 404, 'nothing', []],
  ['http-4xx', 403, 'fault', []],
  ['http-429', 429, 'busy', [30 * S, 60 * S, 120 * S, 240 * S, 480 * S]],
  ['http-5xx', 500, 'fault', [10 * S, 20 * S]],
  ['blocked', 403, 'busy', [60 * S, 120 * S]],
  ['decode', 200, 'nothing', []],
];

test.each(FAILURES)('%s (status %s): its host is %s, and the URL is tried again after %j', async (code, status, sign, pauses) => {
  const crawl = await smallCrawl({ web: { [A]: failure(code, status) }, seeds: [A] });
  const found = settled(crawl);
  expect(found.map(({ pause }) => pause)).toEqual([...pauses, null]);
  expect(found.map(({ kind }) => kind)).toEqual([...pauses.map(() => 'retry'), 'done']);
  for (const { host } of found) expect(host).toEqual({ ms: 10, sign, retryAfter: null });
  expect(crawl.fate(A)).toMatchObject({ state: 'failed', reason: code, status, visited: true, relevance: null });
  expect(crawl.fate(A)?.fetchedAt).toBe(crawl.requests.at(-1)?.start);
});

test('a pause that the server names counts for the first try, and is the least of the later ones; the host is told to be busy', async () => {
  const first = await smallCrawl({ web: { [A]: failure('http-5xx', 503, 3 * S) }, seeds: [A] });
  expect(settled(first).map(({ pause }) => pause)).toEqual([3 * S, 20 * S, null]);
  const long = await smallCrawl({ web: { [A]: failure('http-5xx', 503, 50 * S) }, seeds: [A] });
  expect(settled(long).map(({ pause }) => pause)).toEqual([50 * S, 50 * S, null]);
  for (const { host } of settled(long)) expect(host).toEqual({ ms: 10, sign: 'busy', retryAfter: 50 * S });
});

const refused = (reason: RefusalReason, status: number | null): Exclude<FetchOutcome, { kind: 'page' }> => ({
  kind: 'refused',
  reason,
  status,
  ms: 10,
});

describe('a refusal', () => {
  test('of a private address is no visit: no request was made, so the host need not rest', async () => {
    const crawl = await smallCrawl({ web: { [A]: refused('private-address', null) }, seeds: [A] });
    expect(settled(crawl)).toEqual([{ kind: 'done', pause: null, host: null }]);
    expect(crawl.fate(A)).toMatchObject({ state: 'refused', reason: 'private-address', visited: false });
    expect(crawl.frontier.counts().visited).toBe(0);
  });

  test.each(['content-type', 'too-large'] as const)('for %s is a visit', async (reason) => {
    const crawl = await smallCrawl({ web: { [A]: refused(reason, 200) }, seeds: [A] });
    expect(settled(crawl)).toEqual([{ kind: 'done', pause: null, host: { ms: 10, sign: 'well', retryAfter: null } }]);
    expect(crawl.fate(A)).toMatchObject({ state: 'refused', reason, status: 200, visited: true });
  });
});

test('a robots.txt that cannot be had is waited for four times, then the URL is refused', async () => {
  const crawl = await smallCrawl({ web: { [A]: { relevance: 0.9 } }, seeds: [A], robots: { 'http://a.test': { unreachable: 99 } } });
  const kinds = crawl.settlements.map(({ settlement }) => settlement.kind);
  expect(kinds.filter((kind) => kind === 'retry')).toHaveLength(4);
  expect(crawl.fate(A)).toMatchObject({
    state: 'refused',
    reason: { kind: 'robots-unreachable', cause: 'http-5xx' },
    visited: false,
    fetchedAt: null,
  });
  const late = await smallCrawl({ web: { [A]: { relevance: 0.9 } }, seeds: [A], robots: { 'http://a.test': { unreachable: 4 } } });
  expect(late.fate(A)?.state).toBe('kept');
});

test.each(['certificate-expired', 'certificate-name', 'tls'] as const)(
  'a robots.txt behind a fault that stays (%s) is not waited for',
  async (cause) => {
    const crawl = await smallCrawl({
      web: { [A]: { relevance: 0.9 } },
      seeds: [A],
      robots: { 'http://a.test': { unreachable: 99, cause } },
    });
    expect(crawl.settlements.filter(({ settlement }) => settlement.kind === 'retry')).toEqual([]);
    expect(crawl.fate(A)).toMatchObject({ state: 'refused', reason: { kind: 'robots-unreachable', cause } });
  },
);

test('a request that is due again is released, not failed: one visit in all', async () => {
  const again = { ...failure('protocol'), again: true } as const;
  const crawl = await smallCrawl({ web: { [A]: [again, { relevance: 0.9 }] }, seeds: [A] });
  expect(settled(crawl).map(({ kind }) => kind)).toEqual(['released', 'done']);
  expect(crawl.line(A).state).toBe('kept');
  expect(crawl.requests.filter(({ url }) => url === A)).toHaveLength(2);
});

describe('a kept page that is asked for again', () => {
  const again = (answer: Exclude<FetchOutcome, { kind: 'page' }>) =>
    smallCrawl({ web: { [A]: [{ relevance: 0.9 }, answer] }, seeds: [A], revisit: { age: 0 } });
  const last = ({ settlements }: SmallCrawl) => settlements.at(-1)?.settlement;

  test.each([404, 410])('and is gone (%s) is noted so', async (status) => {
    const crawl = await again(failure('http-4xx', status));
    expect(last(crawl)).toEqual({
      kind: 'revisited',
      revisit: { at: crawl.requests.at(-1)?.start, status, result: 'gone', version: null },
      discovered: null,
      host: { ms: 10, sign: 'nothing', retryAfter: null },
    });
  });

  test.each([
    [failure('http-4xx', 403), { ms: 10, sign: 'fault', retryAfter: null }],
    [failure('timeout'), { ms: 10, sign: 'fault', retryAfter: null }],
    [refused('too-large', 200), { ms: 10, sign: 'well', retryAfter: null }],
    [refused('private-address', null), null],
  ])('and answers %j teaches nothing of the page', async (answer, host) => {
    expect(last(await again(answer))).toEqual({ kind: 'revisited', revisit: null, discovered: null, host });
  });

  test('and is our bug stays as it is, for another run', async () => {
    const crawl = await smallCrawl({ web: { [A]: [{ relevance: 0.9 }, { throws: new Error('bug') }] }, seeds: [A], revisit: { age: 0 } });
    const host = { ms: 0, sign: 'unclear', retryAfter: null };
    expect(last(crawl)).toEqual({ kind: 'revisited', revisit: null, discovered: null, host });
    expect([crawl.line(A).state, crawl.stopped, crawl.error]).toEqual(['kept', 'drained', null]);
  });

  test('and has moved is noted so, and its new place is found', async () => {
    const crawl = await again(redirect('http://b.test/'));
    expect(last(crawl)).toMatchObject({ kind: 'done' });
    expect(crawl.line(A)).toMatchObject({ revisit: { result: 'moved', version: null } });
    expect(crawl.line('http://b.test/')).toMatchObject({ depth: 0, referrer: null });
  });
});
