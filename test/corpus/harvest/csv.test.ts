/** corpus.csv, read by DuckDB: every cell is that of the record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { freshDir } from '../records/samples.ts';
import { withDuckDb } from './duckdb.ts';
import { harvestOptions, madeRecord, writeRecords } from './made-corpus.ts';

const PAGES = 120;
const RECORDS = Array.from({ length: PAGES }, (_, i) => madeRecord(i));

const json = (value: unknown) => JSON.stringify(value);
const text = (value: string) => (/^(?:[\t\r\n]|\s*[=+\-@])/.test(value) ? `'${value}` : value);

/** What stands in the file by the rules of the documentation. */
function row({ metadata, fields, reservation, ...record }: CorpusRecord): Record<string, string | null> {
  return {
    id: record.id,
    url: record.url,
    fetchedAt: record.fetchedAt,
    title: text(record.title),
    lang: record.lang?.slice(0, 2) ?? 'und',
    langTag: record.lang?.includes('-') ? record.lang : null,
    relevance: String(record.relevance),
    threshold: String(record.threshold),
    modelId: record.modelId,
    depth: String(record.depth),
    referrer: record.referrer,
    anchorText: text(record.anchorText),
    payloadSha256: record.payloadSha256,
    'metadata.canonical': metadata.canonical,
    'metadata.description': metadata.description,
    'metadata.authors': json(metadata.authors),
    'metadata.siteName': metadata.siteName,
    'metadata.published': metadata.published,
    'metadata.modified': metadata.modified,
    'metadata.licences': json(metadata.licences),
    'metadata.rights': metadata.rights,
    'metadata.alternates': json(metadata.alternates),
    'metadata.robots': json(metadata.robots),
    'fields.price': typeof fields['price'] === 'string' ? text(fields['price']) : null,
    'fields.tags': fields['tags'] === undefined ? null : json(fields['tags']),
    'reservation.reserved': reservation ? String(reservation.reserved) : null,
    'reservation.by': reservation?.by ?? null,
    'reservation.policy': reservation?.policy ?? null,
  };
}

async function csvOf(over: Parameters<typeof harvestOptions>[2], record = (i: number) => RECORDS[i] as CorpusRecord): Promise<string> {
  const dir = freshDir();
  const out = join(dir, 'out');
  await harvestCorpus(harvestOptions(await writeRecords(dir, PAGES, record), out, { formats: ['csv'], ...over }));
  return join(out, 'corpus.csv');
}

function read(path: string) {
  return withDuckDb((ask) =>
    ask(
      `SELECT * FROM read_csv('${path}', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false)`,
    ),
  );
}

test('metadata and fields are columns, and each cell is that of its record', async () => {
  const path = await csvOf({});
  expect(await read(path)).toEqual(RECORDS.map(row));
  const bytes = readFileSync(path, 'utf8');
  expect(bytes.startsWith('id,url,fetchedAt,title,lang,')).toBe(true);
  expect(bytes.endsWith('\r\n')).toBe(true);
});

test('a formula in a title arrives as text, also in a field and in the name of a field', async () => {
  const fields = { '=cmd': '@SUM(A1)', tags: ['=cmd()'] };
  const [first] = await read(await csvOf({}, (i) => ({ ...(RECORDS[i] as CorpusRecord), fields })));
  expect(first).toMatchObject({
    title: `'=HYPERLINK("http://evil.example/","click")`,
    'fields.tags': '["=cmd()"]',
    'fields.=cmd': `'@SUM(A1)`,
  });
  const cells = (await read(await csvOf({ csvText: true }))).flatMap((one) => Object.values(one));
  expect(cells.filter((cell) => typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

test('texts of pages on request only', async () => {
  const rows = await read(await csvOf({ csvText: true }));
  expect(rows.map((one) => [one['text'], one['otherText']])).toEqual(RECORDS.map((one) => [text(one.text), one.otherText ?? null]));
});

test('a byte order mark on request only', async () => {
  const mark = (path: string) => readFileSync(path).subarray(0, 3).toString('hex');
  expect(mark(await csvOf({}))).not.toBe('efbbbf');
  const path = await csvOf({ csvBom: true });
  expect(mark(path)).toBe('efbbbf');
  expect(Object.keys((await read(path))[0] ?? {})[0]).toBe('id');
});
