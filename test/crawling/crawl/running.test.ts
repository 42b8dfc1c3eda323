/** What the loop tells of itself while it runs, and what it does when the machine has no room. */
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { RunningCrawl } from '../../../src/crawling/crawl/running.ts';
import { failure, smallCrawl } from './small-crawl.ts';

const WEB = {
  'http://a.test/': { relevance: 0.9, links: ['http://a.test/1', 'http://b.test/', 'http://c.test/'] },
  'http://a.test/1': { relevance: 0.9 },
  'http://b.test/': { relevance: 0.1 },
  'http://c.test/': failure('reset'),
};
const SEEDS = ['http://a.test/'];

function stepsOf(running: RunningCrawl): string[] {
  return [...running.visits()].map(({ lease, step }) => `${lease.entry.url} ${step}`);
}

test('a visit is there from its lease to its end, at the step it is at', async () => {
  const seen: string[][] = [];
  const run = await smallCrawl({
    web: WEB,
    seeds: SEEDS,
    limits: { concurrency: 2 },
    onFetch: (_, __, running) => seen.push(stepsOf(running)),
  });
  expect(seen[0]).toEqual(['http://a.test/ fetch']);
  expect(Math.max(...seen.map((steps) => steps.length))).toBe(2);
  expect([run.running.inFlight, run.running.waiting, run.running.failure]).toEqual([0, null, null]);
});

test('loading a robots.txt is a step, and told of as an event with its time', async () => {
  const seen: string[] = [];
  let running: RunningCrawl | null = null;
  const slow = (url: string) => {
    if (running && url.endsWith('robots.txt')) seen.push(...stepsOf(running));
    return url.endsWith('robots.txt') ? 500 : 10;
  };
  const run = await smallCrawl({
    web: WEB,
    seeds: SEEDS,
    robots: { 'http://b.test': {} },
    latency: slow,
    onFetch: (_, __, now) => {
      running = now;
    },
  });
  expect(run.events.filter(({ type }) => type === 'robots')).toMatchObject([{ url: 'http://b.test/', ms: 500 }]);
  expect(seen).toEqual(['http://b.test/ robots']);
});

test('events have what a log and metrics want: bytes, time of reading, status, relevance', async () => {
  const { events } = await smallCrawl({ web: WEB, seeds: SEEDS });
  const of = (type: string, url: string) => events.find((event) => event.type === type && 'url' in event && event.url === url);
  expect(of('fetched', 'http://a.test/')).toMatchObject({ outcome: 'page', bytes: 'http://a.test/'.length, ms: 10 });
  expect(of('fetched', 'http://c.test/')).toMatchObject({ outcome: 'failed', bytes: 0 });
  expect(of('judged', 'http://b.test/')).toMatchObject({ relevance: 0.1, ms: 0 });
  expect(of('settled', 'http://b.test/')).toMatchObject({ fate: 'off-topic', status: 200, relevance: 0.1 });
  expect(of('settled', 'http://c.test/')).toMatchObject({ settlement: 'retry', fate: null, status: null, relevance: null });
});

test('each request of a visit is told of once, whatever it was for: pages, sitemaps, reservations, and pages asked for again', async () => {
  const map = 'http://a.test/sitemap.xml';
  const run = await smallCrawl({
    web: { ...WEB, 'http://a.test/listed': { relevance: 0.9 } },
    seeds: SEEDS,
    robots: { 'http://a.test': { sitemaps: [map] } },
    lists: { [map]: { pages: ['http://a.test/listed', 'http://a.test/gone'] } },
    reservations: { 'http://a.test/.well-known/tdmrep.json': [] },
    revisit: { age: 0 },
  });
  const told = run.events.flatMap((event) => (event.type === 'fetched' ? [event.url as string] : []));
  const asked = run.requests.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'));
  expect(told).toEqual(asked);
  for (const url of [map, 'http://a.test/.well-known/tdmrep.json', 'http://a.test/gone', 'http://a.test/listed'])
    expect(told).toContain(url);
  expect(told.filter((url) => url === 'http://a.test/')).toHaveLength(2);
});

test('without room nothing is leased, a second at a time; with room again the crawl goes on', async () => {
  const from = 1_000_020;
  const till = 1_030_000;
  const run = await smallCrawl({
    web: WEB,
    seeds: SEEDS,
    headroom: (clock) => (clock.now() >= from && clock.now() < till ? 'hold' : 'go'),
  });
  expect(run.stopped).toBe('drained');
  const starts = run.requests.map(({ start }) => start);
  expect(starts.filter((start) => start >= from && start < till)).toEqual([]);
  expect(starts.filter((start) => start < from).length).toBeGreaterThan(0);
  expect(starts.filter((start) => start >= till && start < till + 1000).length).toBeGreaterThan(0);
});

test.each(['disk-full', 'low-memory'] as const)('%s: the crawl ends with that reason, all it has is committed', async (reason) => {
  let asked = 0;
  const run = await smallCrawl({ web: WEB, seeds: SEEDS, headroom: () => (++asked > 2 ? reason : 'go') });
  expect([run.stopped, run.error]).toEqual([reason, null]);
  expect(run.settlements.length).toBe(2);
  expect(run.commits.at(-1)?.kept).toEqual(['http://a.test/', 'http://a.test/1']);
  expect(run.leased).toBe(2);
});

test('while there is no room a stop and the end of the time are heard', async () => {
  const stop = new AbortController();
  let asked = 0;
  const headroom = () => {
    if (++asked === 3) stop.abort();
    return 'hold' as const;
  };
  expect(await smallCrawl({ web: WEB, seeds: SEEDS, headroom, stop: stop.signal })).toMatchObject({ stopped: 'interrupted', leased: 0 });
  const timed = await smallCrawl({ web: WEB, seeds: SEEDS, headroom: () => 'hold', limits: { maxTime: 5500 } });
  expect([timed.stopped, timed.clock.now()]).toEqual(['max-time', 1_005_500]);
});

test('a commit that fails is told', async () => {
  const run = await smallCrawl({ web: WEB, seeds: SEEDS, failCorpus: { onFlush: () => new StoreError('STORE_FULL', 'no space left') } });
  expect(run.running.failure).toBe('no space left');
  expect(run.error).toBeInstanceOf(StoreError);
});
