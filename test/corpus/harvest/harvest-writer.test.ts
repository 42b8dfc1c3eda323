import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CorpusOffsets } from '../../../src/base/core/parts/queueing.ts';
import type { CorpusRecord, Reservation, ReservationFile } from '../../../src/base/core/types.ts';
import { DESCRIPTIONS } from '../../../src/corpus/describe/descriptions.ts';
import { type CrawlHarvestOptions, type HarvestProgress, harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { KeptRecords } from '../../../src/corpus/records/kept-records.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { HarvestCounts, quantiles } from '../../../src/corpus/select/harvest-facts.ts';
import { noOmissions } from '../../../src/corpus/select/harvest-selection.ts';
import { collected, freshDir, INFO, pageOf, recordOf, T0, urlOf } from '../records/samples.ts';
import { readBack } from '../records/warcio-oracle.ts';
import { CRAWL, type Over, writing } from './written-crawl.ts';

const PAGES: readonly (Partial<CorpusRecord> & { readonly host: string })[] = [
  { host: 'a.example', relevance: 0.95, lang: 'en', text: 'Scion wood' },
  { host: 'a.example', relevance: 0.4, lang: 'en', text: 'Barely about apples' },
  { host: 'b.example', relevance: 0.8, lang: 'en-gb', text: 'Same  text\nhere', fetchedAt: isoTime(T0 + 5000) },
  { host: 'c.example', relevance: 0.7, lang: 'de', text: 'Veredelung' },
  { host: 'd.example', relevance: 0.9, lang: 'en', text: ' Same text here ', fetchedAt: isoTime(T0 + 1000) },
  { host: 'd.example', relevance: 0.6, lang: null, text: 'Undeclared' },
];

interface Crawl {
  readonly dir: string;
  readonly records: readonly CorpusRecord[];
  readonly committed: CorpusOffsets;
}

async function crawl(maxWarcBytes = 2500): Promise<Crawl> {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes });
  const records = PAGES.map(({ host, ...over }, i) => {
    const page = pageOf(`http://${host}/${i}`, `<p>${over.text}</p>`, {
      startedAt: over.fetchedAt === undefined ? T0 + i : Date.parse(over.fetchedAt),
    });
    const record = recordOf(page, over);
    writer.append({ kind: 'page', record: record, page: page });
    return record;
  });
  const committed = writer.offsets();
  await writer.close();
  return { dir, records, committed };
}

function options(made: Crawl, over: Over = {}): CrawlHarvestOptions {
  return {
    corpusDir: made.dir,
    committed: null,
    ...writing(join(made.dir, '..', 'harvest'), { formats: ['jsonl', 'warc', 'text'], crawl: CRAWL, ...over }),
  };
}

async function lines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1);
}

async function keptIndices(made: Crawl, over: Over): Promise<number[]> {
  const { outDir } = await harvestCorpus(options(made, { formats: ['jsonl'], ...over }));
  const ids = (await lines(join(outDir, 'corpus.jsonl'))).map((line) => (JSON.parse(line) as CorpusRecord).id);
  return ids.map((id) => made.records.findIndex((record) => record.id === id));
}

test('everything, in all formats', async () => {
  const made = await crawl();
  const { outDir, card } = await harvestCorpus(options(made));
  expect((await readdir(join(outDir, '..'))).sort()).toEqual(['corpus', 'harvest']);
  expect(await lines(join(outDir, 'corpus.jsonl'))).toEqual(
    made.records.map((record) =>
      JSON.stringify({ ...record, lang: record.lang?.slice(0, 2) ?? 'und', ...(record.lang === 'en-gb' && { langTag: 'en-GB' }) }),
    ),
  );
  const [head, ...rows] = (await lines(join(outDir, 'text/index.tsv'))).map((line) => line.split('\t'));
  expect(head).toEqual(['file', 'url', 'title', 'lang', 'relevance', 'fetchedAt', 'sha256', 'id']);
  expect(rows).toHaveLength(6);
  for (const [i, [file = '', url, , , , , sum]] of rows.entries()) {
    const text = await readFile(join(outDir, 'text', file));
    expect(url).toBe(made.records[i]?.url);
    expect(text.toString()).toBe(`${made.records[i]?.text}\n`);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sum);
  }
  for (const { name, bytes, sha256 } of card.files) {
    const content = await readFile(join(outDir, name));
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
  }
  expect(card.files.map(({ name }) => name)).toEqual([
    'corpus.jsonl',
    'text/index.tsv',
    'corpus-00000.warc.gz',
    'corpus.cdxj',
    'left-out.jsonl',
  ]);
  expect(JSON.parse(await readFile(join(outDir, 'corpus-card.json'), 'utf8'))).toEqual(card);
});

test('WARC members are copied byte for byte, each page whole and with its warcinfo', async () => {
  const made = await crawl();
  const { outDir } = await harvestCorpus(options(made, { formats: ['warc'], minRelevance: 0.65 }));
  const wanted = made.records.filter(({ relevance }) => relevance >= 0.65).map(({ id }) => id);
  const path = join(outDir, 'corpus-00000.warc.gz');
  const records = await readBack(path);
  expect(records.flatMap(({ type, id }) => (type === 'response' ? [id] : []))).toEqual(wanted);
  for (const type of ['request', 'metadata']) {
    expect(records.flatMap((record) => (record.type === type ? [record.concurrentTo] : []))).toEqual(wanted);
  }
  const infos = new Set(records.flatMap(({ type, id }) => (type === 'warcinfo' ? [`<${id}>`] : [])));
  for (const { type, fields } of records) if (type !== 'warcinfo') expect(infos).toContain(fields.get('warc-warcinfo-id'));
  const sources = await Promise.all(
    (await readdir(made.dir)).filter((name) => name.endsWith('.gz')).map((name) => readFile(join(made.dir, name))),
  );
  expect(sources.length).toBeGreaterThan(2);
  const bytes = await readFile(path);
  const [own, ...copied] = await collected(walkWarc(path, () => false));
  expect(own?.fields.get('warc-filename')).toBe('corpus-00000.warc.gz');
  for (const { start, end } of copied) expect(sources.some((source) => source.includes(bytes.subarray(start, end)))).toBe(true);
});

test('WARC files of a harvest roll between pages', async () => {
  const made = await crawl();
  const { outDir, card } = await harvestCorpus(options(made, { formats: ['warc'], maxWarcBytes: 3000 }));
  const warcs = card.files.filter(({ name }) => name.endsWith('.warc.gz'));
  expect(warcs.length).toBeGreaterThan(1);
  const read = await Promise.all(warcs.map(({ name }) => readBack(join(outDir, name))));
  for (const records of read) {
    expect(records[0]?.type).toBe('warcinfo');
    expect(records.filter(({ type }) => type !== 'warcinfo').length % 3).toBe(0);
  }
  expect(read.flat().flatMap(({ type, id }) => (type === 'response' ? [id] : []))).toEqual(made.records.map(({ id }) => id));
});

test('filters: relevance, language by primary subtag, and exact duplicates by the first fetched', async () => {
  const made = await crawl();
  const force = true;
  expect(await keptIndices(made, { force, minRelevance: 0.7 })).toEqual([0, 2, 3, 4]);
  expect(await keptIndices(made, { force, languages: ['EN-us'] })).toEqual([0, 1, 2, 4]);
  expect(await keptIndices(made, { force, languages: ['de', 'fr'] })).toEqual([3]);
  expect(await keptIndices(made, { force, dedupe: 'exact' })).toEqual([0, 1, 3, 4, 5]);
  // A page a filter leaves out does not push out its double.
  expect(await keptIndices(made, { force, dedupe: 'exact', languages: ['de'] })).toEqual([3]);
});

test('pages of no declared language are asked of the detector', async () => {
  const made = await crawl();
  const asked: string[] = [];
  const detectLanguage = async (text: string) => {
    asked.push(text);
    return 'fr';
  };
  const { card } = await harvestCorpus(options(made, { detectLanguage, languages: ['fr'], formats: ['jsonl'] }));
  expect(asked).toEqual(['Undeclared']);
  expect(card.records).toEqual({ read: 6, leftOut: { ...noOmissions(), language: 5 }, kept: 1 });
  expect(card.languages).toEqual({ fr: 1 });
});

test('the torn tail of a crawl that died is not read', async () => {
  const made = await crawl(1_000_000);
  await appendFile(join(made.dir, 'records.jsonl'), '{"torn');
  await appendFile(join(made.dir, 'forager-00000.warc.gz'), Buffer.from([0x1f, 0x8b]));
  await writeFile(join(made.dir, 'forager-00001.warc.gz'), 'torn');
  const { card } = await harvestCorpus(options(made, { committed: made.committed }));
  expect(card.records.kept).toBe(6);
  await expect(harvestCorpus(options(made, { force: true }))).rejects.toBeInstanceOf(DataError);
  expect((await stat(join(made.dir, '../harvest/corpus-card.json'))).isFile()).toBe(true);
});

test('a page whose WARC record is missing is told', async () => {
  const made = await crawl();
  await rm(join(made.dir, 'forager-00001.warc.gz'));
  await expect(harvestCorpus(options(made))).rejects.toThrow(/pages have no WARC record/);
  expect(await readdir(join(made.dir, '..'))).toEqual(['corpus']);
});

test('damage in a WARC file leaves nothing half', async () => {
  const made = await crawl(1_000_000);
  await truncate(join(made.dir, 'forager-00000.warc.gz'), 3000);
  await expect(harvestCorpus(options(made))).rejects.toThrow(/forager-00000\.warc\.gz: damaged at byte/);
  expect(await readdir(join(made.dir, '..'))).toEqual(['corpus']);
});

/** A crawl in which one record and one response are damaged. */
async function damagedCrawl(): Promise<Crawl & { readonly noRecord: number; readonly noWarc: number }> {
  const made = await crawl(1_000_000);
  const [noRecord, noWarc] = [3, 1];
  const records = await readFile(join(made.dir, 'records.jsonl'), 'utf8');
  await writeFile(join(made.dir, 'records.jsonl'), records.replace('Veredelung', 'Verödelung'));
  const path = join(made.dir, 'forager-00000.warc.gz');
  const entries = await collected(walkWarc(path, () => false));
  const hit = entries.find(({ fields }) => fields.get('warc-record-id') === `<${made.records[noWarc]?.id}>`);
  await writeFile(path, (await readFile(path)).fill(0, hit?.start, hit?.end));
  return { ...made, noRecord, noWarc };
}

test.each([true, false])(
  'what is damaged is left out when somebody is told, counted on the card, and all else is there (committed sizes known: %s)',
  async (isKnown) => {
    const { noRecord, noWarc, ...made } = await damagedCrawl();
    const told: string[] = [];
    const sizes = Object.fromEntries(
      await Promise.all(
        ['records.jsonl', 'forager-00000.warc.gz'].map(async (name) => [name, (await stat(join(made.dir, name))).size] as const),
      ),
    );
    const expected = new KeptRecords(() => made.records.map(({ id, url }) => [url, id] as const));
    const committed = isKnown ? sizes : null;
    const { outDir, card } = await harvestCorpus(options(made, { committed, expected, onDamaged: (message) => told.push(message) }));
    const stays = made.records.filter((_, i) => i !== noRecord);
    const ids = (await lines(join(outDir, 'corpus.jsonl'))).map((line) => (JSON.parse(line) as CorpusRecord).id);
    expect(ids).toEqual(stays.map(({ id }) => id));
    const responses = (await readBack(join(outDir, 'corpus-00000.warc.gz'))).filter(({ type }) => type === 'response');
    expect(responses.map(({ id }) => id)).toEqual(stays.filter((one) => one !== made.records[noWarc]).map(({ id }) => id));
    expect(card.damaged).toEqual({ records: 1, warc: 1 });
    expect(told).toEqual([
      expect.stringMatching(/records\.jsonl:4: has changed since it was written .*the record of http:\/\/c\.example\/3/),
      'http://c.example/3: its record is damaged or missing',
      expect.stringMatching(/forager-00000\.warc\.gz: damaged at byte/),
      `${made.records[noWarc]?.url}: its WARC record is damaged or missing`,
    ]);
  },
);

test('records that are missing are named when nobody is told, and counted by their lines where none is expected', async () => {
  const { noRecord: _, noWarc: __, ...made } = await damagedCrawl();
  const whole = await crawl();
  const expected = new KeptRecords(() => [...whole.records, ...made.records].map(({ id, url }) => [url, id] as const));
  await expect(harvestCorpus(options(whole, { expected }))).rejects.toThrow(
    /the record of http:\/\/a\.example\/0 is missing, and those of 5 more pages; restore the file/,
  );
  const { card } = await harvestCorpus(options(made, { formats: ['jsonl'], onDamaged: () => undefined }));
  expect(card.damaged).toEqual({ records: 1, warc: 0 });
  expect(card.records).toMatchObject({ read: 5, kept: 5 });
});

test('what the card counts is what was harvested: hosts, files of text, days', async () => {
  const made = await crawl();
  const { outDir, card } = await harvestCorpus(options(made));
  expect(card.hosts).toMatchObject({ count: 4, rest: { hosts: 0, pages: 0, share: 0 } });
  expect(card.hosts.top.map(({ host, pages }) => [host, pages])).toEqual([
    ['a.example', 2],
    ['d.example', 2],
    ['b.example', 1],
    ['c.example', 1],
  ]);
  const texts = (await readdir(join(outDir, 'text'))).filter((name) => name.endsWith('.txt'));
  const bytes = await Promise.all(texts.map(async (name) => (await stat(join(outDir, 'text', name))).size));
  expect(card.textFiles).toEqual({ count: 6, bytes: bytes.reduce((sum, size) => sum + size, 0) });
  expect(card.fetched).toEqual({ first: isoTime(T0), last: isoTime(T0 + 5000) });
});

test('days that pages declare are counted, from the first to the last', () => {
  const counts = new HarvestCounts();
  const days = ['2020-03-04', null, '2019-01-02', 'no day', '2021-05-06'];
  for (const published of days) {
    const page = pageOf('http://a.example/', 'x');
    counts.add({ ...recordOf(page, { metadata: { ...NO_METADATA, published } }), lang: 'en' });
  }
  expect(counts.facts().published).toEqual({ first: Date.UTC(2019, 0, 2), last: Date.UTC(2021, 4, 6), pages: 3 });
});

test.each(['.', '..'])(
  'a harvest never takes the place of the corpus or of a folder that holds it (%s), not even where one stood before',
  async (up) => {
    const made = await crawl();
    const out = join(made.dir, up);
    const { outDir } = await harvestCorpus(options(made, { out: join(made.dir, '..', 'before') }));
    await writeFile(join(out, 'corpus-card.json'), await readFile(join(outDir, 'corpus-card.json')));
    const before = await readdir(made.dir);
    await expect(harvestCorpus(options(made, { out: out, force: true }))).rejects.toThrow(
      /holds the corpus that is read .*; give another output folder/,
    );
    expect(await readdir(made.dir)).toEqual(before);
  },
);

test('a corpus whose name begins with two dots is inside too', async () => {
  const made = await crawl();
  const dir = join(made.dir, '..', '..corpus');
  const { outDir } = await harvestCorpus(options(made));
  await rename(made.dir, dir);
  await writeFile(join(dir, '..', 'corpus-card.json'), await readFile(join(outDir, 'corpus-card.json')));
  const opening = harvestCorpus(options({ ...made, dir }, { out: join(dir, '..'), force: true }));
  await expect(opening).rejects.toThrow(/holds the corpus that is read/);
});

test('an occupied folder is refused; with force only an earlier harvest is replaced', async () => {
  const made = await crawl();
  const outDir = join(made.dir, '..', 'harvest');
  await mkdir(outDir);
  await harvestCorpus(options(made, { formats: ['jsonl'] }));
  await expect(harvestCorpus(options(made))).rejects.toBeInstanceOf(UsageError);
  const { card } = await harvestCorpus(options(made, { force: true, minRelevance: 0.9, formats: ['text'] }));
  expect(card.records.kept).toBe(2);
  expect((await readdir(outDir)).sort()).toEqual([...DESCRIPTIONS.map(({ file }) => file), 'left-out.jsonl', 'text'].sort());
  await rm(join(outDir, 'corpus-card.json'));
  await expect(harvestCorpus(options(made, { force: true }))).rejects.toBeInstanceOf(UsageError);
  await writeFile(join(outDir, 'corpus-card.json'), '{"name":"someone else’s card"}');
  await expect(harvestCorpus(options(made, { force: true }))).rejects.toBeInstanceOf(UsageError);
  await expect(harvestCorpus(options(made, { out: made.dir, force: true }))).rejects.toBeInstanceOf(UsageError);
  await expect(harvestCorpus(options(made, { out: join(made.dir, '..'), force: true }))).rejects.toBeInstanceOf(UsageError);
});

test('what an interrupted harvest left is cleared, and the harvest it moved aside comes back', async () => {
  const made = await crawl();
  const outDir = join(made.dir, '..', 'harvest');
  const work = join(made.dir, '..', '.harvest.forager-new');
  await harvestCorpus(options(made));
  await mkdir(join(work, 'new', 'text'), { recursive: true });
  await rename(outDir, join(work, 'old'));
  await expect(harvestCorpus(options(made))).rejects.toThrow(/already holds a harvest/);
  await harvestCorpus(options(made, { force: true }));
  expect((await readdir(join(made.dir, '..'))).sort()).toEqual(['corpus', 'harvest']);
});

test('an aborted harvest leaves nothing', async () => {
  const made = await crawl();
  const stop = new AbortController();
  const progress = ({ stage }: HarvestProgress) => stage === 'write' && stop.abort(new Error('stopped'));
  await expect(harvestCorpus(options(made, { progress, signal: stop.signal }))).rejects.toThrow('stopped');
  expect(await readdir(join(made.dir, '..'))).toEqual(['corpus']);
});

test('progress goes through its stages to their totals', async () => {
  const made = await crawl();
  const seen: HarvestProgress[] = [];
  await harvestCorpus(options(made, { dedupe: 'exact', progress: (progress) => seen.push(progress) }));
  const last = (stage: string) => seen.filter((progress) => progress.stage === stage).at(-1);
  expect(last('select')).toEqual({ stage: 'select', done: 6, total: null });
  expect(last('write')).toEqual({ stage: 'write', done: 5, total: 5 });
  expect(last('warc')).toEqual({ stage: 'warc', done: 5, total: 5 });
});

test('bad options and a wrong folder are refused', async () => {
  const made = await crawl();
  await expect(harvestCorpus(options(made, { formats: [] }))).rejects.toBeInstanceOf(UsageError);
  await expect(harvestCorpus(options(made, { minRelevance: 70 }))).rejects.toBeInstanceOf(UsageError);
  await expect(harvestCorpus(options(made, { corpusDir: freshDir() }))).rejects.toBeInstanceOf(DataError);
});

test('a harvest that keeps nothing is still a corpus', async () => {
  const made = await crawl();
  const { card, outDir } = await harvestCorpus(options(made, { minRelevance: 1 }));
  expect(card.records.kept).toBe(0);
  expect(card.fetched).toBeNull();
  expect((await readBack(join(outDir, 'corpus-00000.warc.gz'))).map(({ type }) => type)).toEqual(['warcinfo']);
});

test('deciles by nearest rank', () => {
  expect(quantiles([], 10)).toEqual([]);
  expect(quantiles([0.5], 10)).toEqual(new Array(11).fill(0.5));
  expect(quantiles([9, 1, 5, 3, 7], 4)).toEqual([1, 3, 5, 7, 9]);
  expect(
    quantiles(
      Array.from({ length: 101 }, (_, i) => (100 - i) / 100),
      10,
    ),
  ).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
});

const POLICY = urlOf('https://p.example/policy');

/** A crawl of a few hosts, with what their pages and files reserve. */
async function reservedCrawl(): Promise<Crawl> {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const own = (reserved: boolean, by: Reservation['by']): Reservation => ({ reserved, by, policy: null });
  const pages: readonly (readonly [url: string, reservation: Reservation | null])[] = [
    ['http://header.example/', own(true, 'header')],
    ['http://meta.example/', own(true, 'meta')],
    ['http://noai.example/', own(true, 'noai')],
    ['http://file.example/closed/1', null],
    ['http://file.example/closed/2', own(false, 'meta')],
    ['http://file.example/open', null],
    ['http://moved.example/', null],
    ['http://none.example/', null],
    ['http://loop.example/', null],
    ['http://unasked.example/', null],
    ['http://unasked.example/2', own(false, 'header')],
  ];
  const records = pages.map(([url, reservation], i) => {
    const page = pageOf(url, `<p>${i}</p>`);
    const record = recordOf(page, { text: `Text ${i}`, ...(reservation && { reservation }) });
    writer.append({ kind: 'page', record: record, page: page });
    return record;
  });
  const file = (host: string, over: Partial<ReservationFile>) =>
    writer.append({
      kind: 'reservations',
      file: { url: urlOf(`http://${host}/.well-known/tdmrep.json`), fetchedAt: isoTime(T0), to: null, rules: [], ...over },
      page: null,
    });
  const moved = urlOf('http://moved.example/rights.json');
  file('file.example', { rules: [{ location: '/closed/', reserved: true, policy: POLICY }] });
  file('moved.example', { to: moved });
  file('moved.example', { url: moved, rules: [{ location: '/', reserved: true, policy: null }] });
  file('none.example', {});
  file('loop.example', { to: urlOf('http://loop.example/.well-known/tdmrep.json') });
  const committed = writer.offsets();
  await writer.close();
  return { dir, records, committed };
}

test('pages whose rights to be mined are reserved are left out and counted by who says so; a page supersedes its host’s file', async () => {
  const made = await reservedCrawl();
  expect(await keptIndices(made, {})).toEqual([4, 5, 7, 8, 9, 10]);
  const { card } = await harvestCorpus(options(made, { force: true, formats: ['jsonl'] }));
  expect(card.records).toEqual({ read: 11, leftOut: { ...noOmissions(), rights: 5 }, kept: 6 });
  expect(card.reservations).toEqual({
    by: { file: 2, header: 1, meta: 1, noai: 1 },
    policies: { [POLICY]: 1 },
    notAsked: { hosts: 2, pages: 2 },
  });
});

test('reserved pages are taken when asked for, each record with what holds for it', async () => {
  const made = await reservedCrawl();
  const { outDir, card } = await harvestCorpus(options(made, { formats: ['jsonl', 'warc'], reserved: 'include' }));
  expect(card.records).toMatchObject({ kept: 11, leftOut: { rights: 0 } });
  expect(card.reservations.by).toEqual({ file: 2, header: 1, meta: 1, noai: 1 });
  const records = (await lines(join(outDir, 'corpus.jsonl'))).map((line) => JSON.parse(line) as CorpusRecord);
  expect(records[3]?.reservation).toEqual({ reserved: true, by: 'file', policy: POLICY });
  expect(records[4]?.reservation).toEqual({ reserved: false, by: 'meta', policy: null });
  expect(records[5]).not.toHaveProperty('reservation');
  expect(await readFile(join(outDir, 'corpus-card.md'), 'utf8')).toContain('CAUTION: 5 pages');
});

test('reservations are asked before language and relevance, and a page that is open stands for its reserved copy', async () => {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const reservation: Reservation = { reserved: true, by: 'header', policy: null };
  const overs: readonly Partial<CorpusRecord>[] = [
    { reservation, relevance: 0.1 },
    { reservation, lang: 'de' },
    { reservation, text: 'same' },
    { text: 'same', fetchedAt: isoTime(T0 + 1) },
  ];
  const records = overs.map((over, i) => {
    const page = pageOf(`http://a.example/${i}`, `<p>${i}</p>`);
    const record = recordOf(page, over);
    writer.append({ kind: 'page', record: record, page: page });
    return record;
  });
  const committed = writer.offsets();
  await writer.close();
  const { card } = await harvestCorpus(
    options({ dir, records, committed }, { formats: ['jsonl'], minRelevance: 0.5, languages: ['en'], dedupe: 'exact' }),
  );
  expect(card.records).toEqual({ read: 4, leftOut: { ...noOmissions(), rights: 3 }, kept: 1 });
  expect(card.reservations.by).toEqual({ header: 3 });
});

test('answers about reservations that were not committed do not count, and a damaged file is named', async () => {
  const made = await reservedCrawl();
  const { 'reservations.jsonl': _all, ...others } = made.committed;
  const { card } = await harvestCorpus(options(made, { formats: ['jsonl'], committed: others }));
  expect(card.reservations.by).toEqual({ header: 1, meta: 1, noai: 1 });
  expect(card.reservations.notAsked).toEqual({ hosts: 5, pages: 6 });
  const reopened = await FileCorpusWriter.open(made.dir, { number: 0, offsets: others }, INFO);
  await reopened.close();
  expect(await readdir(made.dir)).not.toContain('reservations.jsonl');
  await writeFile(join(made.dir, 'reservations.jsonl'), '{"url":"x"}\n');
  await expect(harvestCorpus(options(made, { force: true }))).rejects.toThrow(/reservations\.jsonl:1: cannot be read/);
});

test('each page of the crawl is in the corpus or in left-out.jsonl, with its first reason and the facts behind it', async () => {
  const made = await crawl();
  const { outDir, card } = await harvestCorpus(
    options(made, { formats: ['jsonl'], minRelevance: 0.5, languages: ['en'], dedupe: 'exact' }),
  );
  const [inside, outside] = await Promise.all(['corpus.jsonl', 'left-out.jsonl'].map((name) => lines(join(outDir, name))));
  const idOf = (line: string) => (JSON.parse(line) as { readonly id: string }).id;
  expect([...(inside ?? []), ...(outside ?? [])].map(idOf).sort()).toEqual(made.records.map(({ id }) => id).sort());
  const [first, second, , fourth] = made.records;
  expect(outside?.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ id: second?.id, url: second?.url, reason: 'relevance', relevance: 0.4 }),
    expect.objectContaining({ id: made.records[2]?.id, reason: 'exact', duplicateOf: made.records[4]?.id }),
    expect.objectContaining({ id: fourth?.id, reason: 'language', lang: 'de' }),
    expect.objectContaining({ id: made.records[5]?.id, reason: 'language', lang: 'und' }),
  ]);
  expect(first && inside?.[0]).toContain(first?.id);
  const { read, leftOut, kept } = card.records;
  expect(Object.values(leftOut).reduce((rest, count) => rest - count, read)).toBe(kept);
});
