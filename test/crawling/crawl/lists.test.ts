import { describe, expect, test } from 'vitest';
import type { LinkTask } from '../../../src/base/core/types.ts';
import { listOfSeed } from '../../../src/crawling/crawl/lists.ts';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { link, outlinks, urlOf } from '../../support/frontier-values.ts';
import { failure, redirect, type SmallCrawl, type SmallPage, type SmallWeb, smallCrawl } from './small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const OFF = { relevance: 0.1 } satisfies SmallPage;
const A = 'http://a.test/';
const MAP = 'http://a.test/sitemap.xml';
const ROBOTS = { 'http://a.test': { sitemaps: [MAP] } };

function requestsOf({ requests }: SmallCrawl): string[] {
  return requests.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'));
}

describe('sitemaps of robots.txt', () => {
  const web: SmallWeb = { [A]: ON, 'http://a.test/1': ON, 'http://a.test/2': OFF };
  const lists = { [MAP]: { pages: ['http://a.test/1', 'http://a.test/2', A] } };

  test('are asked for once their host has given an on-topic page, by leases of their own, and their URLs are visited', async () => {
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists, delay: 100 });
    expect(requestsOf(crawl)).toEqual([A, MAP, 'http://a.test/1', 'http://a.test/2']);
    for (const [i, { start }] of crawl.requests.entries())
      expect(start - (crawl.requests[i - 1]?.end ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(100);
    expect(crawl.line(MAP)).toMatchObject({ state: 'fetched', reason: 'sitemap:3', referrer: A });
    expect(crawl.line('http://a.test/1')).toMatchObject({ state: 'kept', referrer: MAP, anchorText: '', depth: 1 });
    expect(crawl.frontier.counts().visited).toBe(4);
    expect([A, MAP, 'http://a.test/1', 'http://a.test/2'].map((url) => crawl.line(url).order)).toEqual([1, null, 2, 3]);
  });

  test('are not asked for where the host has given none, nor by a crawl that does not follow lists', async () => {
    const off = await smallCrawl({ web: { ...web, [A]: OFF }, seeds: [A], robots: ROBOTS, lists });
    expect(requestsOf(off)).toEqual([A]);
    const without = await smallCrawl({ web, seeds: [A], robots: ROBOTS });
    expect(requestsOf(without)).toEqual([A]);
    expect([...without.frontier.ledger()].map(({ url }) => url)).toEqual([A]);
  });

  test('list pages that count as behind an off-topic one, which even hard focus follows', async () => {
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists, tunnel: 0 });
    expect(requestsOf(crawl)).toEqual([A, MAP, 'http://a.test/1', 'http://a.test/2']);
    expect(crawl.frontier.find(urlOf('http://a.test/1'))?.entry).toMatchObject({
      offTopicDepth: 1,
      edge: { referrer: { url: MAP, offTopicDepth: 1 } },
    });
  });

  test('obey robots.txt', async () => {
    const crawl = await smallCrawl({
      web,
      seeds: [A],
      robots: { 'http://a.test': { sitemaps: [MAP], deny: ['/sitemap.xml', '/1'] } },
      lists,
    });
    expect(requestsOf(crawl)).toEqual([A]);
    expect(crawl.line(MAP)).toMatchObject({ state: 'refused', reason: 'robots' });
  });

  test('are outside of the scope, and what they list is not', async () => {
    const refuses = (url: string) => (url === A || url.endsWith('/1') ? null : ('scope' as const));
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists, refuses });
    expect(requestsOf(crawl)).toEqual([A, MAP, 'http://a.test/1']);
    expect(crawl.line('http://a.test/2')).toMatchObject({ state: 'refused', reason: 'scope' });
  });

  test('follow redirects as leases of their own, to what is a list too', async () => {
    const moved = 'http://cdn.test/map.xml.gz';
    const crawl = await smallCrawl({
      web,
      seeds: [A],
      robots: ROBOTS,
      lists: { [MAP]: redirect(moved), [moved]: lists[MAP] },
      refuses: (url) => (url.startsWith(A) ? null : 'scope'),
    });
    expect(requestsOf(crawl)).toEqual([A, MAP, moved, 'http://a.test/1', 'http://a.test/2']);
  });

  test('are told of as events, and their pages’ referrers are as far off topic as those', async () => {
    const crawl = await smallCrawl({ web: { ...web, [A]: { ...ON, links: ['http://a.test/1'] } }, seeds: [A], robots: ROBOTS, lists });
    const fetched = crawl.events.flatMap((event) => (event.type === 'fetched' ? [event.url] : []));
    expect(fetched.filter((url) => url === MAP)).toHaveLength(1);
    expect(crawl.frontier.find(urlOf('http://a.test/1'))?.entry).toMatchObject({
      depth: 1,
      offTopicDepth: 0,
      edge: { referrer: { url: A, depth: 0, offTopicDepth: 0 } },
    });
  });

  test('are asked for up to the twentieth that a robots.txt names', async () => {
    const maps = Array.from({ length: 25 }, (_, i) => `${A}map-${i}.xml`);
    const empty = Object.fromEntries(maps.map((map) => [map, { pages: [] }]));
    const crawl = await smallCrawl({ web, seeds: [A], robots: { 'http://a.test': { sitemaps: maps } }, lists: empty });
    expect(requestsOf(crawl)).toEqual([A, ...maps.slice(0, 20)]);
    expect(crawl.added[0]).toMatchObject({ referrer: null, depth: 0, offTopicDepth: 0, redirects: 0, learnedFrom: 0 });
    expect(crawl.added[0]?.links).toMatchObject([{ url: A, priority: 1, refusal: null }]);
  });

  test('are given up after ten redirects', async () => {
    const at = (hop: number) => `${A}map-${hop}.xml`;
    const moved = Object.fromEntries(Array.from({ length: 12 }, (_, hop) => [at(hop), redirect(at(hop + 1))]));
    const crawl = await smallCrawl({
      web,
      seeds: [A],
      robots: ROBOTS,
      lists: { [MAP]: redirect(at(0)), ...moved },
      refuses: () => 'scope',
    });
    expect(requestsOf(crawl)).toEqual([]);
    const free = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists: { [MAP]: redirect(at(0)), ...moved } });
    expect(requestsOf(free)).toEqual([A, MAP, ...Array.from({ length: 10 }, (_, hop) => at(hop))]);
    expect(free.line(at(10))).toMatchObject({ state: 'refused', reason: 'redirect-limit' });
  });

  test('that are missing or fail teach nothing of links', async () => {
    const scorer = linkScorer('apprentice', { threshold: 0.5, seed: 1 });
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists: { [MAP]: failure('http-4xx', 404) }, scorer });
    expect(crawl.line(MAP)).toMatchObject({ state: 'failed', reason: 'http-4xx' });
    expect(scorer.learnedFrom).toBe(1);
  });

  test('leave what was recorded of the web as it is', async () => {
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists });
    expect(crawl.recorded.map(({ url }) => url)).toEqual([A, 'http://a.test/1', 'http://a.test/2']);
  });
});

describe('an index', () => {
  test('leads to sitemaps, and an index in it to more, but no further; deeper ones are asked for later', async () => {
    const at = (name: string) => `${A}${name}.xml`;
    const lists = {
      [MAP]: { lists: [at('one'), at('two')] },
      [at('one')]: { lists: [at('three')], pages: ['http://a.test/1'] },
      [at('two')]: { pages: ['http://a.test/2'] },
      [at('three')]: { lists: [at('four')], pages: ['http://a.test/3'] },
    };
    const web = { [A]: ON, 'http://a.test/1': ON, 'http://a.test/2': ON, 'http://a.test/3': ON };
    const crawl = await smallCrawl({ web, seeds: [A], robots: ROBOTS, lists });
    expect(new Set(requestsOf(crawl))).toEqual(new Set([A, MAP, at('one'), at('two'), at('three'), ...Object.keys(web)]));
    expect([MAP, at('one'), at('three')].map((url) => crawl.line(url).priority)).toEqual([1, 0.5, 0.25]);
    expect(crawl.line('http://a.test/3')).toMatchObject({ depth: 1 });
  });

  test('of many pages is discovered in pieces, every page once', async () => {
    const pages = Array.from({ length: 1234 }, (_, i) => `http://a.test/${i}`);
    const crawl = await smallCrawl({ web: { [A]: ON }, seeds: [A], robots: ROBOTS, lists: { [MAP]: { pages } }, limits: { maxPages: 2 } });
    expect(crawl.frontier.counts()).toMatchObject({ discovered: 1236, waiting: 1234 });
    expect(crawl.added.map(({ links }) => links.length)).toEqual([1, 1, 500, 500, 234]);
  });
});

test('rescoring leaves the priority of lists alone', async () => {
  const pages = Array.from({ length: 40 }, (_, i) => `http://b.test/${i}`);
  const web = { [A]: { ...ON, links: pages }, ...Object.fromEntries(pages.map((url) => [url, OFF])) };
  const scorer = linkScorer('apprentice', { threshold: 0.5, seed: 1 });
  // Its host rests while the pages of the other teach the scorer.
  const crawl = await smallCrawl({
    web,
    seeds: [A],
    robots: { 'http://a.test': { sitemaps: [MAP], crawlDelay: 1e9 } },
    lists: {},
    scorer,
    limits: { maxPages: 30 },
  });
  expect(scorer.learnedFrom).toBeGreaterThan(20);
  expect(crawl.line(MAP)).toMatchObject({ state: 'waiting', priority: 1 });
});

describe('feeds', () => {
  test('the first one of an on-topic page is asked for, but for a page whose links are not to be followed', async () => {
    const feeds = ['http://a.test/feed', 'http://a.test/comments/feed'];
    const web = {
      [A]: { ...ON, feeds },
      'http://b.test/': { ...OFF, feeds: ['http://b.test/feed'] },
      'http://c.test/': { ...ON, nofollow: true, feeds: ['http://c.test/feed'] },
    };
    const seeds = [A, 'http://b.test/', 'http://c.test/'];
    const crawl = await smallCrawl({
      web: { ...web, 'http://d.test/1': ON },
      seeds,
      lists: { 'http://a.test/feed': { pages: ['http://d.test/1'] } },
    });
    expect(new Set(requestsOf(crawl))).toEqual(new Set([...seeds, 'http://a.test/feed', 'http://d.test/1']));
    expect(crawl.line('http://a.test/feed')).toMatchObject({ state: 'fetched', reason: 'feed:1' });
  });
});

test('the sitemap that the host of a seed may have is a list behind the seed, until it is known; none where lists are not followed', async () => {
  const crawl = await smallCrawl({ web: { [A]: ON }, seeds: [A], lists: {} });
  const discovery = listOfSeed(urlOf(A), urlOf(MAP), crawl.parts);
  expect(discovery).toMatchObject({
    referrer: { url: A, relevance: 0.1, depth: 0, offTopicDepth: 0 },
    depth: 0,
    offTopicDepth: 0,
    redirects: 0,
  });
  expect(discovery?.links).toMatchObject([
    { url: MAP, priority: 1, refusal: null, task: { kind: 'list', list: 'sitemap', level: 0 }, text: { tagPath: 'sitemap' } },
  ]);
  const visited = await smallCrawl({ web: { [A]: ON }, seeds: [A], robots: ROBOTS, lists: { [MAP]: { pages: [] } } });
  expect(listOfSeed(urlOf(A), urlOf(MAP), visited.parts)).toBeNull();
  const without = await smallCrawl({ web: { [A]: ON }, seeds: [A] });
  expect(listOfSeed(urlOf(A), urlOf(MAP), without.parts)).toBeNull();
});

test.each(['sitemap', 'feed', 'reservations'] as const)(
  'a %s that an earlier run found is refused without a request where this one asks for none',
  async (kind) => {
    const begun = await smallCrawl({ web: {}, seeds: [], limits: { maxPages: 0 } });
    const task: LinkTask = kind === 'reservations' ? { kind } : { kind: 'list', list: kind, level: 0 };
    begun.frontier.add(outlinks(A, [link(MAP, 1, null, {}, task)]));
    const run = { maxPages: 9, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency: 1 };
    expect(await runCrawl(begun.parts, run, new AbortController().signal)).toBe('drained');
    const reason = kind === 'reservations' ? 'content-type' : 'no-sitemaps';
    expect(begun.line(MAP)).toMatchObject({ state: 'refused', reason, order: null });
    expect([begun.requests, begun.frontier.counts().visited]).toEqual([[], 0]);
  },
);
