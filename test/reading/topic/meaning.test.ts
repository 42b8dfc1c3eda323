import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { BUCKETS, FeatureCounter, type FeatureCounts, sublinear, WORD_BUCKETS, wordBucket } from '../../../src/reading/topic/features.ts';
import { gramMatrix } from '../../../src/reading/topic/gram.ts';
import {
  type MeaningSpace,
  meaningFactor,
  meaningKernel,
  meaningPlaces,
  meaningShare,
  meaningSpace,
  meaningWeights,
} from '../../../src/reading/topic/meaning.ts';
import { lengthMeter, type MeaningTables, meaningTerms } from '../../../src/reading/topic/meaning-tables.ts';
import { wordCoverage } from '../../../src/reading/topic/row-meaning.ts';
import { unitVectors } from '../../../src/reading/topic/unit-vectors.ts';
import { idfTable, KIND_FACTORS, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { type WordVectors, wordVectors } from '../../../src/reading/topic/word-vectors.ts';

const DIMENSIONS = 24;
const SUBJECTS = ['bread', 'ships', 'taxes'].map((subject) => Array.from({ length: 40 }, (_, i) => `${subject}${i}`));
const COMMON = Array.from({ length: 40 }, (_, i) => `common${i}`);
const counter = new FeatureCounter();
const counted = (text: string): FeatureCounts => counter.snapshot({ title: 'a title', text });
const bucketOf = (word: string) => wordBucket(hashWord(word));

/** Vectors in which the words of a subject have a direction of their own, and noise; common words have another. */
function vectorsOf(seed: number): WordVectors {
  const rng = seededRng(seed);
  const noise = () => Array.from({ length: DIMENSIONS }, () => 0.4 * (rng() - 0.5));
  const words = [...SUBJECTS, COMMON].flatMap((own, subject) =>
    own.map((word) => ({ word, vector: noise().map((n, d) => n + Number(d === subject)) })),
  );
  const table = {
    words: words.map(({ word }) => word),
    vectors: unitVectors(Float32Array.from(words.flatMap(({ vector }) => vector)), DIMENSIONS),
  };
  return wordVectors(table, { name: 'test', sha256: '', dimensions: DIMENSIONS, languages: ['en'] });
}

/** A page with some words of a subject, three times as many common ones, and two without vectors. */
function pageOf(subject: number, rng: () => number, words = 20): FeatureCounts {
  const draw = (from: readonly string[]) => from[Math.floor(rng() * from.length)] ?? '';
  const own = SUBJECTS[subject] ?? [];
  return counted(
    [...Array.from({ length: words }, () => `${draw(own)} ${draw(COMMON)} ${draw(COMMON)} ${draw(COMMON)}`), 'unheard', 'unseen'].join(' '),
  );
}

const IDF = idfTable(
  Float64Array.from({ length: BUCKETS }, (_, bucket) => (bucket * 7919) % 900),
  1000,
);
const SCALE = scaleTable(IDF, KIND_FACTORS);

function tablesOf(space: MeaningSpace, places: readonly Float64Array[], alpha: ArrayLike<number>, factor: number): MeaningTables {
  const shown = new Uint8Array(space.vectors.buckets.length);
  return { ...space.lengths, weights: meaningWeights(space, places, alpha, factor), shown };
}
const sharesOf = (page: FeatureCounts, tables: MeaningTables) => meaningTerms(page, tables).map((term) => term?.share ?? 0);
const placeOf = (page: FeatureCounts, space: MeaningSpace) => meaningPlaces([page], space)[0] ?? new Float64Array(0);

interface Case {
  readonly space: MeaningSpace;
  readonly pages: readonly FeatureCounts[];
  readonly places: readonly Float64Array[];
  readonly kernel: Float32Array;
  readonly rng: () => number;
}

function caseOf(seed: number): Case {
  const rng = seededRng(seed);
  const background = Array.from({ length: 60 }, (_, i) => pageOf(i % 3, rng));
  const space = meaningSpace(background, vectorsOf(seed + 1), IDF, seededRng(seed)) as MeaningSpace;
  const pages = Array.from({ length: 18 }, (_, i) => pageOf(i % 3, rng, 3 + i));
  return {
    space,
    pages,
    places: meaningPlaces(pages, space),
    kernel: gramMatrix(pages.map((page) => weigh(page, SCALE))),
    rng,
  };
}

function sumOfWords({ buckets, counts }: FeatureCounts, { vectors, idf: { codes } }: MeaningSpace): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0);
  buckets.forEach((bucket, i) => {
    const weight = sublinear(counts[i] ?? 0) * (codes[bucket] ?? 0);
    const row = bucket < WORD_BUCKETS ? (vectors.rows[bucket] ?? -1) : -1;
    for (let d = 0; row >= 0 && d < DIMENSIONS; d++) sum[d] = (sum[d] ?? 0) + weight * (vectors.table[row * DIMENSIONS + d] ?? 0);
  });
  return sum;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, part, d) => sum + part * (b[d] ?? 0), 0);
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
const sumOf = (terms: ArrayLike<number>) => Array.from(terms).reduce((sum, term) => sum + term, 0);

describe('the folded form', () => {
  test('scores pages as the kernel does, also pages and words that training did not have', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0.01, max: 3, noNaN: true }), (seed, share) => {
        const { space, pages, places, kernel, rng } = caseOf(seed);
        const factor = meaningFactor(kernel, places, [...pages.keys()], share);
        const { kernel: joined, scale } = meaningKernel(kernel, places, factor);
        const alpha = Float32Array.from(pages, () => 4 * (rng() - 0.5));
        const tables = tablesOf(space, places, alpha, factor * scale);
        pages.forEach((page, i) => {
          const byKernel = pages.reduce(
            (sum, _, j) => sum + (alpha[j] ?? 0) * ((joined[i * pages.length + j] ?? 0) - scale * (kernel[i * pages.length + j] ?? 0)),
            0,
          );
          expect(sumOf(sharesOf(page, tables))).toBeCloseTo(byKernel, 5);
        });
        const unseen = pageOf(1, rng, 5);
        const byPlaces = factor * scale * places.reduce((sum, place, j) => sum + (alpha[j] ?? 0) * dot(place, placeOf(unseen, space)), 0);
        expect(sumOf(sharesOf(unseen, tables))).toBeCloseTo(byPlaces, 5);
      }),
      { numRuns: 5 },
    );
  });

  test('has terms for words with vectors only, in the order of the features', () => {
    const { space, pages, places } = caseOf(5);
    const tables = tablesOf(
      space,
      places,
      pages.map((_, i) => (i % 3 === 0 ? 1 : -1)),
      1,
    );
    const page = counted('bread1 unheard ships2 bread1');
    const terms = sharesOf(page, tables);
    const withTerms = [...page.buckets].filter((_, i) => terms[i] !== 0);
    expect(withTerms).toEqual(['bread1', 'ships2'].map(bucketOf));
    expect((terms[page.buckets.indexOf(bucketOf('bread1'))] ?? 0) > 0).toBe(true);
  });

  test('says nothing of a page without words that have vectors', () => {
    const { space, pages, places } = caseOf(6);
    const tables = tablesOf(
      space,
      places,
      pages.map(() => 1),
      1,
    );
    for (const text of ['', 'unheard unseen', '网页 город']) {
      const page = counted(text);
      expect([sumOf(sharesOf(page, tables)), dot(placeOf(page, space), placeOf(page, space)), lengthMeter(space.lengths)(page)]).toEqual([
        0, 0, 0,
      ]);
    }
  });
});

describe('the place of a page', () => {
  test('has no part along the common direction, which is that of all pages', () => {
    const { space, pages, places } = caseOf(7);
    for (const place of places) expect(Math.abs(cosine(place, space.common))).toBeLessThan(1e-5);
    const sums = pages.map((page) => sumOfWords(page, space));
    const shareOf = (direction: ArrayLike<number>) => sums.reduce((so, sum) => so + cosine(sum, direction) ** 2, 0);
    const own = meaningSpace(pages, space.vectors, space.idf, seededRng(1))?.common ?? [];
    for (const sum of sums) expect(shareOf(own)).toBeGreaterThanOrEqual(shareOf(sum) - 1e-9);
    expect(shareOf(own)).toBeGreaterThanOrEqual(shareOf(sums.reduce((so, sum) => so.map((part, d) => part + (sum[d] ?? 0)))) - 1e-9);
  });

  test('is near that of pages with other words of the subject', () => {
    const { space } = caseOf(8);
    const place = (text: string) => placeOf(counted(text), space);
    const words = (subject: number, from: number) => SUBJECTS[subject]?.slice(from, from + 12).join(' ') ?? '';
    const common = COMMON.slice(0, 36).join(' ');
    const page = place(`${words(0, 0)} ${common}`);
    expect(cosine(page, place(`${words(0, 20)} ${common}`))).toBeGreaterThan(0.6);
    expect(cosine(page, place(`${words(1, 20)} ${common}`))).toBeLessThan(0.2);
  });

  test('does not depend on the scale of idf, nor much on the length of a page', () => {
    const { space, pages } = caseOf(9);
    const table = { codes: space.idf.codes, step: 7 * space.idf.step };
    const scaled = meaningSpace(pages, space.vectors, table, seededRng(1)) as MeaningSpace;
    const plain = meaningSpace(pages, space.vectors, space.idf, seededRng(1)) as MeaningSpace;
    const [page] = pages as [FeatureCounts];
    placeOf(page, scaled).forEach((part, d) => {
      expect(part).toBeCloseTo(placeOf(page, plain)[d] ?? 0, 4);
    });
  });

  test('is the same for equal pages and seeds', () => {
    expect(caseOf(10).places).toEqual(caseOf(10).places);
  });
});

describe('the kernel', () => {
  test('has a diagonal of at most 1, and the given share of meanings among the given rows', () => {
    for (const share of [0.2, 1, 2.5]) {
      const { places, kernel } = caseOf(11);
      const n = places.length;
      const given = [0, 1, 2, 5];
      const factor = meaningFactor(kernel, places, given, share);
      const meanOf = (partOf: (row: number) => number) => given.reduce((sum, row) => sum + partOf(row), 0) / given.length;
      expect(meanOf((row) => factor * dot(places[row] ?? [], places[row] ?? []))).toBeCloseTo(
        share * meanOf((row) => kernel[row * n + row] ?? 0),
        6,
      );
      const joined = meaningKernel(kernel, places, factor);
      const diagonal = places.map((_, i) => joined.kernel[i * n + i] ?? 0);
      expect(Math.max(...diagonal)).toBeCloseTo(1, 5);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) expect(joined.kernel[i * n + j]).toBe(joined.kernel[j * n + i]);
    }
  });

  test('of rows without places is the kernel before', () => {
    const kernel = Float32Array.from([1, 0.25, 0.25, 0.5]);
    const places = [new Float64Array(4), new Float64Array(4)];
    expect(meaningFactor(kernel, places, [0, 0.25], 1)).toBe(0);
    expect(meaningKernel(kernel, places, 0)).toEqual({ kernel, scale: 1 });
  });

  test.each([
    [0, 0.25],
    [10, 0.125],
    [90, 0.025],
  ])('with %d examples has a share of %d', (examples, share) => expect(meaningShare(examples, 3)).toBeCloseTo(share, 12));
});

describe('a space', () => {
  test('is absent where no page of the background has a word with a vector', () => {
    const rng = seededRng(1);
    expect(meaningSpace([counted('unheard unseen'), counted('')], vectorsOf(1), IDF, rng)).toBeNull();
    expect(meaningSpace([], vectorsOf(1), IDF, rng)).toBeNull();
  });

  test('of fewer pages than directions has as many as they span, one of them in common', () => {
    const rng = seededRng(2);
    const space = meaningSpace([counted('bread1 ships2'), counted('taxes3 common4')], vectorsOf(1), IDF, rng);
    const codes = [...(space?.lengths.codes ?? [])];
    const used = Array.from({ length: 8 }, (_, d) => codes.some((code, at) => at % 8 === d && code !== 0));
    expect(used).toEqual([true, false, false, false, false, false, false, false]);
  });

  test('knows how many words of some pages have vectors', () => {
    const rows = ['bread1 unheard', 'bread1 ships2 unseen'].map((text) => ({ counts: counted(text) }));
    expect(wordCoverage(rows, vectorsOf(1))).toEqual({ words: 4, covered: 2 });
  });
});
