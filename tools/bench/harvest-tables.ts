/**
 * A harvest as JSON lines and tables: seconds and peak memory by format at two sizes, and whether DuckDB finds a difference between JSON lines and Parquet.
 * The corpora are made up; each harvest has a process of its own. Anonymous memory is that without mapped files.
 *
 *   npm run bench -- harvest-tables [--pages 20000,100000] [--words 700] [--compare 10000] [--only 'jsonl;all filters']
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import { COMPRESSIONS } from '../../src/corpus/formats/format-names.ts';
import { columnsOf, differences, withDuckDb } from '../../test/corpus/harvest/duckdb.ts';
import { madeRecord, writeRecords } from '../../test/corpus/harvest/made-corpus.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000,100000' },
    words: { type: 'string', default: '700' },
    compare: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});
const WORDS = Number(values.words);
const RUN = fileURLToPath(new URL('harvest-tables-run.mjs', import.meta.url));
const ALL_FILTERS = 'all filters';
const ROWS = ['jsonl', 'csv', 'parquet', 'jsonl,parquet', 'jsonl,parquet,csv', ALL_FILTERS];

interface Spent {
  readonly wall: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly anonymous: number;
}

function harvested(corpus: string, out: string, formats: string, compression = 'snappy'): Spent {
  rmSync(out, { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [RUN, corpus, out, formats === ALL_FILTERS ? 'jsonl' : formats, compression, formats],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${formats}: ${stderr}`);
  return JSON.parse(stdout) as Spent;
}

const megabytes = (path: string) => (statSync(path).size / 1e6).toFixed(0);

async function compare(folder: string, count: number): Promise<void> {
  const corpus = await writeRecords(folder, count, (i) => madeRecord(i, WORDS));
  const columns = columnsOf(Array.from({ length: 100 }, (_, i) => madeRecord(i)));
  const out = join(folder, 'out');
  console.log(`\n${count} pages, corpus.jsonl and Parquet in DuckDB, EXCEPT ALL over ${columns.length} columns\n`);
  console.log('| codec | only in JSON lines | only in Parquet | rows | MB | CPU s |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const compression of COMPRESSIONS.filter((name) => name !== 'zstd' || 'zstdCompressSync' in zlib)) {
    const { cpu } = harvested(corpus, out, 'jsonl,parquet', compression);
    const file = join(out, 'data/train-00000-of-00001.parquet');
    const [left, right, , rows] = await withDuckDb((ask) => differences(ask, join(out, 'corpus.jsonl'), file, columns));
    console.log(`| ${compression} | ${left} | ${right} | ${rows} | ${megabytes(file)} | ${cpu.toFixed(1)} |`);
    if (left !== 0 || right !== 0 || rows !== count) process.exitCode = 1;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'forager-harvest-tables-'));
try {
  if (Number(values.compare) > 0) await compare(folder, Number(values.compare));
  for (const count of values.pages.split(',').map(Number)) {
    const corpus = await writeRecords(folder, count, (i) => madeRecord(i, WORDS));
    console.log(`\n${count} pages, records of ${megabytes(join(corpus, 'records.jsonl'))} MB\n`);
    console.log('| formats | wall s | CPU s | peak MB | anonymous MB |\n| --- | ---: | ---: | ---: | ---: |');
    for (const formats of values.only?.split(';') ?? ROWS) {
      const { wall, cpu, megabytes: peak, anonymous } = harvested(corpus, join(folder, 'out'), formats);
      console.log(`| ${formats} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${peak.toFixed(0)} | ${anonymous.toFixed(0)} |`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
