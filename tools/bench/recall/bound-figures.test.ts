/** Figures that may be upper bounds of the recall. */
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { boundByCitations, boundByOther, boundByQueue } from './bound-figures.ts';

test('pages that one or two cite tell how many none cites', () => {
  // Chao 1984: 3 + 2² / (2 · 1) pages.
  expect(boundByCitations([1, 1, 2])).toBeCloseTo(3 / 5);
  expect(boundByCitations([2, 2, 2])).toBe(1);
  expect(boundByCitations([1, 1, 1])).toBeNull();
  expect(boundByCitations([])).toBeNull();
});

test('of pages that are cited as often as by chance, the bound is the share that is cited', () => {
  const rng = seededRng(7);
  const pages = 2000;
  const cited = Array.from({ length: pages }, () => 0);
  for (let link = 0; link < 1.5 * pages; link += 1) {
    const page = Math.floor(rng() * pages);
    cited[page] = (cited[page] ?? 0) + 1;
  }
  const found = cited.filter((count) => count > 0);
  expect(boundByCitations(found)).toBeCloseTo(found.length / pages, 1);
});

test('random visits and another crawl give the shares that they show', () => {
  expect(boundByQueue(50, 500, { visits: 20, onTopic: 2 })).toBeCloseTo(0.5);
  expect(boundByQueue(50, 500, { visits: 0, onTopic: 0 })).toBeNull();
  expect(boundByOther(30, 40)).toBe(0.75);
  expect(boundByOther(0, 0)).toBeNull();
});
