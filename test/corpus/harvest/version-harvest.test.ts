/** Corpora of all versions and of past dates, from a written crawl. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { FolderSource } from '../../../src/corpus/harvest/folder-source.ts';
import type { HarvestReport } from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { collected, freshDir, INFO } from '../records/samples.ts';
import { withDuckDb } from './duckdb.ts';
import { harvestOf, type Over, type WrittenCrawl, writtenCrawl } from './written-crawl.ts';

const [APPLE, PEAR, QUINCE] = ['apple', 'pear', 'quince'].map((name) => `http://orchard.example/${name}`) as [string, string, string];
const day = (number: number) => `2026-10-0${number}T10:00:00.000Z`;
const words = (name: string, count = 120) => Array.from({ length: count }, (_, i) => `${name}${i}`).join(' ');

/** A crawl of three pages on three days: the first changes twice and returns to its first text, the second changes once, the third is kept late. */
async function crawl(): Promise<WrittenCrawl> {
  const dir = freshDir();
  const made = await writtenCrawl(dir, [
    { at: APPLE, fetchedAt: day(1), text: words('apple') },
    { at: PEAR, fetchedAt: day(1), text: words('pear') },
    { at: APPLE, fetchedAt: day(2), text: `${words('apple')} and one word more` },
    { at: PEAR, fetchedAt: day(2), text: words('plum') },
    { at: QUINCE, fetchedAt: day(3), text: words('quince') },
    { at: APPLE, fetchedAt: day(3), text: words('apple') },
  ]);
  return made;
}

async function harvested(made: WrittenCrawl, over: Over) {
  const out = join(freshDir(), 'out');
  const report = await harvestOf(made, out, over);
  const text = await readFile(join(out, 'corpus.jsonl'), 'utf8');
  const pages = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HarvestedPage]));
  return { out, report, pages };
}

const linesOf = (pages: readonly HarvestedPage[]) => pages.map(({ url, version, fetchedAt }) => [url, version, fetchedAt.slice(0, 10)]);
const omitted = ({ card }: HarvestReport) => Object.entries(card.records.leftOut).filter(([, count]) => count > 0);

test('all versions are records with their numbers, in all formats that have a file or a row for each', async () => {
  const { out, report, pages } = await harvested(await crawl(), { versions: 'all', formats: ['jsonl', 'text', 'sqlite', 'csv'] });
  expect(linesOf(pages)).toEqual([
    [APPLE, 1, '2026-10-01'],
    [PEAR, 1, '2026-10-01'],
    [APPLE, 2, '2026-10-02'],
    [PEAR, 2, '2026-10-02'],
    [QUINCE, 1, '2026-10-03'],
    [APPLE, 3, '2026-10-03'],
  ]);
  const texts = (await readdir(join(out, 'text'))).filter((name) => name.endsWith('.txt'));
  expect(texts.filter((name) => name.endsWith('-v3.txt'))).toHaveLength(1);
  expect(texts).toHaveLength(6);
  const database = new sqlite.Database(join(out, 'corpus.sqlite'), { readOnly: true });
  expect(database.all('SELECT url, version FROM pages WHERE version > 1 ORDER BY n')).toEqual([
    { url: APPLE, version: 2 },
    { url: PEAR, version: 2 },
    { url: APPLE, version: 3 },
  ]);
  database.close();
  expect(report.card).toMatchObject({ versionedPages: 3, records: { kept: 6 }, harvest: { filters: { versions: 'all' } } });
  expect(report.card.cite).toContain('6 versions of 3 pages');
  const card = await readFile(join(out, 'corpus-card.md'), 'utf8');
  expect(card).toContain('versions: all of each page, numbered in the column version');
  expect(card).toContain('size: 6 versions of 3 pages');
});

test.each<Over>([{ dedupe: 'exact' }, { dedupe: 'near' }, { dedupe: 'contained' }, { repeated: 'drop' }])(
  'no version is a copy of another one of its page: %o',
  async (over) => {
    const { report, pages } = await harvested(await crawl(), { versions: 'all', ...over });
    expect(omitted(report)).toEqual([]);
    expect(pages).toHaveLength(6);
    expect(pages.every(({ text }) => text.split(' ').length >= 120)).toBe(true);
    if (over.dedupe === 'near') expect(pages.map(({ copies }) => copies)).toEqual([1, 1, 1, 1, 1, 1]);
  },
);

test('versions are copies of other pages, and each of them is omitted for one', async () => {
  const [first, second] = ['http://first.example/', 'http://second.example/'];
  const made = await writtenCrawl(freshDir(), [
    { at: first, fetchedAt: day(1), text: words('apple'), relevance: 0.99 },
    { at: second, fetchedAt: day(2), text: words('apple') },
    { at: second, fetchedAt: day(3), text: `${words('apple')} more` },
    { at: second, fetchedAt: day(4), text: words('pear') },
  ]);
  for (const [dedupe, versions] of [['exact', [2, 3]] as const, ['near', [3]] as const]) {
    const { pages } = await harvested(made, { versions: 'all', dedupe });
    expect(pages.filter(({ url }) => url === second).map(({ version }) => version)).toEqual(versions);
  }
});

test('paragraphs that pages have are counted by pages, not by versions', async () => {
  const shared = words('notice', 40);
  const versions = [1, 2, 3, 4].map((number) => ({ at: APPLE, fetchedAt: day(number), text: `${words(`text${number}`)}\n\n${shared}` }));
  const others = [1, 2].map((i) => ({ at: `${APPLE}/${i}`, fetchedAt: day(5), text: `${words(`other${i}`)}\n\n${shared}` }));
  const cut = async (pages: Parameters<typeof writtenCrawl>[1]) => {
    const { pages: found } = await harvested(await writtenCrawl(freshDir(), pages), { versions: 'all', repeated: 'drop' });
    return found.filter(({ text }) => !text.includes('notice0')).map(({ url }) => url);
  };
  expect(await cut(versions)).toEqual([]);
  expect(await cut([...versions, ...others.slice(0, 1)])).toEqual([]);
  // The versions of the first page that has it keep it.
  expect(await cut([...versions, ...others])).toEqual(others.map(({ at }) => at));
});

test('versions of a page are in one part of a split', async () => {
  const pages = Array.from({ length: 40 }, (_, i) =>
    [1, 2, 3].map((number) => ({ at: `http://h${i}.example/`, fetchedAt: day(number), text: words(`page${i}v${number}x`, 30) })),
  ).flat();
  const { pages: found } = await harvested(await writtenCrawl(freshDir(), pages), { versions: 'all', split: [50, 50] });
  const parts = new Map<string, Set<unknown>>();
  for (const { url, split } of found) parts.set(url, (parts.get(url) ?? new Set()).add(split));
  expect([...parts.values()].map(({ size }) => size)).toEqual(Array(40).fill(1));
  expect(new Set(found.map(({ split }) => split)).size).toBe(2);
});

test.each([
  ['2026-09-30T10:00:00.000Z', []],
  ['2026-10-01T09:59:59.999Z', []],
  [
    '2026-10-01T10:00:00.000Z',
    [
      [APPLE, 1],
      [PEAR, 1],
    ],
  ],
  [
    '2026-10-02T23:59:59.999Z',
    [
      [APPLE, 2],
      [PEAR, 2],
    ],
  ],
  [
    '2026-10-03T10:00:00.000Z',
    [
      [PEAR, 2],
      [QUINCE, 1],
      [APPLE, 3],
    ],
  ],
] as const)('the corpus of %s has the newest versions by then', async (at, expected) => {
  const made = await crawl();
  const numbers = new Map((await harvested(made, { versions: 'all' })).pages.map(({ id, version }) => [id, version]));
  const { pages } = await harvested(made, { versions: { at } });
  expect(pages.map(({ url, id }) => [url, numbers.get(id)])).toEqual(expected);
  expect(pages.some((page) => 'version' in page)).toBe(false);
});

test('the corpus of a date is that of a crawl which ended then', async () => {
  const made = await crawl();
  for (const number of [1, 2, 3]) {
    const then = made.records.filter(({ fetchedAt }) => fetchedAt <= day(number));
    const newest = new Set(new Map(then.map(({ url, id }) => [url, id])).values());
    const ended = await harvested(made, { isNewest: ({ id }) => newest.has(id), dedupe: 'near' });
    const past = await harvested(made, { versions: { at: day(number) }, dedupe: 'near' });
    expect(past.pages).toEqual(ended.pages);
    expect(past.report.card.version).toBe(ended.report.card.version);
  }
});

test('records of other crawls are no versions', async () => {
  const made = await crawl();
  const { pages } = await harvested(made, { versions: 'all', isVersion: ({ url }) => url !== APPLE });
  expect(new Set(pages.map(({ url }) => url))).toEqual(new Set([PEAR, QUINCE]));
});

const goneAt = (made: WrittenCrawl, url: string, at: string, state: 'gone' | 'back' = 'gone') => {
  const { id } = made.records.findLast((record) => record.url === url && record.fetchedAt <= at) as CorpusRecord;
  return { url: url as CorpusRecord['url'], at, status: state === 'gone' ? 404 : 200, state, to: null, recordId: id } as const;
};

async function withAbsences(made: WrittenCrawl, absences: readonly ReturnType<typeof goneAt>[]): Promise<WrittenCrawl> {
  const offsets = Object.fromEntries(
    await Promise.all((await readdir(made.dir)).map(async (name) => [name, (await readFile(join(made.dir, name))).length] as const)),
  );
  const writer = await FileCorpusWriter.open(made.dir, { number: 0, offsets }, INFO);
  for (const absence of absences) writer.append({ kind: 'absence', absence });
  await writer.close();
  return made;
}

test('pages that are gone stay, with the time since which they are', async () => {
  const made = await crawl();
  await withAbsences(made, [goneAt(made, PEAR, day(4)), goneAt(made, APPLE, day(4)), goneAt(made, APPLE, day(5), 'back')]);
  const newest = new Set(new Map(made.records.map(({ url, id }) => [url, id])).values());
  const goneOf = (pages: readonly HarvestedPage[]) =>
    pages.flatMap(({ url, gone, version }) => (gone === undefined ? [] : [[url, version, gone]]));
  const now = await harvested(made, { isNewest: ({ id }) => newest.has(id) });
  expect(goneOf(now.pages)).toEqual([[PEAR, undefined, day(4)]]);
  expect(now.report.card.gone).toBe(1);
  expect(await readFile(join(now.out, 'corpus-card.md'), 'utf8')).toContain('gone at the last request: 1 page;');
  expect(goneOf((await harvested(made, { versions: 'all' })).pages)).toEqual([[PEAR, 2, day(4)]]);
  const at = async (moment: string) => goneOf((await harvested(made, { versions: { at: moment } })).pages);
  expect(await at(day(3))).toEqual([]);
  expect((await at(day(4))).map(([url]) => url)).toEqual([PEAR, APPLE]);
  expect(await at(day(5))).toEqual([[PEAR, undefined, day(4)]]);
  const { out } = await harvested(made, { versions: 'all', formats: ['jsonl', 'parquet', 'csv'] });
  await withDuckDb(async (ask) => {
    const rows = await ask(
      `SELECT version, epoch_ms(gone) AS gone FROM read_parquet('${out}/data/train-00000-of-00001.parquet') WHERE gone IS NOT NULL`,
    );
    expect(rows).toEqual([{ version: 2, gone: String(Date.parse(day(4))) }]);
    expect(await ask(`SELECT version FROM read_csv('${out}/corpus.csv', all_varchar = true) WHERE gone = '${day(4)}'`)).toEqual([
      { version: '2' },
    ]);
  });
  const { report, pages } = await harvested(await crawl(), {});
  expect([report.card.gone, pages.some((page) => 'gone' in page)]).toEqual([undefined, false]);
});

test('a corpus of all versions is read by its newest ones, unless all are asked for', async () => {
  const { out } = await harvested(await crawl(), { versions: 'all' });
  const newest = await collected((await FolderSource.open(out)).records());
  expect(newest.map(({ url, fetchedAt }) => [url, fetchedAt])).toEqual([
    [PEAR, day(2)],
    [QUINCE, day(3)],
    [APPLE, day(3)],
  ]);
  expect(newest.some((page) => 'version' in page)).toBe(false);
  const all = await collected((await FolderSource.open(out, { versions: 'all', keepsColumns: true })).records());
  expect(linesOf(all as HarvestedPage[])).toHaveLength(6);
});
