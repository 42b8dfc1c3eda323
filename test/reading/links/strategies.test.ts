import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScorableLink } from '../../../src/base/core/parts/scoring.ts';
import type { LinkText, Referrer } from '../../../src/base/core/types.ts';
import { SteeredScorer } from '../../../src/reading/links/steered-scorer.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { STRATEGIES } from '../../../src/reading/links/strategy-names.ts';
import { NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const settings = { threshold: 0.5, seed: 1 };

function linkOf(url: string, text: Partial<LinkText> = {}, from: Partial<Referrer> = {}, depth = 1): ScorableLink {
  const of = referrer('http://a.test/from', from);
  return { url: urlOf(url), depth, offTopicDepth: of.offTopicDepth, edge: { referrer: of, link: { ...NO_TEXT, ...text }, learnedFrom: 0 } };
}

const anyLink = fc
  .record({
    path: fc.webPath(),
    anchorText: fc.string({ unit: 'grapheme', maxLength: 60 }),
    context: fc.string({ unit: 'grapheme', maxLength: 200 }),
    imageAlt: fc.string({ maxLength: 20 }),
    title: fc.string({ maxLength: 60 }),
    relevance: fc.double({ min: 0, max: 1, noNaN: true }),
    anchorScore: fc.double({ min: 0, max: 1, noNaN: true }),
    contextScore: fc.double({ min: 0, max: 1, noNaN: true }),
    depth: fc.nat(50),
    offTopicDepth: fc.nat(9),
  })
  .map(({ path, anchorText, context, imageAlt, title, relevance, anchorScore, contextScore, depth, offTopicDepth }) =>
    linkOf(
      `http://a.test/${encodeURI(path)}`,
      { anchorText, context, imageAlt, anchorScore, contextScore, zone: 'content', tagPath: 'ul>li>a' },
      { title, relevance, offTopicDepth },
      depth,
    ),
  );

const SCORERS = STRATEGIES.flatMap((name) => [
  [name, () => linkScorer(name, settings)] as const,
  [`${name} with a wish`, () => new SteeredScorer(linkScorer(name, settings))] as const,
]);

describe.each(SCORERS)('%s', (_, scorerOf) => {
  test('priorities are finite and in [0, 1], whatever the link and whatever was learned', () => {
    const scorer = scorerOf();
    fc.assert(
      fc.property(fc.array(anyLink, { maxLength: 8 }), fc.double({ min: 0, max: 1, noNaN: true }), (links, relevance) => {
        for (const link of links) scorer.learn?.(link, relevance, relevance > 0.7);
        for (const priority of scorer.score(links)) expect(priority >= 0 && priority <= 1).toBe(true);
      }),
    );
  });

  test('the explanation sums to the logit and gives the very priority', () => {
    const scorer = scorerOf();
    fc.assert(
      fc.property(anyLink, fc.double({ min: 0, max: 1, noNaN: true }), (link, relevance) => {
        scorer.learn?.(link, relevance, relevance > 0.7);
        const { bias, contributions, logit, priority } = scorer.explain(link);
        expect(Math.abs(contributions.reduce((sum, { contribution }) => sum + contribution, bias) - logit)).toBeLessThan(1e-6);
        expect(priority).toBe(scorer.score([link])[0]);
      }),
    );
  });

  test('a seed has priority 1', () => {
    const scorer = scorerOf();
    const seed: ScorableLink = { url: urlOf('http://a.test/'), depth: 0, offTopicDepth: 0, edge: null };
    expect([...scorer.score([seed])]).toEqual([1]);
    expect(scorer.explain(seed).priority).toBe(1);
  });
});

test('bfs prefers the shallower, dfs the deeper link', () => {
  const [shallow = 0, deep = 0] = linkScorer('bfs', settings).score([
    linkOf('http://a.test/1', {}, {}, 1),
    linkOf('http://a.test/2', {}, {}, 2),
  ]);
  expect(shallow).toBeGreaterThan(deep);
  const [first = 0, second = 0] = linkScorer('dfs', settings).score([
    linkOf('http://a.test/1', {}, {}, 1),
    linkOf('http://a.test/2', {}, {}, 2),
  ]);
  expect(second).toBeGreaterThan(first);
});

test('parent, anchor and shark prefer the better referrer, the better anchor', () => {
  const better = linkOf('http://a.test/1', { anchorScore: 0.9, contextScore: 0.9 }, { relevance: 0.9 });
  const worse = linkOf('http://a.test/2', { anchorScore: 0.1, contextScore: 0.1 }, { relevance: 0.1 });
  for (const strategy of ['parent', 'anchor', 'shark', 'apprentice'] as const) {
    const [high = 0, low = 0] = linkScorer(strategy, settings).score([better, worse]);
    expect(high, strategy).toBeGreaterThan(low);
  }
});

test('shark: what is inherited decays with each hop off topic', () => {
  const at = (offTopicDepth: number) =>
    linkScorer('shark', settings).score([linkOf('http://a.test/1', {}, { relevance: 1, offTopicDepth })])[0] ?? 0;
  expect(at(0)).toBeCloseTo(0.25);
  expect(at(1)).toBeCloseTo(0.125);
  expect(at(2)).toBeCloseTo(0.0625);
});

test('random: the same seed gives the same order, another seed another', () => {
  const links = Array.from({ length: 20 }, (_, i) => linkOf(`http://a.test/${i}`));
  const order = (seed: number) => [...linkScorer('random', { ...settings, seed }).score(links)];
  expect(order(1)).toEqual(order(1));
  expect(order(1)).not.toEqual(order(2));
});

describe('apprentice', () => {
  const good = () => linkOf('http://a.test/moss/peat', { anchorText: 'sphagnum moss', tagPath: 'p>a' }, { relevance: 0.5 });
  const bad = () => linkOf('http://a.test/shop/cart', { anchorText: 'buy now', tagPath: 'nav>a' }, { relevance: 0.5 });

  test('learns from how links turned out: words, directory and tag path tell good from bad', () => {
    const scorer = linkScorer('apprentice', settings);
    const [before = 0, beforeBad = 0] = scorer.score([good(), bad()]);
    expect(before).toBeCloseTo(beforeBad, 5);
    for (let i = 0; i < 10; i++) {
      scorer.learn?.(good(), 1);
      scorer.learn?.(bad(), 0);
    }
    expect(scorer.learnedFrom).toBe(20);
    const [after = 0, afterBad = 0] = scorer.score([
      linkOf('http://a.test/moss/fen', { anchorText: 'peat moss', tagPath: 'p>a' }, { relevance: 0.5 }),
      bad(),
    ]);
    expect(after).toBeGreaterThan(before + 0.2);
    expect(afterBad).toBeLessThan(beforeBad - 0.1);
  });

  test('the same lessons in the same order give the same priorities to the bit', () => {
    const taught = () => {
      const scorer = linkScorer('apprentice', settings);
      for (let i = 0; i < 50; i++) scorer.learn?.(i % 3 ? good() : bad(), (i % 7) / 7);
      return [...scorer.score([good(), bad()])];
    };
    expect(taught()).toEqual(taught());
  });

  test('names its features for people', () => {
    const scorer = linkScorer('apprentice', settings);
    scorer.learn?.(good(), 1);
    const names = scorer.explain(good()).contributions.map(({ feature }) => feature);
    expect(names).toEqual(
      expect.arrayContaining([
        'anchor:sphagnum',
        'anchor2:sphagnum moss',
        'dir:http://a.test/moss/',
        'url:peat',
        'host:http://a.test',
        'referrer relevance',
      ]),
    );
  });
});
