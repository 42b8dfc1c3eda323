/** Meanings of the rows of a training. */
import type { Rng } from '../../base/core/rng.ts';
import { WORD_BUCKETS } from './features.ts';
import { type MeaningKernel, meaningFactor, meaningKernel, meaningPlaces, meaningShare, meaningSpace, meaningWeights } from './meaning.ts';
import { type MeaningTables, SHOWN } from './meaning-tables.ts';
import { countOf } from './training-method.ts';
import type { TrainingRow } from './training-set.ts';
import type { IdfTable } from './weighting.ts';
import type { WordVectors } from './word-vectors.ts';

/** Least share of the words of examples with vectors, where their languages are unknown. English texts have .6 to .9; by shared buckets alone, .17 have one. */
const LEAST_COVERED = 0.4;

/** A kernel with meanings, and the way back to words. */
export interface RowMeaning extends MeaningKernel {
  /** The tables that score all pages as the coefficients of this kernel do. */
  tablesOf(alpha: Float32Array): MeaningTables;
}

/**
 * Adds meanings to a kernel of rows. Deterministic for equal `rng`.
 * @param idf of the background
 * @returns null if the vectors are of other languages than the examples, or if no word of the background has one
 */
export function rowMeaning(
  rows: readonly TrainingRow[],
  kernel: Float32Array,
  vectors: WordVectors,
  idf: IdfTable,
  rng: Rng,
): RowMeaning | null {
  if (!speaks(vectors, rows)) return null;
  const background = rows.filter(({ role }) => role === 'background').map(({ counts }) => counts);
  const space = meaningSpace(background, vectors, idf, rng);
  if (space === null) return null;
  const places = meaningPlaces(
    rows.map(({ counts }) => counts),
    space,
  );
  const given = [...rows.keys()].filter((i) => rows[i]?.role !== 'background');
  const examples = countOf(rows, 'example');
  const factor = meaningFactor(kernel, places, given, meaningShare(examples, given.length - examples));
  const joined = meaningKernel(kernel, places, factor);
  return {
    ...joined,
    tablesOf: (alpha) => ({
      ...space.lengths,
      weights: meaningWeights(space, places, alpha, factor * joined.scale),
      shown: shownIn(rows, vectors),
    }),
  };
}

/** Are most of the examples in a language of the vectors? Languages of short texts are often unknown; then their words decide. A user knows the language of a file. */
export function speaks(vectors: Pick<WordVectors, 'languages' | 'rows'>, rows: readonly TrainingRow[]): boolean {
  const examples = rows.filter(({ role }) => role === 'example');
  const known = examples.flatMap(({ language }) => language ?? []);
  const { languages } = vectors;
  if (languages !== null && known.length > 0) return 2 * known.filter((language) => languages.includes(language)).length >= known.length;
  const { words, covered } = wordCoverage(examples, vectors);
  return covered > 0 && (languages === null || covered >= LEAST_COVERED * words);
}

/** Distinct words of some rows, by bucket, and how many of them have a vector. */
export function wordCoverage(
  rows: readonly Pick<TrainingRow, 'counts'>[],
  vectors: Pick<WordVectors, 'rows'>,
): { readonly words: number; readonly covered: number } {
  const words = new Set(rows.flatMap(({ counts }) => [...counts.buckets].filter((bucket) => bucket < WORD_BUCKETS)));
  return { words: words.size, covered: [...words].filter((bucket) => (vectors.rows[bucket] as number) >= 0).length };
}

function shownIn(rows: readonly TrainingRow[], vectors: WordVectors): Uint8Array {
  const shown = new Uint8Array(vectors.buckets.length);
  for (const { role, counts } of rows) {
    if (role === 'background') continue;
    const bit = role === 'example' ? SHOWN.byExample : SHOWN.byOther;
    for (const bucket of counts.buckets) {
      const row = bucket < WORD_BUCKETS ? (vectors.rows[bucket] as number) : -1;
      if (row >= 0) shown[row] = (shown[row] as number) | bit;
    }
  }
  return shown;
}
