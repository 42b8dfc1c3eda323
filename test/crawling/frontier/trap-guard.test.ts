/** Which fates tell of a pattern, and what is credited with an on-topic page. */
import { describe, expect, test } from 'vitest';
import type { CanonicalUrl, Fate, FrontierEntry } from '../../../src/base/core/types.ts';
import { patternsOf } from '../../../src/base/web/url-pattern.ts';
import type { StoredFate } from '../../../src/crawling/frontier/store.ts';
import { TrapGuard } from '../../../src/crawling/frontier/trap-guard.ts';
import { fate, hostOf, NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const DAY = 'http://a.test/day/';

interface Settled {
  readonly entry: FrontierEntry;
  readonly stored: StoredFate;
}

/** A crawl as its guard sees it: URLs settled one after the other, each found on another. */
class Guarded {
  readonly settled = new Map<CanonicalUrl, { readonly entry: FrontierEntry; readonly order: number }>();
  readonly told: Settled[] = [];
  readonly guard = new TrapGuard((url) => this.settled.get(url) ?? null);
  #order = 0;

  /** @returns whether a pattern was let go */
  settle(url: string, ended: Fate, from: string | null = 'http://portal.test/', fresh: readonly string[] = [`${DAY}99`]): boolean {
    const entry = entryOf(url, from);
    this.#order += 1;
    this.settled.set(entry.url, { entry, order: this.#order });
    const traces = this.guard.tracesOf(entry.url, ended, fresh.map(urlOf));
    const stored: StoredFate = { fate: ended, order: this.#order, priority: 0.5, learnedFrom: 0, ...(traces && { traces }) };
    this.told.push({ entry, stored });
    return this.guard.settled(entry, stored);
  }

  days(count: number, ended = OFF, first = 0): void {
    for (let i = 0; i < count; i++) this.settle(`${DAY}${first + i}`, ended);
  }

  isParked(guard = this.guard): boolean {
    return guard.reasonFor(entryOf(`${DAY}5000`, 'http://portal.test/')) !== null;
  }
}

function entryOf(url: string, from: string | null, offTopicDepth = 1): FrontierEntry {
  const edge = from === null ? null : { referrer: referrer(from), link: NO_TEXT, learnedFrom: 0 };
  return { url: urlOf(url), host: hostOf(url), priority: 0.5, depth: 1, offTopicDepth, redirects: 0, attempts: 0, edge } as FrontierEntry;
}

const OFF = fate('off-topic', { relevance: 0.1 });

describe('told of 24 days of a calendar', () => {
  const park = (ended: Fate) => {
    const crawl = new Guarded();
    crawl.days(24, ended);
    return crawl.isParked();
  };

  test('that are off topic it parks them, with the last', () => {
    const crawl = new Guarded();
    crawl.days(23);
    expect(crawl.isParked()).toBe(false);
    crawl.days(1, OFF, 23);
    expect(crawl.isParked()).toBe(true);
  });

  test.each([
    ['kept', fate('kept', { relevance: 0.9 })],
    ['failed for a while', fate('failed', { reason: 'timeout' })],
    ['answered with an error of the server', fate('failed', { reason: 'http-5xx', status: 500 })],
    ['redirects', fate('fetched', { reason: { kind: 'redirect', to: 'http://b.test/' as CanonicalUrl } })],
    ['refused by a rule', fate('refused', { reason: 'scope', visited: false })],
    ['refused by robots.txt', fate('refused', { reason: 'robots', visited: false })],
    ['of a content type that a rule refused without asking', fate('refused', { reason: 'content-type', visited: false })],
    ['not to be kept by their own wish', fate('refused', { reason: 'noindex', relevance: 0.9 })],
  ])('that were %s it does not', (_what, ended) => {
    expect(park(ended)).toBe(false);
  });
});

describe('told of as many requests that gave nothing', () => {
  // They lead nowhere, so that it takes 200 in a crawl that finds something elsewhere.
  const parkedAfter = (ended: Fate) => {
    const crawl = new Guarded();
    for (let i = 0; i < 100; i++) crawl.settle(`http://good${i}.test/`, fate('kept', { relevance: 0.9 }));
    for (let i = 0; i < 400; i++) {
      if (crawl.isParked()) return i;
      crawl.days(1, ended, i);
    }
    return null;
  };

  test('dead links in a row, and files that are no pages, count; what failed for a while does not', () => {
    expect(parkedAfter(fate('failed', { reason: 'http-4xx', status: 404 }))).toBe(24);
    expect(parkedAfter(fate('refused', { reason: 'content-type', status: 200 }))).toBe(200);
    expect(parkedAfter(fate('failed', { reason: 'dns', status: null }))).toBeNull();
    expect(parkedAfter(fate('failed', { reason: 'http-4xx', visited: false }))).toBeNull();
  });

  test('copies of kept pages count as copies', () => {
    const crawl = new Guarded();
    for (let i = 0; i < 16; i++) crawl.settle(`${DAY}${i}`, fate('duplicate', { relevance: 0.9 }), null, []);
    expect(crawl.isParked()).toBe(true);
  });
});

describe('lets go', () => {
  const parked = () => {
    const crawl = new Guarded();
    crawl.days(40);
    expect(crawl.isParked()).toBe(true);
    return crawl;
  };

  test.each([
    ['a kept page', fate('kept', { relevance: 0.9 }), true],
    ['one that is not to be kept by its own wish', fate('refused', { reason: 'noindex', relevance: 0.9 }), true],
    ['one that a rule refused', fate('refused', { reason: 'scope' }), false],
    ['one that failed', fate('failed', { reason: 'noindex' }), false],
    ['a copy', fate('duplicate', { relevance: 0.9 }), false],
    ['one off topic', OFF, false],
  ])('for %s of the pattern: %#', (_what, ended, letsGo) => {
    const crawl = parked();
    expect(crawl.settle(`${DAY}100`, ended)).toBe(letsGo);
    expect(crawl.isParked()).toBe(!letsGo);
  });

  /** The day, then pages that lead from one to the next, and the kept one at the end. */
  const afterHops = (hops: number) => {
    const crawl = parked();
    crawl.settle(`${DAY}200`, OFF);
    let from = `${DAY}200`;
    for (let i = 1; i <= hops; i++) {
      crawl.settle(`http://hop${i}.test/`, OFF, from, ['http://else.test/']);
      from = `http://hop${i}.test/`;
    }
    return crawl.settle('http://end.test/', fate('kept', { relevance: 0.9 }), from);
  };

  test('for an on-topic page that four pages led to, of which it is one', () => {
    expect([0, 1, 2, 3, 4, 5].map(afterHops)).toEqual([true, true, true, true, false, false]);
  });

  test('not for a page that was settled after it, nor for one that was never settled', () => {
    const crawl = parked();
    expect(crawl.settle('http://end.test/', fate('kept', { relevance: 0.9 }), `${DAY}5000`)).toBe(false);
    const again = parked();
    // Settled anew since: it is on no way any more.
    again.settled.set(urlOf(`${DAY}7777`), { entry: entryOf(`${DAY}7777`, null), order: 9999 });
    expect(again.settle('http://end.test/', fate('kept', { relevance: 0.9 }), `${DAY}7777`)).toBe(false);
    again.settled.set(urlOf(`${DAY}7778`), { entry: entryOf(`${DAY}7778`, null), order: 41 });
    expect(again.settle('http://end2.test/', fate('kept', { relevance: 0.9 }), `${DAY}7778`)).toBe(true);
  });
});

test('seeds are always asked for; what an on-topic page links to is, unless its rule makes copies', () => {
  const crawl = new Guarded();
  crawl.days(24);
  expect(crawl.guard.reasonFor(entryOf(`${DAY}9`, null))).toBeNull();
  expect(crawl.guard.reasonFor(entryOf(`${DAY}9`, 'http://p.test/', 0))).toBeNull();
  expect(crawl.guard.reasonFor(entryOf(`${DAY}9`, 'http://p.test/', 1))).toMatch(/^pattern http:\/\/a\.test\/day\/#: /);
});

test('told anew of all that was settled, and of the patterns let go in between, it has the same parked', () => {
  const crawl = new Guarded();
  crawl.days(30);
  const again = (unparkings: readonly { readonly settled: number; readonly pattern: string }[], count = crawl.told.length) => {
    const guard = new TrapGuard((url) => crawl.settled.get(url) ?? null);
    for (const { entry, stored } of crawl.told.slice(0, count)) {
      for (const { settled, pattern } of unparkings) if (settled === stored.order - 1) guard.unpark(pattern);
      guard.settled(entry, stored);
    }
    for (const { settled, pattern } of unparkings) if (settled === count) guard.unpark(pattern);
    return crawl.isParked(guard);
  };
  expect([again([], 23), again([], 24), again([])]).toEqual([false, true, true]);
  // Let go after 30 settlements: the last thing that happened.
  expect(again([{ settled: 30, pattern: 'all' }])).toBe(false);
  // Let go before it was parked, nothing was let go, and counts go on.
  expect(again([{ settled: 10, pattern: 'all' }])).toBe(true);
  // Let go with its 24th page: six more are too few.
  expect(again([{ settled: 24, pattern: `${DAY}#` }])).toBe(false);
  crawl.days(18, OFF, 100);
  expect([again([{ settled: 24, pattern: 'all' }], 47), again([{ settled: 24, pattern: 'all' }], 48)]).toEqual([false, true]);
  const twice = [24, 48].map((settled) => ({ settled, pattern: 'all' }));
  expect([again(twice), again([...twice, { settled: 48, pattern: 'none' }])]).toEqual([false, false]);
});

describe('traces of the links of a page', () => {
  const url = urlOf('http://a.test/d/e/7?n=1');
  const kinds = (within: number) =>
    patternsOf(url).flatMap(({ kind, name }, i) => (within & (1 << i) ? [kind === 'directory' ? name : kind] : []));
  const guard = new TrapGuard(() => null);
  const tracesTo = (...links: readonly string[]) => {
    const traces = guard.tracesOf(url, OFF, links.map(urlOf));
    return traces && [traces.ledToNew, ...kinds(traces.within)];
  };

  test('which patterns have all of them', () => {
    const [e, d] = ['http://a.test/d/e/*', 'http://a.test/d/*'];
    expect(tracesTo()).toEqual([false, 'shape', 'path', e, d, 'host', 'domain']);
    expect(tracesTo('http://a.test/d/e/8?n=2')).toEqual([true, 'shape', 'path', e, d, 'host', 'domain']);
    expect(tracesTo('http://a.test/d/e/8')).toEqual([true, 'path', e, d, 'host', 'domain']);
    expect(tracesTo('http://a.test/d/e/x')).toEqual([true, e, d, 'host', 'domain']);
    expect(tracesTo('http://a.test/d/x', 'http://a.test/d/e/8?n=2')).toEqual([true, d, 'host', 'domain']);
    expect(tracesTo('http://a.test/d/e/8?n=2', 'http://a.test/x')).toEqual([true, 'host', 'domain']);
    expect(tracesTo('http://b.a.test/')).toEqual([true, 'domain']);
    expect(tracesTo('http://b.test/')).toEqual([true]);
  });

  test('of a page with many the first 64 are looked at, and of what is no page none', () => {
    const inside = (count: number) => Array.from({ length: count }, (_, i) => `http://a.test/d/e/${i}?n=2`);
    expect(tracesTo(...inside(63), 'http://b.test/')).toEqual([true]);
    expect(tracesTo(...inside(64), 'http://b.test/')).toHaveLength(7);
    expect(guard.tracesOf(url, fate('failed', { relevance: null }), [])).toBeNull();
  });
});
