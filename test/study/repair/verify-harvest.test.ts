import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { workFolderOf } from '../../../src/base/disk/work-folder.ts';
import { compareCorpora } from '../../../src/faces/app/compare-corpora.ts';
import { mergeCorpora } from '../../../src/faces/app/merge-corpora.ts';
import { search } from '../../../src/faces/app/search-corpus.ts';
import { type VerifyReport, verify } from '../../../src/study/repair/verify-crawl.ts';
import { madeRecord } from '../../corpus/harvest/made-corpus.ts';
import { harvestOf, writtenCrawl } from '../../corpus/harvest/written-crawl.ts';
import { freshDir } from '../../corpus/records/samples.ts';
import { size } from '../../support/extent.ts';

const FORMATS = [
  'jsonl',
  'csv',
  'warc',
  'text',
  'zip',
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

const WARC = 'corpus-00000.warc.gz';

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

test('a corpus that a killed command has moved away comes back', async () => {
  const { dir } = await corpus();
  const work = workFolderOf(dir);
  for (const look of [() => verify({ dir }), () => search({ corpus: dir, query: 'grafting' })]) {
    mkdirSync(work);
    renameSync(dir, join(work, 'old'));
    await look();
    expect(filesOf(dir)).toContain('corpus.jsonl');
  }
  expect((await verify({ dir })).faults).toBe(0);
});

test('sha256sum reads the list of checksums', async () => {
  const { dir } = await corpus();
  const { status, stdout } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dir, encoding: 'utf8' });
  expect(status).toBe(0);
  const named = stdout.split('\n').flatMap((line) => /^(.*): OK$/.exec(line)?.[1] ?? []);
  expect(named.sort()).toEqual(filesOf(dir).filter((name) => name !== 'SHA256SUMS' && !/^text\/.+\.txt$/.test(name)));
});

test('one changed bit in any file is told with the file', async () => {
  const { dir } = await corpus();
  for (const name of filesOf(dir).filter((_, place) => place % size(1, 6) === 0)) {
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

/** The corpus as version 0.2 wrote it: with places and checksums of records, which the card and the list of sums name. */
function asOf02(dir: string): void {
  const content = 'urn:uuid:x\t0:9:1c291ca3\n#0\tcorpus.jsonl\n';
  const name = 'record-checksums.tsv';
  writeFileSync(join(dir, name), content);
  const path = join(dir, 'corpus-card.json');
  const card = JSON.parse(readFileSync(path, 'utf8')) as { files: object[] };
  writeFileSync(
    path,
    `${JSON.stringify({ ...card, files: [...card.files, { name, bytes: content.length, sha256: sha256Of(content) }] })}\n`,
  );
  const listed = readFileSync(join(dir, 'SHA256SUMS'), 'utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f]{64} {2}/.test(line));
  const lines = [...listed.filter((line) => !line.endsWith('corpus-card.json')), `${sha256Of(content)}  ${name}`];
  const text = `${[...lines, `${sha256Of(readFileSync(path))}  corpus-card.json`].join('\n')}\n`;
  writeFileSync(join(dir, 'SHA256SUMS'), `${text}# SHA-256 of the lines above: ${sha256Of(text)}\n`);
}

function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

test('a corpus of version 0.2, which has checksums of records, is verified, merged, compared and searched', async () => {
  const { dir } = await corpus();
  asOf02(dir);
  expect(await verify({ dir })).toMatchObject({ faults: 0, notes: [] });
  const path = join(dir, 'record-checksums.tsv');
  await flipped(path, 12, async () => expect(faultsOf(await verify({ dir }))).toEqual([expect.stringContaining(`${path}: has changed`)]));
  const out = join(freshDir(), 'merged');
  const { card } = await mergeCorpora({ corpora: [dir], out, formats: ['jsonl', 'sqlite'] });
  expect(card.records.kept).toBe(8);
  expect(filesOf(out)).not.toContain('record-checksums.tsv');
  expect(await compareCorpora(dir, out)).toMatchObject({ added: 0, gone: 0, changed: 0, same: 8 });
  const [before, after] = [await search({ corpus: dir, query: 'grafting' }), await search({ corpus: out, query: 'grafting' })];
  expect(before.hits.map(({ url }) => url)).toEqual(after.hits.map(({ url }) => url));
  // One page has no text.
  expect(after.hits).toHaveLength(7);
});

test('a damaged WARC record is told with its file and its place, and a text with its page', async () => {
  const { dir } = await corpus();
  const warc = join(dir, WARC);
  await flipped(warc, Math.floor(statSync(warc).size / 2), async () => {
    const faults = faultsOf(await verify({ dir })).filter((fault) => fault.includes(warc));
    expect(faults[0]).toContain('has changed since it was written (its SHA-256 is another)');
    expect(faults.length).toBeGreaterThan(1);
  });
  const text = filesOf(dir).find((name) => /^text\/.+\.txt$/.test(name)) as string;
  const row = readFileSync(join(dir, 'text/index.tsv'), 'utf8')
    .split('\n')
    .find((line) => text.endsWith(line.split('\t')[0] ?? '-'));
  await flipped(join(dir, text), 0, async () =>
    expect(faultsOf(await verify({ dir })).join('\n')).toContain(`the text of record ${row?.split('\t')[7]}`),
  );
});

test('files that are shorter, longer, missing or of other pages are told', async () => {
  const { dir } = await corpus({ formats: ['jsonl', 'csv', 'text'] });
  const path = join(dir, 'corpus.jsonl');
  const whole = readFileSync(path);
  const changed = [
    expect.stringMatching(new RegExp(`corpus.jsonl: has changed since it was written \\(has \\d+ bytes and had ${whole.length}\\)`)),
  ];
  writeFileSync(path, whole.subarray(0, whole.lastIndexOf('\n', -2) + 1));
  expect(faultsOf(await verify({ dir }))).toEqual(changed);
  writeFileSync(path, whole);
  appendFileSync(path, 'more\n');
  expect(faultsOf(await verify({ dir }))).toEqual(changed);
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
  expect(faultsOf(await verify({ dir }))).toEqual([`${join(dir, 'SHA256SUMS')}: is missing; restore it from a copy`]);
  // Cards of 0.1 have no version of their pages.
  writeFileSync(path, JSON.stringify({ ...card, version: undefined }));
  const report = await verify({ dir });
  expect([report.faults, report.notes]).toEqual([0, [expect.stringContaining('has no SHA256SUMS')]]);
  await flipped(join(dir, 'corpus.csv'), 5, async () => expect(faultsOf(await verify({ dir }))[0]).toContain('corpus.csv: has changed'));
});
