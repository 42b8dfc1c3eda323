import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LinkScorer } from '../../../src/base/core/parts/scoring.ts';
import { refusePartOfGraph, showPage } from '../../../src/crawling/crawl/all-links.ts';
import { anchorNumbers, failure, randomWeb, redirect, type SmallCrawl, type SmallWeb, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';

/** A scorer that writes down what it is told and asked, one line each. */
function listener(): { readonly scorer: LinkScorer; readonly heard: string[] } {
  const heard: string[] = [];
  const { strategy, judgement, score, explain } = anchorNumbers();
  const names = (urls: readonly string[]) => urls.map((url) => url.slice(A.length)).join(' ');
  const scorer: LinkScorer = {
    strategy,
    judgement,
    learnedFrom: 0,
    explain,
    observer: {
      page: ({ url }, relevance, urls) => heard.push(`see ${names([url])} (${relevance}): ${names(urls)}`),
      redirect: ({ url }, to) => heard.push(`see ${names([url])} go to ${names([to])}`),
    },
    score: (links) => {
      heard.push(`score ${names(links.map(({ url }) => url))}`);
      return score(links);
    },
    learn: ({ url }) => heard.push(`learn ${names([url])}`),
  };
  return { scorer, heard };
}

test('a scorer is told of each page before its links are scored, with all of them; of a redirect its target; of a dead page nothing', async () => {
  const web: SmallWeb = {
    [`${A}1`]: { relevance: 0.9, links: [`${A}2`, `${A}3`, `${A}out`] },
    [`${A}2`]: { relevance: 0.8, links: [`${A}1`, `${A}3`, `${A}4`] },
    [`${A}3`]: redirect(`${A}5`),
    [`${A}4`]: failure('http-4xx', 404),
    [`${A}5`]: { relevance: 0.25, nofollow: true, links: [`${A}6`] },
  };
  const { scorer, heard } = listener();
  await smallCrawl({ web, seeds: [`${A}1`], scorer, refuses: (url) => (url === `${A}out` ? 'scope' : null) });
  expect(heard).toEqual([
    'see 1 (0.9): 2 3 out',
    'score 2 3 out',
    'learn 1',
    'see 2 (0.8): 1 3 4',
    'score 3 4',
    'learn 2',
    'see 3 go to 5',
    'score 5',
    'learn 4',
    'see 5 (0.25): ',
    'learn 5',
  ]);
});

test('nobody but an observer makes a crawl list the links of a page, or keeps it from several machines', () => {
  const { scorer } = listener();
  expect(() => refusePartOfGraph(scorer)).toThrow('each of several machines has a part of it');
  expect(() => refusePartOfGraph(anchorNumbers())).not.toThrow();
  const read = new Proxy({} as Parameters<typeof showPage>[2], {
    get: () => {
      throw new Error('a page was looked at');
    },
  });
  expect(() => showPage(anchorNumbers(), {} as Parameters<typeof showPage>[1], read)).not.toThrow();
});

test('any web: a link to what waits by a better one is not made, and the crawl is the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(1, 2, Number.POSITIVE_INFINITY), async (seed, tunnel) => {
      const web = randomWeb(60, 5, seed);
      const [all, some] = [await smallCrawl({ ...web, tunnel, makesAllLinks: true }), await smallCrawl({ ...web, tunnel })];
      expect(some.requests).toEqual(all.requests);
      expect([...some.frontier.ledger()]).toEqual([...all.frontier.ledger()]);
      expect(linksMade(some)).toBeLessThan(linksMade(all));
    }),
    { numRuns: 10 },
  );
});

function linksMade({ settlements }: SmallCrawl): number {
  return settlements.reduce(
    (sum, { settlement }) => sum + (settlement.kind === 'done' ? (settlement.discovered?.links.length ?? 0) : 0),
    0,
  );
}
