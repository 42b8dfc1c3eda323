/** The crawl's loop on a virtual clock: what servers would read in their logs. */
import { describe, expect, test } from 'vitest';
import { FIRST_HOST_PAUSE } from '../../../src/base/core/failure-policy.ts';
import { size } from '../../support/extent.ts';
import { politenessOf, summed } from '../../support/politeness.ts';
import { politeHosts } from './polite-hosts.ts';
import { failure, type SmallCrawl, type SmallPage, type SmallWeb, smallCrawl } from './small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const A = 'http://a.test/';
const MINUTE = 60_000;

function pagesOf(host: string, count: number, page: SmallWeb[string] = ON): SmallWeb {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${host}${i}`, page]));
}

function logOf({ requests }: SmallCrawl, keyOf: (host: string) => string = (host) => host) {
  return requests.map(({ url, start, end }) => ({ host: keyOf(new URL(url).host), start, end }));
}

const HOSTS = size(6000, 1800);

test(`${HOSTS} hosts, each with a delay of a minute, are held at ${HOSTS / 60} pages a second`, async () => {
  const { perMinute, politeness } = await politeHosts({ hosts: HOSTS, delay: MINUTE, minutes: 2, latency: 50, concurrency: 8 });
  expect(summed(politeness)).toMatchObject({ overlaps: 0, short: 0 });
  expect(politeness).toHaveLength(HOSTS);
  // A host is asked every 60.051 s: 99.9 % of that are all there is.
  expect(perMinute).toHaveLength(2);
  for (const pages of perMinute) expect(Math.round(pages / 60)).toBe(HOSTS / 60);
});

describe('hosts that share their delay', () => {
  const web = Object.fromEntries([0, 1, 2, 3, 4, 5].flatMap((host) => Object.entries(pagesOf(`http://h${host}.test/`, 8))));
  const groupsOf = (host: string) => (Number(host.at(8)) < 4 ? ['machine'] : []);

  test('are asked one at a time with the delay between, robots.txt too; the others go on meanwhile', async () => {
    const limits = { concurrency: 8 };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web), delay: 1000, limits, groupsOf, robotsKnown: false, latency: () => 300 });
    expect(crawl.stopped).toBe('drained');
    expect(crawl.requests).toHaveLength(6 * 9);
    const machine = politenessOf(
      logOf(crawl, (host) => (Number(host.at(1)) < 4 ? 'machine' : host)),
      () => 1000,
    );
    expect(machine.map(({ requests, overlaps, short }) => ({ requests, overlaps, short }))).toEqual([
      { requests: 36, overlaps: 0, short: 0 },
      { requests: 9, overlaps: 0, short: 0 },
      { requests: 9, overlaps: 0, short: 0 },
    ]);
    expect(crawl.clock.now() - 1_000_000).toBe(36 * 300 + 35 * 1001);
  });

  test('are told again where their address was not to be had at first', async () => {
    let told = 0;
    const late = (host: string) => (++told <= 2 ? null : groupsOf(host));
    const crawl = await smallCrawl({ web, seeds: Object.keys(web), delay: 1000, limits: { concurrency: 8 }, groupsOf: late });
    expect(crawl.clock.now() - 1_000_000).toBeGreaterThan(29 * 1001);
    expect(told).toBe(8);
  });

  test('do not share the pauses that one of them asks for', async () => {
    const busy = { ...web, 'http://h0.test/0': [failure('http-429', 429, 10 * MINUTE), ON] };
    const crawl = await smallCrawl({ web: busy, seeds: Object.keys(busy), delay: 1000, limits: { concurrency: 8 }, groupsOf });
    const ended = (host: string) => Math.max(...crawl.requests.filter(({ url }) => url.startsWith(host)).map(({ end }) => end - 1_000_000));
    expect(ended('http://h1.test')).toBeLessThan(MINUTE);
    expect(ended('http://h0.test')).toBeGreaterThan(10 * MINUTE);
  });
});

describe('a slow host', () => {
  test('has as much time off as its last answer took, up to half a minute', async () => {
    const latency = (url: string) => ({ [`${A}0`]: 200, [`${A}1`]: 4000, [`${A}2`]: 90_000 })[url] ?? 10;
    const crawl = await smallCrawl({ web: pagesOf(A, 4), seeds: Object.keys(pagesOf(A, 4)), delay: 1000, delayFactor: 1, latency });
    const gaps = crawl.requests.slice(1).map(({ start }, i) => start - (crawl.requests[i]?.end ?? 0));
    expect(gaps).toEqual([1001, 4001, 30_001]);
  });

  test('rests as long after a slow robots.txt', async () => {
    const latency = (url: string) => (url.endsWith('robots.txt') ? 5000 : 10);
    const crawl = await smallCrawl({ web: pagesOf(A, 1), seeds: [`${A}0`], delay: 1000, delayFactor: 1, latency, robotsKnown: false });
    expect((crawl.requests[1]?.start ?? 0) - (crawl.requests[0]?.end ?? 0)).toBe(5001);
  });
});

describe('a host in trouble', () => {
  const B = 'http://b.test/';

  test('is asked once after each pause, and given up on after a quarter of an hour; its URLs wait, the crawl ends', async () => {
    const web = { ...pagesOf(A, 50, failure('timeout')), ...pagesOf(B, 5) };
    const crawl = await smallCrawl({ web, seeds: Object.keys(web), limits: { concurrency: 4 } });
    expect(crawl.stopped).toBe('drained');
    const asked = crawl.requests.filter(({ url }) => url.startsWith(A));
    const gaps = asked.slice(1).map(({ start }, i) => start - (asked[i]?.end ?? 0));
    expect(gaps).toEqual([0, 0, ...[1, 2, 4, 8, 16].map((n) => n * FIRST_HOST_PAUSE + 1)]);
    const { waiting, parked, kept, failed } = crawl.frontier.counts();
    expect([kept, waiting + failed, parked]).toEqual([5, 50, waiting]);
    expect(failed).toBeLessThan(8);
    const waits = [...crawl.frontier.ledger()].filter(({ state }) => state === 'parked');
    expect(waits).toHaveLength(waiting);
    expect(new Set(waits.map(({ reason }) => reason))).toEqual(new Set(['host-unreachable']));
  });

  test('that comes back while it is tried has all its pages visited', async () => {
    const web = pagesOf(A, 20, [failure('http-5xx', 503), ON]);
    const crawl = await smallCrawl({ web, seeds: Object.keys(web) });
    const pauses = crawl.requests.slice(1).map(({ start }, i) => start - (crawl.requests[i]?.end ?? 0));
    expect(pauses.filter((pause) => pause > FIRST_HOST_PAUSE).length).toBeGreaterThan(0);
    expect(crawl.frontier.counts()).toMatchObject({ kept: 20, waiting: 0 });
  });

  test('through a proxy that fails, or with pages that cannot be read, is not the one to blame', async () => {
    const web = { ...pagesOf(A, 6, failure('proxy')), ...pagesOf(B, 6, failure('decode', 200)) };
    const { clock } = await smallCrawl({ web, seeds: Object.keys(web), limits: { concurrency: 2 } });
    expect(clock.now() - 1_000_000).toBeLessThan(2 * MINUTE);
  });
});

test('a page that was taken back is refused before its request', async () => {
  const crawl = await smallCrawl({ web: pagesOf(A, 3), seeds: [`${A}0`, `${A}1`], withdrawn: (url) => url === `${A}1` });
  expect(crawl.requests.map(({ url }) => url)).not.toContain(`${A}1`);
  expect(crawl.line(`${A}1`)).toMatchObject({ state: 'refused', reason: 'withdrawn' });
  expect(crawl.fate(`${A}1`)?.visited).toBe(false);
});

test('who opted out is not asked, not for robots.txt either; what waits is refused when its turn comes', async () => {
  const web: SmallWeb = { ...pagesOf(A, 3), 'http://b.test/0': { ...ON, links: [`${A}new`] } };
  let out = false;
  const crawl = await smallCrawl({
    web,
    seeds: [`${A}0`, 'http://b.test/0', `${A}1`, `${A}2`],
    robotsKnown: false,
    optedOut: (url) => out && url.startsWith(A),
    onFetch: (url) => {
      out ||= url === `${A}0`;
    },
  });
  expect(crawl.requests.map(({ url }) => url)).toEqual([`${A}robots.txt`, `${A}0`, 'http://b.test/robots.txt', 'http://b.test/0']);
  for (const url of [`${A}1`, `${A}2`, `${A}new`]) {
    expect(crawl.line(url)).toMatchObject({ state: 'refused', reason: 'opt-out' });
    expect(crawl.fate(url)?.visited).toBe(false);
  }
  const never = await smallCrawl({ web, seeds: [`${A}0`], robotsKnown: false, optedOut: () => true });
  expect(never.requests).toEqual([]);
});
