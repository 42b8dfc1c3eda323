import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantError } from '../../../src/base/core/errors.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { Committee } from '../../../src/reading/topic/committee.ts';
import { BUCKETS } from '../../../src/reading/topic/features.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { KIND_FACTORS } from '../../../src/reading/topic/weighting.ts';
import { runs, size } from '../../support/extent.ts';
import { randomText } from './synthetic.ts';

/** A model that is as good as a guess, and about as often right as wrong. */
function modelOf(seed: number, threshold: number): LinearTopicModel {
  const rng = seededRng(seed);
  const weights = Float32Array.from({ length: BUCKETS }, () => (rng() < 0.5 ? 0 : rng() * 8 - 4));
  const idfCodes = new Uint8Array(BUCKETS).fill(100);
  const shape = { factors: KIND_FACTORS, idfStep: 0.03, tokenizer: 0, template: [], extractor: 'slope', rule: null };
  return new LinearTopicModel({ name: `topic ${seed}`, bias: -0.5, threshold, ...shape }, { weights, idfCodes });
}

const models = [modelOf(1, 0.3), modelOf(2, 0.55), modelOf(3, 0.8), modelOf(4, 0.55), modelOf(5, 0.9)];
const pages = fc.tuple(fc.nat(), fc.nat(60)).map(([seed, words]) => ({ title: 'a page', text: randomText(seededRng(seed), words) }));

test('a committee of one is that model', () => {
  const [model] = models;
  if (model === undefined) throw new Error('there are five');
  const committee = new Committee([model]);
  expect(committee).toMatchObject({ id: model.id, name: model.name, threshold: model.threshold });
  fc.assert(
    fc.property(pages, (page) => {
      expect(committee.judge(page)).toEqual({ relevance: model.judge(page) });
      expect(committee.judgeText(page.text)).toBe(model.judgeText(page.text));
    }),
    { numRuns: runs(30) },
  );
});

test('a page, or the words of a link, are on topic when they are for one of the models; each model says what it says alone', () => {
  const committee = new Committee(models);
  const found = { on: 0, off: 0 };
  fc.assert(
    fc.property(pages, (page) => {
      const alone = models.map((model) => model.judge(page));
      const { relevance, relevances } = committee.judge(page);
      const onTopic = models.some(({ threshold }, i) => (alone[i] ?? 0) >= threshold);
      found[onTopic ? 'on' : 'off'] += 1;
      expect(relevances).toEqual(alone);
      expect(relevance >= committee.threshold).toBe(onTopic);
      const words = models.some((model) => model.judgeText(page.text) >= model.threshold);
      expect(committee.judgeText(page.text) >= committee.threshold).toBe(words);
    }),
    { numRuns: size(200, 40) },
  );
  expect(Math.min(found.on, found.off)).toBeGreaterThan(10);
});

test('the order in which topics are named changes nothing but the order of their relevances', () => {
  const [one, other] = [new Committee(models), new Committee([...models].reverse())];
  expect(other.id).toBe(one.id);
  expect(other.threshold).toBeCloseTo(one.threshold, 12);
  expect(new Committee(models.slice(1)).id).not.toBe(one.id);
});

test('there is no committee of none', () => expect(() => new Committee([])).toThrow(InvariantError));
