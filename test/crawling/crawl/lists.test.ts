import { describe, expect, test } from 'vitest';
import type { LinkTask } from '../../../src/base/core/types.ts';
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
    // A list is not a visit.
    expect(crawl.frontier.counts().visited).toBe(3);
    expect([A, MAP, 'http://a.test/1', 'http://a.test/2'].map((url) => crawl.line(url).order)).toEqual([1, null, 2, 3]);
  });

  test('are not asked for where neither a seed is nor an on-topic page was, nor by a crawl that does not follow lists', async () => {
    const seed = 'http://s.test/';
    const off = await smallCrawl({ web: { ...web, [A]: OFF, [seed]: { ...ON, links: [A] } }, seeds: [seed], robots: ROBOTS, lists });
    expect(requestsOf(off)).toEqual([seed, `${seed}sitemap.xml`, A]);
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
    const named = `${A}named.xml`;
    const robots = { 'http://a.test': { sitemaps: [MAP, named] } };
    const lists = { [MAP]: failure('http-4xx', 404), [named]: failure('http-4xx', 410) };
    const crawl = await smallCrawl({ web, seeds: [A], robots, lists, scorer });
    // Nothing is missing at the usual place: a host need not have a sitemap.
    expect(crawl.line(MAP)).toMatchObject({ state: 'fetched', reason: 'sitemap:0', status: 404 });
    expect(crawl.line(named)).toMatchObject({ state: 'failed', reason: 'http-4xx' });
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
    expect(crawl.frontier.counts()).toMatchObject({ discovered: 1236, visited: 2, waiting: 1233 });
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
    const asked = requestsOf(crawl).filter((url) => !url.endsWith('/sitemap.xml'));
    expect(new Set(asked)).toEqual(new Set([...seeds, 'http://a.test/feed', 'http://d.test/1']));
    expect(crawl.line('http://a.test/feed')).toMatchObject({ state: 'fetched', reason: 'feed:1' });
  });
});

describe('whose lists', () => {
  const usual = (host: string) => `http://${host}.test/sitemap.xml`;
  const listsAsked = (crawl: SmallCrawl) => requestsOf(crawl).filter((url) => url.endsWith('.xml'));
  const on = (host: string, paths: number): SmallWeb =>
    Object.fromEntries(Array.from({ length: paths }, (_, i) => [`http://${host}.test/${i}`, { ...ON, body: `${host} ${i}` }]));
  const b = on('b', 4);
  const c = on('c', 2);
  const web = { [A]: { ...OFF, links: [...Object.keys(b), ...Object.keys(c)] }, ...b, ...c };

  test('auto: those of the hosts of seeds, whatever their page, and of hosts that gave three on-topic pages', async () => {
    const crawl = await smallCrawl({ web, seeds: [A], lists: {} });
    expect(listsAsked(crawl)).toEqual([usual('a'), usual('b')]);
    expect(crawl.line(usual('b'))).toMatchObject({ reason: 'sitemap:0', referrer: 'http://b.test/2' });
  });

  test('always: those of each host that gave a page; never: none', async () => {
    expect(listsAsked(await smallCrawl({ web, seeds: [A], lists: {}, followsLists: 'always' }))).toEqual(['a', 'b', 'c'].map(usual));
    expect(listsAsked(await smallCrawl({ web, seeds: [A], lists: {}, followsLists: 'never' }))).toEqual([]);
  });

  test('a seed that is gone, and one that redirects to another host, have a site all the same; one that nobody answers for has none', async () => {
    const seeds = ['http://gone.test/x', 'http://old.test/', 'http://dead.test/'];
    const answers = { [seeds[0] ?? '']: failure('http-4xx', 404), [seeds[1] ?? '']: redirect(A), [seeds[2] ?? '']: failure('dns', null) };
    const crawl = await smallCrawl({ web: { ...web, ...answers }, seeds, lists: {} });
    expect(listsAsked(crawl).sort()).toEqual(['a', 'b', 'gone'].map(usual));
  });

  test('the usual place is asked for only where robots.txt names no sitemap', async () => {
    const robots = { 'http://a.test': { sitemaps: [`${A}named.xml`] } };
    expect(listsAsked(await smallCrawl({ web, seeds: [A], robots, lists: {} }))).toEqual([`${A}named.xml`, usual('b')]);
  });

  test('of one host no more than 25 are asked for, however many robots.txt, indexes and feeds name', async () => {
    const named = Array.from({ length: 20 }, (_, i) => `${A}${i}.xml`);
    const below = (url: string) => Array.from({ length: 20 }, (_, i) => url.replace('.xml', `-${i}.xml`));
    const lists = Object.fromEntries([...named, ...below(named[0] ?? '')].map((url) => [url, { lists: below(url) }]));
    const crawl = await smallCrawl({ web, seeds: [A], robots: { 'http://a.test': { sitemaps: named } }, lists });
    expect(listsAsked(crawl).filter((url) => url.startsWith(A))).toHaveLength(25);
  });
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
