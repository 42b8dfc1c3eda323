import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { ASSUMED_PRIOR } from '../../../src/reading/topic/calibrate.ts';
import { calibrationOf } from './calibration.ts';

/** Log-odds right for one in ten on topic: normal scores two apart, three in ten of them on topic. */
const rng = seededRng(5);
const normal = () => Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
const judged = Array.from({ length: 2000 }, (_, i) => {
  const onTopic = i % 10 < 3;
  return { score: 2 * (normal() + (onTopic ? 1 : -1)) + Math.log(ASSUMED_PRIOR / (1 - ASSUMED_PRIOR)), onTopic };
});

test('where only the share on topic differs, correction makes the error small', () => {
  const { error, correctedError, brier, correctedBrier, trusted } = calibrationOf(judged);
  expect(trusted).toBe(true);
  expect(error).toBeGreaterThan(0.08);
  expect(correctedError).toBeLessThan(0.03);
  expect(correctedBrier).toBeLessThan(brier);
});

test('where the prior is not to be trusted, nothing is moved', () => {
  const result = calibrationOf(judged.map(({ score, onTopic }) => ({ score: score + 6, onTopic })));
  expect(result.trusted).toBe(false);
  expect(result.correctedError).toBe(result.error);
});
