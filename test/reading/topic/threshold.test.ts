import { expect, test } from 'vitest';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Scored } from '../../../src/reading/topic/evaluate.ts';
import { chooseThreshold } from '../../../src/reading/topic/threshold.ts';

/** Log odds about `centre`, half a unit on either side. */
function scores(onTopic: boolean, centre: number, count: number, seed: number): Scored[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, () => ({ onTopic, score: centre + rng() - 0.5 }));
}

/** What a crawl's pages score: the off-topic ones are nearer to the examples than to the background. */
const labelled = [...scores(true, 1, 12, 1), ...scores(false, -1, 40, 2)];
const background = scores(false, -6, 800, 3);
const all = [...labelled, ...scores(true, -3, 40, 4), ...background];

test('with ten labels of either kind the threshold is chosen on the labelled pages; with fewer, on all that were held out', () => {
  const byAll = chooseThreshold(all, null);
  expect(byAll).toMatchObject({ byLabels: false, pages: all.length });
  expect(byAll.threshold).toBeLessThan(sigmoid(-3));
  const byLabels = chooseThreshold(all, null, { pages: labelled, share: 0.2 });
  expect(byLabels).toMatchObject({ byLabels: true, pages: 52, kind: 'f1' });
  expect(byLabels.threshold).toBeGreaterThan(sigmoid(-0.5));
  for (const few of [labelled.slice(3), labelled.slice(0, 12 + 9)])
    expect(chooseThreshold(all, null, { pages: few, share: 0.2 })).toEqual(byAll);
});

test('labels are weighed to the share on topic: the rarer the topic is, the stricter the threshold', () => {
  const mixed = [...scores(true, 0, 40, 5), ...scores(false, -0.4, 40, 6)];
  const at = (share: number | null) => chooseThreshold(mixed, null, { pages: mixed, share }).threshold;
  expect(at(0.02)).toBeGreaterThan(at(0.5));
  expect(at(0.5)).toBeGreaterThanOrEqual(at(0.98));
  expect(at(null)).toBe(at(0.5));
  for (const end of [0, 1]) expect(at(end)).toBe(at(Math.max(0.5 / 80, Math.min(1 - 0.5 / 80, end))));
});

test('a precision that is asked for is that of the crawl: where the topic is rare, fewer pages are taken', () => {
  const mixed = [...scores(true, 0.3, 200, 7), ...scores(false, -0.3, 200, 8)];
  const at = (share: number) => chooseThreshold(mixed, 0.6, { pages: mixed, share });
  expect(at(0.5)).toMatchObject({ kind: 'precision', reached: true, byLabels: true });
  expect(at(0.1).threshold).toBeGreaterThan(at(0.5).threshold);
});
