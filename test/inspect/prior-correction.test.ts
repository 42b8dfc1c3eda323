import { expect, test } from 'vitest';
import { sigmoid } from '../../src/core/odds.ts';
import { seededRng } from '../../src/core/rng.ts';
import { priorCorrection } from '../../src/inspect/prior-correction.ts';
import { ASSUMED_PRIOR } from '../../src/topic/calibrate.ts';

/** Relevances that are right for the assumed share on topic, of pages of which a quarter is: normal log-odds, kept from ½ on. */
function pages(count: number) {
  const rng = seededRng(9);
  const normal = () => Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
  return Array.from({ length: count }, (_, i) => {
    const onTopic = i % 4 === 0;
    const relevance = sigmoid(2 * (normal() + (onTopic ? 1 : -1)) + Math.log(ASSUMED_PRIOR / (1 - ASSUMED_PRIOR)));
    return { relevance, kept: relevance >= 0.5, onTopic };
  });
}

test('the share on topic, and what precision to expect of the kept pages', () => {
  const given = pages(3000);
  const found = priorCorrection(given);
  const kept = given.filter((page) => page.kept);
  expect(found).toMatchObject({ trusted: true, pages: 3000 });
  expect(found?.prior).toBeCloseTo(0.25, 1);
  expect(Math.abs((found?.keptPrecision ?? 0) - kept.filter(({ onTopic }) => onTopic).length / kept.length)).toBeLessThan(0.06);
});

test('few pages, no kept pages, relevances at the ends', () => {
  expect(priorCorrection(pages(49))).toBeNull();
  expect(priorCorrection(pages(200).map((page) => ({ ...page, kept: false })))?.keptPrecision).toBeNull();
  const ends = priorCorrection(Array.from({ length: 100 }, (_, i) => ({ relevance: i % 2, kept: i % 2 === 1 })));
  expect(ends?.prior).toBeCloseTo(0.5, 6);
});
