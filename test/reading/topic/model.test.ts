import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantError } from '../../../src/base/core/errors.ts';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { BUCKETS, wordBucket } from '../../../src/reading/topic/features.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { KIND_FACTORS } from '../../../src/reading/topic/weighting.ts';
import { runs } from '../../support/extent.ts';
import { randomText } from './synthetic.ts';

const rng = seededRng(11);
const settings = {
  name: 'm',
  bias: -1.25,
  threshold: 0.5,
  factors: KIND_FACTORS,
  idfStep: 0.03,
  tokenizer: 0,
  template: [],
  extractor: 'slope',
  rule: null,
};
const tables = {
  weights: Float32Array.from({ length: BUCKETS }, () => (rng() < 0.5 ? 0 : rng() * 8 - 4)),
  idfCodes: Uint8Array.from({ length: BUCKETS }, () => 30 + Math.floor(rng() * 220)),
};
const model = new LinearTopicModel(settings, tables);

test('contributions and bias sum to the logit that judge uses', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(400),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.option(fc.webUrl()),
      (seed, words, title, url) => {
        const page = { title, text: randomText(seededRng(seed), words), url };
        const { bias, contributions, logit } = model.explain(page);
        const sum = contributions.reduce((total, { contribution }) => total + contribution, bias);
        expect(Math.abs(sum - model.logit(page))).toBeLessThan(1e-6);
        expect(Math.abs(sum - logit)).toBeLessThan(1e-6);
        expect(model.judge(page)).toBeCloseTo(sigmoid(logit), 9);
      },
    ),
    { numRuns: runs(1000) },
  );
});

test('contributions are named after the page and sorted by size', () => {
  const { contributions } = model.explain({ title: 'Rye', text: 'Sour dough, sour bread and rye; sour dough again' });
  const sizes = contributions.map(({ contribution }) => Math.abs(contribution));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  const known = /^(title:rye|sour|dough|bread|and|rye|again|(sour|dough|bread|and|rye) (sour|dough|bread|and|rye|again))$/;
  for (const { feature, contribution } of contributions) {
    expect(feature).toMatch(known);
    expect(contribution).not.toBe(0);
  }
});

test('words that share a bucket share a line', () => {
  const first = 'w0';
  const other =
    Array.from({ length: 2_000_000 }, (_, i) => `w${i + 1}`).find((word) => wordBucket(hashWord(word)) === wordBucket(hashWord(first))) ??
    '';
  const weights = new Float32Array(BUCKETS).fill(1);
  const { contributions } = new LinearTopicModel(settings, { ...tables, weights }).explain({ title: '', text: `${first} ${other}` });
  expect(contributions.map(({ feature }) => feature)).toContain(`${first}|${other}`);
});

test('relevance stays in [0, 1] and is finite, whatever the page', () => {
  const huge = new LinearTopicModel({ ...settings, bias: 1e6 }, tables);
  for (const page of [
    { title: '', text: '' },
    { title: '\uD800', text: '\u0000'.repeat(1000) },
    { title: 'x', text: 'y '.repeat(50_000) },
  ]) {
    for (const m of [model, huge]) {
      expect(m.judge(page)).toBeGreaterThanOrEqual(0);
      expect(m.judge(page)).toBeLessThanOrEqual(1);
    }
  }
  expect(model.judge({ title: '', text: '' })).toBeCloseTo(sigmoid(settings.bias), 12);
  expect(sigmoid(-1000)).toBe(0);
  expect(sigmoid(1000)).toBe(1);
});

test('a text alone is judged like a page without a title', () => {
  expect(model.judgeText('sour dough')).toBe(model.judge({ title: '', text: 'sour dough' }));
});

test('the id depends on weights and settings', () => {
  const weights = Float32Array.from(tables.weights);
  weights[5] = (weights[5] ?? 0) + 1;
  expect(model.id).toMatch(/^[0-9a-f]{16}$/);
  expect(new LinearTopicModel(settings, tables).id).toBe(model.id);
  expect(new LinearTopicModel(settings, { ...tables, weights }).id).not.toBe(model.id);
  expect(new LinearTopicModel({ ...settings, threshold: 0.6 }, tables).id).not.toBe(model.id);
  expect(new LinearTopicModel({ ...settings, extractor: 'none' }, tables).id).not.toBe(model.id);
});

test('tables of another size are our bug', () => {
  expect(() => new LinearTopicModel(settings, { ...tables, weights: new Float32Array(3) })).toThrow(InvariantError);
});
