import { expect, test } from 'vitest';
import type { ScorableLink } from '../../../src/base/core/parts/scoring.ts';
import type { CanonicalUrl, Edge } from '../../../src/base/core/types.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { WeightedScorer } from '../../../src/reading/links/weighted-scorer.ts';

const referrer = { url: 'http://a.example/' as CanonicalUrl, title: 'A', relevance: 0.8, depth: 0, offTopicDepth: 0 };
const TEXT = {
  anchorText: 'moss',
  context: 'peat',
  imageAlt: '',
  zone: 'content',
  tagPath: 'p>a',
  anchorScore: 0.6,
  contextScore: 0.7,
} as const;

function linkTo(path: string, weight: number | null): ScorableLink {
  const link: Edge['link'] = weight === null ? TEXT : { ...TEXT, weight };
  return { url: `http://a.example/${path}` as CanonicalUrl, depth: 1, offTopicDepth: 0, edge: { referrer, link, learnedFrom: 0 } };
}

const links = [linkTo('a', null), linkTo('b', 0.5), linkTo('c', 0), { ...linkTo('d', null), edge: null }];

test.each(['apprentice', 'parent', 'anchor'] as const)('%s: priorities are those of the strategy, times the weights', (strategy) => {
  const plain = linkScorer(strategy, { threshold: 0.5, seed: 1 });
  const weighted = new WeightedScorer(plain);
  const [a = 0, b = 0] = plain.score(links);
  const expected = Float32Array.of(a, 0.5 * b, 0, 1);
  expect(weighted.score(links)).toEqual(expected);
  for (const [i, link] of links.entries()) expect(weighted.explain(link).priority).toBeCloseTo(expected[i] ?? 0, 6);
  const { contributions, logit, bias } = weighted.explain(linkTo('b', 0.5));
  expect(contributions.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 9);
});

test('evidence knows the weights, for some of its links too, after lessons as before', () => {
  const weighted = new WeightedScorer(linkScorer('apprentice', { threshold: 0.5, seed: 1 }));
  for (let lesson = 0; lesson < 3; lesson++) {
    const evidence = weighted.evidenceOf?.(links);
    if (!evidence) throw new Error('the apprentice has evidence');
    expect(weighted.scoreAgain?.(evidence)).toEqual(weighted.score(links));
    expect(weighted.scoreAgain?.(evidence, [1, 3])).toEqual(weighted.score([links[1], links[3]].flatMap((link) => link ?? [])));
    weighted.learn?.(linkTo(`lesson-${lesson}`, null), lesson / 2);
  }
  expect(weighted.learnedFrom).toBe(3);
});
