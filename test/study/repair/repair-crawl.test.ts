/** What `repair` reports, and that the crawl is whole behind it. */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, repair, verify } from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Absence, CorpusRecord } from '../../../src/base/core/types.ts';
import { readMarks } from '../../../src/corpus/records/commit-marks.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { smallWeb, trainedOn } from '../../faces/cli/small-web.ts';
import { commitAbsences } from '../../support/committed-absences.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

const small = smallWeb();
const whole = small.path('whole');
const WARC = 'corpus/forager-00000.warc.gz';
const RECORDS = 'corpus/records.jsonl';

beforeAll(async () => {
  const robots = new Map(small.seeds.map((url) => [new URL(url).host, 'User-agent: *\nContent-Usage: train-ai=n\n']));
  const { proxy } = await small.serve({ robots });
  const topic = await trainedOn(small);
  await crawl({ dir: whole, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 30, record: true });
});
afterAll(() => small.close());

let copies = 0;
function copy(): string {
  const dir = small.path(`copy-${++copies}`);
  cpSync(whole, dir, { recursive: true });
  return dir;
}

/** Settled URLs and their states, sorted. */
async function settled(dir: string): Promise<string[]> {
  const opened = openCrawl(dir);
  const lines = [...ledgerOf(opened)].filter(({ state }) => ['kept', 'off-topic', 'duplicate', 'failed'].includes(state));
  await opened.close();
  return lines.map(({ url, state }) => `${state} ${url}`).sort();
}

const kept = async (dir: string) => (await settled(dir)).filter((line) => line.startsWith('kept'));
const linesOf = (dir: string) => readFileSync(join(dir, RECORDS), 'utf8').trimEnd().split('\n');
const idIn = (line: string) => (JSON.parse(line) as { readonly id: string }).id;

const rightsIn = (line: string) => (JSON.parse(line) as { readonly rights: unknown }).rights;

function breakLine(dir: string, number: number): string {
  const lines = linesOf(dir);
  const line = lines[number] ?? '';
  writeFileSync(join(dir, RECORDS), `${lines.map((one, i) => (i === number ? one.replace('"title":"', '"title":"x') : one)).join('\n')}\n`);
  return line;
}

async function breakResponse(dir: string, id: string): Promise<void> {
  const path = join(dir, WARC);
  const bytes = readFileSync(path);
  for await (const { fields, start, end } of walkWarc(path, () => false))
    if (fields.get('warc-record-id') === `<${id}>`) bytes.fill(0, start, end);
  writeFileSync(path, bytes);
}

/** Nothing is wrong any more, and frontier and corpus are of one commit. */
async function expectWhole(dir: string): Promise<void> {
  expect((await verify({ dir })).faults).toBe(0);
  const opened = openCrawl(dir);
  const commit = opened.frontier.lastCommit();
  await opened.close();
  expect(readMarks(join(dir, 'corpus')).map(({ number, offsets }) => ({ number, offsets }))).toEqual([commit]);
  const again = await repair({ dir });
  const restored = { kept: 0, versions: 0, absences: 0, others: 0, records: 0 };
  expect(again).toEqual({ dir, faults: [], frontier: 'kept', restored, withoutResponse: 0, lost: 0, aside: null, moved: [], putAside: [] });
}

/** The records of pages that others were found on, by their places in the file: the first few. */
async function recordsOfReferrers(dir: string): Promise<number[]> {
  const opened = openCrawl(dir);
  const referrers = new Set<string | null>([...ledgerOf(opened)].filter(({ order }) => order !== null).map(({ referrer }) => referrer));
  await opened.close();
  const places = linesOf(dir).map((line, place) => (referrers.has((JSON.parse(line) as { readonly url: string }).url) ? place : -1));
  return places.filter((place) => place >= 0).slice(0, size(3, 1));
}

test('a frontier that is lost is made again, with all pages and visits; a record that is damaged too is written anew', async () => {
  for (const number of await recordsOfReferrers(whole)) await expectMadeAgain(number);
});

/** Visits are restored that only links of the page of this record lead to. */
async function expectMadeAgain(number: number): Promise<void> {
  const dir = copy();
  const before = await settled(dir);
  truncateSync(join(dir, 'frontier/data.mdb'), 0);
  breakLine(dir, number);
  const report = await repair({ dir });
  const pages = before.filter((line) => line.startsWith('kept')).length;
  expect(report.faults).toEqual([
    expect.stringContaining('data.mdb: is empty'),
    `${join(dir, RECORDS)}:${number + 1}: has changed since it was written`,
  ]);
  expect(report).toMatchObject({ dir, frontier: 'made again', restored: { kept: pages, records: 1 }, lost: 0 });
  expect(await settled(dir)).toEqual(before);
  expect(report.restored.others).toBe(before.length - pages);
  expect(readdirSync(report.aside ?? '')).toEqual(['records.jsonl']);
  await expectWhole(dir);
}

test('a record that is damaged is written anew from its page', async () => {
  const dir = copy();
  const before = await kept(dir);
  const line = breakLine(dir, 0);
  const report = await repair({ dir });
  expect(report).toMatchObject({ frontier: 'kept', restored: { kept: 0, others: 0, records: 1 }, lost: 0 });
  expect(linesOf(dir).map(idIn)).toContain(idIn(line));
  // The statements of robots.txt come from its stored text.
  const again = linesOf(dir).find((one) => idIn(one) === idIn(line)) ?? '';
  expect(rightsIn(again)).toEqual(rightsIn(line));
  expect(rightsIn(line)).toMatchObject([{ from: 'robots', statement: 'train-ai=n' }]);
  expect(await kept(dir)).toEqual(before);
  await expectWhole(dir);
});

test('a page of which record and response are damaged is lost, is told, and waits to be asked for again', async () => {
  const dir = copy();
  const before = await kept(dir);
  const line = breakLine(dir, 1);
  await breakResponse(dir, idIn(line));
  const report = await repair({ dir });
  expect(report).toMatchObject({ frontier: 'kept', restored: { records: 0 }, lost: 1 });
  expect([...report.faults].sort()).toEqual([
    expect.stringContaining(WARC),
    expect.stringContaining('records.jsonl:2'),
    '1 kept pages are not in the corpus',
  ]);
  expect(readdirSync(report.aside ?? '').sort()).toEqual(['forager-00000.warc.gz', 'records.jsonl']);
  const { url } = JSON.parse(line) as { readonly url: string };
  expect(await kept(dir)).toEqual(before.filter((one) => one !== `kept ${url}`));
  await expectWhole(dir);
});

wholeTest('it is stopped by its signal before the next file, and the next one mends what this one did not', async () => {
  const dir = copy();
  breakLine(dir, 0);
  const before = readFileSync(join(dir, RECORDS), 'utf8');
  const stop = new AbortController();
  const onProgress = (step: string) => step === 'mending files' && stop.abort(new Error('stop'));
  await expect(repair({ dir, signal: stop.signal, onProgress })).rejects.toThrow('stop');
  expect(readFileSync(join(dir, RECORDS), 'utf8')).toBe(before);
  expect((await repair({ dir })).restored.records).toBe(1);
  await expectWhole(dir);
});

test('a frontier that is made again knows the pages that were gone, moved, not to be kept or back', async () => {
  const dir = copy();
  const records = linesOf(dir).map((line) => JSON.parse(line) as CorpusRecord);
  const states = ['gone', 'moved', 'noindex', 'back'] as const;
  const absences = states.flatMap((state, i): Absence[] => {
    const { url, id, fetchedAt } = records[i] as CorpusRecord;
    const at = (hours: number) => new Date(Date.parse(fetchedAt) + 3_600_000 * hours).toISOString();
    const absence = { url, status: 404, to: null, recordId: id } as const;
    return [
      { ...absence, at: at(1), state: 'gone' },
      { ...absence, at: at(2), state },
    ];
  });
  // One of a version that is not the newest any more.
  const { url = '' as CorpusRecord['url'] } = records[4] ?? {};
  await commitAbsences(dir, [...absences, { ...(absences[0] as Absence), url, recordId: 'urn:uuid:0' as CorpusRecord['id'] }]);
  rmSync(join(dir, 'frontier/data.mdb'));
  expect((await repair({ dir })).restored.absences).toBe(states.length);
  const opened = openCrawl(dir);
  const lines = new Map([...ledgerOf(opened)].map((line) => [String(line.url), line]));
  await opened.close();
  expect(records.slice(0, 5).map((record) => lines.get(record.url)?.revisit?.result)).toEqual([
    'gone',
    'moved',
    'noindex',
    'same',
    undefined,
  ]);
  expect(lines.get(records[0]?.url ?? '')?.revisit?.at).toBe(absences[1]?.at);
  await expectWhole(dir);
});
