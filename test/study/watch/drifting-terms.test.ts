import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAST_G2, logLikelihoodRatio, TermCounts } from '../../../src/study/watch/drifting-terms.ts';

test('the ratio of Dunning 1993, as in his table: of 31,777 bigrams, "the swiss" 110 times, with 2442 other "the" and 111 other "swiss"', () => {
  // k11 = 110, k12 = 2442, k21 = 111, k22 = 29114: -2 log λ = 270.72 in table 1 of the paper.
  expect(logLikelihoodRatio(110, 110 + 2442, 111, 111 + 29114)).toBeCloseTo(270.72, 1);
});

test('equal shares have the ratio 0, others more, and it is the same for a term and its absence', () => {
  const pages = fc.integer({ min: 1, max: 1000 });
  fc.assert(
    fc.property(pages, pages, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (n, m, p, q) => {
      const [a, b] = [Math.round(p * n), Math.round(q * m)];
      const ratio = logLikelihoodRatio(a, n, b, m);
      expect(ratio).toBeGreaterThan(-1e-9);
      expect(ratio).toBeCloseTo(logLikelihoodRatio(n - a, n, m - b, m), 6);
      expect(logLikelihoodRatio(a, n, 3 * a, 3 * n)).toBeCloseTo(0, 6);
    }),
  );
  expect(logLikelihoodRatio(0, 0, 0, 0)).toBe(0);
});

test('terms in a larger and in a smaller share are named with their pages, once a page; others and numbers are not', () => {
  const counts = new TermCounts();
  for (let i = 0; i < 20; i++) counts.addNow(`the river rose Drought drought 2026 ${i < 2 ? 'rare' : ''}`);
  for (let i = 0; i < 400; i++) counts.addBefore(`the river rose ${i % 2 === 0 ? 'snow' : 'ice'} ${i === 7 ? 'drought' : ''}`);
  const { now, before, more, less } = counts.drift();
  expect([now, before]).toEqual([20, 400]);
  expect(more.map(({ term, now: pages, before: then }) => [term, pages, then])).toEqual(
    [
      ['drought', 20, 1],
      ['rare', 2, 0],
    ].filter(([, pages]) => pages !== 2),
  );
  expect(less.map(({ term }) => term)).toEqual(['ice', 'snow']);
  for (const { g2 } of [...more, ...less]) expect(g2).toBeGreaterThanOrEqual(LEAST_G2);
});

test('by chance, one term in ten thousand at most', () => {
  const counts = new TermCounts();
  // Terms of one share in both: each in every third page, drawn by a fixed generator.
  let state = 7;
  const draw = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
  const page = () =>
    Array.from({ length: 2000 }, (_, i) =>
      draw() < 1 / 3
        ? `w${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${'uvwxyzabcd'[Math.floor(i / 100) % 10]}${i >= 1000 ? 'x' : 'y'}`
        : '',
    ).join(' ');
  for (let i = 0; i < 60; i++) counts.addNow(page());
  for (let i = 0; i < 300; i++) counts.addBefore(page());
  const { more, less } = counts.drift();
  expect(more.length + less.length).toBeLessThanOrEqual(1);
});
