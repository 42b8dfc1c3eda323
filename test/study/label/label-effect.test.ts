import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { hostOf, type Role, type TrainingPage, type TrainingRow } from '../../../src/reading/topic/training-set.ts';
import { isWithinChance, isWorse, type LabelComparison, type LabelEffect, labelEffect } from '../../../src/study/label/label-effect.ts';
import { randomText, smallBackground, syntheticPages } from '../../reading/topic/synthetic.ts';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

const counter = new FeatureCounter();

function rows(role: Role, pages: readonly TrainingPage[], known = true): TrainingRow[] {
  return pages.map((page) => ({
    role,
    host: known ? hostOf(page) : null,
    language: null,
    counts: counter.snapshot(page),
    page: known ? page : null,
  }));
}

/** Pages of a topic, two on each host. */
function onHosts(topic: Parameters<typeof syntheticPages>[0], hosts: number): TrainingPage[] {
  return Array.from({ length: hosts }, (_, i) => syntheticPages(topic, 100 * (i + 1), 2, `${topic}-${i}.example.org`)).flat();
}

async function effectOf(stored: readonly TrainingRow[], labelled: readonly TrainingRow[], more: Partial<LabelComparison> = {}) {
  const background = await smallBackground();
  const given = {
    isNew: labelled.map(() => true),
    guessed: [],
    isNewGuess: [],
    untrained: labelled.map(() => 0.5),
    ruled: (_: number, relevance: number) => relevance,
  };
  return labelEffect({ stored, labelled, ...given, share: null, precision: null, background, wordVectors: null, seed: 1, ...more });
}

function isAccepted(effect: LabelEffect | null, url: string): boolean {
  return (effect?.margins.get(url) ?? Number.NEGATIVE_INFINITY) >= 0;
}

/** Examples of two subjects, of which only one is wanted: the labels say which. */
const mixed = rows('example', [...syntheticPages('bread', 1, 4), ...syntheticPages('sailing', 1, 4)], false);
const labelled = [...rows('example', onHosts('bread', 5)), ...rows('irrelevant', onHosts('sailing', 5))];

test('labels that say what examples did not raise average precision on hosts that no model has seen', async () => {
  const effect = await effectOf(mixed, labelled);
  expect(effect).toMatchObject({ pages: 20, hosts: 10 });
  expect(effect?.before).toBeLessThan(0.9);
  expect(effect?.after).toBeGreaterThan(0.97);
  expect(effect?.change.low).toBeGreaterThan(0);
  const right = labelled.filter(({ role, page }) => isAccepted(effect, page?.url ?? '') === (role === 'example'));
  expect(right.length).toBeGreaterThanOrEqual(18);
});

test('where there was no example before, the model of that time ranks the pages; a rule has the last word on what is taken', async () => {
  const untrained = labelled.map(({ role }) => (role === 'example' ? 0.2 : 0.1));
  const effect = await effectOf([], labelled, { untrained, ruled: (at, relevance) => (at === 0 ? 0 : relevance) });
  expect(effect?.before).toBe(1);
  expect([...(effect?.margins.keys() ?? [])].slice(0, 3).map((url) => isAccepted(effect, url))).toEqual([false, true, true]);
});

test('labels that the model had already change nothing; those of one kind cannot be ranked', async () => {
  const effect = await effectOf(mixed, labelled, { isNew: labelled.map(() => false) });
  expect(effect?.after).toBe(effect?.before);
  expect(effect?.change).toEqual({ low: 0, high: 0 });
  expect(await effectOf(mixed, labelled.slice(0, 10))).toBeNull();
  expect(await effectOf([], labelled.slice(9, 12))).toBeNull();
});

/** Pages that say nothing but which host they are of, three of each; `hosts` says which of these are on topic. */
function pagesByHost(hosts: readonly boolean[]): TrainingRow[] {
  const rng = seededRng(5);
  return hosts.flatMap((onTopic, number) =>
    [0, 1, 2].flatMap((i) => {
      const url = `http://h${number}.test/${i}`;
      const text = `${`onlyhost${number}word `.repeat(20)} ${randomText(rng, 60)}`;
      return rows(onTopic ? 'example' : 'irrelevant', [{ id: url, url, title: '', text, language: null }]);
    }),
  );
}

// Half of the pages are on topic: ranked by chance .5, by a model that has seen the hosts 1.
const HOSTS: readonly [string, readonly boolean[]][] = [
  ['many hosts', Array.from({ length: 20 }, (_, i) => i % 2 === 0)],
  ['so few that examples of no host are held out one by one', [true, true, false, false]],
];

test.each(sample(HOSTS, [0]))(
  'what is learned of a host is no help on its own pages: labels that go by the host alone bring nothing (%s)',
  async (_, hosts) => {
    const effect = await effectOf(rows('example', syntheticPages('bread', 1, 3), false), pagesByHost(hosts));
    expect(effect?.hosts).toBe(hosts.length);
    expect(effect?.after).toBeLessThan(0.8);
  },
);

wholeTest(
  'nor what an example of its host has taught, where examples are on so few hosts that others are held out one by one',
  async () => {
    const examples = pagesByHost([true, true]);
    const effect = await effectOf(examples, pagesByHost([true, true, ...Array<boolean>(8).fill(false)]));
    expect(effect?.after).toBeLessThan(0.4);
  },
);

test('labels that are all of one host are held out page by page: what is learned of its pages counts for the others', async () => {
  const ofOneHost = [
    ...rows('example', syntheticPages('bread', 300, 10, 'only.example.org')),
    ...rows('irrelevant', syntheticPages('sailing', 300, 10, 'only.example.org')),
  ];
  const effect = await effectOf(mixed, ofOneHost);
  expect(effect).toMatchObject({ pages: 20, hosts: 1, heldOut: 'pages' });
  expect(effect?.after).toBeGreaterThan(effect?.before ?? 1);
  expect(effect?.change.low).toBeGreaterThan(-1);
});

test.each([
  { name: 'higher', before: 0.5, after: 0.5001, change: { low: -0.1, high: 0.1 }, compared: true, worse: false, within: false },
  {
    name: 'equal but for rounding',
    before: 0.5,
    after: 0.5 - 1e-12,
    change: { low: 0, high: 0 },
    compared: true,
    worse: false,
    within: false,
  },
  { name: 'lower by a hair', before: 0.924, after: 0.922, change: { low: -0.03, high: 0.02 }, compared: true, worse: false, within: true },
  {
    name: 'lower by much, on pages that differ more',
    before: 0.7,
    after: 0.6,
    change: { low: -0.3, high: 0.05 },
    compared: true,
    worse: false,
    within: true,
  },
  {
    name: 'lower on all draws',
    before: 0.924,
    after: 0.922,
    change: { low: -0.004, high: -0.001 },
    compared: true,
    worse: true,
    within: false,
  },
  { name: 'lower at the edge', before: 0.9, after: 0.8, change: { low: -0.2, high: 0 }, compared: true, worse: false, within: true },
  {
    name: 'lower, and no hosts to draw from',
    before: 0.208,
    after: 0.155,
    change: { low: -1, high: 1 },
    compared: true,
    worse: true,
    within: false,
  },
  {
    name: 'lower by a few labels',
    before: 0.208,
    after: 0.155,
    change: { low: -0.2, high: 0.1 },
    compared: false,
    worse: true,
    within: false,
  },
])('a difference inside its interval is none: $name', ({ worse, within, ...effect }) => {
  expect({ worse: isWorse(effect), within: isWithinChance(effect) }).toEqual({ worse, within });
});

test('a change seen on one host of a kind has no interval to speak of', async () => {
  const sailing = rows('irrelevant', onHosts('sailing', 3));
  expect((await effectOf(mixed, [...rows('example', onHosts('bread', 1)), ...sailing]))?.change).toEqual({ low: -1, high: 1 });
  expect((await effectOf(mixed, [...rows('example', onHosts('bread', 2)), ...sailing]))?.change.high).toBeLessThan(1);
});

wholeTest('guessed pages teach and are not ranked: the figures are those of the labelled pages', async () => {
  const few = [...rows('example', onHosts('bread', 3)), ...rows('irrelevant', onHosts('sailing', 3))];
  const elsewhere = (topic: 'bread' | 'sailing') =>
    Array.from({ length: 8 }, (_, i) => syntheticPages(topic, 5000 + 100 * i, 2, `guess-${topic}-${i}.example.org`)).flat();
  const guesses = (right: boolean) =>
    [...rows(right ? 'example' : 'irrelevant', elsewhere('bread')), ...rows(right ? 'irrelevant' : 'example', elsewhere('sailing'))].map(
      (row): TrainingRow => ({ ...row, weight: 0.8 }),
    );
  const alone = await effectOf(mixed, few, { isNew: few.map(() => false) });
  const known = { isNew: few.map(() => false), isNewGuess: guesses(true).map(() => true) };
  const right = await effectOf(mixed, few, { ...known, guessed: guesses(true) });
  const wrong = await effectOf(mixed, few, { ...known, guessed: guesses(false) });
  expect(right).toMatchObject({ pages: 12, hosts: 6, before: alone?.before });
  expect([...(right?.margins.keys() ?? [])]).toEqual(few.map(({ page }) => page?.url));
  expect(wrong?.after).toBeLessThan(alone?.after ?? 0);
  expect(right?.after).toBeGreaterThan(wrong?.after ?? 1);
});
