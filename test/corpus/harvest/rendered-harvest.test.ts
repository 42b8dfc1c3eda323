/** Harvests of rendered pages: the records that each page needs come along, each once, and no others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeCorpora } from 'forager';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { readRecords, storedRecordLine } from '../../../src/corpus/records/records.ts';
import { appendRendered, appScript, COST, renderedOf } from '../records/rendered-samples.ts';
import { collected, freshDir, INFO, pageOf, recordOf } from '../records/samples.ts';
import { readBack } from '../records/warcio-oracle.ts';
import { withDuckDb } from './duckdb.ts';
import { run } from './harvest-samples.ts';
import { harvestOf } from './written-crawl.ts';

/** Two pages with one script and a third one that is less relevant, each record in a file of its own. */
async function crawled(): Promise<{ readonly dir: string; readonly records: readonly CorpusRecord[] }> {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 1 });
  const script = appScript();
  const plum = renderedOf('plum', 'Plums are dried.', script);
  const plain = pageOf('http://orchard.example/plain', '<p>plain');
  appendRendered(writer, [
    { ...plum, record: { ...plum.record, relevance: 0.6 } },
    renderedOf('apple', 'Apples keep till May.', script),
    renderedOf('pear', 'Pears do not.', script),
  ]);
  writer.append({ kind: 'page', record: recordOf(plain), page: plain });
  await writer.close();
  return { dir, records: await collected(readRecords(dir)) };
}

const linesOf = (out: string, name = 'corpus.jsonl') =>
  readFileSync(join(out, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CorpusRecord);
const warcOf = async (out: string) =>
  (await readBack(join(out, 'corpus-00000.warc.gz'))).map(({ type, fields }) => `${type} ${fields.get('warc-target-uri') ?? ''}`);

/** Of the pages that are relevant enough: in the order of the files. */
const WANTED = [
  'warcinfo ',
  'warcinfo ',
  'response http://orchard.example/app.js',
  'request http://orchard.example/app.js',
  ...['apple', 'pear'].flatMap((name) => [
    'warcinfo ',
    `response http://orchard.example/${name}`,
    `resource urn:render:http://orchard.example/${name}`,
    `request http://orchard.example/${name}`,
    `metadata http://orchard.example/${name}`,
    `response http://orchard.example/api/${name}`,
    `request http://orchard.example/api/${name}`,
  ]),
  'warcinfo ',
  ...['response', 'request', 'metadata'].map((type) => `${type} http://orchard.example/plain`),
];

test('a page brings its rendered document and its resources, also those that a page left out was the first to need', async () => {
  const crawl = await crawled();
  const out = join(freshDir(), 'out');
  await harvestOf(crawl, out, { formats: ['jsonl', 'warc', 'wacz'], minRelevance: 0.8 });
  expect(await warcOf(out)).toEqual(WANTED);
  const index = readFileSync(join(out, 'corpus.cdxj'), 'utf8');
  expect((index.match(/"url":"[^"]*"/g) ?? []).map((url) => url.slice(7, -1)).sort()).toEqual([
    ...['api/apple', 'api/pear', 'app.js', 'apple', 'pear', 'plain'].map((name) => `http://orchard.example/${name}`),
    ...['apple', 'pear'].map((name) => `urn:render:http://orchard.example/${name}`),
  ]);
  const cli = join(import.meta.dirname, '../../../node_modules/warcio/dist/cli.js');
  const { stdout } = await run('node', [cli, 'cdx-index', join(out, 'corpus-00000.warc.gz')]);
  expect(index.replaceAll('"digest":"sha1:', '"digest":"').trim().split('\n')).toEqual(stdout.trim().split('\n').sort());
  expect(JSON.parse(readFileSync(join(out, 'corpus-card.json'), 'utf8'))).toMatchObject({ rendered: 2, records: { kept: 3 } });
  const [apple, , plain] = linesOf(out);
  expect(apple).toMatchObject({ rendered: COST, rendering: crawl.records[1]?.rendering });
  expect(plain).not.toHaveProperty('rendered');
});

test('a harvest of a harvest has the same records, and structure and links are read from the rendered documents', async () => {
  const crawl = await crawled();
  const [first, second] = [join(freshDir(), 'first'), join(freshDir(), 'second')];
  await harvestOf(crawl, first, { formats: ['jsonl', 'warc'], minRelevance: 0.8 });
  await mergeCorpora({ corpora: [first], out: second, formats: ['jsonl', 'warc', 'tei', 'links'], dedupe: 'none' });
  expect((await warcOf(second)).filter((line) => line !== 'warcinfo ')).toEqual(WANTED.filter((line) => line !== 'warcinfo '));
  expect(linesOf(second).map(({ rendering }) => rendering)).toEqual(linesOf(first).map(({ rendering }) => rendering));
  const tei = readFileSync(join(second, 'corpus.tei.xml'), 'utf8');
  expect(tei.match(/Apples keep till May\./g)).toHaveLength(1);
  // The text is not that of the shell: without the rendered document the body would be made of paragraphs of the record.
  expect(tei.match(/decls="#structured"/g)).toHaveLength(2);
  expect(linesOf(second, 'links.jsonl').map(({ url, target }: CorpusRecord & { target?: string }) => [url, target])).toEqual(
    ['apple', 'pear'].map((name) => [`http://orchard.example/${name}`, `http://orchard.example/${name}/more`]),
  );
});

test('tables have the cost and the records of a rendering as structures, null for other pages', async () => {
  const crawl = await crawled();
  const out = join(freshDir(), 'out');
  await harvestOf(crawl, out, { formats: ['parquet', 'csv'] });
  const rows = await withDuckDb((ask) =>
    ask(`SELECT rendered.requests AS requests, len(rendering.resources) AS files FROM read_parquet('${join(out, 'data', '*.parquet')}')`),
  );
  expect(rows).toEqual([...Array.from({ length: 3 }, () => ({ requests: COST.requests, files: '2' })), { requests: null, files: null }]);
  expect(readFileSync(join(out, 'corpus.csv'), 'utf8').split('\n')[0]).toContain('rendered');
});

test('a page whose rendered document is lost is named, and skipped on request', async () => {
  const { dir, records } = await crawled();
  const [, apple] = records;
  const lines = records.map((record) =>
    record === apple ? { ...record, rendering: { document: 'urn:uuid:lost', resources: [] } } : record,
  );
  writeFileSync(join(dir, 'records.jsonl'), lines.map((line) => storedRecordLine(line as CorpusRecord)).join(''));
  const out = join(freshDir(), 'out');
  await expect(harvestOf({ dir, records }, out, { formats: ['warc'] })).rejects.toThrow('1 documents or resources of rendered pages');
  const damaged: string[] = [];
  await harvestOf({ dir, records }, out, { formats: ['warc'], onDamaged: (what) => damaged.push(what) });
  expect(damaged).toEqual(['urn:uuid:lost: a rendered page names this WARC record, which is damaged or missing']);
});
