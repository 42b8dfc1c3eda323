/** Parquet files, read by DuckDB beside the JSON lines of the same harvest. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { UsageError } from '../../../src/base/core/errors.ts';
import type { PageProduct, Post } from '../../../src/base/core/types.ts';
import { COMPRESSIONS, type Compression } from '../../../src/corpus/formats/format-names.ts';
import { harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir } from '../records/samples.ts';
import { columnsOf, differences, sqlType, withDuckDb } from './duckdb.ts';
import { harvestOptions, madeRecord, writeRecords } from './made-corpus.ts';

const PAGES = 300;
const RECORDS = Array.from({ length: PAGES }, (_, i) => madeRecord(i));
const hasZstd = 'zstdCompressSync' in zlib;
const FIRST = 'data/train-00000-of-00001.parquet';

test.each(COMPRESSIONS.filter((name) => name !== 'zstd' || hasZstd))('%s: the rows of corpus.jsonl, all columns', async (compression) => {
  const dir = freshDir();
  const corpus = await writeRecords(dir, PAGES, (i) => RECORDS[i] as (typeof RECORDS)[number]);
  const out = join(dir, 'out');
  const { card } = await harvestCorpus(harvestOptions(corpus, out, { formats: ['jsonl', 'parquet'], compression }));
  expect(card.files.map(({ name }) => name)).toEqual(['corpus.jsonl', FIRST, 'left-out.jsonl']);
  await withDuckDb(async (ask) => {
    const columns = columnsOf(RECORDS, ['langTag']);
    expect(await differences(ask, join(out, 'corpus.jsonl'), join(out, FIRST), columns)).toEqual([0, 0, PAGES, PAGES]);
    const described = await ask(`DESCRIBE SELECT * FROM read_parquet('${join(out, FIRST)}')`);
    expect(described.map(({ column_name, column_type }) => [column_name, String(column_type).replaceAll('"', '')])).toEqual(
      columns.map(({ name, type }) => [name, sqlType(type).replace('TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE').replaceAll('"', '')]),
    );
    const codecs = await ask(`SELECT DISTINCT compression FROM parquet_metadata('${join(out, FIRST)}')`);
    expect(codecs).toEqual([{ compression: compression === 'none' ? 'UNCOMPRESSED' : compression.toUpperCase() }]);
  });
});

test('zstd is refused before anything is read where this Node lacks it, with the version that has it', async () => {
  const dir = freshDir();
  const options = harvestOptions(join(dir, 'missing'), join(dir, 'out'), { formats: ['parquet'], compression: 'zstd' });
  if (hasZstd) return await expect(harvestCorpus(options)).rejects.toThrow(/cannot be read/);
  await expect(harvestCorpus(options)).rejects.toThrow(UsageError);
  await expect(harvestCorpus(options)).rejects.toThrow(/needs Node 22\.15 or later, and this is v20/);
});

wholeTest('a corpus that is too large for one file has several, numbered as one split, with all rows in order', async () => {
  const dir = freshDir();
  const corpus = await writeRecords(dir, 2500, (i) => madeRecord(i, 10));
  const out = join(dir, 'out');
  const { card } = await harvestCorpus(harvestOptions(corpus, out, { formats: ['jsonl', 'parquet'], maxParquetBytes: 1 }));
  const names = [0, 1, 2].map((i) => `data/train-0000${i}-of-00003.parquet`);
  expect(readdirSync(join(out, 'data')).map((name) => `data/${name}`)).toEqual(names);
  expect(card.files.map(({ name }) => name).sort()).toEqual(['corpus.jsonl', ...names, 'left-out.jsonl']);
  await withDuckDb(async (ask) => {
    const all = join(out, 'data/train-*.parquet');
    const records = Array.from({ length: 50 }, (_, i) => madeRecord(i));
    expect(await differences(ask, join(out, 'corpus.jsonl'), all, columnsOf(records))).toEqual([0, 0, 2500, 2500]);
    const groups = await ask(`SELECT file_name, num_rows FROM parquet_file_metadata('${all}') ORDER BY file_name`);
    expect(groups.map(({ num_rows }) => Number(num_rows))).toEqual([1000, 1000, 500]);
    const ids = await ask(`SELECT id FROM read_parquet('${all}')`);
    expect(ids.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, i) => madeRecord(i).id));
  });
});

test('a harvest without pages has a file without rows, with the columns that all harvests have', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  await harvestCorpus(harvestOptions(await writeRecords(dir, 3, madeRecord), out, { formats: ['parquet'], languages: ['sv'] }));
  await withDuckDb(async (ask) => {
    expect(await ask(`SELECT count(*) AS n FROM read_parquet('${join(out, FIRST)}')`)).toEqual([{ n: '0' }]);
    expect((await ask(`SELECT url, metadata.published FROM read_parquet('${join(out, FIRST)}')`)).length).toBe(0);
  });
});

test('a column that no page has is absent; lone surrogates and NUL are text', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const { otherText: _, reservation: __, ...plain } = madeRecord(1);
  const odd = { ...plain, title: 'half \ud83c', text: 'a\u0000b', anchorText: '\\\udc00\ud800 \\ud83c \\\\ud83c \ud83c\udf4f' };
  await harvestCorpus(harvestOptions(await writeRecords(dir, 1, () => odd), out, { formats: ['jsonl', 'parquet', 'csv'], csvText: true }));
  await withDuckDb(async (ask) => {
    const [row] = await ask(`SELECT * FROM read_parquet('${join(out, FIRST)}')`);
    expect(row).toMatchObject({ title: 'half \ufffd', text: 'a\u0000b', anchorText: '\\\ufffd\ufffd \\ud83c \\\\ud83c \u{1f34f}' });
    expect(await differences(ask, join(out, 'corpus.jsonl'), join(out, FIRST), columnsOf([odd]))).toEqual([0, 0, 1, 1]);
    for (const name of ['otherText', 'reservation', 'topics', 'certificate']) expect(row).not.toHaveProperty(name);
    expect(await ask(`SELECT title FROM read_csv('${join(out, 'corpus.csv')}', all_varchar = true)`)).toEqual([{ title: 'half \ufffd' }]);
  });
});

test('topics are a list of structures, with equal values in both files', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const topic = { name: 'peat', modelId: 'ab', relevance: 0.25, threshold: 0.5, onTopic: false };
  const record = (i: number) => ({
    ...madeRecord(i),
    ...(i % 2 === 0 && { topics: [topic, { ...topic, name: 'moss', onTopic: true }].slice(i % 3) }),
  });
  await harvestCorpus(harvestOptions(await writeRecords(dir, 20, record), out, { formats: ['jsonl', 'parquet'] }));
  await withDuckDb(async (ask) => {
    const columns = columnsOf([0, 1, 2, 3, 4, 5].map(record));
    expect(columns.map(({ name }) => name)).toContain('topics');
    expect(await differences(ask, join(out, 'corpus.jsonl'), join(out, FIRST), columns)).toEqual([0, 0, 20, 20]);
  });
});

test('posts are a list of structures, with equal values in both files, also beside SQLite and CSV', async () => {
  const dir = freshDir();
  const post: Post = { author: null, published: '2021-05-03', text: '> How?\n\nLike "so", says ö.', depth: 0, url: null };
  const records = Array.from({ length: 30 }, (_, i) => ({
    ...madeRecord(i),
    ...(i % 2 === 0 && { posts: [post, { ...post, author: 'Ada', depth: 1, url: 'https://a.example/#2' }].slice(i % 3) }),
  }));
  const corpus = await writeRecords(dir, records.length, (i) => records[i] as (typeof records)[number]);
  const out = join(dir, 'out');
  await harvestCorpus(harvestOptions(corpus, out, { formats: ['jsonl', 'parquet', 'csv', 'sqlite'] }));
  await withDuckDb(async (ask) => {
    const columns = columnsOf(records, ['langTag']);
    expect(columns.map(({ name }) => name)).toContain('posts');
    expect(await differences(ask, join(out, 'corpus.jsonl'), join(out, FIRST), columns)).toEqual([0, 0, 30, 30]);
  });
});

test('products are structures with lists of pairs and offers, whose absent parts are null', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const products: readonly (PageProduct | undefined)[] = [
    undefined,
    {
      name: 'Kettle',
      offers: [
        { price: 49.95, currency: 'EUR' },
        { lowPrice: 1, highPrice: 2 },
      ],
      sources: ['json-ld'],
    },
    {
      properties: [
        { name: 'Weight', value: '1.2', unit: 'kg' },
        { name: 'Colour', value: 'red' },
      ],
      sources: ['meta', 'text'],
    },
  ];
  const record = (i: number) => {
    const product = products[i % 3];
    return { ...madeRecord(i), ...(product && { product }) };
  };
  await harvestCorpus(harvestOptions(await writeRecords(dir, 20, record), out, { formats: ['jsonl', 'parquet', 'csv', 'sqlite'] }));
  await withDuckDb(async (ask) => {
    const columns = columnsOf([0, 1, 2, 3, 4, 5].map(record));
    expect(columns.map(({ name }) => name)).toContain('product');
    expect(await differences(ask, join(out, 'corpus.jsonl'), join(out, FIRST), columns)).toEqual([0, 0, 20, 20]);
    const dear = await ask(`SELECT count(*) AS n FROM read_parquet('${join(out, FIRST)}') WHERE product.offers[1].price > 40`);
    expect(dear).toEqual([{ n: '7' }]);
    const [, row] = await ask(`SELECT * FROM read_csv('${join(out, 'corpus.csv')}', all_varchar = true)`);
    expect(row).toMatchObject({ 'product.name': 'Kettle', 'product.sources': '["json-ld"]', 'product.properties': null });
  });
  const database = new sqlite.Database(join(out, 'corpus.sqlite'), { readOnly: true });
  const rows = database.all("SELECT product ->> '$.offers[0].price' AS price FROM pages ORDER BY n LIMIT 2");
  database.close();
  expect(rows).toEqual([{ price: null }, { price: 49.95 }]);
});

test('a harvest that is stopped between row groups leaves nothing', async () => {
  const dir = freshDir();
  const corpus = await writeRecords(dir, 2500, (i) => madeRecord(i, 5));
  const controller = new AbortController();
  const compression: Compression = 'gzip';
  const progress = ({ stage, done }: { stage: string; done: number }) => void (stage === 'write' && done === 2100 && controller.abort());
  const options = harvestOptions(corpus, join(dir, 'out'), {
    formats: ['parquet', 'csv'],
    compression,
    progress,
    signal: controller.signal,
  });
  await expect(harvestCorpus(options)).rejects.toThrow(/aborted/);
  expect(readdirSync(dir)).toEqual(['corpus']);
});

test.each([
  [
    [90, 5, 5],
    ['train', 'validation', 'test'],
  ],
  [
    [80, 20],
    ['train', 'test'],
  ],
])('a split of %j has its files, and each page is in those of its own', async (split, parts) => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const corpus = await writeRecords(dir, PAGES, (i) => RECORDS[i] as (typeof RECORDS)[number]);
  const { card } = await harvestCorpus(harvestOptions(corpus, out, { formats: ['jsonl', 'parquet'], split }));
  const files = parts.map((part) => `data/${part}-00000-of-00001.parquet`);
  expect(readdirSync(join(out, 'data')).sort()).toEqual(files.map((name) => name.slice('data/'.length)).sort());
  expect(card.files.map(({ name }) => name).filter((name) => name.startsWith('data/'))).toEqual(files);
  await withDuckDb(async (ask) => {
    const all = `read_parquet('${out}/data/*.parquet', filename = true)`;
    expect(await ask(`SELECT count(*) AS n, count(DISTINCT id) AS ids FROM ${all}`)).toEqual([{ n: String(PAGES), ids: String(PAGES) }]);
    expect(await ask(`SELECT id FROM ${all} WHERE split <> regexp_extract(filename, '/([a-z]+)-[0-9]+-of', 1)`)).toEqual([]);
    const lines = `read_json('${out}/corpus.jsonl', format = 'newline_delimited', columns = {id: 'VARCHAR', split: 'VARCHAR'})`;
    expect(await ask(`SELECT id, split FROM ${lines} EXCEPT SELECT id, split FROM ${all}`)).toEqual([]);
  });
  const readme = readFileSync(join(out, 'README.md'), 'utf8');
  const head = parse(readme.slice(4, readme.indexOf('\n---\n', 4))) as { configs: { data_files: object[] }[] };
  expect(head.configs[0]?.data_files).toEqual(parts.map((part) => ({ split: part, path: `data/${part}-*.parquet` })));
  const croissant = JSON.parse(readFileSync(join(out, 'croissant.json'), 'utf8')) as { recordSet: { '@id': string }[] };
  const sets = croissant.recordSet.map((one) => one['@id']);
  expect(sets).toEqual(expect.arrayContaining(['pages', ...parts.slice(1).map((part) => `pages-${part}`)]));
});
