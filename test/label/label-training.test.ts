import { expect, test } from 'vitest';
import { type LabelledPage, uncontradicted } from '../../src/label/label-training.ts';
import type { StoredRow } from '../../src/topic/training-file.ts';

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

test('a page that was given as one thing and is labelled as another is trained with as the label says, and not as both', () => {
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
  expect(uncontradicted(rows, pages).map(({ url }) => url)).toEqual(['http://a.test/2', null]);
});
