import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { workFolderOf } from '../../../src/base/disk/work-folder.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { search } from '../../../src/faces/app/search-corpus.ts';
import { type VerifyReport, verify } from '../../../src/study/repair/verify-crawl.ts';
import { madeRecord } from '../../corpus/harvest/made-corpus.ts';
import { harvestOf, writtenCrawl } from '../../corpus/harvest/written-crawl.ts';
import { freshDir } from '../../corpus/records/samples.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

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

const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/** Where records begin in the files that have one after the other. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'corpus.jsonl': `^\\{"id":"urn:uuid:${UUID}"`,
  'corpus.csv': `^urn:uuid:${UUID},`,
  'text/index.tsv': `^[^\\t]+_[0-9a-f]{16}\\.txt\\t.*\\turn:uuid:${UUID}`,
  'pages.csl.json': `^\\{"id":"urn:uuid:${UUID}"`,
  'pages.bib': `^  ids = \\{urn:uuid:${UUID}\\},`,
  'corpus.tei.xml': `^<TEI xml:id="uuid-${UUID}"`,
  'corpus.vert': `^<doc id="urn:uuid:${UUID}"`,
  'corpus.conllu': `^# newdoc id = urn:uuid:${UUID}`,
  'chunks.jsonl': `^\\{"id":"urn:uuid:${UUID}#`,
  'links.jsonl': `^\\{"id":"urn:uuid:${UUID}"`,
  'left-out.jsonl': `^\\{"id":"urn:uuid:${UUID}"`,
  'corpus.wacz': `^\\{"id":"urn:uuid:${UUID}"`,
};

/** A page without text is in neither of these. */
const COUNTS: Readonly<Record<string, number>> = { 'left-out.jsonl': 4, 'corpus.conllu': 7, 'chunks.jsonl': 7 };

interface Region {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

function regionsOf(dir: string, name: string): Region[] {
  const text = readFileSync(join(dir, name), 'latin1');
  const found = [...text.matchAll(new RegExp(BEGINNINGS[name] ?? '', 'gm'))];
  return found.map(({ 0: first, 1: id = '', index }, i) => {
    // A separator may belong to the next record; what follows the first line of the last one may belong to none.
    const end = (found[i + 1]?.index ?? text.indexOf('\n', index + first.length)) - 2;
    return { id, start: index, end };
  });
}

/** The records of the WARC file, by the page they belong to. */
async function warcRegions(path: string): Promise<Region[]> {
  const regions: Region[] = [];
  for await (const { fields, start, end } of walkWarc(path, () => false)) {
    const id = fields.get('warc-type') === 'response' ? fields.get('warc-record-id') : fields.get('warc-concurrent-to');
    if (id !== undefined) regions.push({ id: id.slice('<urn:uuid:'.length, -1), start, end });
  }
  return regions;
}

/** Drawn bytes in drawn regions: inside, at their last byte and at their first byte. */
function drawn(regions: readonly Region[], rng: Rng): (Region & { readonly at: number })[] {
  return Array.from({ length: size(24, 2) }, (_, i) => {
    const region = regions[Math.floor(rng() * regions.length)] as Region;
    const { start, end } = region;
    return { ...region, at: i === 2 ? start : i === 1 ? end - 1 : start + Math.floor(rng() * (end - start)) };
  });
}

/** The ids that the fault of a file names. */
async function namedFor(dir: string, name: string, at: number): Promise<{ readonly ids: readonly string[]; readonly fault: string }> {
  let fault = '';
  await flipped(join(dir, name), at, async () => {
    fault = faultsOf(await verify({ dir })).find((one) => one.startsWith(`${join(dir, name)}: has changed`)) ?? '';
  });
  return { fault, ids: [...fault.matchAll(new RegExp(UUID, 'g'))].map(([id]) => id) };
}

wholeTest(
  'a changed bit in a record is told with the id of that record alone, in each format',
  async () => {
    const { dir, records } = await corpus();
    const kept = records.filter(({ relevance }) => relevance > 0.5);
    const rng = seededRng(11);
    const files = new Map(Object.keys(BEGINNINGS).map((name) => [name, regionsOf(dir, name)]));
    const warcs = await warcRegions(join(dir, WARC));
    files.set(WARC, warcs);
    // The WARC file stands in the WACZ file, byte for byte.
    const place = readFileSync(join(dir, 'corpus.wacz')).indexOf(readFileSync(join(dir, WARC)));
    const inside = warcs.map(({ id, start, end }) => ({ id, start: start + place, end: end + place }));
    for (const [name, regions] of [...files, ['corpus.wacz', inside] as const]) {
      expect(new Set(regions.map(({ id }) => id)).size, name).toBe(COUNTS[name] ?? 8);
      for (const { id, at } of drawn(regions, rng)) expect((await namedFor(dir, name, at)).ids, `${name} at ${at}`).toEqual([id]);
    }
    const database = readFileSync(join(dir, 'corpus.sqlite'), 'latin1');
    for (const { id, payloadSha256, url } of kept.slice(0, size(8, 2)))
      for (const text of [payloadSha256, new URL(`/next/${records.findIndex((one) => one.id === id)}`, url).href]) {
        const named: string[] = [];
        for (let at = database.indexOf(text); at >= 0; at = database.indexOf(text, at + 1))
          named.push(...(await namedFor(dir, 'corpus.sqlite', at + Math.floor(rng() * text.length))).ids);
        // SQLite leaves old copies of rows in free space: they are in no record.
        expect(named, `corpus.sqlite, ${text}`).toEqual([id.slice('urn:uuid:'.length)]);
      }
  },
  600_000,
);

test('a changed bit between records is told with lines, rows or the name of an entry', async () => {
  const { dir, records } = await corpus();
  const kept = records.filter(({ relevance }) => relevance > 0.5).map(({ id }) => id.slice('urn:uuid:'.length));
  const parquet = 'data/train-00000-of-00001.parquet';
  expect((await namedFor(dir, parquet, Math.floor(statSync(join(dir, parquet)).size / 4))).ids).toEqual(kept);
  for (const [name, share, told] of [
    ['in-links.jsonl', 0.9, /; lines 1 to 8\)/],
    ['corpus.cdxj', 0.3, /; lines 1 to 8\)/],
    ['links.parquet', 0.1, /; rows 1 to 8\)/],
    ['in-links.parquet', 0.1, /; rows 1 to 8\)/],
    [WARC, 0.001, /; warcinfo\)/],
    ['corpus.wacz', 0.9999, /; the list of entries\)/],
  ] as const) {
    const { ids, fault } = await namedFor(dir, name, Math.floor(statSync(join(dir, name)).size * share));
    expect(ids, name).toEqual([]);
    expect(fault, name).toMatch(told);
  }
  const wacz = readFileSync(join(dir, 'corpus.wacz'), 'latin1');
  expect((await namedFor(dir, 'corpus.wacz', wacz.indexOf('"wacz_version"'))).fault).toContain('; datapackage.json)');
  const text = filesOf(dir).find((name) => /^text\/.+\.txt$/.test(name)) as string;
  const row = readFileSync(join(dir, 'text/index.tsv'), 'utf8')
    .split('\n')
    .find((line) => text.endsWith(line.split('\t')[0] ?? '-'));
  await flipped(join(dir, text), 0, async () =>
    expect(faultsOf(await verify({ dir })).join('\n')).toContain(`the text of record ${row?.split('\t')[7]}`),
  );
});

test('a page that one format lacks is told, whichever format', async () => {
  const { dir } = await corpus({ compression: 'gzip' });
  const others = await corpus({ compression: 'gzip', minRelevance: 0.1 });
  for (const [name, format] of [
    ['corpus.jsonl', 'jsonl'],
    ['data/train-00000-of-00001.parquet', 'parquet'],
    ['corpus.csv', 'csv'],
    [WARC, 'warc'],
    ['corpus.wacz', 'wacz'],
    ['text/index.tsv', 'text'],
    ['corpus.tei.xml', 'tei'],
    ['corpus.vert', 'vertical'],
    ['corpus.conllu', 'conllu'],
    ['chunks.jsonl', 'chunks'],
    ['corpus.sqlite', 'sqlite'],
    ['pages.csl.json', 'csl'],
    ['pages.bib', 'bibtex'],
  ] as const) {
    const path = join(dir, name);
    const whole = readFileSync(path);
    writeFileSync(path, readFileSync(join(others.dir, name)));
    const foreign = faultsOf(await verify({ dir })).filter((fault) => fault.startsWith(`${dir}: ${format} has record `));
    expect(foreign.length, name).toBe(4);
    expect(foreign[0], name).toMatch(/, and record-checksums.tsv lacks it$/);
    writeFileSync(path, whole);
  }
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
