import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { type ChangeEvidence, DAY, type HintSource, withAnswer } from '../../../src/crawling/revisits/change-evidence.ts';
import { RefreshOrder } from '../../../src/crawling/revisits/refresh-order.ts';
import { refreshPattern } from '../../../src/crawling/revisits/refresh-pattern.ts';

const START = Date.UTC(2026, 0, 1);
const SILENT = { sitemap: null, feed: null };
const at = (days: number) => START + days * DAY;

/** Evidence of visits every `interval` days, with a change at each `every`-th one. */
function history(interval: number, visits: number, every: number): ChangeEvidence {
  let evidence: ChangeEvidence | undefined;
  for (let visit = 1; visit <= visits; visit++)
    evidence = withAnswer(evidence, {
      seenAt: at((visit - 1) * interval - visits * interval),
      at: at(visit * interval - visits * interval),
      changed: visit % every === 0,
      modified: null,
      claims: SILENT,
    });
  return evidence ?? [];
}

test('of pages seen at the same time, the one that changes more is first; of equal ones, that seen longest ago', () => {
  const order = new RefreshOrder('age');
  order.set(7, { seenAt: at(0), evidence: history(10, 20, 2), host: 0, pattern: 'a' });
  order.set(3, { seenAt: at(0), evidence: history(10, 20, 20), host: 0, pattern: 'a' });
  order.set(9, { seenAt: at(-1), evidence: history(10, 20, 20), host: 0, pattern: 'a' });
  expect(order.best(at(10), 3)).toEqual([7, 9, 3]);
  expect(order.best(at(10), 1)).toEqual([7]);
  expect(order.best(at(10), 0)).toEqual([]);
  expect(order.best(at(10), 99)).toEqual([7, 9, 3]);
});

test('equal pages are in the order of their numbers, in any order of their coming', () => {
  for (const pages of [
    [5, 1, 9, 3],
    [9, 5, 3, 1],
  ]) {
    const order = new RefreshOrder('age');
    for (const page of pages) order.set(page, { seenAt: at(0), host: 0, pattern: 'a' });
    expect(order.best(at(5), 3)).toEqual([1, 3, 5]);
  }
});

test('a page that is removed is never due, and the others stay', () => {
  const order = new RefreshOrder('age');
  for (let page = 0; page < 100; page++) order.set(page, { seenAt: at(-page), host: page % 3, pattern: `${page % 7}` });
  for (let page = 0; page < 100; page += 2) order.remove(page);
  order.remove(1000);
  expect(order.size).toBe(50);
  expect(order.best(at(1), 100).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 2 * i + 1));
  expect(order.beliefOf(2)).toBeNull();
});

test('pages of a pattern and host that change get there first, without evidence of their own', () => {
  const order = new RefreshOrder('age');
  for (let page = 0; page < 20; page++) {
    order.set(page, { seenAt: at(0), evidence: history(10, 10, 1), host: 0, pattern: 'news' });
    order.set(100 + page, { seenAt: at(0), evidence: history(10, 10, 100), host: 0, pattern: 'archive' });
  }
  order.set(500, { seenAt: at(0), host: 0, pattern: 'archive' });
  order.set(501, { seenAt: at(0), host: 0, pattern: 'news' });
  order.set(502, { seenAt: at(0), host: 0, pattern: 'other' });
  const rateOf = (page: number) => {
    const belief = order.beliefOf(page);
    return belief === null ? Number.NaN : belief.shape / belief.exposure;
  };
  expect(rateOf(501)).toBeGreaterThan(3 * rateOf(502));
  expect(rateOf(502)).toBeGreaterThan(3 * rateOf(500));
  const places = order.best(at(10), 43);
  expect(places.indexOf(501)).toBeLessThan(places.indexOf(502));
  expect(places.indexOf(502)).toBeLessThan(places.indexOf(500));
});

test('the order follows from the facts: another object with the last facts of each page has the same', () => {
  const pages = Array.from({ length: 60 }, (_, page) => page);
  const factsOf = (page: number) => ({
    seenAt: at(-page / 7),
    evidence: history(5, 10, 1 + (page % 9)),
    host: page % 2,
    pattern: `${page % 5}`,
  });
  const [first, second] = [new RefreshOrder('age'), new RefreshOrder('age')];
  for (const page of pages) {
    first.set(page, { seenAt: at(-500), evidence: history(1, 30, 1), host: page % 3, pattern: 'x' });
    first.set(page, factsOf(page));
    second.set(page, factsOf(page));
  }
  expect(second.best(at(30), 60)).toEqual(first.best(at(30), 60));
});

test('freshness falls and age rises with time', () => {
  const order = new RefreshOrder('freshness');
  expect(order.estimates(at(0))).toEqual({ pages: 0, freshness: 1, age: 0 });
  for (let page = 0; page < 10; page++) order.set(page, { seenAt: at(0), host: 0, pattern: 'a' });
  expect(order.estimates(at(0))).toEqual({ pages: 10, freshness: 1, age: 0 });
  const [soon, late] = [order.estimates(at(5)), order.estimates(at(50))];
  expect(late.freshness).toBeLessThan(soon.freshness);
  expect(late.age).toBeGreaterThan(soon.age);
  expect(late.age).toBeLessThan(50 * DAY);
});

/** Ten pages, visited in turn every ten days; a source claims a change before each visit, and is right or not. */
function afterVisits(
  visits: number,
  source: HintSource,
  claimed: (visit: number) => boolean,
  changed: (visit: number) => boolean,
): RefreshOrder {
  const order = new RefreshOrder('age');
  const evidence = new Map<number, ChangeEvidence>();
  const place = (page: number, now: number) => {
    const own = evidence.get(page);
    order.set(page, { seenAt: at(now), host: 0, pattern: 'a', ...(own === undefined ? {} : { evidence: own }) });
  };
  for (let page = 0; page < 10; page++) place(page, page - 10);
  for (let visit = 0; visit < visits; visit++) {
    const page = visit % 10;
    order.hint(page, claimed(visit) ? at(visit) : at(-99), source, at(visit));
    evidence.set(
      page,
      withAnswer(evidence.get(page), {
        seenAt: at(page - 10),
        at: at(visit),
        changed: changed(visit),
        modified: null,
        claims: order.claims(page),
      }),
    );
    place(page, visit);
  }
  return order;
}

test.each(['sitemap', 'feed'] as const)('a %s that always says today is found out within five visits', (source) => {
  for (const isChanged of [() => false, (visit: number) => visit % 2 === 0]) {
    const order = afterVisits(5, source, () => true, isChanged);
    const before = order.best(at(20), 10);
    for (const page of before.slice(5)) order.hint(page, at(19), source, at(19.5));
    expect(order.best(at(20), 10), isChanged.toString()).toEqual(before);
  }
});

test('a sitemap that was right moves its pages, forward and back, and this survives a restart', () => {
  const claimed = (visit: number) => visit % 2 === 0;
  const order = afterVisits(10, 'sitemap', claimed, claimed);
  const before = order.best(at(20), 10);
  const [first = 0, last = 0] = [before[0], before.at(-1)];
  order.hint(first, at(-99), 'sitemap', at(19));
  order.hint(last, at(11), 'sitemap', at(19));
  const after = order.best(at(20), 10);
  expect(after.indexOf(last)).toBeLessThan(before.indexOf(last));
  expect(after.indexOf(first)).toBeGreaterThan(before.indexOf(first));
});

test('a hint that is older than the last answer is no word', () => {
  const order = new RefreshOrder('age');
  order.set(1, { seenAt: at(0), host: 0, pattern: 'a' });
  expect(order.claims(1)).toEqual(SILENT);
  order.hint(1, at(2), 'feed', at(3));
  expect(order.claims(1)).toEqual({ sitemap: null, feed: true });
  order.hint(1, at(-2), 'sitemap', at(3));
  expect(order.claims(1)).toEqual({ sitemap: false, feed: true });
  order.set(1, { seenAt: at(4), host: 0, pattern: 'a' });
  expect(order.claims(1)).toEqual(SILENT);
  order.hint(2, at(2), 'feed', at(3));
  expect(order.claims(2)).toEqual(SILENT);
});

test.each([
  ['https://a.example/news/2026/11/29/title.html', 'https://a.example/news/#/#/#/title.html'],
  ['https://a.example/show?id=7&lang=en', 'https://a.example/show?id,lang'],
  ['https://a.example/docs/topics/faq.html', 'https://a.example/docs/topics/*'],
  ['https://a.example/', 'https://a.example/*'],
])('the pattern of %s is %s', (url, pattern) => expect(refreshPattern(url as CanonicalUrl)).toBe(pattern));

test('the best pages are those of a whole sort, for any number of them', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 70 }), (weights, count) => {
      const order = new RefreshOrder('age');
      for (const page of weights.keys()) order.set(page, { seenAt: at(0), host: 0, pattern: 'a' });
      const sorted = [...weights.entries()].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      expect(order.best(at(9), count, (page) => weights[page] ?? 0)).toEqual(sorted.slice(0, count).map(([page]) => page));
    }),
  );
});

test('pages that were removed leave no trace: the order is that of an object without them', () => {
  const place = (order: RefreshOrder, page: number) => {
    const claims = { sitemap: page % 3 === 0, feed: page % 4 === 0 ? page % 8 === 0 : null };
    const answer = { seenAt: at(-page - 30), at: at(-page), changed: page % 2 === 0, modified: null, claims };
    order.set(page, { seenAt: at(-page), evidence: withAnswer(undefined, answer), host: page % 2, pattern: `${page % 5}` });
    if (page % 3 !== 1) order.hint(page, at(page % 2 === 0 ? 2 : -500), page % 3 === 0 ? 'sitemap' : 'feed', at(3));
  };
  const [all, rest] = [new RefreshOrder('age'), new RefreshOrder('age')];
  const isRemoved = (page: number) => page % 7 < 3 || page > 50;
  for (let page = 59; page >= 0; page--) place(all, page);
  for (let page = 0; page < 60; page++) if (isRemoved(page)) all.remove(page);
  for (let page = 0; page < 60; page++) if (!isRemoved(page)) place(rest, page);
  for (let page = 0; page < 60; page++) expect(all.claims(page)).toEqual(rest.claims(page));
  for (const days of [4, 40, 400]) expect(all.best(at(days), 60)).toEqual(rest.best(at(days), 60));
  expect(all.estimates(at(40)).age / rest.estimates(at(40)).age).toBeCloseTo(1, 9);
});
