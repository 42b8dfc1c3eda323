/** Rows whose role a program guessed: they teach, and count in no figure, calibration or threshold. */
import { expect, test } from 'vitest';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { learnTopic, type RowTrainingOptions } from '../../../src/reading/topic/train-on-rows.ts';
import { hostOf, type Role, type TrainingRow } from '../../../src/reading/topic/training-set.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { smallBackground, syntheticPages } from './synthetic.ts';

const counter = new FeatureCounter();

function rows(role: Role, topic: Parameters<typeof syntheticPages>[0], from: number, count: number, weight?: number): TrainingRow[] {
  return syntheticPages(topic, from, count).map((page) => ({
    role,
    host: hostOf(page),
    language: null,
    counts: counter.snapshot(page),
    page,
    ...(weight !== undefined && { weight }),
  }));
}

async function options(): Promise<RowTrainingOptions> {
  return { name: 'bread', seed: 1, extractor: 'slope', now: 0, software: 'test', background: await smallBackground() };
}

const certain = [...rows('example', 'bread', 1, 12), ...rows('irrelevant', 'sailing', 1, 12)];

wholeTest('no guessed row is held out for figures or the threshold; the model has learned from it', async () => {
  const alone = await learnTopic(certain, await options());
  const guessed = rows('example', 'chess', 400, 12, 0.5);
  const taught = await learnTopic([...certain, ...guessed], await options());
  expect(taught.held.filter(({ row }) => row.weight !== undefined)).toEqual([]);
  expect(taught.held).toHaveLength(alone.held.length);
  const [page] = syntheticPages('chess', 900, 1);
  if (page === undefined) throw new Error('no page');
  const relevance = (model: typeof alone.model) => model.judge({ ...page, url: null, lang: null });
  expect(relevance(taught.model)).toBeGreaterThan(relevance(alone.model) + 0.1);
});

test('a weight of nothing teaches nothing: the calibration is that of the certain rows', async () => {
  const guessed = rows('irrelevant', 'sailing', 400, 6, 0);
  const alone = await learnTopic(certain, await options());
  const taught = await learnTopic([...certain, ...guessed], await options());
  const [page] = syntheticPages('bread', 900, 1);
  if (page === undefined) throw new Error('no page');
  const relevance = (model: typeof alone.model) => model.judge({ ...page, url: null, lang: null });
  expect(relevance(taught.model)).toBeCloseTo(relevance(alone.model), 1);
});
