/** Sitemaps and feeds of a continuous crawl, requested again. */
import { expect, test } from 'vitest';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { redirect, type SmallCrawl, type SmallCrawlOptions, type SmallLists, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';
const MAP = 'http://a.test/map.xml';
const NEXT = 'http://a.test/next.xml';
const DAY = 86_400_000;
const ON = { relevance: 0.9 };
const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `http://a.test/${from + i}`);
const web = Object.fromEntries([A, ...pages(0, 20)].map((url) => [url, ON]));

/** A crawl, and then three days of it, in which its lists are others. */
async function threeDays(lists: SmallLists, later: SmallLists, more: Partial<SmallCrawlOptions> = {}): Promise<SmallCrawl> {
  const both = { ...lists };
  const crawl = await smallCrawl({ web, seeds: [A], robots: { 'http://a.test': { sitemaps: [MAP] } }, lists: both, ...more });
  Object.assign(both, later);
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'a-day', count: 10 } });
  const limits = { maxPages: 1000, maxTime: 3 * DAY, patience: null, stopYield: null, concurrency: 1, continuous: true };
  expect(await runCrawl(crawl.parts, limits, new AbortController().signal)).toBe('max-time');
  return crawl;
}

const asked = ({ requests }: SmallCrawl, url: string) => requests.filter((request) => request.url === url).length;

test('a list outside of the scope is read again: a scope is about pages', async () => {
  const crawl = await threeDays(
    { [MAP]: { pages: pages(0, 3) } },
    { [MAP]: { pages: pages(0, 5) } },
    {
      refuses: (url) => (url === MAP ? 'scope' : null),
    },
  );
  expect(asked(crawl, MAP)).toBeGreaterThan(1);
  expect(crawl.fate('http://a.test/4')).toMatchObject({ state: 'kept' });
});

test('a list that has moved is read at its new place', async () => {
  const crawl = await threeDays({ [MAP]: { pages: pages(0, 3) } }, { [MAP]: redirect(NEXT), [NEXT]: { pages: pages(0, 5) } });
  expect(asked(crawl, NEXT)).toBeGreaterThan(1);
  expect(crawl.fate('http://a.test/4')).toMatchObject({ state: 'kept' });
});

test('an answer that is due again at once says nothing of a list', async () => {
  const again = { kind: 'redirect', status: 302, to: MAP, ms: 10, again: true } as never;
  const lists: Record<string, SmallLists[string]> = { [MAP]: { pages: pages(0, 3) } };
  const results: string[] = [];
  const crawl = await smallCrawl({ web, seeds: [A], robots: { 'http://a.test': { sitemaps: [MAP] } }, lists });
  lists[MAP] = again;
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'a-day', count: 10 } });
  await crawl.clock.sleep(DAY, new AbortController().signal);
  const limits = { maxPages: 1000, maxTime: DAY, patience: null, stopYield: null, concurrency: 1, continuous: true };
  await runCrawl(
    {
      ...crawl.parts,
      emit: (event) => {
        if (event.type !== 'settled' || event.url !== MAP) return;
        results.push(event.settlement);
        lists[MAP] = { pages: pages(0, 3) };
      },
    },
    limits,
    new AbortController().signal,
  );
  expect(results.slice(0, 2)).toEqual(['released', 'revisited']);
});

test('a list has changed if it leads to a new URL, not if it names one that is never followed', async () => {
  const lists = { [MAP]: { pages: pages(0, 3), lists: Array.from({ length: 40 }, (_, i) => `http://a.test/map${i}.xml`) } };
  const crawl = await threeDays(lists, {});
  const revisits = crawl.settlements.flatMap(({ url, settlement }) =>
    url === MAP && settlement.kind === 'revisited' ? [settlement.revisit?.result] : [],
  );
  expect(revisits.length).toBeGreaterThan(0);
  expect(new Set(revisits)).toEqual(new Set(['same']));
});

const HUB = 'http://hub.test/';
const ONCE = { maxPages: 1000, maxTime: DAY, patience: null, stopYield: null, concurrency: 1 };

/** A crawl of an off-topic seed that links to one page, and of a list with three; a day later the seed links to another page, and the list has two more. */
async function aDayLater(what: 'pages' | 'all'): Promise<SmallCrawl> {
  const hub = [A, 'http://a.test/7'].map((_, i, links) => ({ relevance: 0.1, body: `hub ${i}`, links: links.slice(0, i + 1) }));
  const lists: Record<string, SmallLists[string]> = { [MAP]: { pages: pages(0, 3) } };
  const crawl = await smallCrawl({ web: { ...web, [HUB]: hub }, seeds: [HUB, A], robots: { 'http://a.test': { sitemaps: [MAP] } }, lists });
  lists[MAP] = { pages: pages(0, 5) };
  await crawl.clock.sleep(DAY, new AbortController().signal);
  crawl.frontier.revisit(crawl.clock.now(), what);
  expect(await runCrawl(crawl.parts, ONCE, new AbortController().signal)).toBe('drained');
  return crawl;
}

test('a run that revisits finds new pages by its lists, and by a seed that is off topic', async () => {
  const crawl = await aDayLater('all');
  expect([asked(crawl, HUB), asked(crawl, MAP)]).toEqual([2, 2]);
  for (const url of ['http://a.test/4', 'http://a.test/7']) expect(crawl.fate(url)).toMatchObject({ state: 'kept' });
  expect(crawl.line(HUB)).toMatchObject({ state: 'off-topic', relevance: 0.1 });
  expect(crawl.records.filter(({ url }) => url === HUB)).toEqual([]);
  // Only kept pages count among the revisits of the ledger.
  expect([...crawl.frontier.revisits()].map(({ url }) => url).sort()).toEqual([A, ...pages(0, 3)].sort());
});

test('a run for kept pages alone asks neither lists nor other seeds', async () => {
  const crawl = await aDayLater('pages');
  expect([asked(crawl, HUB), asked(crawl, MAP)]).toEqual([1, 1]);
  expect(crawl.fate('http://a.test/7')).toBeNull();
});

test('a continuous crawl asks a seed that is off topic for its links', async () => {
  const hub = [0, 1].map((i) => ({ relevance: 0.1, body: `hub ${i}`, links: pages(7, 8 + i) }));
  const crawl = await smallCrawl({ web: { ...web, [HUB]: hub }, seeds: [HUB] });
  expect(crawl.fate('http://a.test/8')).toBeNull();
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'a-day', count: 10 } });
  await crawl.clock.sleep(DAY, new AbortController().signal);
  await runCrawl(crawl.parts, { ...ONCE, continuous: true }, new AbortController().signal);
  expect(crawl.fate('http://a.test/8')).toMatchObject({ state: 'kept' });
  expect(crawl.absences).toEqual([]);
});
