/** Latent dimensions of the pool beside the words of a page. */
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { leadingEigenvectors } from '../../../src/reading/topic/eigenvectors.ts';
import { BUCKETS, FeatureCounter } from '../../../src/reading/topic/features.ts';
import { gramMatrix, primalWeights } from '../../../src/reading/topic/gram.ts';
import { latentKernel } from '../../../src/reading/topic/latent-space.ts';
import { learnTopic } from '../../../src/reading/topic/train-on-rows.ts';
import { type TrainingPage, type TrainingRow, trainingSet } from '../../../src/reading/topic/training-set.ts';
import { trainingWeights } from '../../../src/reading/topic/training-weights.ts';
import { idfTable, type SparseVector, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { OPTIONS, smallBackground, syntheticPages } from './synthetic.ts';

const counter = new FeatureCounter();
const row = (role: TrainingRow['role'], page: TrainingPage): TrainingRow => ({
  role,
  host: null,
  language: null,
  counts: counter.snapshot(page),
  page,
});
const examples = syntheticPages('bread', 0, 8).map((page) => row('example', page));
/** Pages of each subject. */
const POOL = size(150, 80);
const pool = [...syntheticPages('bread', 100, POOL), ...syntheticPages('chess', 100, POOL)].map((page) => row('extra', page));
const background = syntheticPages('sailing', 0, 40).map((page) => row('background', page));
const rows = [...examples, ...pool, ...background];
const n = rows.length;
const counts = rows.map((each) => each.counts);
const unknown = { documents: 500, idf: idfTable(new Uint8Array(BUCKETS), 500), languages: new Map(), sample: [] };
const { idf, factors } = trainingWeights(unknown, rows, 0);
const scale = scaleTable(idf, factors);
const vectors = counts.map((each) => weigh(each, scale));
const kernel = gramMatrix(vectors);
const latentOf = (given = rows, of = kernel) => latentKernel(given, of, seededRng(3));

function score({ buckets, values }: SparseVector, weights: Float64Array): number {
  return buckets.reduce((sum, bucket, i) => sum + (weights[bucket] ?? 0) * (values[i] ?? 0), 0);
}

test('weights of words give every page the score of the latent kernel', () => {
  const latent = latentOf();
  const rng = seededRng(11);
  const alpha = Float32Array.from({ length: n }, () => rng() - 0.5);
  const weights = primalWeights(vectors, latent?.toWords(alpha) ?? []);
  vectors.forEach((vector, i) => {
    const expected = alpha.reduce((sum, share, j) => sum + share * (latent?.kernel[i * n + j] ?? Number.NaN), 0);
    expect(score(vector, weights)).toBeCloseTo(expected, 3);
  });
});

test('the kernel is symmetric, no entry of its diagonal is above 1, and it is the same for the same seed', () => {
  const { kernel: latent } = latentOf() ?? { kernel: new Float32Array() };
  for (let i = 0; i < n; i++) {
    expect(latent[i * n + i]).toBeLessThanOrEqual(1.000001);
    for (let j = 0; j < i; j++) expect(latent[i * n + j]).toBe(latent[j * n + i]);
  }
  expect([...(latentOf()?.kernel ?? [])]).toEqual([...latent]);
});

test('pages of one subject become more alike compared with pages of two', () => {
  const latent = latentOf()?.kernel ?? new Float32Array();
  const ratio = (of: Float32Array) => {
    const mean = (from: number, to: number) =>
      of.subarray(0, n).reduce((sum, value, j) => sum + (j >= from && j < to ? value : 0), 0) / (to - from);
    return mean(8, 8 + POOL) / mean(8 + POOL, 8 + 2 * POOL);
  };
  expect(ratio(latent)).toBeGreaterThan(1.1 * ratio(kernel));
});

test('without a pool, or with a handful of pages, there is none', () => {
  const alone = [...examples, ...background];
  const vectorsOf = (some: readonly TrainingRow[]) => gramMatrix(some.map((each) => weigh(each.counts, scale)));
  expect(latentOf(alone, vectorsOf(alone))).toBeNull();
  const few = [...examples, ...pool.slice(0, 40)];
  expect(latentOf(few, vectorsOf(few))).toBeNull();
});

wholeTest('a topic with a pool judges pages as it judged them when they were held out', async () => {
  const { rows: given } = trainingSet(
    {
      examples: syntheticPages('bread', 0, 20),
      irrelevant: [],
      extraBackground: [...syntheticPages('bread', 100, 40), ...syntheticPages('chess', 100, 260)],
    },
    1,
  );
  const { model, unlabelled } = await learnTopic(given, { ...OPTIONS, background: await smallBackground() });
  const chess = unlabelled.filter(({ row: { page } }) => page?.id.startsWith('chess'));
  const mean = (scores: readonly number[]) => scores.reduce((sum, each) => sum + each, 0) / scores.length;
  const judged = mean(chess.map(({ row: { page } }) => model.logit(page ?? { title: '', text: '' })));
  expect(Math.abs(judged - mean(chess.map((each) => each.score)))).toBeLessThan(0.2);
});

test('eigenvectors of a matrix with known ones', () => {
  const size = 40;
  const rng = seededRng(2);
  // A reflection has orthogonal columns.
  const normal = Float64Array.from({ length: size }, () => rng() - 0.5);
  const length = normal.reduce((sum, part) => sum + part * part, 0);
  const column = (k: number) => Float64Array.from(normal, (part, i) => Number(i === k) - (2 * part * (normal[k] as number)) / length);
  const truth = Array.from({ length: size }, (_, k) => ({ value: 0.7 ** k, vector: column(k) }));
  const matrix = new Float64Array(size * size);
  for (const { value, vector } of truth)
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++)
        matrix[i * size + j] = (matrix[i * size + j] as number) + value * (vector[i] as number) * (vector[j] as number);
  const found = leadingEigenvectors(matrix, size, 6, seededRng(4));
  expect(found.vectors).toHaveLength(6);
  found.vectors.forEach((vector, k) => {
    expect(found.values[k]).toBeCloseTo(0.7 ** k, 8);
    expect(Math.abs(vector.reduce((sum, part, i) => sum + part * (truth[k]?.vector[i] ?? 0), 0))).toBeCloseTo(1, 6);
  });
});
