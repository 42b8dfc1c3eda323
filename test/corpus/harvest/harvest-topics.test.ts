/** A harvest of a crawl for several topics. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { freshDir, INFO, pageOf, recordOf, T0 } from '../records/samples.ts';

const TOPICS = [
  { name: 'apples', id: 'a'.repeat(16), threshold: 0.5 },
  { name: 'pests', id: 'b'.repeat(16), threshold: 0.4 },
];

test('the index of texts has the relevance to each topic, the card how many pages are on each, a later version stands for the earlier', async () => {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const judgements = [
    [0.9, 0.1],
    [0.6, 0.7],
    [0.2, 0.4],
  ] as const;
  const records = judgements.map((relevances, i) => {
    const topics = TOPICS.map(({ name, id: modelId, threshold }, k) => {
      const relevance = relevances[k] ?? 0;
      return { name, modelId, relevance, threshold, onTopic: relevance >= threshold };
    });
    const page = pageOf(`http://orchard.example/${i}`, `page ${i}`, { startedAt: T0 + i });
    const record = recordOf(page, { text: `page ${i}`, title: `Tab\there, line\nthere ${i}`, topics });
    writer.append({ kind: 'page', record: record, page: page });
    return record;
  });
  const plainPage = pageOf('http://orchard.example/plain', 'plain');
  const plain = recordOf(plainPage, { text: 'plain' });
  const olderPage = pageOf('http://orchard.example/0', 'older');
  const older = recordOf(olderPage);
  writer.append({ kind: 'page', record: plain, page: plainPage });
  writer.append({ kind: 'page', record: older, page: olderPage });
  await writer.close();

  const { outDir, card } = await harvestCorpus({
    corpusDir: dir,
    to: { out: join(dir, '..', 'harvest') },
    formats: ['text', 'warc'],
    minRelevance: null,
    languages: [],
    reserved: 'omit',
    dedupe: 'none',
    committed: null,
    detectLanguage: null,
    isNewest: ({ id }) => id !== older.id,
    present: (record) => (record.id === plain.id ? { ...record, relevance: 0.123 } : record),
    now: T0 + 86_400_000,
    crawl: {
      topicName: 'apples, pests',
      modelId: '0123456789abcdef',
      threshold: 0.5,
      query: null,
      labels: null,
      topics: TOPICS.map((topic) => ({ ...topic, precision: null })),
      seeds: ['http://orchard.example/'],
      seedsWithoutPage: [],
      runs: [],
      visited: 5,
      reopened: 0,
      reservationFiles: 0,
      strategy: 'apprentice',
      budget: { pages: 100, ms: null, bytes: null },
      stopReason: 'page-budget',
      ledger: { kept: 5 },
      robots: 'obey',
      robotsRefusals: 0,
      software: 'forager/0.0.0-test',
      userAgent: 'forager-test',
    },
  });
  const [head = [], ...rows] = (await readFile(join(outDir, 'text/index.tsv'), 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
  for (const [file] of rows) expect(file).toMatch(/_undated_[0-9a-f]{16}\.txt$/);
  expect(head.slice(-2)).toEqual(['relevance:apples', 'relevance:pests']);
  expect(rows.map((row) => row.slice(-2))).toEqual([
    ['0.9', '0.1'],
    ['0.6', '0.7'],
    ['0.2', '0.4'],
    ['', ''],
  ]);
  expect(rows.map((row) => [row[2], row[4], row[5], row[7]])).toEqual([
    ...records.map(({ relevance, id }, i) => [`Tab here, line there ${i}`, String(relevance), new Date(T0 + i).toISOString(), id]),
    [plain.title, '0.123', new Date(T0).toISOString(), plain.id],
  ]);
  expect(card.records).toMatchObject({ read: 4, kept: 4 });
  expect(JSON.stringify(card)).toContain('"pests"');
});
