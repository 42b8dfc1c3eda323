/** Names and sizes that somebody else has written into the database. */
import { expect, test } from 'vitest';
import { corpusSizesIn, corpusSumsIn, sharedPath } from '../../../src/crawling/cluster/database-texts.ts';

const SHARED = [
  ...['model/model.json', 'models/0f3a/weights.bin', 'seeds.txt', 'fields.yaml', 'link-model.json.gz', 'opt-out.txt'],
  ...['labels.jsonl', 'labelling/topic-12/labels.jsonl'],
];
test.each(SHARED)('%s is a file that a crawl shares', (path) => expect(sharedPath(path, 'db')).toBe(path));

test.each([
  ...['../outside', 'models/../../outside', '/etc/cron.d/x', 'model/../crawl.json', 'models/a/../../b', 'model\\..\\x', 'models/a/b\0'],
  // Files of the crawl that no database sends.
  ...['crawl.json', 'corpus/records.jsonl', 'frontier/data.mdb', 'lock', 'corpus-id', 'labelling/lock', 'labelling/topic-0/labels.jsonl'],
  ...['model', 'model/a/b', 'seeds.txt/a', 'models/con/x', 'models/a/nul', '.bashrc', ''],
])('%j is none', (path) =>
  expect(() => sharedPath(path, 'db (crawl moss)')).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT', exitCode: 3 })),
);

test('sizes are of files that a corpus has, and are sizes', () => {
  const sizes = { 'records.jsonl': 5, 'reservations.jsonl': 0, 'absences.jsonl': 7, 'forager-00012.warc.gz': 2 ** 40 };
  expect(corpusSizesIn(sizes, 'db')).toEqual(sizes);
  for (const other of [
    '../records.jsonl',
    'commit-0.json',
    'records.jsonl/',
    '/records.jsonl',
    'forager-0.warc.gz/../x',
    'frontier',
    '__proto__x',
  ])
    expect(() => corpusSizesIn({ ...sizes, [other]: 5 }, 'db')).toThrow('the size of a file that no corpus has');
  for (const other of [
    null,
    [],
    'x',
    { 'records.jsonl': '5' },
    { 'records.jsonl': -1 },
    { 'records.jsonl': 0.5 },
    { 'records.jsonl': 2 ** 60 },
  ])
    expect(() => corpusSizesIn(other, 'db')).toThrow('no sizes where those of a corpus belong');
});

test('sums are CRC-32, or absent as in commits of earlier versions', () => {
  expect(corpusSumsIn(null, 'db')).toBeNull();
  expect(corpusSumsIn({ 'records.jsonl': 0xffff_ffff }, 'db')).toEqual({ 'records.jsonl': 0xffff_ffff });
  for (const other of ['x', { 'records.jsonl': 2 ** 32 }, { 'records.jsonl': -1 }])
    expect(() => corpusSumsIn(other, 'db')).toThrow('no sums');
});
