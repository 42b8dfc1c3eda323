import { expect, test } from 'vitest';
import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { loadBackground } from '../../../src/reading/topic/background.ts';
import { wholeTest } from '../../../test/support/whole-test.ts';
import type { Family } from './family.ts';
import { forager, foragerWithout, unseen } from './forager.ts';
import { type Result, tablesOf } from './results.ts';
import { runSet } from './run.ts';
import { sklearn } from './sklearn.ts';
import type { Given } from './splits.ts';

const texts = Array.from({ length: 300 }, (_, i): LabelledText => {
  const onTopic = i % 3 === 0;
  const words = onTopic ? `grain harvest ${i}` : `stock market ${i}`;
  return { id: `${i}`, group: null, labels: onTopic ? ['grain'] : [], title: '', text: words, url: null, side: null };
});
const SET: TextSet = { name: 'spam', texts };

/** Scores by a rule of its own, whatever it is given. */
function rule(name: string, scoreOf: ((text: string) => number) | null): Family {
  const scorer = {
    score: async ({ draw }: { draw: { test: readonly number[] } }) => scoreOf && draw.test.map((at) => scoreOf(texts[at]?.text ?? '')),
    close() {},
  };
  return { name, settings: ['pool'], maxSize: 30, open: async () => scorer };
}

async function runWith(families: readonly Family[], given: Given = 'pool') {
  const results: Result[] = [];
  const missing: [string, string][] = [];
  await runSet(SET, {
    methods: families.map((family) => ({ name: `${family.name}-${given}`, family, given })),
    sizes: [5, 30, 'all'],
    draws: 3,
    topics: null,
    part: 0,
    parts: 1,
    onResult: (result) => results.push(result),
    onMissing: (...what) => missing.push(what),
  });
  return { results, missing };
}

test('average precision is of the scores a method gave to the texts judged', async () => {
  const { results } = await runWith([
    rule('right', (text) => Number(text.includes('grain'))),
    rule('wrong', (text) => Number(text.includes('stock'))),
    rule('gone', null),
  ]);
  expect(results).toHaveLength(3 * 2 * 3);
  const of = (method: string) => results.filter((result) => result.method === method).map(({ averagePrecision }) => averagePrecision);
  expect(of('right-pool')).toEqual(Array(6).fill(1));
  expect(of('wrong-pool').every((value) => value !== null && value < 0.3)).toBe(true);
  expect(of('gone-pool')).toEqual(Array(6).fill(null));
  expect(results[0]).toMatchObject({ examples: 5, others: 60, test: 100, testOnTopic: 33 });
});

test('what is not installed is told, and the others go on', async () => {
  const { results, missing } = await runWith([sklearn('/nonexistent/python'), rule('right', (text) => Number(text.includes('grain')))]);
  expect(missing).toEqual([['svm', expect.stringMatching(/^\/nonexistent\/python has no scikit-learn: install Debian's python3-sklearn/)]]);
  expect(new Set(results.map(({ method }) => method))).toEqual(new Set(['right-pool']));
});

test('parts of a run are the run', async () => {
  const family = rule('right', (text) => text.length);
  const whole = (await runWith([family])).results.map(({ seconds: _, ...result }) => result);
  const parts: object[] = [];
  for (const part of [0, 1]) {
    const methods = [{ name: 'right-pool', family, given: 'pool' as const }];
    const onResult = ({ seconds: _, ...result }: Result) => parts.push(result);
    await runSet(SET, { methods, sizes: [5, 30], draws: 3, topics: null, part, parts: 2, onResult, onMissing: () => {} });
  }
  expect(parts).toHaveLength(whole.length);
  expect(parts).toEqual(expect.arrayContaining(whole));
});

test('hosts that are judged are not in the background', async () => {
  const background = await loadBackground();
  const host = background.sample[0]?.host ?? '';
  const rest = unseen(background, { testGroups: new Set([host]) });
  expect(rest.sample).toEqual(background.sample.filter((page) => page.host !== host));
  expect(rest.sample.length).toBeLessThan(background.sample.length);
  expect(rest.idf).toBe(background.idf);
});

const resultOf = (method: string, topic: string, draw: number, averagePrecision: number | null, set = 'spam'): Result => ({
  set,
  topic,
  draw,
  size: 5,
  method,
  examples: 5,
  others: 9,
  test: 100,
  testOnTopic: 10,
  averagePrecision,
  calibration: null,
  seconds: 1,
});

test('tables: each topic counts once, and differences are on problems both solved', () => {
  const tables = tablesOf(
    [
      resultOf('forager-pool', 'a', 1, 0.8),
      resultOf('forager-pool', 'a', 2, 0.6),
      resultOf('forager-pool', 'b', 1, 0.1),
      resultOf('svm-pool', 'a', 1, 0.5),
      resultOf('svm-pool', 'a', 2, null),
      resultOf('svm-pool', 'b', 1, 0.2),
    ],
    ['forager-pool', 'svm-pool'],
    [5, 'all'],
  );
  expect(tables).toContain('| forager-pool | 0.400 | – | 0.400 | 1.0 |');
  expect(tables).toContain('| svm-pool | 0.350 | – | 0.350 | 1.0 |');
  expect(tables).toMatch(/\| forager-pool − svm-pool \| \+0\.100 \[−0\.100, \+0\.300\] \| \+0\.100 .* \| 1 of 2 \|/);
  expect(tables).toContain('| forager-pool − svm-pool | 5 | +0.100 [−0.100, +0.300] | +0.100 [−0.100, +0.300] |');
});

test('tables: each set counts once, however many topics it has', () => {
  const ofMethod = (method: string, values: readonly number[]) => [
    ...values.slice(1).map((value, at) => resultOf(method, `topic ${at}`, 1, value, 'reuters')),
    resultOf(method, 'mail', 1, values[0] ?? 0),
  ];
  const results = [...ofMethod('forager-pool', [0.9, 0.5, 0.5, 0.5]), ...ofMethod('svm-pool', [0.3, 0.4, 0.4, 0.4])];
  const tables = tablesOf(results, ['forager-pool', 'svm-pool'], [5]);
  expect(tables).toContain('| forager-pool | 0.700 | 0.700 | 1.0 |');
  expect(tables).toContain('| svm-pool | 0.400 | 0.300 | 0.350 |');
  expect(tables).toContain('| +0.600 [+0.600, +0.600] | +0.350 [+0.350, +0.350] | 4 of 4 |');
});

wholeTest('a part is left out of the features, and only that', async () => {
  const family = foragerWithout('bigram');
  const whole = forager('forager', 'pool', null);
  const found = await runWith([family, whole], 'labelled');
  const of = (name: string) => found.results.filter(({ method }) => method === `${name}-labelled`).map(({ calibration }) => calibration);
  expect(of('forager.no-bigram')).toHaveLength(of('forager').length);
  expect(of('forager.no-bigram')).not.toEqual(of('forager'));
});
