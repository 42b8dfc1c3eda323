import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../src/core/types.ts';
import { type VerifyReport, verify } from '../../src/repair/verify-crawl.ts';
import { freshDir } from '../corpus/samples.ts';
import { madeRecord } from '../harvest/made-corpus.ts';
import { harvestOf, writtenCrawl } from '../harvest/written-crawl.ts';
import { size } from '../support/extent.ts';

const FORMATS = [
  'jsonl',
  'csv',
  'warc',
  'text',
  'sqlite',
  'parquet',
  'csl',
  'bibtex',
  'links',
  'wacz',
  'vertical',
  'conllu',
  'tei',
  'chunks',
] as const;

/** A corpus of 12 pages, of which four are omitted. */
async function corpus(over: Parameters<typeof harvestOf>[2] = {}): Promise<{ dir: string; records: readonly CorpusRecord[] }> {
  const pages = Array.from({ length: 12 }, (_, i) => ({
    ...madeRecord(i),
    at: madeRecord(i).url,
    html: `<title>Page ${i}</title><p>${'Grafting of page '.repeat(20)}${i}</p><a href="/next/${i}">next</a>`,
    relevance: i % 3 === 2 ? 0.1 : 0.9,
  }));
  const crawl = await writtenCrawl(freshDir(), pages);
  const dir = join(freshDir(), 'moss');
  await harvestOf(crawl, dir, { formats: FORMATS, minRelevance: 0.5, ...over });
  return { dir, records: crawl.records };
}

function faultsOf({ checks }: VerifyReport): string[] {
  return checks.flatMap(({ faults }) => faults);
}

function filesOf(dir: string): string[] {
  return (readdirSync(dir, { recursive: true }) as string[]).filter((name) => statSync(join(dir, name)).isFile()).sort();
}

/** Changes one bit of a byte, and back. */
async function flipped(path: string, at: number, look: () => Promise<void>): Promise<void> {
  const bytes = readFileSync(path);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 4;
  writeFileSync(path, changed);
  try {
    await look();
  } finally {
    writeFileSync(path, bytes);
  }
}

test('a whole corpus has no fault, in all formats', async () => {
  const { dir } = await corpus();
  const report = await verify({ dir });
  expect(faultsOf(report)).toEqual([]);
  expect(report.faults).toBe(0);
  expect(report.notes).toEqual([]);
  expect(report.checks.filter(({ skipped }) => skipped !== null)).toEqual([]);
  expect(Object.fromEntries(report.checks.map(({ check, examined }) => [check, examined]))).toMatchObject({
    'text files': 8,
    'left-out.jsonl': 4,
  });
});

test('sha256sum reads the list of checksums', async () => {
  const { dir } = await corpus();
  const { status, stdout } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dir, encoding: 'utf8' });
  expect(status).toBe(0);
  const named = stdout.split('\n').flatMap((line) => /^(.*): OK$/.exec(line)?.[1] ?? []);
  expect(named.sort()).toEqual(filesOf(dir).filter((name) => name !== 'SHA256SUMS' && !/^text\/[0-9a-f]+\.txt$/.test(name)));
});

test('one changed bit in any file is told with the file', async () => {
  const { dir } = await corpus();
  for (const name of filesOf(dir)) {
    const path = join(dir, name);
    const bytes = statSync(path).size;
    const count = size(12, 1);
    const places = Array.from({ length: count }, (_, i) => Math.floor(((i + 0.37) * bytes) / count));
    for (const at of count === 1 ? places : [0, bytes - 1, ...places])
      await flipped(path, at, async () => {
        const faults = faultsOf(await verify({ dir }));
        expect(faults.filter((fault) => fault.includes(path)).length, `${name} at ${at}: ${faults.join('\n')}`).toBeGreaterThan(0);
        // Other files are not accused.
        const others = faults.filter((fault) => fault.startsWith(dir) && !fault.includes(path) && !fault.startsWith(`${dir}:`));
        expect(others, `${name} at ${at}`).toEqual([]);
      });
  }
}, 600_000);

test('a change inside a record is told with its id', async () => {
  const { dir, records } = await corpus();
  const kept = records.filter(({ relevance }) => relevance > 0.5);
  const lines = readFileSync(join(dir, 'corpus.jsonl'), 'latin1').split('\n');
  for (const [i, record] of kept.entries()) {
    const offset = lines.slice(0, i).reduce((sum, line) => sum + line.length + 1, 0);
    // Its first byte, a byte of its id, one inside and its line feed.
    for (const at of [0, 20, Math.floor((lines[i] ?? '').length / 2), (lines[i] ?? '').length])
      await flipped(join(dir, 'corpus.jsonl'), offset + at, async () => {
        const [fault = ''] = faultsOf(await verify({ dir }));
        expect(fault).toContain(`corpus.jsonl: has changed since it was written (its SHA-256 is another; record ${record.id})`);
      });
  }
  // In other files, by a text of the record that stands there alone.
  const last = kept.at(-1) as CorpusRecord;
  const omitted = records.find(({ relevance }) => relevance < 0.5) as CorpusRecord;
  for (const [name, id] of [
    ['corpus.csv', last.id],
    ['pages.bib', last.id],
    ['pages.csl.json', last.id],
    ['text/index.tsv', last.id],
    ['left-out.jsonl', omitted.id],
  ] as const)
    await flipped(join(dir, name), readFileSync(join(dir, name)).indexOf(id) + 3, async () => {
      const [fault = ''] = faultsOf(await verify({ dir }));
      expect(fault, name).toContain(`; record ${id})`);
    });
  const text = filesOf(dir).find((name) => /^text\/[0-9a-f]+\.txt$/.test(name)) as string;
  await flipped(join(dir, text), 0, async () => {
    const faults = faultsOf(await verify({ dir })).join('\n');
    const row =
      readFileSync(join(dir, 'text/index.tsv'), 'utf8')
        .split('\n')
        .find((line) => text.endsWith(line.split('\t')[0] ?? '-')) ?? '';
    expect(faults).toContain(`the text of record ${row.split('\t')[7]}`);
  });
});

test('damage of a WARC record is told with the id of its page', async () => {
  const { dir, records } = await corpus({ formats: ['jsonl', 'warc'] });
  const name = 'corpus-00000.warc.gz';
  const bytes = statSync(join(dir, name)).size;
  const ids = new Set(records.map(({ id }) => String(id)));
  let named = 0;
  for (let at = 700; at < bytes; at += Math.ceil(bytes / size(60, 8)))
    await flipped(join(dir, name), at, async () => {
      const faults = faultsOf(await verify({ dir }));
      expect(faults[0]).toContain(name);
      const told = faults.flatMap((fault) => fault.match(/urn:uuid:[0-9a-f-]+/g) ?? []).filter((id) => ids.has(id));
      if (told.length > 0) named++;
    });
  expect(named).toBeGreaterThan(0);
});

test('files that are shorter, longer, missing or of other pages are told', async () => {
  const { dir, records } = await corpus({ formats: ['jsonl', 'csv', 'text'] });
  const path = join(dir, 'corpus.jsonl');
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, whole.lastIndexOf('\n', -2) + 1));
  const last = records.filter(({ relevance }) => relevance > 0.5).at(-1)?.id;
  expect(faultsOf(await verify({ dir }))).toEqual([
    expect.stringMatching(
      new RegExp(`corpus.jsonl: has changed since it was written \\(has \\d+ bytes and had ${whole.length}; record ${last}\\)`),
    ),
    `${dir}: jsonl lacks record ${last}, and record-checksums.tsv has it`,
    `${dir}: jsonl has 7 pages, and the card counts 8`,
  ]);
  writeFileSync(path, whole);
  appendFileSync(path, 'more\n');
  expect(faultsOf(await verify({ dir }))).toEqual([
    expect.stringMatching(/corpus.jsonl: has changed since it was written \(has \d+ bytes and had/),
    `${dir}: jsonl has a row without a record id`,
  ]);
  rmSync(path);
  expect(faultsOf(await verify({ dir }))[0]).toBe(`${path}: is missing; restore it from a copy`);
  writeFileSync(path, whole);
  rmSync(join(dir, 'corpus-card.json'));
  expect(faultsOf(await verify({ dir }))).toEqual(
    expect.arrayContaining([`${join(dir, 'corpus-card.json')}: is missing; restore it from a copy`]),
  );
});

test('a harvest of an earlier version is checked by its card, and that is said', async () => {
  const { dir } = await corpus({ formats: ['jsonl', 'csv'] });
  const path = join(dir, 'corpus-card.json');
  const card = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(join(dir, 'SHA256SUMS'));
  rmSync(join(dir, 'record-checksums.tsv'));
  writeFileSync(
    path,
    JSON.stringify({ ...card, files: card.files.filter(({ name }: { name: string }) => name !== 'record-checksums.tsv') }),
  );
  const report = await verify({ dir });
  expect([report.faults, report.notes]).toEqual([0, [expect.stringContaining('has no SHA256SUMS')]]);
  await flipped(join(dir, 'corpus.csv'), 5, async () => expect(faultsOf(await verify({ dir }))[0]).toContain('corpus.csv: has changed'));
});
