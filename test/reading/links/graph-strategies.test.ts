import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkScorer, ScorableLink } from '../../../src/base/core/parts/scoring.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { strategiesThat } from '../../../src/reading/links/strategy-names.ts';
import { NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph);

const scorerOf = (strategy: (typeof BY_GRAPH)[number]) => linkScorer(strategy, { threshold: 0.5, seed: 1 });
const url = (name: string | number) => urlOf(`http://a.test/${name}`);
const edge = { referrer: referrer('http://a.test/from'), link: NO_TEXT, learnedFrom: 0 };
const linked = (name: string | number): ScorableLink => ({ url: url(name), depth: 1, offTopicDepth: 0, edge });
const seed = (name: string | number): ScorableLink => ({ url: url(name), depth: 0, offTopicDepth: 0, edge: null });

/** Worth of URLs: priority = worth / (1 + worth). */
function worthOf(scorer: LinkScorer, ...names: readonly (string | number)[]): number[] {
  return names.map((name) => scorer.explain(linked(name)).logit);
}

function read(scorer: LinkScorer, page: ScorableLink, relevance: number, links: readonly (string | number)[]): void {
  scorer.observer?.page(page, relevance, links.map(url));
}

/** Lessons until scores are worked out anew, which is at the tenth. */
function refresh(scorer: LinkScorer): void {
  for (let i = 0; i < 10; i++) scorer.learn?.(linked('lesson'), 0.5);
}

/** Pages by their number, the first of them seeds: relevance, and links to any of `urls` URLs. */
const URLS = 14;
const anyWeb = fc.array(
  fc.record({ relevance: fc.double({ min: 0.05, max: 1, noNaN: true }), links: fc.array(fc.nat(URLS - 1), { maxLength: 8 }) }),
  { minLength: 1, maxLength: 10 },
);
type Web = readonly { readonly relevance: number; readonly links: readonly number[] }[];

/** The distinct links of each page but to itself. */
const targetsOf = (web: Web) => web.map(({ links }, page) => [...new Set(links)].filter((link) => link !== page));
const ALL = Array.from({ length: URLS }, (_, i) => i);

function readAll(scorer: LinkScorer, web: Web): void {
  for (const [page, { relevance, links }] of web.entries()) read(scorer, page < 2 ? seed(page) : linked(page), relevance, links);
}

describe('opic', () => {
  test('cash goes on in equal parts, by hand', () => {
    const scorer = scorerOf('opic');
    read(scorer, seed('a'), 1, ['b', 'c', 'd', 'e']);
    expect(worthOf(scorer, 'a', 'b', 'c', 'd', 'e')).toEqual([0, 0.25, 0.25, 0.25, 0.25]);
    read(scorer, linked('b'), 0, ['c', 'd', 'b', 'c']);
    expect(worthOf(scorer, 'a', 'b', 'c', 'd', 'e')).toEqual([0, 0, 0.375, 0.375, 0.25]);
    read(scorer, linked('c'), 0, ['a', 'f', 'e']);
    expect(worthOf(scorer, 'a', 'c', 'd', 'e', 'f')).toEqual([0.125, 0, 0.375, 0.375, 0.125]);
    expect([...scorer.score([linked('d'), linked('f'), linked('unknown')])]).toEqual([0.375 / 1.375, 0.125 / 1.125, 0].map(Math.fround));
  });

  test('a page without links keeps its cash, and so does one that was read before', () => {
    const scorer = scorerOf('opic');
    read(scorer, seed('a'), 1, ['b', 'c']);
    read(scorer, linked('b'), 1, []);
    read(scorer, linked('c'), 1, ['b', 'a']);
    expect(worthOf(scorer, 'a', 'b', 'c')).toEqual([0.25, 0.75, 0]);
    read(scorer, linked('b'), 1, ['d']);
    expect(worthOf(scorer, 'b', 'd')).toEqual([0.75, 0]);
  });

  test('a seed that another page links to brings its own all the same; what only a list led to brings none', () => {
    const scorer = scorerOf('opic');
    read(scorer, seed('a'), 1, ['b', 'c']);
    read(scorer, seed('b'), 1, ['d']);
    read(scorer, linked('listed'), 1, ['e']);
    expect(worthOf(scorer, 'd', 'e')).toEqual([1.5, 0]);
  });

  test('no cash is made and none is lost: it is as much as there were seeds', () => {
    fc.assert(
      fc.property(anyWeb, fc.array(fc.tuple(fc.nat(URLS - 1), fc.nat(URLS - 1)), { maxLength: 4 }), (web, redirects) => {
        const scorer = scorerOf('opic');
        const same = new Map<number, number>();
        const rootOf = (one: number): number => {
          const next = same.get(one);
          return next === undefined ? one : rootOf(next);
        };
        const cash = () => worthOf(scorer, ...ALL.filter((one) => !same.has(one))).reduce((sum, worth) => sum + worth, 0);
        for (const [page, { relevance, links }] of web.entries()) {
          read(scorer, page < 2 ? seed(page) : linked(page), relevance, links);
          expect(cash()).toBeCloseTo(Math.min(2, page + 1), 9);
          const [from = 0, to = 0] = (page === 0 ? undefined : redirects[page - 1])?.map(rootOf) ?? [];
          if (from === to) continue;
          same.set(from, to);
          scorer.observer?.redirect(linked(from), url(to));
          expect(cash()).toBeCloseTo(2, 9);
        }
      }),
    );
  });
});

describe('pagerank', () => {
  /** (I - d·Aᵀ)⁻¹ · (1 - d), by elimination: nothing is iterated. */
  function exactRanks(web: Web): number[] {
    const rows = ALL.map((i) => [...ALL.map((j) => Number(i === j)), 0.15]);
    for (const [page, targets] of targetsOf(web).entries())
      for (const target of targets) {
        const row = rows[target] ?? [];
        row[page] = (row[page] ?? 0) - 0.85 / targets.length;
      }
    return solved(rows);
  }

  test('ranks after iterating are those that solve the equations, within what is promised', () => {
    fc.assert(
      fc.property(anyWeb, (web) => {
        const scorer = scorerOf('pagerank');
        readAll(scorer, web);
        refresh(scorer);
        const ranks = worthOf(scorer, ...ALL);
        const exact = exactRanks(web);
        const off = ranks.reduce((sum, rank, i) => sum + Math.abs(rank - (exact[i] ?? 0)), 0);
        expect(off).toBeLessThan(6e-4 * exact.reduce((sum, rank) => sum + rank, 0));
      }),
    );
  });

  test('the order is that of PageRank where a page without links leads to all', () => {
    fc.assert(
      fc.property(anyWeb, (web) => {
        const classic = classicRanks(web);
        const exact = exactRanks(web);
        const [a = 1, b = 1] = [exact[0], classic[0]];
        for (const i of ALL) expect((exact[i] ?? 0) / a).toBeCloseTo((classic[i] ?? 0) / b, 6);
      }),
    );
  });

  function classicRanks(web: Web): number[] {
    const targets = targetsOf(web);
    let ranks = ALL.map(() => 1 / URLS);
    for (let i = 0; i < 300; i++) {
      const next = ALL.map(() => 0.15 / URLS);
      for (const page of ALL) {
        const to = targets[page]?.length ? (targets[page] ?? []) : ALL;
        for (const target of to) next[target] = (next[target] ?? 0) + (0.85 * (ranks[page] ?? 0)) / to.length;
      }
      ranks = next;
    }
    return ranks;
  }

  test('a page that is read never lowers a rank, and what it links to has more at once', () => {
    fc.assert(
      fc.property(anyWeb, fc.boolean(), (web, refreshed) => {
        const scorer = scorerOf('pagerank');
        readAll(scorer, web.slice(0, -1));
        if (refreshed) refresh(scorer);
        const before = worthOf(scorer, ...ALL);
        const page = web.length - 1;
        read(scorer, linked(page), 1, web[page]?.links ?? []);
        const after = worthOf(scorer, ...ALL);
        for (const i of ALL) {
          const more = (after[i] ?? 0) - (before[i] ?? 0);
          expect(targetsOf(web)[page]?.includes(i) ? more > 0 : more === 0).toBe(true);
        }
        refresh(scorer);
        const settled = worthOf(scorer, ...ALL);
        for (const i of ALL) expect(settled[i]).toBeGreaterThanOrEqual((after[i] ?? 0) - 1e-12);
      }),
    );
  });

  test('by hand: a ring of two, and a URL nobody links to', () => {
    const scorer = scorerOf('pagerank');
    read(scorer, seed('a'), 1, ['b']);
    read(scorer, seed('b'), 1, ['a']);
    for (let i = 0; i < 20; i++) refresh(scorer);
    const [a, b, unknown] = worthOf(scorer, 'a', 'b', 'unknown');
    expect([a?.toFixed(2), b?.toFixed(2)]).toEqual(['1.00', '1.00']);
    expect(unknown).toBeCloseTo(0.15, 12);
  });
});

describe('hub and authority', () => {
  /** As the paper has it, from 1 for all, with whole matrices. */
  function dense(web: Web): { readonly hubs: number[]; readonly authorities: number[] } {
    const targets = targetsOf(web);
    const weight = (page: number, target: number) => web[target]?.relevance ?? web[page]?.relevance ?? 0;
    let hubs = web.map(() => 1);
    let authorities = ALL.map(() => 0);
    for (let i = 0; i < 2000; i++) {
      authorities = shares(
        ALL.map((target) => sum(web.map((_, page) => (targets[page]?.includes(target) ? weight(page, target) * (hubs[page] ?? 0) : 0)))),
      );
      hubs = shares(web.map(({ relevance }, page) => relevance * sum((targets[page] ?? []).map((target) => authorities[target] ?? 0))));
    }
    return { hubs, authorities };
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const shares = (values: readonly number[]) => values.map((value) => value / (Math.max(...values) || 1));

  /** Ten pages in two lumps of which one has clearly more: the iteration settles soon. */
  const lumps: Web = [
    { relevance: 0.9, links: [1, 2, 3, 10, 11] },
    { relevance: 0.8, links: [0, 2, 10, 11, 12] },
    { relevance: 0.1, links: [0, 10, 11, 12, 13] },
    { relevance: 0.7, links: [10, 4] },
    { relevance: 0.6, links: [13, 12, 5] },
  ];

  test('iterated until they settle: the scores of whole matrices', () => {
    const { hubs, authorities } = dense(lumps);
    const authority = scorerOf('authority');
    readAll(authority, lumps);
    for (let i = 0; i < 30; i++) refresh(authority);
    for (const [i, worth] of worthOf(authority, ...ALL).entries()) expect([i, worth]).toEqual([i, expect.closeTo(authorities[i] ?? 0, 2)]);
    const hub = scorerOf('hub');
    readAll(hub, lumps);
    for (let i = 0; i < 30; i++) refresh(hub);
    const best = ALL.map((target) => Math.max(0, ...hubs.filter((_, page) => targetsOf(lumps)[page]?.includes(target))));
    for (const [i, worth] of worthOf(hub, ...ALL).entries()) expect([i, worth]).toEqual([i, expect.closeTo(best[i] ?? 0, 2)]);
  });

  test('what only an off-topic page links to is worth less than what an on-topic one does', () => {
    for (const strategy of ['hub', 'authority'] as const) {
      const scorer = scorerOf(strategy);
      read(scorer, seed('good'), 0.9, ['both', 'x']);
      read(scorer, seed('bad'), 0.05, ['both', 'y']);
      const [x = 0, y = 0] = worthOf(scorer, 'x', 'y');
      refresh(scorer);
      const [later = 0, bad = 0] = worthOf(scorer, 'x', 'y');
      expect([x > 5 * y, later > 5 * bad]).toEqual([true, true]);
    }
  });

  test('a page that turns out off topic speaks against the pages that link to what it links to no more', () => {
    const hubOf = (relevance: number) => {
      const scorer = scorerOf('hub');
      read(scorer, seed('a'), 0.9, ['b', 'u']);
      read(scorer, seed('c'), 0.9, ['d', 'e', 'f', 'v']);
      read(scorer, linked('b'), relevance, []);
      refresh(scorer);
      return worthOf(scorer, 'u')[0] ?? 0;
    };
    expect(hubOf(1)).toBeGreaterThan(hubOf(0.01));
  });

  test('where nothing is on topic all is worth nothing, and nothing is divided by it', () => {
    for (const strategy of ['hub', 'authority'] as const) {
      const scorer = scorerOf(strategy);
      for (const name of ['a', 'b']) read(scorer, seed(name), 0, ['c', 'd']);
      refresh(scorer);
      read(scorer, linked('c'), 0, ['d']);
      expect(worthOf(scorer, 'c', 'd')).toEqual([0, 0]);
    }
  });
});

describe.each(BY_GRAPH)('%s', (strategy) => {
  test('priorities are in [0, 1], and the explanation adds up to the very priority and names the pages that link there', () => {
    fc.assert(
      fc.property(anyWeb, fc.boolean(), (web, refreshed) => {
        const scorer = scorerOf(strategy);
        readAll(scorer, web);
        if (refreshed) refresh(scorer);
        for (const i of ALL) {
          const { bias, contributions, logit, priority } = scorer.explain(linked(i));
          expect(contributions.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 9);
          expect(priority).toBe(scorer.score([linked(i)])[0]);
          expect(priority >= 0 && priority <= 1).toBe(true);
          const linking = web.flatMap((_, page) => (targetsOf(web)[page]?.includes(i) ? [url(page)] : []));
          const named = contributions.flatMap(({ feature }) => /http:\S+/.exec(feature)?.[0] ?? []);
          expect(linking).toEqual(expect.arrayContaining(named));
        }
      }),
    );
  });

  test('the same pages in the same order give the same priorities to the bit', () => {
    fc.assert(
      fc.property(anyWeb, (web) => {
        const scores = [0, 1].map(() => {
          const scorer = scorerOf(strategy);
          readAll(scorer, web);
          refresh(scorer);
          return [...scorer.score(ALL.map(linked))];
        });
        expect(scores[0]).toEqual(scores[1]);
      }),
    );
  });

  test('the target of a redirect has what its source had', () => {
    const scorer = scorerOf(strategy);
    read(scorer, seed('a'), 0.8, ['old', 'other']);
    const [had] = worthOf(scorer, 'old');
    scorer.observer?.redirect(linked('old'), url('new'));
    for (const worth of worthOf(scorer, 'old', 'new')) expect(worth).toBeCloseTo(had ?? 0, 12);
    refresh(scorer);
    const [old = 0, moved = 0, other = 0] = worthOf(scorer, 'old', 'new', 'other');
    expect(moved).toBe(old);
    expect(moved).toBeCloseTo(other, 9);
    expect(moved).toBeGreaterThan(0);
  });

  test('what a page links to alike is worth the same, however many come', () => {
    const scorer = scorerOf(strategy);
    read(scorer, seed('few'), 0.5, ['a', 'b']);
    const names = Array.from({ length: 4_000 }, (_, i) => i);
    read(scorer, seed('many'), 0.5, names);
    const [first = 0] = worthOf(scorer, 'a');
    for (const refreshed of [false, true]) {
      if (refreshed) refresh(scorer);
      const worth = [...scorer.score(names.map(linked))];
      expect(new Set(worth).size).toBe(1);
      expect(worth[0]).toBeGreaterThan(0);
    }
    expect(first).toBeGreaterThan(0);
  });

  test('a page of a hundred thousand links and a thousand pages that link to it are read in a moment', () => {
    const scorer = scorerOf(strategy);
    const many: CanonicalUrl[] = Array.from({ length: 100_000 }, (_, i) => url(i));
    scorer.observer?.page(seed('list'), 0.9, many);
    for (let page = 0; page < 1000; page++)
      scorer.observer?.page(linked(page), 0.5, [url('list'), url(page), url(page + 1), url(page + 1)]);
    refresh(scorer);
    expect([...scorer.score([linked(4_000), linked('list')])].every(Number.isFinite)).toBe(true);
    const { contributions } = scorer.explain(linked('list'));
    expect(contributions.length).toBeLessThanOrEqual(1001);
  });
});

/** Gauss–Jordan with the largest pivot. @param rows of a square matrix, each with its right side */
function solved(rows: number[][]): number[] {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce(
      (best, row, i) => (i >= column && Math.abs(row[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0) ? i : best),
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    const lead = rows[column] ?? [];
    for (const [i, row] of rows.entries()) {
      if (i === column) continue;
      const factor = (row[column] ?? 0) / (lead[column] ?? 1);
      for (let j = column; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (lead[j] ?? 0);
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1));
}
