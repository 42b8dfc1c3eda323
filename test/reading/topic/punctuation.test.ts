/** Punctuation of texts in Han characters, from a page to model, files and labels. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { featureNames } from '../../../src/reading/topic/feature-names.ts';
import { FeatureCounter, type PageText } from '../../../src/reading/topic/features.ts';
import { loadModel, saveModel } from '../../../src/reading/topic/files.ts';
import { eachPunctuation, punctuationOf } from '../../../src/reading/topic/punctuation.ts';
import { lineHashesOf } from '../../../src/reading/topic/template.ts';
import { type TrainedFromPages, trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { readTraining, type StoredTraining, storedTraining } from '../../../src/reading/topic/training-file.ts';
import type { TrainingPage } from '../../../src/reading/topic/training-set.ts';
import { trainWithLabels } from '../../../src/study/label/label-training.ts';
import { OPTIONS, smallBackground, syntheticPages } from './synthetic.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-punctuation-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const page = (text: string, otherText = ''): PageText => ({ title: '', text, otherText, url: null, lang: null });

function marksOf(of: PageText): string[] {
  const marks: string[] = [];
  eachPunctuation(of, (_, mark) => marks.push(mark));
  return marks;
}

/** Sentences of the same characters: those of reviews are titles and questions. */
function chinese(kind: 'review' | 'report', count: number, first = 0): TrainingPage[] {
  const words = ['春天', '河流', '城市', '早晨', '火车', '朋友', '音乐', '老师', '花园', '夜晚', '天空', '故事'];
  return Array.from({ length: count }, (_, i) => {
    const some = [0, 1, 2, 3].map((k) => words[(7 * (i + first) + 5 * k) % words.length]);
    const text =
      kind === 'review' ? `《${some[0]}》${some[1]}？${some[2]}…${some[3]}！` : `${some[0]}，${some[1]}。${some[2]}、${some[3]}。`;
    return { id: `${kind}-${first + i}`, url: `https://${kind}${first + i}.test/`, title: '', text, language: 'zh' };
  });
}

describe('punctuation', () => {
  test.each([
    ['Chinese', page('《围城》好看吗？好看！'), ['《', '》', '？', '！']],
    ['Japanese', page('「日本語」の文章です。'), ['「', '」', '。']],
    ['both texts of a page', page('春天来了。', '首页 » 新闻'), ['。', '»']],
    ['symbols and marks beyond two bytes', page('价格￥100～好😀'), ['￥', '～', '😀']],
    ['English', page('Is it good? "Yes!"'), []],
    ['English with a Chinese name', page('The novel Fortress Besieged (围城), by Qian: is it good?'), []],
    ['Korean', page('이 책은 재미있습니까? 네!'), []],
    ['symbols among the characters', page('䷀䷁䷂，䷃！'), []],
    ['nothing', page(''), []],
  ])('is of pages in Han characters: %s', (_name, of, marks) => expect(marksOf(of)).toEqual(marks));

  test('is that of the narrow form, and of 20,000 marks at most', () => {
    const [wide, narrow] = ['好，好！', '好,好!'].map((text) => punctuationOf(page(text)));
    expect(wide).toEqual(narrow);
    const many = punctuationOf(page('好？'.repeat(30_000)));
    expect([...(many?.counts ?? [])]).toEqual([20_000]);
    expect(punctuationOf(page('好好'))).toBeNull();
  });

  test('has a name for each of its features', () => {
    const of = page('《围城》好看吗？', '首页 | 新闻');
    const { buckets } = new FeatureCounter().snapshot(of, eachPunctuation);
    expect([...featureNames(of, true).keys()].sort()).toEqual([...buckets].sort());
    expect([...featureNames(of, true).values()]).toEqual(expect.arrayContaining(['character:《', 'character:|']));
    expect([...featureNames(of).values()].filter((name) => /《|\|/.test(name))).toEqual([]);
  });
});

describe('a model', () => {
  let labelled: TrainedFromPages;
  let alone: TrainedFromPages;
  let common: typeof OPTIONS & { background: Awaited<ReturnType<typeof smallBackground>> };
  beforeAll(async () => {
    common = { ...OPTIONS, background: await smallBackground() };
    labelled = await trainTopic(chinese('review', 12), { ...common, irrelevant: chinese('report', 12) });
    alone = await trainTopic(chinese('review', 12), common);
  });

  test('tells pages of the same characters by their punctuation', () => {
    const [on, off] = [chinese('review', 6, 12), chinese('report', 6, 12)].map((pages) => pages.map((one) => labelled.model.logit(one)));
    expect(Math.min(...(on ?? []))).toBeGreaterThan(Math.max(...(off ?? [])));
    expect(labelled.card.termsFor.map(({ feature }) => feature)).toContain('character:《');
  });

  test('explains its logit as a sum', () => {
    for (const of of [...chinese('review', 2, 12), ...chinese('report', 2, 12), { ...page('Is it good?'), id: '', language: null }]) {
      const { logit, bias, contributions } = labelled.model.explain(of);
      expect(contributions.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 9);
      expect(logit).toBeCloseTo(labelled.model.logit(of), 9);
    }
  });

  test('counts none where there are examples alone, and none in other scripts', async () => {
    const english = await trainTopic(syntheticPages('bread', 0, 12), { ...common, irrelevant: syntheticPages('sailing', 0, 12) });
    for (const { model } of [alone, english]) expect(model.settings.punctuation).toBeUndefined();
    const { model } = alone;
    expect(model.logit(page('春天河流'))).toBe(model.logit(page('《春天河流》？')));
  });

  test('is of a format of its own, and judges as before', async () => {
    const dir = join(root, 'model');
    await saveModel(dir, labelled.model, labelled.card);
    const loaded = await loadModel(dir);
    for (const one of chinese('review', 4, 20)) expect(loaded.logit(one)).toBe(labelled.model.logit(one));
    const path = join(dir, 'model.json');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('"version": 6');
    for (const [from, to] of [
      ['"version": 6', '"version": 4'],
      ['"version": 6', '"version": 5'],
      ['"punctuation": true,', ''],
    ] as const) {
      writeFileSync(path, text.replace(from, to));
      await expect(loadModel(dir)).rejects.toThrow('format version');
    }
  });

  describe('with labels', () => {
    const labels = [...chinese('review', 4, 30), ...chinese('report', 4, 30)].map(({ url, ...one }) => {
      const onTopic = one.id.startsWith('review');
      return { ...one, url: url ?? '', otherText: '', lang: null, onTopic, isNew: true };
    });
    const trained = (training: StoredTraining) =>
      trainWithLabels(training, labels, {
        ...{ model: alone.model, rule: null, taught: null, pool: [], share: null, wordVectors: null },
        ...common,
      });

    test('counts it, also after the rows were stored', async () => {
      const dir = join(root, 'trained');
      await saveModel(dir, alone.model, alone.card, { training: storedTraining(alone.rows, [], null, 'none') });
      const stored = (await readTraining(dir)) as StoredTraining;
      expect(stored.rows.every(({ punctuation }) => punctuation !== undefined)).toBe(true);
      const { model, training } = await trained(stored);
      expect(model.settings.punctuation).toBe(true);
      expect(training.rows.filter(({ punctuation }) => punctuation).length).toBe(20);
    });

    test('counts none beside rows of earlier versions, which have none', async () => {
      const { rows, ...rest } = storedTraining(alone.rows, [], null, 'none');
      const { model, training } = await trained({ ...rest, rows: rows.map(({ punctuation: _, ...row }) => row) });
      expect(model.settings.punctuation).toBeUndefined();
      expect(training.rows.some(({ punctuation }) => punctuation)).toBe(false);
    });

    test('counts it where there were keywords alone', async () => {
      const { model } = await trained({ rows: [], precision: null, template: [], wordVectors: 'none' });
      expect(model.settings.punctuation).toBe(true);
    });
  });

  test('has no punctuation of lines that turn out to be of a template', async () => {
    const menu = '首页｜新闻｜体育';
    const pages = chinese('review', 12).map((one, i) => ({ ...one, url: `https://a.test/${i}`, otherText: i % 3 === 0 ? menu : '' }));
    const first = await trainTopic(pages, common);
    const training = storedTraining(first.rows, first.model.settings.template, null, 'none');
    const bars = ({ rows }: StoredTraining) => rows.filter(({ punctuation }) => punctuation?.buckets.includes(bar)).length;
    const bar = punctuationOf(page('好｜'))?.buckets[0] ?? 0;
    expect([training.template, bars(training)]).toEqual([[], 4]);
    const pool = chinese('report', 12).map((one, i) => ({ ...one, url: `https://a.test/r${i}`, otherText: menu }));
    const options = { model: first.model, rule: null, taught: null, pool, share: null, wordVectors: null, ...common };
    const again = await trainWithLabels(training, [], options);
    expect([again.training.template, bars(again.training)]).toEqual([lineHashesOf(menu), 0]);
  });
});
