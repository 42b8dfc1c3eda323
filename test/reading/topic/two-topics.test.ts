import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { TrainingPage } from '../../../src/reading/topic/training-set.ts';
import { twoTopics } from '../../../src/reading/topic/two-topics.ts';
import { compared, SAMPLE } from './compared.ts';
import { syntheticPages } from './synthetic.ts';

const english = (pages: readonly TrainingPage[]) => pages.map((page) => ({ ...page, language: 'en' }));
const bread = (count: number, from = 0) => english(syntheticPages('bread', from, count));
const sailing = (count: number, from = 0) => english(syntheticPages('sailing', from, count));

const wordsOf = (pages: readonly TrainingPage[]) => new Set(pages.flatMap(({ text }) => text.split(' ')));
const [BREAD, SAILING] = [wordsOf(bread(50)), wordsOf(sailing(50))] as const;

/** The ids of each group, and their terms. */
function groupsOf(pages: readonly TrainingPage[], seed = 1) {
  const comparison = compared(pages);
  const groups = twoTopics(comparison, seededRng(seed));
  return groups?.map(({ rows, terms }) => ({ ids: rows.map((row) => comparison.rows[row]?.page?.id ?? '').sort(), terms })) ?? null;
}

test('two topics are told apart, page by page, by words of their own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 12 }), fc.integer({ min: 5, max: 12 }), fc.nat(1000), (loaves, boats, seed) => {
      const pages = [...bread(loaves, seed), ...sailing(boats, seed)];
      const groups = groupsOf(shuffled(pages, seededRng(seed)), seed);
      const [first, second] = groups ?? [];
      expect(groups).toHaveLength(2);
      const [loaf, boat] = first?.ids[0]?.startsWith('bread') ? [first, second] : [second, first];
      expect(loaf?.ids).toEqual(
        bread(loaves, seed)
          .map(({ id }) => id)
          .sort(),
      );
      expect(boat?.ids).toEqual(
        sailing(boats, seed)
          .map(({ id }) => id)
          .sort(),
      );
      expect([loaf?.terms.length, boat?.terms.length]).toEqual([6, 6]);
      for (const term of loaf?.terms ?? []) expect([BREAD.has(term), SAILING.has(term)]).toEqual([true, false]);
      for (const term of boat?.terms ?? []) expect([BREAD.has(term), SAILING.has(term)]).toEqual([false, true]);
    }),
    { numRuns: 8 },
  );
});

test('one topic is not taken for two', () => {
  fc.assert(
    fc.property(fc.constantFrom(bread, sailing), fc.integer({ min: 10, max: 30 }), fc.nat(1000), (topic, count, seed) => {
      expect(groupsOf(topic(count, seed), seed)).toBeNull();
    }),
    { numRuns: 10 },
  );
});

test('only background in the examples’ languages counts: from any other, words that all their language has tell both groups', () => {
  const chinese = SAMPLE.filter(({ language }) => language === 'zh');
  const foreign = [...SAMPLE, ...chinese, ...chinese, ...chinese];
  const pages = [...bread(10), ...sailing(10)];
  expect(twoTopics(compared(pages, [], foreign), seededRng(1))).not.toBeNull();
  const untold = pages.map((page) => ({ ...page, language: null }));
  expect(twoTopics(compared(untold, [], foreign), seededRng(1))).toBeNull();
});

test('background of the examples’ own host does not count, and too little of it gives no answer', () => {
  const pages = [...bread(10), ...sailing(10)];
  const own = SAMPLE.map((page) => ({ ...page, host: 'www.example.org' }));
  expect(twoTopics(compared(pages, [], own), seededRng(1))).toBeNull();
  expect(twoTopics(compared(pages, [], SAMPLE.slice(0, 49)), seededRng(1))).toBeNull();
});

test('nine examples, or two pages of another topic, are too few to say so', () => {
  expect(groupsOf([...bread(5), ...sailing(4)])).toBeNull();
  expect(groupsOf([...bread(12), ...sailing(2)])).toBeNull();
  expect(groupsOf([...bread(12), ...sailing(3)])).not.toBeNull();
});

test('many examples are sampled', () => {
  const groups = groupsOf([...bread(150), ...sailing(150)]);
  expect(groups?.reduce((sum, { ids }) => sum + ids.length, 0)).toBe(200);
});

test('equal chance gives an equal answer', () => {
  const pages = [...bread(20), ...sailing(20)];
  expect(groupsOf(pages, 5)).toEqual(groupsOf(pages, 5));
});
