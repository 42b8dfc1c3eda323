/** Models that judge by word vectors, from training to file and explanation. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModelError } from '../../../src/base/core/errors.ts';
import type { Contribution } from '../../../src/base/core/parts/reading.ts';
import { languageDetector } from '../../../src/base/text/language.ts';
import { loadModel, saveModel } from '../../../src/reading/topic/files.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import { nearWords } from '../../../src/reading/topic/near-words.ts';
import type { PrecisionChange } from '../../../src/reading/topic/paired-change.ts';
import { type TrainedFromPages, trainTopic } from '../../../src/reading/topic/train-topic.ts';
import type { TrainingRow } from '../../../src/reading/topic/training-set.ts';
import { canChoose, vectorChoice } from '../../../src/reading/topic/vector-choice.ts';
import { loadWordVectors, type WordVectors } from '../../../src/reading/topic/word-vectors.ts';
import { sample } from '../../support/extent.ts';
import { OPTIONS, smallBackground, syntheticPages } from './synthetic.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-vector-models-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let vectors: WordVectors;
let alone: TrainedFromPages;
let labelled: TrainedFromPages;
beforeAll(async () => {
  vectors = await loadWordVectors();
  const common = { ...OPTIONS, background: await smallBackground(), wordVectors: vectors };
  alone = await trainTopic(syntheticPages('bread', 0, 12), { ...common, learningCurve: true });
  labelled = await trainTopic(syntheticPages('bread', 0, 12), { ...common, irrelevant: syntheticPages('sailing', 0, 12) });
});

const page = (text: string) => ({ title: '', text, otherText: '', url: null, lang: null });
/** Words of the two subjects that no synthetic page has. */
const UNSHOWN = {
  bread: 'pastry biscuit bakery muffin pancake baked cereal grain',
  sailing: 'yacht vessel boats ships cruise marine coast ferry',
};

describe('a model with word vectors', () => {
  test('ranks pages whose words nobody showed', () => {
    for (const { model } of [alone, labelled]) {
      const [on, off] = [UNSHOWN.bread, UNSHOWN.sailing].map((text) => model.logit(page(text))) as [number, number];
      expect(on).toBeGreaterThan(off + 0.5);
    }
  });

  test.each([
    ['words nobody showed', UNSHOWN.bread],
    ['words of the examples', 'sourdough rye loaf and the crust of it, kneaded with yeast'],
    ['words without vectors alone', 'xqzzy zzkrw'],
    ['nothing', ''],
    ['another script', 'хлеб и дрожжи 面包'],
    ['many words', `${UNSHOWN.bread} ${UNSHOWN.sailing} dough mast `.repeat(80)],
  ])('explains its logit as a sum: %s', (_name, text) => {
    for (const { model } of [alone, labelled]) {
      const { logit, bias, contributions } = model.explain({ ...page(text), title: 'pastry', url: 'https://a.test/pastry' });
      const sum = contributions.reduce((so, { contribution }) => so + contribution, bias);
      expect(sum).toBeCloseTo(logit, 9);
      expect(logit).toBeCloseTo(model.logit({ ...page(text), title: 'pastry', url: 'https://a.test/pastry' }), 9);
    }
  });

  test('tells words that nobody showed, and shown words near them, for the same side', () => {
    const { model } = labelled;
    const explanation = nearWords(model, vectors)(model.explain(page(`${UNSHOWN.bread} ${UNSHOWN.sailing} dough mast`)));
    const found = new Map(explanation.contributions.map((one): [string, Contribution] => [one.feature, one]));
    expect(['pastry', 'baked', 'yacht', 'dough', 'mast'].map((word) => found.get(word)?.unshown ?? false)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    const shown = (pages: ReturnType<typeof syntheticPages>) => new Set(pages.flatMap(({ text }) => text.split(' ')));
    const [bread, sailing] = [shown(syntheticPages('bread', 0, 12)), shown(syntheticPages('sailing', 0, 12))];
    const near = (word: string) => found.get(word)?.near ?? [];
    expect(near('pastry').length).toBeGreaterThan(0);
    for (const word of near('pastry')) expect(bread.has(word)).toBe(true);
    for (const word of near('yacht')) expect(sailing.has(word)).toBe(true);
    expect(near('dough')).toEqual([]);
  });

  test('has no near words by other vectors', () => {
    const explanation = alone.model.explain(page(UNSHOWN.bread));
    for (const other of [{ ...vectors, sha256: 'other' }, null]) expect(nearWords(alone.model, other)(explanation)).toBe(explanation);
  });

  test('has a card that says how many words have vectors, and what they changed', () => {
    const { wordVectors } = alone.card;
    expect(wordVectors).toMatchObject({ name: 'bundled', sha256: vectors.sha256, used: true, choice: null });
    expect(wordVectors?.exampleWords.covered).toBeGreaterThan(0.5 * (wordVectors?.exampleWords.words ?? 0));
    expect(wordVectors?.averagePrecision?.with).toBeGreaterThan(0.5);
    expect(labelled.card.wordVectors?.averagePrecision).toBeNull();
  });

  test('is small, and judges after a reading as before', async () => {
    const dir = join(root, 'saved');
    await saveModel(dir, labelled.model, labelled.card);
    const read = await loadModel(dir);
    expect(read.id).toBe(labelled.model.id);
    for (const text of Object.values(UNSHOWN)) expect(read.logit(page(text))).toBe(labelled.model.logit(page(text)));
    expect(read.explain(page(UNSHOWN.bread))).toEqual(labelled.model.explain(page(UNSHOWN.bread)));
    expect(statSync(join(dir, 'weights.bin')).size).toBeLessThan(5 * 262_144 + 330_000);
  });

  test('is the same for the same pages', async () => {
    const again = await trainTopic(syntheticPages('bread', 0, 12), {
      ...OPTIONS,
      background: await smallBackground(),
      wordVectors: vectors,
    });
    expect(again.model.id).toBe(alone.model.id);
  });
});

describe('a damaged model with word vectors', () => {
  const damages: readonly (readonly [string, (dir: string) => void])[] = [
    ['whose tables are cut', (dir) => writeFileSync(join(dir, 'weights.bin'), readFileSync(join(dir, 'weights.bin')).subarray(0, -1))],
    [
      'whose tables end before those of words',
      (dir) => writeFileSync(join(dir, 'weights.bin'), readFileSync(join(dir, 'weights.bin')).subarray(0, 5 * 262_144)),
    ],
    ['with one more word', (dir) => flip(dir, 5 * 262_144 + 9, 255)],
    ['with another weight', (dir) => flip(dir, 5 * 262_144 + 16_384 + 77, 1)],
    ['with another length', (dir) => edit(dir, (text) => text.replace(/"step": [\d.]+/, '"step": 0.5'))],
    ['with the version of models without', (dir) => edit(dir, (text) => text.replace('"version": 5', '"version": 4'))],
  ];
  function flip(dir: string, at: number, bits: number): void {
    const bytes = readFileSync(join(dir, 'weights.bin'));
    bytes[at] = (bytes[at] ?? 0) ^ bits;
    writeFileSync(join(dir, 'weights.bin'), bytes);
  }
  function edit(dir: string, change: (text: string) => string): void {
    writeFileSync(join(dir, 'model.json'), change(readFileSync(join(dir, 'model.json'), 'utf8')));
  }

  test.each(damages)('%s is refused with the way out', async (name, damage) => {
    const dir = join(root, name.replaceAll(' ', '-'));
    await saveModel(dir, alone.model, alone.card);
    damage(dir);
    const error = await loadModel(dir).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).message).toMatch(/train the topic again$/);
  });
});

describe('examples in another language', () => {
  const RUSSIAN = [
    'Хлеб пекут из муки и дрожжей в горячей печи',
    'Тесто месят долго, потом оно поднимается в тепле',
    'Ржаной каравай любят с солью и маслом',
  ];
  const GERMAN = [
    'Das Brot wird aus Mehl und Hefe im heißen Ofen gebacken',
    'Der Teig ruht lange und geht an einem warmen Ort auf',
    'Zum Roggenlaib schmecken Salz und frische Butter am besten',
  ];
  const CHINESE = ['面包是用面粉和酵母在烤箱里烤成的食物', '面团要揉很久然后在温暖的地方发酵', '黑麦面包配盐和黄油很好吃'];

  const LANGUAGES: readonly [string, readonly string[]][] = [
    ['Russian', RUSSIAN],
    ['German', GERMAN],
    ['Chinese', CHINESE],
  ];

  test.each(sample(LANGUAGES, [1]))('%s: the model has the bytes of one without', async (_name, texts) => {
    const detect = await languageDetector();
    const pages = texts.map((text, i) => ({ id: `${i}`, url: `https://a${i}.test/`, title: '', text, language: detect(text) }));
    const background = await smallBackground();
    const made = [];
    for (const more of [{ wordVectors: vectors }, {}]) made.push(await trainTopic(pages, { ...OPTIONS, background, ...more }));
    const [one, other] = made as [TrainedFromPages, TrainedFromPages];
    expect(one.model).toBeInstanceOf(LinearTopicModel);
    expect([one.model.sha256, one.model.settings]).toEqual([other.model.sha256, other.model.settings]);
    expect(one.card).toEqual(other.card);
  });
});

describe('the choice by labels', () => {
  const rows = (yes: number, no: number, hosts = 8): TrainingRow[] =>
    Array.from({ length: yes + no }, (_, i) => ({
      role: i < yes ? 'example' : 'irrelevant',
      host: `h${i % hosts}.test`,
      language: null,
      counts: { buckets: new Int32Array(0), counts: new Uint16Array(0) },
      page: null,
    }));
  /** Ranks the rows: right ones are all in the right order, others are in the opposite one. */
  const scores = (given: readonly TrainingRow[], isRight: boolean) =>
    Float64Array.from(given, ({ role }, i) => ((role === 'example') === isRight ? 1 : 0) + i / 1000);
  const choice = (by: { readonly with: boolean; readonly without: boolean }, isWithout: boolean): PrecisionChange & { isWith: boolean } => {
    const given = rows(12, 14);
    return vectorChoice(given, { with: scores(given, by.with), without: scores(given, by.without) }, { rows: given, isWithout }, 1);
  };

  test.each([
    ['better with them', { with: true, without: false }, [true, true]],
    ['worse with them', { with: false, without: true }, [false, false]],
    ['the same', { with: true, without: true }, [true, false]],
  ] as const)('%s: from a model with them, and from one without', (_name, by, expected) => {
    expect([choice(by, false).isWith, choice(by, true).isWith]).toEqual(expected);
  });

  test('needs 20 labels of both kinds', () => {
    expect([rows(10, 9), rows(10, 10), rows(20, 0), rows(1, 30)].map((given) => canChoose({ rows: given }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('on labels of one host for a kind changes nothing: hosts cannot be drawn', () => {
    const given = rows(12, 14).map((row) => ({ ...row, host: row.role === 'example' ? 'one.test' : row.host }));
    const by = { with: scores(given, false), without: scores(given, true) };
    expect([false, true].map((isWithout) => vectorChoice(given, by, { rows: given, isWithout }, 1).isWith)).toEqual([true, false]);
  });

  test('is the same for the same labels', () => {
    expect(choice({ with: false, without: true }, false)).toEqual(choice({ with: false, without: true }, false));
  });
});
