import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import { ASSUMED_PRIOR } from '../../../src/reading/topic/calibrate.ts';
import { emStep, estimatePrior, likelihoodRatios, onceEach } from '../../../src/reading/topic/prior.ts';
import { brierScore, expectedCalibrationError } from '../../../src/reading/topic/reliability.ts';
import { runs } from '../../support/extent.ts';

interface Page {
  readonly logit: number;
  readonly onTopic: boolean;
}

const ASSUMED_LOG_ODDS = Math.log(ASSUMED_PRIOR / (1 - ASSUMED_PRIOR));

/** Pages whose scores are normal about ±1 (Box and Muller 1958); the log of how much likelier a score is on topic is then 2 × score. */
function crawl(prior: number, pages: number, seed: number, steepness = 1): Page[] {
  const rng = seededRng(seed);
  const normal = (of: Rng) => Math.sqrt(-2 * Math.log(1 - of())) * Math.cos(2 * Math.PI * of());
  return Array.from({ length: pages }, () => {
    const onTopic = rng() < prior;
    return { onTopic, logit: 2 * steepness * ((onTopic ? 1 : -1) + normal(rng)) + ASSUMED_LOG_ODDS };
  });
}

const logitsOf = (pages: readonly Page[]) => pages.map(({ logit }) => logit);
const estimated = (pages: readonly Page[]) => estimatePrior(logitsOf(pages), { rng: seededRng(1) });
const judged = (pages: readonly Page[], shift: number) => pages.map(({ logit, onTopic }) => ({ score: sigmoid(logit + shift), onTopic }));

test.each([0.02, 0.3, 0.45])('a share of %d is found, and judging by it is better calibrated', (prior) => {
  const pages = crawl(prior, 8000, 5);
  const found = estimated(pages);
  expect(Math.abs((found?.prior ?? 0) - prior)).toBeLessThan(0.015);
  expect(found?.low).toBeLessThan(prior);
  expect(found?.high).toBeGreaterThan(prior);
  expect(found).toMatchObject({ converged: true, trusted: true, pages: 8000 });
  const [before, after] = [judged(pages, 0), judged(pages, found?.shift ?? 0)];
  expect(expectedCalibrationError(before)).toBeGreaterThan(0.03);
  expect(expectedCalibrationError(after)).toBeLessThan(0.02);
  expect(brierScore(after)).toBeLessThan(brierScore(before));
});

test('the interval holds the true share in about 95 of 100 crawls, not in all', () => {
  const held = Array.from({ length: 100 }, (_, seed) => {
    const found = estimated(crawl(0.2, 300, seed + 100));
    return found !== null && found.low <= 0.2 && found.high >= 0.2;
  });
  expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(88);
  expect(held.filter(Boolean).length).toBeLessThan(100);
});

const logits = fc.array(fc.double({ min: -40, max: 40, noNaN: true }), { minLength: 50, maxLength: 90 });
const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });

/** Log-likelihood of a prior, up to a constant. */
function likelihood(ratios: Float64Array, prior: number): number {
  return ratios.reduce((sum, ratio) => sum + Math.log(prior * ratio + 1 - prior), 0);
}

test('a step of EM never makes the scores less likely', () => {
  fc.assert(
    fc.property(logits, share, share, (scores, trainingPrior, prior) => {
      const ratios = likelihoodRatios(scores, trainingPrior);
      const before = likelihood(ratios, prior);
      expect(likelihood(ratios, emStep(onceEach(ratios), prior))).toBeGreaterThanOrEqual(before - 1e-9 * Math.abs(before) - 1e-9);
    }),
  );
});

test('where EM came to rest no other prior is likelier, and all figures are in their ranges', () => {
  fc.assert(
    fc.property(logits, fc.nat(9), (scores, seed) => {
      const found = estimatePrior(scores, { rng: seededRng(seed) });
      if (found === null) throw new Error('null of 50 scores');
      const { prior, low, high, shift, converged } = found;
      expect(prior).toBeGreaterThanOrEqual(0.5 / scores.length);
      expect(prior).toBeLessThanOrEqual(1 - 0.5 / scores.length);
      expect(low).toBeLessThanOrEqual(prior);
      expect(high).toBeGreaterThanOrEqual(prior);
      expect(sigmoid(shift + ASSUMED_LOG_ODDS)).toBeCloseTo(prior, 9);
      if (!converged) return;
      const ratios = likelihoodRatios(scores, ASSUMED_PRIOR);
      for (let other = 0.01; other < 1; other += 0.01) {
        if (other >= 0.5 / scores.length && other <= 1 - 0.5 / scores.length)
          expect(likelihood(ratios, other)).toBeLessThanOrEqual(likelihood(ratios, prior) + 1e-3);
      }
    }),
    { numRuns: runs(30) },
  );
});

test('it does not matter which prior the logits were calibrated for', () => {
  const pages = crawl(0.1, 2000, 7);
  const shifted = logitsOf(pages).map((logit) => logit - ASSUMED_LOG_ODDS + Math.log(0.2 / 0.8));
  const found = estimatePrior(shifted, { rng: seededRng(1), trainingPrior: 0.2 });
  expect(found?.prior).toBeCloseTo(estimated(pages)?.prior ?? 0, 4);
  expect((found?.shift ?? 0) + Math.log(0.2 / 0.8)).toBeCloseTo((estimated(pages)?.shift ?? 0) + ASSUMED_LOG_ODDS, 2);
});

test('scores that are not calibrated are not seen through: too steep finds too many pages, too flat none', () => {
  expect(estimated(crawl(0.02, 8000, 5, 2))?.prior).toBeGreaterThan(0.06);
  expect(estimated(crawl(0.1, 8000, 5, 0.5))?.prior).toBeLessThan(0.01);
});

test('an estimate that says everything or nothing is on topic is not trusted', () => {
  expect(estimated(crawl(0, 500, 3))).toMatchObject({ low: 0.001, trusted: false });
  expect(estimated(crawl(1, 500, 3))?.trusted).toBe(false);
  expect(estimated(crawl(0.7, 500, 3))?.trusted).toBe(false);
});

test('fewer than 50 scores say nothing', () => {
  expect(estimated(crawl(0.3, 49, 1))).toBeNull();
  expect(estimated(crawl(0.3, 50, 1))).not.toBeNull();
});

test('a long crawl is sampled, and equal chance gives an equal answer', () => {
  const long = logitsOf(crawl(0.05, 60_000, 9));
  const found = estimatePrior(long, { rng: seededRng(4) });
  expect(found?.pages).toBe(20_000);
  expect(found).toEqual(estimatePrior(long, { rng: seededRng(4) }));
});
