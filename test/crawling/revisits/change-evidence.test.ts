import { expect, test } from 'vitest';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import {
  type ChangeAnswer,
  type ChangeEvidence,
  DAY,
  HINT_SOURCES,
  hintCounts,
  seenChanges,
  withAnswer,
} from '../../../src/crawling/revisits/change-evidence.ts';

const SILENT = { sitemap: null, feed: null };
const START = Date.UTC(2026, 0, 1);

const exponential = (rng: Rng, mean: number) => -mean * Math.log(1 - rng());

/** Evidence of visits to a page that changes as a Poisson process. */
function watched(rng: Rng, rate: number, visits: number, interval: () => number, dated = false): ChangeEvidence | undefined {
  let evidence: ChangeEvidence | undefined;
  let next = exponential(rng, 1 / rate);
  let last = 0;
  let seen = 0;
  for (let visit = 0, now = 0; visit < visits; visit++) {
    now += interval();
    const changed = next <= now;
    while (next <= now) {
      last = next;
      next += exponential(rng, 1 / rate);
    }
    evidence = withAnswer(evidence, answer(seen, now, changed, dated ? last : null));
    seen = now;
  }
  return evidence;
}

function answer(
  seen: number,
  at: number,
  changed: boolean,
  modified: number | null = null,
  claims = SILENT as ChangeAnswer['claims'],
): ChangeAnswer {
  return { seenAt: START + seen * DAY, at: START + at * DAY, changed, modified: modified === null ? null : START + modified * DAY, claims };
}

function meanRate(rate: number, dated: boolean, mean: number): number {
  const rng = seededRng(7);
  // Intervals between a tenth and ten times of their middle.
  const interval = () => mean * 10 ** (2 * rng() - 1);
  const pages = Array.from({ length: 300 }, () => seenChanges(watched(rng, rate, 120, interval, dated)));
  return pages.reduce((sum, { shape, exposure }) => sum + shape / exposure, 0) / pages.length;
}

test.each([
  ['undated', 1 / 20, 2],
  ['undated', 1 / 20, 7],
  ['undated', 1 / 3, 0.5],
  ['undated', 2, 0.02],
  ['undated', 2, 0.1],
  ['undated', 2, 0.5],
  ['undated', 24, 0.05],
  ['dated', 1 / 20, 2],
  ['dated', 1 / 20, 7],
  ['dated', 2, 1],
])('rates of %s answers at irregular intervals are unbiased: %d a day, visited every %d days', (kind, rate, interval) => {
  const share = meanRate(rate, kind === 'dated', interval) / rate;
  expect(share).toBeGreaterThan(0.95);
  expect(share).toBeLessThan(1.05);
});

test('equal answers give equal numbers, at most 24, which survive JSON', () => {
  const make = () => watched(seededRng(3), 0.1, 50, () => 8, true);
  const evidence = make() ?? [];
  expect(make()).toEqual(evidence);
  expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
  expect(evidence.length).toBeLessThanOrEqual(24);
  expect(evidence.every(Number.isFinite)).toBe(true);
});

test('a page that has changed at each of a thousand visits keeps finite numbers, and a rate that rises', () => {
  let evidence: ChangeEvidence | undefined;
  const rates: number[] = [];
  for (let visit = 0; visit < 1000; visit++) {
    evidence = withAnswer(evidence, answer(10 * visit, 10 * visit + 10, true));
    const { shape, exposure } = seenChanges(evidence);
    rates.push(shape / exposure);
  }
  expect(rates.every(Number.isFinite)).toBe(true);
  expect(rates[99]).toBeGreaterThan(rates[9] ?? 0);
  expect(rates[999]).toBeGreaterThan(0.2);
});

test('two answers at one moment, and an answer before the last one, do no harm', () => {
  const first = withAnswer(undefined, answer(0, 10, true, 4));
  for (const changed of [true, false])
    for (const at of [10, 3])
      expect(withAnswer(first, answer(10, at, changed)).every((one) => Number.isFinite(one) && one >= 0)).toBe(true);
});

test('dates that were often wrong lose their weight', () => {
  /** Every visit finds a change a day before it, after visits whose dates were right or wrong. */
  const afterwards = (honest: boolean) => {
    let evidence: ChangeEvidence | undefined;
    for (let visit = 0; visit < 20; visit++) {
      const [seen, at] = [30 * visit, 30 * visit + 30];
      evidence = withAnswer(evidence, answer(seen, at, false, honest ? -1 : at - 1));
    }
    const before = seenChanges(evidence);
    const after = seenChanges(withAnswer(evidence, answer(600, 630, true, 629)));
    return after.exposure - before.exposure * Math.exp(-30 / 2000);
  };
  // A believed date says that all was quiet for one day; without one, the change was somewhere in thirty.
  expect(afterwards(true)).toBeLessThan(4);
  expect(afterwards(false)).toBeGreaterThan(9);
});

test('a date that is made with each answer says nothing', () => {
  const evidence = withAnswer(undefined, answer(0, 30, true, 30));
  expect(evidence).toEqual(withAnswer(undefined, answer(0, 30, true)));
});

test('claims of sources are counted by their truth', () => {
  let evidence: ChangeEvidence | undefined;
  for (const [changed, sitemap] of [
    [true, true],
    [true, false],
    [false, true],
    [false, true],
    [false, false],
  ] as const)
    evidence = withAnswer(evidence, answer(0, 5, changed, null, { sitemap, feed: null }));
  expect(HINT_SOURCES.map((source) => hintCounts(evidence, source))).toEqual([
    [1, 1, 2, 1],
    [0, 0, 0, 0],
  ]);
});
