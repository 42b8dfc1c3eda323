import { expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import { averagePrecision } from '../../../src/reading/topic/evaluate.ts';
import { parseRule } from '../../../src/reading/topic/rule.ts';
import { trainKeywords } from '../../../src/reading/topic/train-keywords.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { chooseMethod, type LearningMethod } from '../../../src/reading/topic/training-methods.ts';
import { trainingSet } from '../../../src/reading/topic/training-set.ts';
import { smallBackground, syntheticPages } from './synthetic.ts';

const COMMON = { name: 'bread', seed: 7, extractor: 'slope', now: 0, software: 'test', background: await smallBackground() };
const bread = syntheticPages('bread', 0, 20);
const sailing = syntheticPages('sailing', 0, 20);

function rowsOf(examples: number, irrelevant: number) {
  return trainingSet({ examples: bread.slice(0, examples), irrelevant: sailing.slice(0, irrelevant), extraBackground: [] }, 1).rows;
}

test('the data choose the method', () => {
  expect(chooseMethod(rowsOf(1, 0), null).name).toBe('prototype');
  expect(chooseMethod(rowsOf(2, 0), null).name).toBe('positive-unlabelled');
  expect(chooseMethod(rowsOf(20, 0), null).name).toBe('positive-unlabelled');
  expect(chooseMethod(rowsOf(5, 5), null).name).toBe('supervised');
});

test('a method may be asked for, if the rows bear it', () => {
  expect(chooseMethod(rowsOf(20, 0), 'prototype').name).toBe('prototype');
  expect(() => chooseMethod(rowsOf(20, 0), 'supervised').name).toThrow(UsageError);
});

test.each<[LearningMethod]>([['prototype'], ['positive-unlabelled'], ['supervised']])(
  '%s ranks new pages of the topic first',
  async (method) => {
    const { model, card } = await trainTopic(bread, { ...COMMON, method, ...(method === 'supervised' ? { irrelevant: sailing } : {}) });
    expect(card.method).toBe(method);
    const items = [
      ...syntheticPages('bread', 500, 30).map((page) => ({ score: model.logit(page), onTopic: true })),
      ...syntheticPages('chess', 500, 30).map((page) => ({ score: model.logit(page), onTopic: false })),
    ];
    expect(averagePrecision(items)).toBeGreaterThan(0.97);
  },
);

test('keywords rank the pages that speak of them, and ask for what the query asks', async () => {
  const { model, card } = await trainKeywords({ ...COMMON, keywords: parseRule('sourdough, rye bread NOT recipe') });
  expect(card).toMatchObject({ method: 'keywords', rule: null, validation: { folds: 'none' } });
  const page = (text: string) => ({ title: '', text: `${text} ${'and so on it goes with other words here '.repeat(8)}` });
  expect(model.judge(page('sourdough sourdough bread with rye'))).toBeGreaterThan(model.judge(page('bread with rye')));
  expect(model.judge(page('a rye bread'))).toBeGreaterThan(0);
  expect(model.judge(page('a rye bread recipe'))).toBe(0);
  expect(model.judge(page('a sourdough'))).toBeGreaterThan(0);
  expect(model.judge(page('sourdough recipe'))).toBe(0);
});

test('a rule has the last word over a query too', async () => {
  const query = parseRule('sourdough');
  const ruleOf = async (rule: string) => (await trainKeywords({ ...COMMON, keywords: query, rule: parseRule(rule) })).model.settings.rule;
  expect(await ruleOf('lang:de')).toBe('model AND sourdough AND lang:de');
  expect(await ruleOf('model OR site:bread.example')).toBe('(model AND sourdough) OR site:bread.example');
  await expect(ruleOf(Array(200).fill('model').join(' OR '))).rejects.toThrow(UsageError);
});

test('a rule has the last word on pages, and none on texts of links', async () => {
  const { model, card } = await trainTopic(bread, { ...COMMON, rule: parseRule('site:bread.example') });
  const [page] = syntheticPages('bread', 700, 1);
  if (page === undefined) throw new Error('no page');
  const at = (url: string) => model.judge({ ...page, url });
  expect(card.rule).toBe('site:bread.example');
  expect(model.settings.rule).toBe('model AND site:bread.example');
  expect(at('https://www.bread.example/a')).toBeGreaterThan(model.threshold);
  expect(at('https://other.example/a')).toBe(0);
  expect(model.judgeText(page.text)).toBeGreaterThan(0);
  const { rule } = model.explain({ ...page, url: 'https://other.example/a' });
  expect(rule).toMatchObject({ relevance: 0, conditions: [{ condition: 'model' }, { condition: 'site:bread.example', value: 0 }] });
});

test('a threshold for a precision says what it reaches', async () => {
  const [lenient, strict] = await Promise.all([trainTopic(bread, COMMON), trainTopic(bread, { ...COMMON, precision: 0.5 })]);
  expect(strict.card.thresholdRule).toMatch(/precision of at least 0\.5.*lower bound/);
  expect(lenient.card.thresholdRule).toMatch(/balance best/);
  const impossible = await trainTopic(bread, { ...COMMON, precision: 0.999 });
  expect(impossible.card.thresholdRule).toMatch(/none reaches 0\.999/);
});

test('the learning curve ends with all the examples a fold leaves', async () => {
  const { card } = await trainTopic(bread, { ...COMMON, learningCurve: true });
  const { learningCurve } = card.validation;
  expect(learningCurve.map(({ examples }) => examples)).toEqual([3, 5, 10, expect.any(Number)]);
  expect(learningCurve.at(-1)?.averagePrecision).toBeGreaterThan(0.9);
});
