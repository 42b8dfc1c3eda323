import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Errand, mostFound, nearestFirst } from '../../../src/study/eval/best-orders.ts';
import { runs } from '../../support/extent.ts';

const URLS = 9;
/** Small webs: a third of the URLs are to be found, some of them the same page. */
const errand: fc.Arbitrary<Errand> = fc.record({
  links: fc.array(fc.uniqueArray(fc.nat(URLS - 1), { maxLength: 3 }), { minLength: URLS, maxLength: URLS }),
  pageOf: fc.array(fc.constantFrom(-1, -1, -1, -1, 0, 1, 2, 3), { minLength: URLS, maxLength: URLS }),
  starts: fc.uniqueArray(fc.nat(URLS - 1), { minLength: 1, maxLength: 2 }),
});

/** Pages that the best of all orders has found after each visit: every set of URLs that can be visited, by its size. */
function bestOf({ links, pageOf, starts }: Errand): number[] {
  const best: number[] = [];
  const seen = new Set<number>();
  const waiting = [0];
  for (let visited: number | undefined = waiting.pop(); visited !== undefined; visited = waiting.pop()) {
    const urls = Array.from({ length: URLS }, (_, url) => url).filter((url) => visited & (1 << url));
    const pages = new Set(urls.map((url) => pageOf[url] ?? -1).filter((page) => page >= 0)).size;
    best[urls.length] = Math.max(best[urls.length] ?? 0, pages);
    for (const next of [...starts, ...urls.flatMap((url) => [...Array.from(links[url] ?? [])])]) {
      const more: number = visited | (1 << next);
      if (more === visited || seen.has(more)) continue;
      seen.add(more);
      waiting.push(more);
    }
  }
  return best.slice(1);
}

function foundBy(order: readonly number[], { pageOf }: Errand): number[] {
  const found = new Set<number>();
  return order.map((url) => {
    const page = pageOf[url] ?? -1;
    if (page >= 0) found.add(page);
    return found.size;
  });
}

test('the bound: no order of visits of a small web has found more, after any visit, and in the end it is what there is', () => {
  fc.assert(
    fc.property(errand, (one) => {
      const best = bestOf(one);
      const most = mostFound(one, best.length);
      for (const [i, pages] of best.entries()) expect(most[i]).toBeGreaterThanOrEqual(pages);
      expect(mostFound(one, 2 * URLS).at(-1)).toBe(best.at(-1) ?? 0);
    }),
    { numRuns: runs(500) },
  );
});

test('the bound is met where all lies on one way', () => {
  const way: Errand = { links: [[1], [2], [3], [4], []], pageOf: [-1, 0, -1, -1, 1], starts: [0] };
  expect([...mostFound(way, 6)]).toEqual([0, 1, 1, 1, 2, 2]);
  expect(bestOf({ ...way, links: [...way.links, [], [], [], []] })).toEqual([0, 1, 1, 1, 2]);
});

test('nearest first: every URL is a start or linked from one before it, and all that can be found is, each page once', () => {
  fc.assert(
    fc.property(errand, (one) => {
      const order = nearestFirst(one);
      expect(new Set(order).size).toBe(order.length);
      for (const [i, url] of order.entries()) {
        const isKnown = one.starts.includes(url) || order.slice(0, i).some((from) => Array.from(one.links[from] ?? []).includes(url));
        expect(isKnown).toBe(true);
      }
      expect(foundBy(order, one).at(-1) ?? 0).toBe(bestOf(one).at(-1) ?? 0);
    }),
    { numRuns: runs(300) },
  );
});

test('nearest first does not go back for the copy of a page that it has, nor to a page that only leads to what it has', () => {
  const copies: Errand = { links: [[1, 2, 4], [], [3], [1], [5], []], pageOf: [-1, 0, 0, 0, -1, 1], starts: [0] };
  expect(nearestFirst(copies)).toEqual([0, 1, 4, 5]);
});
