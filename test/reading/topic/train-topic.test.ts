import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { Background } from '../../../src/reading/topic/background.ts';
import { modelCardSchema } from '../../../src/reading/topic/card.ts';
import { averagePrecision } from '../../../src/reading/topic/evaluate.ts';
import type { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { type TrainingPage, trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { OPTIONS, smallBackground, syntheticPages, type Topic } from './synthetic.ts';

let background: Background;
beforeAll(async () => {
  background = await smallBackground();
});
const train = (examples: readonly TrainingPage[], more: object = {}) => trainTopic(examples, { ...OPTIONS, background, ...more });
const bread = syntheticPages('bread', 0, 20);

function separation(model: LinearTopicModel, good: Topic, bad: Topic): number {
  const scored = (topic: Topic, onTopic: boolean) => syntheticPages(topic, 500, 40).map((page) => ({ score: model.judge(page), onTopic }));
  return averagePrecision([...scored(good, true), ...scored(bad, false)]);
}

test('good examples alone tell a topic from another, across the threshold', async () => {
  const { model, card } = await train(bread);
  expect(separation(model, 'bread', 'sailing')).toBe(1);
  const onTopic = syntheticPages('bread', 800, 30).filter((page) => model.judge(page) >= model.threshold);
  const offTopic = syntheticPages('chess', 800, 30).filter((page) => model.judge(page) >= model.threshold);
  expect(onTopic.length).toBeGreaterThanOrEqual(27);
  expect(offTopic.length).toBeLessThanOrEqual(3);
  expect(card.method).toBe('positive-unlabelled');
});

test('Chinese examples work', async () => {
  const { model } = await train(syntheticPages('面包', 0, 20));
  expect(separation(model, '面包', '帆船')).toBe(1);
});

test('irrelevant examples and a handful of examples work', async () => {
  const { model, card } = await train(syntheticPages('bread', 0, 5), { irrelevant: syntheticPages('sailing', 0, 10) });
  expect(card.method).toBe('supervised');
  expect(separation(model, 'bread', 'sailing')).toBe(1);
  expect(card.termsAgainst.map(({ feature }) => feature).join(' ')).toMatch(/sail|mast|keel|jib|wind|hull/);
});

test('relevance does not saturate: different pages keep different values', async () => {
  const { model } = await train(bread);
  const values = [...syntheticPages('bread', 700, 20), ...syntheticPages('sailing', 700, 20)].map((page) => model.judge(page));
  expect(Math.max(...values)).toBeLessThan(0.9999);
  expect(Math.min(...values)).toBeGreaterThan(0.0001);
  expect(new Set(values.map((value) => value.toFixed(6))).size).toBeGreaterThan(35);
});

test('the card says what was done', async () => {
  const pages = bread.map((page, i) => ({ ...page, url: `https://h${i % 4}.example/${i}` }));
  const { model, card } = await train(pages);
  expect(modelCardSchema.parse(card)).toEqual(card);
  expect(card.modelId).toBe(model.id);
  expect(card.validation).toMatchObject({ folds: 'by-host', count: 4 });
  expect(card.examplesByHost).toEqual(['h0', 'h1', 'h2', 'h3'].map((h) => ({ host: `${h}.example`, examples: 5 })));
  expect(card.threshold).toBe(model.threshold);
  expect(card.created).toBe('2024-06-01T00:00:00.000Z');
  expect(card.validation.averagePrecision).toBeGreaterThan(0.95);
  expect(card.termsFor.map(({ feature }) => feature).join(' ')).toMatch(/dough|flour|yeast|loaf|rye|bake/);
  expect(card.backend).not.toBe('');
});

test('the same input gives the same model and card; another page another digest', async () => {
  const first = await train(bread);
  const before = tf.memory().numTensors;
  const second = await train(bread);
  expect(tf.memory().numTensors).toBe(before);
  expect(second.model.id).toBe(first.model.id);
  expect(second.card).toEqual(first.card);
  const other = await train([...bread.slice(1), ...syntheticPages('bread', 90, 1)]);
  expect(other.card.dataSha256).not.toBe(first.card.dataSha256);
});

test('one example makes a model, with a warning and without figures', async () => {
  const { model, card } = await train(bread.slice(0, 1));
  expect(card.validation).toMatchObject({ folds: 'none', count: 0, averagePrecision: null, brier: null, curve: [], learningCurve: [] });
  expect(card.method).toBe('prototype');
  expect(card.advice.map(({ code }) => code)).toContain('not-held-out');
  expect(separation(model, 'bread', 'sailing')).toBeGreaterThan(0.9);
});

test('duplicates and empty pages are left out and named', async () => {
  const copy = { ...(bread[0] as TrainingPage), id: 'copy-of-0' };
  const blank = { id: 'blank', url: null, title: '', text: ' … ', language: null };
  const { card } = await train([...bread, copy, blank]);
  expect(card.counts).toMatchObject({ examples: 20, duplicates: 1, empty: 1 });
  expect(card.warnings.join('\n')).toMatch(/copy-of-0[\s\S]*blank/);
});

test('extra background joins, less what looks like the examples', async () => {
  const extra = [...syntheticPages('chess', 0, 40), ...syntheticPages('bread', 300, 10)];
  const { model, card } = await train(bread, { extraBackground: extra });
  expect(card.counts.extraBackground).toBe(50);
  expect(card.counts.backgroundDropped).toBeGreaterThan(0);
  expect(separation(model, 'bread', 'chess')).toBe(1);
});

test('input nothing can be learned from is a data error', async () => {
  const page = bread[0] as TrainingPage;
  await expect(train([])).rejects.toThrow(DataError);
  await expect(train([{ ...page, title: '', text: '' }])).rejects.toThrow(/word/);
  await expect(train([page, { ...page, id: 'b' }, { ...page, id: 'c' }])).rejects.toThrow(/same title and text/);
  await expect(train(bread, { irrelevant: [{ ...page, id: 'bad/1.html' }] })).rejects.toThrow(/bad\/1\.html/);
});

test('progress goes through its steps in order', async () => {
  const steps: string[] = [];
  await train(bread, { onProgress: (step: string) => steps.push(step) });
  expect(steps).toEqual(['counting', 'comparing', 'fitting', 'calibrating']);
});
