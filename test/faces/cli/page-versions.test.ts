/** Versions of pages of a web that changes: corpora of past dates, all versions, and the commands that show them. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareCorpora, crawl, harvest, pageHistory, versionDiff } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notFound, type PageSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { isoTime } from '../../../src/base/core/clock.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Absence } from '../../../src/base/core/types.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { chanceOf } from '../../../src/corpus/select/page-draw.ts';
import { commitAbsences } from '../../support/committed-absences.ts';
import { size } from '../../support/extent.ts';
import { done, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(160);
const dir = small.path('crawl');
const ROUNDS = size(8, 4);
/** Shares of pages that change in a round, and that are gone in one. */
const [CHANGED, GONE] = [0.4, 0.12];
let round = 0;

/** The rounds up to now in which a page changed. */
const changesOf = (url: string) => Array.from({ length: round }, (_, i) => i + 1).filter((one) => chanceOf(one, url) < CHANGED);

/** Eighty words that follow from page and round: another text, and no copy of another page. */
function wordsOf(url: string, one: number): string {
  const rng = seededRng(chanceOf(one, url) * 2 ** 32);
  return Array.from({ length: 80 }, () => `word${Math.floor(rng() * 5000)}`).join(' ');
}

const source: PageSource = {
  get(host, path) {
    const url = `http://${host}${path}`;
    const answer = small.web.source.get(host, path);
    if (answer === null) return notFound();
    if (!small.seeds.includes(url) && round > 0 && chanceOf(-round, url) < GONE) return notFound();
    const more = changesOf(url).map((one) => ` ${wordsOf(url, one)}.`);
    return { ...answer, body: Buffer.from(answer.body.toString().replace('</p>', `${more.join('')}</p>`)) };
  },
};

interface Moment {
  readonly at: string;
  readonly pages: readonly HarvestedPage[];
}

const moments: Moment[] = [];
const linesIn = (out: string) =>
  readFileSync(`${out}/corpus.jsonl`, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HarvestedPage]));
let outs = 0;

async function harvested(options: Partial<Parameters<typeof harvest>[0]> = {}) {
  const out = small.path(`harvest-${++outs}`);
  const { card } = await harvest({ dir, out, ...options });
  return { out, card, pages: linesIn(out) };
}

beforeAll(async () => {
  const server = await startWebProxy(source);
  afterAll(() => server.close());
  const topic = await trainedOn(small);
  const rng = seededRng(5);
  let maxPages = 0;
  for (round = 0; round < ROUNDS; round++) {
    maxPages += 8 + Math.floor(rng() * 12);
    const begin = round === 0 ? { topic, seeds: small.seeds } : { revisit: 0 };
    await crawl({ dir, ...begin, proxy: server.proxy, delay: 0, concurrency: 2, maxPages });
    const { pages } = await harvested();
    moments.push({ at: isoTime(Date.now()), pages });
    // The next page is requested in another millisecond.
    await sleep(5);
  }
});
afterAll(() => small.close());

test('the corpus of each past date is the harvest that was taken then, line by line', async () => {
  expect(moments.at(-1)?.pages.length).toBeGreaterThan(10);
  const gone = moments.map(({ pages }) => pages.flatMap((page) => (page.gone === undefined ? [] : [page.url])));
  expect(gone.flat().length).toBeGreaterThan(2);
  // Some are back in a later harvest.
  expect(gone.some((urls, i) => urls.some((url) => i + 1 < gone.length && !gone[i + 1]?.includes(url)))).toBe(true);
  for (const { at, pages } of moments) expect((await harvested({ versions: { at } })).pages).toEqual(pages);
  const before = await harvested({ versions: { at: '2020-01-01' } });
  expect([before.pages, before.card.harvest.filters.versions]).toEqual([[], { at: '2020-01-01T23:59:59.999Z' }]);
});

test('all versions are numbered, and the newest ones are the pages of the default', async () => {
  const { pages, card } = await harvested({ versions: 'all', dedupe: 'none' });
  const { pages: newest } = await harvested({ dedupe: 'none' });
  const byUrl = new Map<string, HarvestedPage[]>();
  for (const page of pages) byUrl.set(page.url, [...(byUrl.get(page.url) ?? []), page]);
  for (const versions of byUrl.values()) expect(versions.map(({ version }) => version)).toEqual(versions.map((_, i) => i + 1));
  const withoutNumber = ({ version: _, ...page }: HarvestedPage) => page;
  expect(new Set([...byUrl.values()].map((versions) => JSON.stringify(withoutNumber(versions.at(-1) as HarvestedPage))))).toEqual(
    new Set(newest.map((page) => JSON.stringify(page))),
  );
  expect(pages.length).toBeGreaterThan(newest.length + 5);
  expect(card).toMatchObject({ versionedPages: newest.length, records: { kept: pages.length } });
});

test('the corpus of any moment within a run has the newest version by then of each page', async () => {
  const { pages } = await harvested({ versions: 'all', dedupe: 'none' });
  const times = pages.map(({ fetchedAt }) => Date.parse(fetchedAt)).sort((a, b) => a - b);
  const rng = seededRng(11);
  for (let i = 0; i < size(10, 3); i++) {
    const at = isoTime((times[Math.floor(rng() * times.length)] ?? 0) + Math.floor(3 * rng()) - 1);
    const by = pages.filter(({ fetchedAt }) => fetchedAt <= at).sort((a, b) => Date.parse(a.fetchedAt) - Date.parse(b.fetchedAt));
    const expected = [...new Map(by.map(({ url, id }) => [url, id])).values()];
    const ids = (await harvested({ versions: { at }, dedupe: 'none' })).pages.map(({ id }) => id);
    expect([at, ids.toSorted()]).toEqual([at, expected.toSorted()]);
  }
});

test('two dates of the crawl differ as the harvests that were taken then', async () => {
  const [first, last] = [moments[0], moments.at(-1)] as [Moment, Moment];
  const there = ({ pages }: Moment) => new Map(pages.flatMap((page) => (page.gone === undefined ? [[page.url, page] as const] : [])));
  const [before, after] = [there(first), there(last)];
  const found = await compareCorpora(dir, dir, { fromDate: first.at, toDate: last.at });
  const kept = [...after].filter(([url]) => before.has(url));
  expect(found).toMatchObject({
    added: after.size - kept.length,
    gone: before.size - kept.length,
    same: kept.filter(([url, { id }]) => before.get(url)?.id === id).length,
  });
  expect(found.changed).toBeGreaterThan(3);
  const lines = (await done('corpus', 'diff', dir, '--from', first.at, '--to', last.at, '--json')).trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ change: 'total', ...found });
  expect(JSON.parse((await done('corpus', 'diff', dir, '--from', first.at, '--json')).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    changed: found.changed,
  });
});

/** The page with most versions. */
async function changedPage(): Promise<readonly HarvestedPage[]> {
  const { pages } = await harvested({ versions: 'all', dedupe: 'none' });
  const most = pages.reduce((best, page) => ((page.version ?? 0) > (best.version ?? 0) ? page : best));
  return pages.filter(({ url }) => url === most.url);
}

test('versions and diff show a page: its versions, the times when it was gone, and its words', async () => {
  const versions = await changedPage();
  const { url } = versions[0] as HarvestedPage;
  const history = await pageHistory(dir, url);
  const own = history.entries.filter((entry) => 'words' in entry);
  expect(own.map(({ version, recordId, at }) => [version, recordId, at])).toEqual(
    versions.map(({ version, id, fetchedAt }) => [version, id, fetchedAt]),
  );
  for (const entry of own.slice(1)) expect('words' in entry && (entry.wordsAdded ?? 0)).toBeGreaterThanOrEqual(80);

  const last = versions.at(-1) as HarvestedPage;
  const later = (minutes: number) => isoTime(Date.parse(last.fetchedAt) + 60_000 * minutes);
  const gone: Absence = { url: last.url, at: later(1), status: 410, state: 'gone', to: null, recordId: last.id };
  await commitAbsences(dir, [gone, { ...gone, at: later(2), status: 200, state: 'back' }]);
  const text = await done('versions', dir, url);
  expect(text).toContain(`${own.length} versions, last seen `);
  expect(text).toMatch(new RegExp(`${later(1).replaceAll('.', '\\.')} +gone \\(HTTP 410\\)`));
  expect(text).toMatch(new RegExp(`${later(2).replaceAll('.', '\\.')} +back`));
  expect(text).toContain(last.id);
  expect(JSON.parse(await done('versions', dir, url, '--json'))).toEqual(await pageHistory(dir, url));

  const added = changesOf(url)
    .map((one) => wordsOf(url, one))
    .findLast((words) => last.text.includes(words));
  if (added === undefined) throw new Error('the newest version has no change');
  const diff = await done('diff', dir, url);
  expect(diff.replaceAll(/\s+/g, ' ')).toContain(added.split(' ').slice(2, 60).join(' '));
  expect(diff).toContain('{+');
  const json = JSON.parse(await done('diff', dir, url, '1', last.fetchedAt, '--json'));
  expect(json).toMatchObject({ from: { version: 1 }, to: { version: own.length, recordId: last.id } });
  const { parts } = await versionDiff(dir, url, ['1', String(own.length)]);
  expect(json.parts).toEqual(parts.map(({ kind, words }) => ({ kind, text: words.join(' ') })));
});

test('a harvest of all versions shows them too', async () => {
  const { out, pages } = await harvested({ versions: 'all', dedupe: 'none' });
  const [first] = await changedPage();
  const url = first?.url ?? '';
  const { entries } = await pageHistory(out, url);
  expect(entries.length).toBe(pages.filter((page) => page.url === url).length);
  expect((await done('diff', out, url, '1', '2')).split('\n')[0]).toBe(url);
});

test('a page that is taken back leaves a corpus of all versions with each of them, and the others stay', async () => {
  const { out, pages } = await harvested({ versions: 'all', dedupe: 'none', formats: ['jsonl', 'text', 'warc'] });
  const [first] = (await changedPage()) as readonly [HarvestedPage];
  const next = small.path('without');
  const text = await done('corpus', 'withdraw', out, '--id', first.id, '--reason', 'asked', '--out', next);
  expect(text).toContain('1 page taken back');
  const untied = (page: HarvestedPage) => (page.referrer === first.url ? { ...page, referrer: null, anchorText: '' } : page);
  expect(linesIn(next)).toEqual(pages.filter((page) => page.url !== first.url).map(untied));
  expect(await done('verify', next)).toContain('nothing is damaged');
});

test('WARC files have each version, and those of a date no later revisit', async () => {
  const datesOf = async (out: string, type: string) => {
    const dates: string[] = [];
    for await (const { fields } of walkWarc(`${out}/corpus-00000.warc.gz`, () => false))
      if (fields.get('warc-type') === type) dates.push(fields.get('warc-date') ?? '');
    return dates;
  };
  const all = await harvested({ versions: 'all', dedupe: 'none', formats: ['jsonl', 'warc'] });
  expect((await datesOf(all.out, 'response')).length).toBe(all.pages.length);
  const [, second] = moments as [Moment, Moment];
  const past = await harvested({ versions: { at: second.at }, dedupe: 'none', formats: ['jsonl', 'warc'] });
  const revisits = async (out: string) => (await datesOf(out, 'revisit')).filter((date) => date > second.at).length;
  expect(await revisits(past.out)).toBe(0);
  expect((await datesOf(past.out, 'revisit')).length).toBeGreaterThan(0);
  expect(await revisits(all.out)).toBeGreaterThan(0);
});

test('a model that was trained later does not change the corpus of a past date', async () => {
  const copy = small.path('retrained');
  cpSync(dir, copy, { recursive: true });
  const urls = [...new Set(moments.flatMap(({ pages }) => pages.map(({ url }) => url)))];
  const labels = small.path('labels.csv');
  writeFileSync(labels, `url,label\n${urls.map((url, i) => `${url},${i % 3 === 0 ? 'n' : 'y'}\n`).join('')}`);
  await done('label', 'import', copy, labels, '--even-if-worse');
  const { modelId } = moments[0]?.pages[0] ?? {};
  const now = await harvested({ dir: copy, minRelevance: 0 });
  expect(now.pages.length).toBeGreaterThan(0);
  expect(now.pages.filter((page) => page.modelId === modelId)).toEqual([]);
  for (const { at, pages } of moments.slice(-2)) expect((await harvested({ dir: copy, versions: { at } })).pages).toEqual(pages);
  const all = await harvested({ dir: copy, versions: 'all', dedupe: 'none', minRelevance: 0 });
  const newest = new Set((await harvested({ dir: copy, dedupe: 'none', minRelevance: 0 })).pages.map(({ id }) => id));
  for (const page of all.pages) expect(page.modelId === modelId).toBe(!newest.has(page.id));
});

test('a page without a version, a date without one, and words that are no choice are refused', async () => {
  const [url = ''] = small.seeds;
  await refused(2, ['has no version by then'], 'diff', dir, url, '2020-01-01');
  await refused(2, ['never discovered it'], 'versions', dir, 'http://nowhere.example/');
  await refused(2, ['not newest, all or at=DATE'], 'harvest', dir, '--out', small.path('none'), '--versions', 'oldest');
  await refused(2, ['not a date'], 'harvest', dir, '--out', small.path('none'), '--versions', 'at=soon');
  await refused(2, ['not a date'], 'corpus', 'diff', dir, '--from', 'soon');
  await refused(2, ['--from: compares two states of one crawl'], 'corpus', 'diff', dir, dir, '--from', '2026-01-01');
  const { out } = await harvested();
  await refused(2, [`${out}: is not a crawl directory`], 'corpus', 'diff', out, '--from', '2026-01-01');
});
