import { describe, expect, test } from 'vitest';
import type { CrawlLimits } from '../../../src/crawling/crawl/loop.ts';
import { MOST_PATIENCE, patienceWithin } from '../../../src/crawling/crawl/patience.ts';
import { failure, type SmallWeb, smallCrawl } from './small-crawl.ts';

const PAGES = 60;
const DELAY = 200;
const LATENCY = 50;

/** A host whose pages are good, and each name two hosts that are not. */
function oneGoodHost(): SmallWeb {
  const web: Record<string, SmallWeb[string]> = {};
  for (let i = 0; i < PAGES; i++) {
    const next = [i + 1, i + 2].map((n) => [`http://good.test/${n}`, '0.8'] as const);
    const poor = [2 * i, 2 * i + 1].map((n) => [`http://poor-${n}.test/`, '0.1'] as const);
    web[`http://good.test/${i}`] = { relevance: 0.9, links: [...next, ...poor] };
    for (const [url] of poor) web[url] = { relevance: 0.1 };
  }
  return web;
}

async function visits(limits: Partial<CrawlLimits>) {
  const crawl = await smallCrawl({
    web: oneGoodHost(),
    seeds: ['http://good.test/0'],
    delay: DELAY,
    latency: () => LATENCY,
    limits: { concurrency: 16, ...limits },
  });
  expect(crawl.error).toBeNull();
  const good = crawl.requests.filter(({ url }) => url.startsWith('http://good.test/')).length;
  return { good, all: crawl.requests.length, stopped: crawl.stopped, ms: crawl.clock.now() - 1_000_000 };
}

describe('a page budget, and what is free clearly worse than what a busy host has', () => {
  test('is spent on the busy host; without patience most of it is not', async () => {
    expect(await visits({ maxPages: 40 })).toMatchObject({ good: 40, all: 40, stopped: 'max-pages' });
    expect((await visits({ maxPages: 40, patience: 0 })).good).toBeLessThan(20);
  });

  test('an hour is as good as no limit; with little time for each page both are used up', async () => {
    expect(await visits({ maxPages: 40, maxTime: 3_600_000 })).toMatchObject({ good: 40, all: 40 });
    const cycle = LATENCY + DELAY + 1;
    const both = await visits({ maxPages: 40, maxTime: 20 * cycle });
    expect(both.good).toBe(20);
    expect(both.all).toBeGreaterThanOrEqual(38);
    expect((await visits({ maxPages: 40, maxTime: 20 * cycle, patience: 0 })).good).toBeLessThan(15);
  });

  test('without one nothing waits, and the web ends as soon as ever', async () => {
    const { ms, ...now } = await visits({});
    const never = await visits({ patience: 0 });
    expect(never).toMatchObject({ ...now, stopped: 'drained' });
    expect(ms).toBeLessThan(1.1 * never.ms);
  });

  test('and none of the better ones can be had: a host that hangs is waited for once as long as patience goes', async () => {
    const web = { ...oneGoodHost() };
    const crawl = await smallCrawl({
      web,
      seeds: ['http://good.test/0'],
      delay: DELAY,
      latency: (url) => (url === 'http://good.test/1' ? 10 * MOST_PATIENCE : LATENCY),
      limits: { concurrency: 4, maxPages: 10 },
    });
    const hung = crawl.requests.find(({ url }) => url === 'http://good.test/1')?.start ?? 0;
    const others = crawl.requests.filter(({ url }) => url.includes('poor'));
    expect(others.length).toBeGreaterThan(0);
    for (const { start } of others) expect(start).toBe(hung + MOST_PATIENCE);
  });
});

test('patience is the time that the limits leave a page, and none where pages are not scarce', () => {
  const pace = (pages: number, time: number) => patienceWithin(pages, time).pace;
  expect(pace(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(0);
  expect(pace(Number.POSITIVE_INFINITY, 5000)).toBe(0);
  expect(pace(100, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
  expect(pace(100, 60_000)).toBe(600);
  expect(pace(0, 60_000)).toBe(60_000);
});

test('a host that answers with nothing but errors has five visits of a budget; after the first page it gave dead links are no fault of its', async () => {
  const dead = Array.from({ length: 30 }, (_, i) => `http://dead.test/${i}`);
  const alive = Array.from({ length: 30 }, (_, i) => `http://alive.test/${i}`);
  const web: Record<string, SmallWeb[string]> = Object.fromEntries([...dead, ...alive].map((url) => [url, failure('http-4xx', 404)]));
  web['http://alive.test/0'] = { relevance: 0.9, links: [...dead, ...alive].map((url) => [url, '0.9']) };
  const crawl = await smallCrawl({ web, seeds: ['http://alive.test/0'], limits: { maxPages: 1000 } });
  const asked = (host: string) => crawl.requests.filter(({ url }) => url.startsWith(host)).length;
  expect([asked('http://dead.test'), asked('http://alive.test'), crawl.stopped]).toEqual([5, 30, 'drained']);
  expect(crawl.frontier.counts()).toMatchObject({ parked: 25, hostsGivenUp: 1 });
});
