import { describe, expect, test } from 'vitest';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { LinkScorer } from '../../../src/base/core/parts/scoring.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { type Fate, type FrontierEntry, PAGE } from '../../../src/base/core/types.ts';
import { lessonOf, type Past, relearn, relearnFor } from '../../../src/crawling/crawl/lessons.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { STRATEGIES, strategiesThat } from '../../../src/reading/links/strategy-names.ts';
import { fate } from '../../support/frontier-values.ts';
import { randomWeb, type SmallCrawl, smallCrawl } from './small-crawl.ts';

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph);

const fresh = () => linkScorer('apprentice', { threshold: 0.5, seed: 1 });

test('a page teaches its relevance, a dead or unreadable one 0, and what says nothing of the link teaches nothing', () => {
  const lessons: readonly [Fate, number | null][] = [
    [fate('kept', { relevance: 0.8 }), 0.8],
    [fate('off-topic', { relevance: 0 }), 0],
    [fate('refused', { reason: 'noindex', relevance: 0.7 }), 0.7],
    [fate('failed', { reason: 'http-4xx' }), 0],
    [fate('refused', { reason: 'content-type' }), 0],
    [fate('failed', { reason: 'timeout' }), null],
    [fate('refused', { reason: 'robots' }), null],
    [fate('fetched', { reason: { kind: 'redirect', to: 'http://a.test/' as CanonicalUrl } }), null],
  ];
  for (const [given, lesson] of lessons) expect(lessonOf(given, { task: PAGE })).toBe(lesson);
});

test('a scorer taught again has the very weights: it gives every link the same priority to the bit', async () => {
  const scorer = fresh();
  const { frontier } = await smallCrawl({ ...randomWeb(300, 10, 4), scorer, limits: { maxPages: 200, concurrency: 8 } });
  const again = fresh();
  relearn(again, frontier);
  expect(again.learnedFrom).toBe(scorer.learnedFrom);
  expect(scorer.learnedFrom).toBeGreaterThan(100);
  const entries = [...frontier.settled()].map(({ entry }) => entry);
  expect(again.score(entries)).toEqual(scorer.score(entries));
});

test('taught again up to the pages it had learned from, it explains any priority it ever gave to the bit', async () => {
  const { frontier } = await smallCrawl({ ...randomWeb(200, 10, 4), scorer: fresh(), limits: { maxPages: 150, concurrency: 8 } });
  const moments = new Set<number>();
  for (const { url } of frontier.ledger()) {
    const entry = frontier.find(url)?.entry;
    if (!entry?.edge) continue;
    moments.add(entry.edge.learnedFrom);
    expect([url, scorerAt(frontier, entry.edge.learnedFrom).explain(entry).priority]).toEqual([url, entry.priority]);
  }
  expect(moments.size).toBeGreaterThan(10);
});

const taught = new Map<number, LinkScorer>();
function scorerAt(frontier: Frontier, pages: number): LinkScorer {
  const known = taught.get(pages);
  if (known) return known;
  const scorer = fresh();
  relearn(scorer, frontier, pages);
  taught.set(pages, scorer);
  return scorer;
}

describe.each(BY_GRAPH)('%s', (strategy) => {
  const scorerOf = () => linkScorer(strategy, { threshold: 0.5, seed: 1 });

  test('taught again with the links of the recording it gives every link the same priority to the bit', async () => {
    const scorer = scorerOf();
    const crawl = await smallCrawl({ ...randomWeb(300, 10, 4), scorer, limits: { maxPages: 200 } });
    const again = scorerOf();
    relearn(again, pastOf(crawl));
    expect([again.learnedFrom, again.learnedFrom > 100]).toEqual([scorer.learnedFrom, true]);
    const entries = entriesOf(crawl);
    expect(again.score(entries)).toEqual(scorer.score(entries));
    expect(new Set(scorer.score(entries)).size).toBeGreaterThan(20);
  });

  test('taught again for one link it explains the priority the link was given, to the bit', async () => {
    const crawl = await smallCrawl({ ...randomWeb(200, 10, 4), scorer: scorerOf(), limits: { maxPages: 120 } });
    const moments = new Set<number>();
    for (const entry of entriesOf(crawl)) {
      if (entry.edge === null) continue;
      moments.add(entry.edge.learnedFrom);
      const scorer = scorerOf();
      relearnFor(scorer, pastOf(crawl), entry);
      expect([entry.url, scorer.explain(entry).priority]).toEqual([entry.url, entry.priority]);
    }
    expect(moments.size).toBeGreaterThan(10);
  });
});

/** Every URL that was discovered, as it was leased or stands. */
function entriesOf({ frontier }: SmallCrawl): FrontierEntry[] {
  return [...frontier.ledger()].flatMap(({ url }) => frontier.find(url)?.entry ?? []);
}

/** What was recorded, read in its order as from a file. */
function pastOf({ frontier, recorded }: SmallCrawl): Past {
  const recording = () => {
    const visits = recorded.values();
    return (url: string) => {
      for (const visit of visits) if (visit.url === url) return linksOf(visit);
      throw new Error(`${url} is asked for, and was not recorded after what was asked for before it`);
    };
  };
  return { settled: () => frontier.settled(), recording };
}

function linksOf(visit: FrozenVisit) {
  if (visit.kind === 'redirect') return [visit.to];
  return visit.kind === 'page' ? visit.content.links.map(({ url }) => url) : [];
}

test('a scorer that does not learn is left alone', async () => {
  const { frontier } = await smallCrawl({ ...randomWeb(20, 2, 1) });
  const scorer = linkScorer('bfs', { threshold: 0.5, seed: 1 });
  relearn(scorer, frontier);
  expect(scorer.learnedFrom).toBe(0);
});

test.each(STRATEGIES.filter((name) => !BY_GRAPH.includes(name)))(
  '%s sees no links, and the recording is not opened for it',
  async (strategy) => {
    const scorerOf = () => linkScorer(strategy, { threshold: 0.5, seed: 1 });
    const { frontier } = await smallCrawl({ ...randomWeb(60, 4, 3), scorer: scorerOf(), limits: { maxPages: 40 } });
    const past: Past = {
      settled: () => frontier.settled(),
      recording: () => {
        throw new Error('the recording was opened');
      },
    };
    const entries = [...frontier.ledger()].flatMap(({ url }) => frontier.find(url)?.entry ?? []);
    expect(entries.length).toBeGreaterThan(20);
    const scorer = scorerOf();
    expect(scorer.observer).toBeUndefined();
    relearn(scorer, past);
    for (const entry of entries) relearnFor(scorerOf(), past, entry);
  },
);
