/** Crawls by rounds visit the sets of a plain breadth-first crawl: round by round, by the hosts that the best way to a URL changes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundOf } from '../../../src/crawling/crawl/rounds.ts';
import { bfs } from '../../../src/reading/links/strategies/bfs.ts';
import { runs } from '../../support/extent.ts';
import { randomWeb, redirect, type SmallCrawl, type SmallPage, type SmallWeb, smallCrawl } from './small-crawl.ts';

const scorer = () => bfs.scorer({ threshold: 0.5, seed: 1 });
const sorted = (urls: Iterable<string>) => [...urls].sort();
const nameOf = (url: string) => new URL(url).hostname;

/** URLs in the order of their requests. */
const requested = ({ requests }: SmallCrawl) => requests.map(({ url }) => url);

/** The links of a page, or the target of a redirect. */
function waysFrom(web: SmallWeb, url: string): readonly string[] {
  const answer = [web[url] ?? []].flat().at(-1);
  if (answer === undefined) return [];
  if ('links' in answer) return (answer.links ?? []).map((link) => (typeof link === 'string' ? link : link[0]));
  return 'kind' in answer && answer.kind === 'redirect' ? [answer.to] : [];
}

/** The round of each URL, from 1, by a search of its own: ways of few changed hosts come first. */
function roundsOf(web: SmallWeb, seeds: readonly string[]): ReadonlyMap<string, number> {
  const rounds = new Map<string, number>();
  let now = [...seeds];
  for (let round = 1; now.length > 0; round++) {
    const next: string[] = [];
    for (let url = now.pop(); url !== undefined; url = now.pop()) {
      if (rounds.has(url)) continue;
      rounds.set(url, round);
      for (const to of waysFrom(web, url)) (nameOf(to) === nameOf(url) ? now : next).push(to);
    }
    now = next;
  }
  return rounds;
}

test('with enough rounds a crawl visits what a plain breadth-first crawl visits; with N, what is behind fewer than N changes of the host', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 120 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(1000),
      fc.integer({ min: 1, max: 6 }),
      async (pages, hosts, seed, concurrency) => {
        const { web, seeds } = randomWeb(pages, hosts, seed);
        const options = { web, seeds, scorer: scorer(), limits: { concurrency }, latency: (url: string) => 10 + (url.length % 7) };
        const plain = await smallCrawl(options);
        const all = await smallCrawl({ ...options, byRounds: true, limits: { concurrency, rounds: Number.POSITIVE_INFINITY } });
        const expected = roundsOf(web, seeds);
        expect(all.stopped).toBe('drained');
        expect(sorted(new Set(requested(all)))).toEqual(sorted(new Set(requested(plain))));
        const order = requested(all).map((url) => expected.get(url) ?? Number.NaN);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        expect(roundOf(all.frontier)).toBe(Math.max(...expected.values()));
        for (const rounds of [1, 2]) {
          const some = await smallCrawl({ ...options, byRounds: true, limits: { concurrency, rounds } });
          expect(sorted(new Set(requested(some)))).toEqual(sorted([...expected].flatMap(([url, round]) => (round <= rounds ? url : []))));
          expect(some.stopped).toBe(Math.max(...expected.values()) > rounds ? 'rounds' : 'drained');
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

const page = (...links: string[]): SmallPage => ({ relevance: 1, links: links.map((link) => [link, '0.5'] as const) });
const [A, A2, B, B2, C] = ['http://a.test/', 'http://a.test/2', 'http://b.test/', 'http://b.test/2', 'http://c.test/'];

test('a URL that several pages link to waits once, with the best of its ways; a link within its host ends the wait', async () => {
  const web = { [A]: page(B, A2), [A2]: page(B, B2), [B]: page(B2, C), [B2]: page(), [C]: page() };
  const first = await smallCrawl({ web, seeds: [A], byRounds: true, limits: { rounds: 1 } });
  expect(requested(first)).toEqual([A, A2]);
  expect([first.line(B).reason, first.line(B).depth, first.line(B2).reason]).toEqual(['next-round', 1, 'next-round']);
  expect(first.frontier.counts()).toMatchObject({ waiting: 0, refused: 2 });
  const all = await smallCrawl({ web, seeds: [A], byRounds: true, limits: { rounds: 3 } });
  expect(sorted(requested(all))).toEqual(sorted([A, A2, B, B2, C]));
  // One request for each: the second round has both pages of the host, and its link between them adds none.
  expect(requested(all).slice(0, 2)).toEqual([A, A2]);
  expect(requested(all).at(-1)).toBe(C);
  const both = await smallCrawl({ web, seeds: [A, B], byRounds: true, limits: { rounds: 1 } });
  expect(sorted(requested(both))).toEqual(sorted([A, A2, B, B2]));
});

test('another scheme or port is the same host; a redirect to another host waits', async () => {
  const [secure, port, away] = ['https://a.test/', 'http://a.test:8080/', 'http://a.test/away'];
  const web = { [A]: page(secure, port, away), [secure]: page(), [port]: page(), [away]: redirect(C), [C]: page() };
  const first = await smallCrawl({ web, seeds: [A], byRounds: true, limits: { rounds: 1 } });
  expect(sorted(requested(first))).toEqual(sorted([A, secure, port, away]));
  expect(first.line(C).reason).toBe('next-round');
});

test('a link to another host lifts a refusal for the depth, and the next round has the shorter way', async () => {
  // The long way within the host of B comes first: it is too deep there.
  const web = { [B]: page('http://b.test/x', A), 'http://b.test/x': page(B2), [A]: page(B2), [B2]: page() };
  const crawl = await smallCrawl({ web, seeds: [B, A], byRounds: true, maxDepth: 1, limits: { rounds: 2 } });
  expect(requested(crawl)).toContain(B2);
  const plain = await smallCrawl({ web, seeds: [B, A], maxDepth: 1 });
  expect(sorted(requested(crawl))).toEqual(sorted(requested(plain)));
});
