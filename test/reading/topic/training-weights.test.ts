/** What the features of a training weigh, by the pages that have them. */
import { expect, test } from 'vitest';
import type { Background } from '../../../src/reading/topic/background.ts';
import { BUCKETS, characterBucket } from '../../../src/reading/topic/features.ts';
import type { Role } from '../../../src/reading/topic/training-set.ts';
import { trainingWeights } from '../../../src/reading/topic/training-weights.ts';
import { idfTable, KIND_FACTORS } from '../../../src/reading/topic/weighting.ts';

const DOCUMENTS = 6000;
/** Features, and the share of the background's pages with each. */
const [SUBJECT, REGISTER, RARE, COMMON, UNMET] = [0, 1, 2, 3, 4];
const SHARES = [0.01, 0.01, 0.0002, 0.9, 0.01];

const frequencies = new Float64Array(BUCKETS);
for (const [feature, share] of SHARES.entries()) frequencies[feature] = share * DOCUMENTS;
const background: Background = {
  documents: DOCUMENTS,
  idf: idfTable(frequencies, DOCUMENTS),
  languages: new Map([
    ['en', 2700],
    ['zh', 200],
  ]),
  sample: [],
};

const row = (role: Role, buckets: readonly number[], language: string | null = 'en') => ({
  role,
  language,
  counts: { buckets: Int32Array.from(buckets), counts: new Uint16Array(buckets.length).fill(1) },
});
const times = (count: number, role: Role, buckets: readonly number[], language?: string | null) =>
  Array.from({ length: count }, () => row(role, buckets, language));
const idfOf =
  ({ idf }: ReturnType<typeof trainingWeights>) =>
  (feature: number) =>
    (idf.codes[feature] ?? 0) * idf.step;

test('examples alone: the frequencies of the background, without the features that no row has', () => {
  const rows = [...times(5, 'example', [SUBJECT, REGISTER]), row('background', [COMMON])];
  const weights = trainingWeights(background, rows);
  expect(weights.factors).toEqual(KIND_FACTORS);
  for (const met of [SUBJECT, REGISTER, COMMON]) expect(idfOf(weights)(met)).toBe((background.idf.codes[met] ?? 0) * background.idf.step);
  expect([RARE, UNMET].map(idfOf(weights))).toEqual([0, 0]);
});

test('what all given pages have weighs less than what the examples alone have, though the background has both alike', () => {
  const rows = [...times(10, 'example', [SUBJECT, REGISTER]), ...times(30, 'irrelevant', [REGISTER, COMMON]), row('background', [COMMON])];
  const weights = trainingWeights(background, rows);
  expect(idfOf(weights)(SUBJECT)).toBeGreaterThan(1.5 * idfOf(weights)(REGISTER));
  // Without contrast too: examples count less in the frequencies than other pages.
  const plain = trainingWeights(background, rows, 0);
  expect(idfOf(plain)(SUBJECT)).toBeGreaterThan(idfOf(plain)(REGISTER));
  expect(idfOf(weights)(SUBJECT) / idfOf(weights)(REGISTER)).toBeGreaterThan(idfOf(plain)(SUBJECT) / idfOf(plain)(REGISTER));
});

test('contrast raises what either side has more often, on topic or off', () => {
  const shared = [
    ...times(8, 'example', [SUBJECT]),
    ...times(8, 'irrelevant', [REGISTER]),
    ...times(4, 'example', [RARE]),
    ...times(4, 'irrelevant', [RARE]),
  ];
  const ratio = (feature: number) =>
    idfOf(trainingWeights(background, shared))(feature) / idfOf(trainingWeights(background, shared, 0))(feature);
  expect(ratio(SUBJECT)).toBeGreaterThan(1.1);
  expect(ratio(REGISTER)).toBeGreaterThan(1.1);
  expect(ratio(RARE)).toBeCloseTo(1, 1);
});

test('a background of few pages in the language of the examples says less of what is common', () => {
  const rows = (language: string | null) => [
    ...times(5, 'example', [SUBJECT], language),
    ...times(15, 'extra', [RARE], language),
    row('background', [COMMON]),
  ];
  const gap = (language: string | null) => {
    const idf = idfOf(trainingWeights(background, rows(language), 0));
    return idf(SUBJECT) - idf(COMMON);
  };
  expect(gap('en')).toBeGreaterThan(gap('zh'));
  expect(gap('zh')).toBeGreaterThan(0.5);
  // An unknown language is one of which the background has no page.
  expect(gap(null)).toBeCloseTo(gap('zh'), 1);
});

test('a feature of one page has a weight, whichever page it is; the table is whole bytes of one step', () => {
  const rows = [row('example', [SUBJECT]), row('irrelevant', [REGISTER]), row('extra', [RARE]), row('background', [COMMON])];
  const { idf } = trainingWeights(background, rows);
  for (const feature of [SUBJECT, REGISTER, RARE, COMMON]) expect(idf.codes[feature]).toBeGreaterThan(0);
  expect(idf.codes[UNMET]).toBe(0);
  expect(Math.max(...idf.codes.subarray(0, 5))).toBe(255);
});

test('Han characters count as words where other pages are given', () => {
  const rows = [...times(2, 'example', [SUBJECT], 'zh'), row('extra', [RARE], 'zh')];
  expect(trainingWeights(background, rows).factors).toEqual({ ...KIND_FACTORS, character: 1 });
});

test.each([
  ['titles', 11, 15, 1],
  ['short articles', 55, 64, 1],
  ['articles of twice as many words', 120, 130, 0.5],
  ['manuals, also those with kana', 235, 93, 60 / 235],
  ['books', 5000, 2000, 0.25],
  ['pages of another script with a name', 300, 3, 1],
  ['pages without words', 0, 8, 1],
])('Han characters count less, the more words the examples have: %s', (_name, words, characters, factor) => {
  const features = [...Array(words).keys(), ...Array.from({ length: characters }, (_, i) => characterBucket(i))];
  const rows = [
    ...times(3, 'example', features, 'zh'),
    ...times(4, 'extra', [RARE], 'zh'),
    ...times(9, 'background', features.slice(0, 2), 'zh'),
  ];
  expect(trainingWeights(background, rows).factors.character).toBe(factor);
  const mixed = [...rows, ...times(2, 'example', [SUBJECT], 'en')];
  expect(trainingWeights(background, mixed).factors.character).toBe(factor);
  const alone = rows.filter(({ role }) => role !== 'extra');
  expect(trainingWeights(background, alone).factors.character).toBe(characters < words / 4 ? KIND_FACTORS.character : factor);
});
