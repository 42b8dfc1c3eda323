import { expect, test } from 'vitest';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { wordBucket } from '../../../src/reading/topic/features.ts';
import { GivenPages } from '../../../src/reading/topic/given-pages.ts';
import { lineHashesOf } from '../../../src/reading/topic/template.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { type StoredRow, storedTraining } from '../../../src/reading/topic/training-file.ts';
import { type LabelledPage, trainWithLabels, unlabelledRows, withoutOwn } from '../../../src/study/label/label-training.ts';
import { smallBackground, syntheticPages } from '../../reading/topic/synthetic.ts';

function row(role: StoredRow['role'], url: string | null): StoredRow {
  return {
    role,
    id: url ?? 'file',
    url,
    host: null,
    language: null,
    title: '',
    counts: { buckets: new Int32Array(), counts: new Uint16Array() },
  };
}

function labelled(url: string, onTopic: boolean): LabelledPage {
  return { url, title: '', text: '', lang: null, language: null, onTopic, isNew: true };
}

test('a page that was given and is labelled is trained with once, as the label says; what was known of it is nothing new', () => {
  const rows = [
    row('example', 'http://A.test/1#top'),
    row('example', 'http://a.test/2'),
    row('irrelevant', 'http://a.test/3'),
    row('extra', 'http://a.test/4'),
    row('example', null),
  ];
  const pages = [
    labelled('http://a.test/1', false),
    labelled('http://a.test/2', true),
    labelled('http://a.test/3', true),
    labelled('http://a.test/4', false),
    labelled('http://a.test/5', false),
  ];
  const given = new GivenPages(rows);
  expect(unlabelledRows(given, pages).map(({ url }) => url)).toEqual([null]);
  expect(withoutOwn(given, pages).map(({ isNew }) => isNew)).toEqual([true, false, true, true, true]);
});

test('the template of unlabelled pages is taken out of the stored rows too', async () => {
  const background = await smallBackground();
  const common = { name: 'bread', seed: 1, now: 0, software: 'test', background };
  // A third of the examples have the footer: too few to know it for one.
  const examples = syntheticPages('bread', 1, 12, 'a.test').map((page, i) => ({ ...page, otherText: i % 3 === 0 ? 'imprint' : 'oven' }));
  const first = await trainTopic(examples, { ...common, extractor: 'slope' });
  const training = storedTraining(first.rows, first.model.settings.template, null, 'none');
  const has = (rows: readonly StoredRow[], word: string) =>
    rows.filter(({ counts }) => counts.buckets.includes(wordBucket(hashWord(word)))).length;
  expect(training.template).toEqual(lineHashesOf('oven'));
  expect(has(training.rows, 'imprint')).toBe(4);
  const pool = syntheticPages('sailing', 1, 12, 'a.test').map((page) => ({ ...page, otherText: 'imprint' }));
  const options = { model: first.model, rule: null, taught: null, pool, share: null, wordVectors: null, ...common };
  const trained = await trainWithLabels(training, [], options);
  expect(trained.training.template).toEqual(lineHashesOf('imprint\noven'));
  expect(trained.model.settings.template).toEqual(trained.training.template);
  expect(has(trained.training.rows, 'imprint')).toBe(0);
  expect(trained.training.rows.length).toBe(24);
});
