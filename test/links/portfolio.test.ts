import { expect, test } from 'vitest';
import type { LinkScorer, ScorableLink } from '../../src/core/parts/scoring.ts';
import { lastRescoring } from '../../src/core/rescoring-schedule.ts';
import { seededRng } from '../../src/core/rng.ts';
import { betaSample } from '../../src/links/beta-sample.ts';
import { Portfolio } from '../../src/links/portfolio.ts';
import { NO_TEXT, referrer, urlOf } from '../support/frontier-values.ts';

function linkAt(learnedFrom: number): ScorableLink {
  const edge = { referrer: referrer('http://a.test/', { relevance: 0.5 }), link: NO_TEXT, learnedFrom };
  return { url: urlOf(`http://a.test/${learnedFrom}`), depth: 1, offTopicDepth: 0, edge };
}

/** Its priority tells which strategy gave it. */
function constant(priority: number): LinkScorer {
  return {
    strategy: 'bfs',
    judgement: 'none',
    learnedFrom: 0,
    score: (links) => new Float32Array(links.length).fill(priority),
    explain: () => ({ logit: priority, bias: 0, contributions: [], priority, rule: 'constant' }),
  };
}

/** Which strategy gives the priorities after each lesson, when every page chosen by the second is on topic with `yields[1]`, and so on. */
function choices(yields: readonly number[], lessons: number, seed: number): number[] {
  const portfolio = new Portfolio(
    yields.map((_, i) => constant(i / 8)),
    seed,
  );
  return Array.from({ length: lessons }, (_, lesson) => {
    const arm = Math.round((portfolio.score([linkAt(lesson)])[0] ?? 0) * 8);
    portfolio.learn(linkAt(lesson), yields[arm] ?? 0);
    return arm;
  });
}

test('what finds more gives more of the priorities', () => {
  const late = choices([0.1, 0.1, 0.8], 3000, 7).slice(1000);
  expect(late.filter((arm) => arm === 2).length / late.length).toBeGreaterThan(0.9);
});

test('strategies that find the same all have their turn', () => {
  const chosen = choices([0.5, 0.5, 0.5], 3000, 7);
  for (const arm of [0, 1, 2]) expect(chosen.filter((one) => one === arm).length).toBeGreaterThan(100);
});

test('the strategy changes at rescorings only, and is the same for the same seed', () => {
  const chosen = choices([0.5, 0.4], 2000, 3);
  for (let lesson = 1; lesson < chosen.length; lesson++)
    if (chosen[lesson] !== chosen[lesson - 1]) expect(lastRescoring(lesson)).toBe(lesson);
  expect(choices([0.5, 0.4], 2000, 3)).toEqual(chosen);
  expect(choices([0.5, 0.4], 2000, 4)).not.toEqual(chosen);
});

test('a page counts for the strategy that gave its link the priority, not for the one drawn since', () => {
  const portfolio = new Portfolio([constant(0), constant(1 / 8)], 5);
  let lesson = 0;
  while (portfolio.score([linkAt(0)])[0] === 0) portfolio.learn(linkAt(lesson++), 0);
  // The second gives priorities now; pages on topic that the first had chosen bring it back.
  for (let i = 0; i < 400; i++) portfolio.learn(linkAt(0), 1);
  expect(portfolio.score([linkAt(0)])[0]).toBe(0);
  expect(portfolio.explain(linkAt(0)).rule).toMatch(
    /^constant; the strategy drawn was bfs: the relevances of the \d+ pages it had chosen sum to 400\.0$/,
  );
});

test('draws of Beta(a, b) have its mean and variance', () => {
  const rng = seededRng(1);
  for (const [a, b] of [
    [1, 1],
    [2, 5],
    [40, 3],
    [300, 700],
  ] as const) {
    const draws = Array.from({ length: 20_000 }, () => betaSample(a, b, rng));
    const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
    const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
    const expected = (a * b) / ((a + b) ** 2 * (a + b + 1));
    expect(mean).toBeCloseTo(a / (a + b), 2);
    expect(variance / expected).toBeGreaterThan(0.93);
    expect(variance / expected).toBeLessThan(1.07);
  }
});
