import * as tf from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { BUCKETS, FeatureCounter } from '../../../src/reading/topic/features.ts';
import { gramMatrix, primalWeights } from '../../../src/reading/topic/gram.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { LAMBDA } from '../../../src/reading/topic/regression.ts';
import { fitKernel } from '../../../src/reading/topic/train-model.ts';
import { idfTable, KIND_FACTORS, scaleTable, weigh } from '../../../src/reading/topic/weighting.ts';
import { randomText, syntheticPages } from './synthetic.ts';

const counter = new FeatureCounter();
const idf = idfTable(new Uint8Array(BUCKETS), 500);
const scale = scaleTable(idf, KIND_FACTORS);
const rng = seededRng(5);
const noise = Array.from({ length: 120 }, (_, i) => ({ title: randomText(rng, 2), text: randomText(rng, 20 + i) }));
const pages = [...syntheticPages('bread', 0, 30), ...syntheticPages('sailing', 0, 50), ...noise];
const vectors = pages.map((page) => weigh(counter.snapshot(page), scale));
const kernel = gramMatrix(vectors);
const n = pages.length;
const targets = Float32Array.from({ length: n }, (_, i) => (i < 30 ? 1 : 0));
const balanced = Float32Array.from(targets, (t) => (t === 1 ? 0.5 / 30 : 0.5 / (n - 30)));
const withoutFirst = Float32Array.from(balanced, (cost, i) => (i < 10 ? 0 : cost));
const solve = () => fitKernel({ kernel, targets, costs: [balanced, withoutFirst], lambda: LAMBDA });

test('the kernel holds the inner products', () => {
  for (const [i, j] of [
    [0, 1],
    [3, 40],
    [100, 2],
    [7, 7],
  ] as const) {
    const a = vectors[i] ?? { buckets: [], values: [] };
    const b = vectors[j] ?? { buckets: new Int32Array(), values: new Float32Array() };
    const dot = [...a.buckets].reduce((sum, bucket, k) => sum + (a.values[k] ?? 0) * (b.values[b.buckets.indexOf(bucket)] ?? 0), 0);
    expect(kernel[i * n + j]).toBeCloseTo(dot, 5);
  }
});

test('served logits equal those of TF.js', async () => {
  const { fits } = await solve();
  for (const { alpha, bias, logits } of fits) {
    const model = new LinearTopicModel(
      {
        name: 't',
        bias,
        threshold: 0.5,
        factors: KIND_FACTORS,
        idfStep: idf.step,
        tokenizer: 0,
        template: [],
        extractor: 'slope',
        rule: null,
      },
      { weights: Float32Array.from(primalWeights(vectors, alpha)), idfCodes: idf.codes },
    );
    pages.forEach((page, i) => {
      expect(Math.abs(model.logit(page) - (logits[i] ?? Number.NaN))).toBeLessThan(2e-5);
    });
  }
});

test('the fit is the minimum: α equals minus the weighted error over λ', async () => {
  const { fits } = await solve();
  const { alpha, logits } = fits[0] ?? { alpha: [], logits: [] };
  for (let i = 0; i < n; i++) {
    const stationary = ((balanced[i] ?? 0) * ((targets[i] ?? 0) - sigmoid(logits[i] ?? 0))) / LAMBDA;
    expect(alpha[i]).toBeCloseTo(stationary, 3);
  }
});

test('an example without cost has no influence', async () => {
  const { fits } = await solve();
  expect([...(fits[1]?.alpha.slice(0, 10) ?? [])]).toEqual(Array(10).fill(0));
  expect(fits[0]?.alpha[0]).toBeGreaterThan(0);
});

test('training leaves no tensor behind and repeats itself', async () => {
  const first = await solve();
  const before = tf.memory().numTensors;
  const second = await solve();
  expect(tf.memory().numTensors).toBe(before);
  expect(second).toEqual(first);
  expect(['tensorflow', 'wasm', 'cpu']).toContain(first.backend);
});
