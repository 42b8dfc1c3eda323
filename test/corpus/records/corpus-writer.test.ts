import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rmdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { InvariantError, StoreError } from '../../../src/base/core/errors.ts';
import type { CorpusOffsets } from '../../../src/base/core/parts/queueing.ts';
import { FileCorpusWriter, VISITS_FILE } from '../../../src/corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { collected, freshDir, INFO, pageOf, recordOf, urlOf } from './samples.ts';
import { noMount } from './small-disk.ts';
import { readBack } from './warcio-oracle.ts';

function appendPages(writer: FileCorpusWriter, from: number, to: number): string[] {
  const ids: string[] = [];
  for (let i = from; i < to; i++) {
    const page = pageOf(`http://orchard.example/${i}`, `<p>page ${i}</p>`);
    const record = recordOf(page);
    writer.append({ kind: 'page', record: record, page: page });
    ids.push(record.id);
  }
  return ids;
}

/** Of the files themselves, without those put aside and the marks of commits. */
async function sizes(dir: string): Promise<CorpusOffsets> {
  const names = (await readdir(dir)).filter((name) => !/^(cut-|commit-)/.test(name));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await stat(join(dir, name))).size] as const)));
}

async function responseIds(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.warc.gz')).sort();
  const records = await Promise.all(names.map((name) => readBack(join(dir, name))));
  return records.flat().flatMap(({ type, id }) => (type === 'response' ? [id] : []));
}

test('offsets are those of the files after a flush, and every JSONL id is in the WARC', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const ids = appendPages(writer, 0, 25);
  const offsets = writer.offsets();
  expect((await stat(join(dir, 'records.jsonl'))).size).toBe(0);
  await writer.flush();
  expect(await sizes(dir)).toEqual(offsets);
  await writer.close();
  expect((await collected(readRecords(dir))).map(({ id }) => id)).toEqual(ids);
  expect(await responseIds(dir)).toEqual(ids);
});

test('a line of records.jsonl is never on disk without its page: where the WARC file cannot be written, no line is', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  await mkdir(join(dir, 'forager-00000.warc.gz'));
  const ids = appendPages(writer, 0, 5);
  await expect(writer.flush()).rejects.toThrow(StoreError);
  expect((await stat(join(dir, 'records.jsonl'))).size).toBe(0);
  await rmdir(join(dir, 'forager-00000.warc.gz'));
  await writer.close();
  expect([(await collected(readRecords(dir))).map(({ id }) => id), await responseIds(dir)]).toEqual([ids, ids]);
});

test('nothing is written to a folder that is another’s by now, also at the end; a flush during which it was lost fails', async () => {
  const dir = freshDir();
  const lost = new StoreError('STORE_LOCKED', 'lost');
  let asked = 0;
  let heldFor = 3;
  const mayWrite = () => {
    asked += 1;
    if (asked > heldFor) throw lost;
  };
  const writer = await FileCorpusWriter.open(dir, null, INFO, { mayWrite });
  appendPages(writer, 0, 5);
  await writer.flush();
  appendPages(writer, 5, 10);
  // Held before, and no longer when all is on disk.
  await expect(writer.flush()).rejects.toBe(lost);
  const before = await sizes(dir);
  heldFor = 0;
  appendPages(writer, 10, 15);
  await expect(writer.flush()).rejects.toBe(lost);
  await expect(writer.close()).rejects.toBe(lost);
  expect(await sizes(dir)).toEqual(before);
});

test('what was not committed is gone after a crash, and nothing is there twice', async () => {
  const dir = freshDir();
  const first = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 4000 });
  const kept = appendPages(first, 0, 10);
  const committed = first.offsets();
  await first.flush();
  appendPages(first, 10, 30);
  await first.flush();
  await first.close();
  expect(Object.keys(await sizes(dir)).length).toBeGreaterThan(Object.keys(committed).length);

  const second = await FileCorpusWriter.open(dir, { number: 0, offsets: committed }, INFO, { maxWarcBytes: 4000 });
  expect(await sizes(dir)).toEqual(committed);
  expect(second.offsets()).toEqual(committed);
  const again = appendPages(second, 10, 12);
  await second.close();
  expect(await responseIds(dir)).toEqual([...kept, ...again]);
  expect((await collected(readRecords(dir))).map(({ id }) => id)).toEqual([...kept, ...again]);
});

test('a torn tail is cut off', async () => {
  const dir = freshDir();
  const first = await FileCorpusWriter.open(dir, null, INFO);
  appendPages(first, 0, 3);
  const committed = first.offsets();
  await first.close();
  await appendFile(join(dir, 'records.jsonl'), '{"id":"urn:uu');
  await appendFile(join(dir, 'forager-00000.warc.gz'), Buffer.from([0x1f, 0x8b, 8]));
  await (await FileCorpusWriter.open(dir, { number: 0, offsets: committed }, INFO)).close();
  expect(await sizes(dir)).toEqual(committed);
});

/** Names and sizes of what was put aside. */
async function putAside(dir: string): Promise<CorpusOffsets> {
  const [folder, ...more] = (await readdir(dir)).filter((name) => name.startsWith('cut-'));
  expect(more).toEqual([]);
  return folder === undefined ? {} : sizes(join(dir, folder));
}

test('a new crawl leaves the files of others alone, and does not begin over a corpus of ours', async () => {
  const dir = freshDir();
  await writeFile(join(dir, 'notes.txt'), 'mine');
  await writeFile(join(dir, 'forager-1.warc.gz.bak'), 'mine');
  await (await FileCorpusWriter.open(dir, null, INFO)).close();
  expect(await sizes(dir)).toEqual({ 'notes.txt': 4, 'forager-1.warc.gz.bak': 4, 'records.jsonl': 0 });
  await writeFile(join(dir, 'forager-00007.warc.gz'), 'old');
  await expect(FileCorpusWriter.open(dir, null, INFO)).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringMatching(
      /the frontier has nothing, and the corpus has forager-00007.warc.gz of 3 bytes; nothing was changed.*forager repair/,
    ),
  });
  expect(await sizes(dir)).toEqual({ 'notes.txt': 4, 'forager-1.warc.gz.bak': 4, 'records.jsonl': 0, 'forager-00007.warc.gz': 3 });
});

test('what was not committed is put aside, whole', async () => {
  const dir = freshDir();
  // The tenth page ends within a file.
  const first = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 5000 });
  appendPages(first, 0, 10);
  const committed = first.offsets();
  await first.flush(1);
  appendPages(first, 10, 30);
  await first.close();
  const all = first.offsets();
  const [records, warcs] = [await readFile(join(dir, 'records.jsonl')), Object.keys(all).filter((name) => name.endsWith('.warc.gz'))];

  const told: string[] = [];
  const second = await FileCorpusWriter.open(dir, { number: 1, offsets: committed }, INFO, { onCut: (folder) => told.push(folder) });
  await second.close();
  const [folder = ''] = told;
  const from = committed['records.jsonl'] ?? 0;
  expect(await readFile(join(folder, `records.jsonl.from-${from}`))).toEqual(records.subarray(from));
  const beyond = Object.values(all).reduce((sum, size) => sum + size, 0) - Object.values(committed).reduce((sum, size) => sum + size, 0);
  expect(Object.values(await putAside(dir)).reduce((sum, size) => sum + size, 0)).toBe(beyond);
  expect(Object.keys(await putAside(dir))).toHaveLength(1 + warcs.length - Object.keys(committed).length + 2);
});

/** A corpus of some commits, five pages each, and where each of them left the files. */
async function committedOften(dir: string, times: number, crawl: string): Promise<readonly CorpusOffsets[]> {
  const writer = await FileCorpusWriter.open(dir, null, INFO, { crawl });
  const offsets: CorpusOffsets[] = [];
  for (let number = 1; number <= times; number++) {
    appendPages(writer, 5 * number, 5 * number + 5);
    offsets.push(writer.offsets());
    await writer.flush(number);
  }
  await writer.close();
  return offsets;
}

test.each([
  ['of an older copy', 7, 'one', 'the frontier is at commit 7, and the corpus at 9: the frontier is an older copy'],
  ['that is ahead', 10, 'one', 'the frontier is at commit 10, and the newest mark in the corpus is of 9'],
  ['of another crawl', 9, 'two', 'the corpus is of crawl one, and this is crawl two'],
  ['that is empty', null, 'one', 'the frontier is at commit 0, and the corpus at 9'],
])('a corpus is not cut on the word of a frontier %s', async (_, number, crawl, why) => {
  const dir = freshDir();
  const offsets = await committedOften(dir, 9, 'one');
  const before = await sizes(dir);
  const committed = number === null ? null : { number, offsets: offsets[Math.min(number, 9) - 1] ?? {} };
  await expect(FileCorpusWriter.open(dir, committed, INFO, { crawl })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining(why),
  });
  expect(await sizes(dir)).toEqual(before);
  expect(await putAside(dir)).toEqual({});
});

test('one commit may be ahead in the corpus; two histories with the same numbers are told apart', async () => {
  const dir = freshDir();
  const offsets = await committedOften(dir, 9, 'one');
  const other = { ...offsets[8], 'records.jsonl': 1 };
  await expect(FileCorpusWriter.open(dir, { number: 9, offsets: other }, INFO, { crawl: 'one' })).rejects.toThrow('not of one history');
  await (await FileCorpusWriter.open(dir, { number: 8, offsets: offsets[7] ?? {} }, INFO, { crawl: 'one' })).close();
  expect(await sizes(dir)).toEqual(offsets[7]);
});

test.each([
  ['both lost', [0, 1]],
  ['the newest torn', [1]],
] as const)('marks of commits: %s', async (_, lost) => {
  const dir = freshDir();
  const offsets = await committedOften(dir, 9, 'one');
  for (const number of lost) await truncate(join(dir, `commit-${number}.json`), 20);
  const opening = FileCorpusWriter.open(dir, { number: 9, offsets: offsets[8] ?? {} }, INFO, { crawl: 'one' });
  await expect(opening).rejects.toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining('forager repair') });
  const earlier = FileCorpusWriter.open(dir, { number: 8, offsets: offsets[7] ?? {} }, INFO, { crawl: 'one' });
  if (lost.length === 1) await (await earlier).close();
  else await expect(earlier).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
});

wholeTest('a corpus of Forager 0.1, whose commits have no numbers, is cut by some records and not by all', async () => {
  const dir = freshDir();
  const first = await FileCorpusWriter.open(dir, null, INFO);
  appendPages(first, 0, 1100);
  await first.close();
  await expect(FileCorpusWriter.open(dir, { number: 0, offsets: { 'records.jsonl': 0 } }, INFO)).rejects.toThrow('1100 records');
  const told: string[] = [];
  const cut = { cut: true, onCut: (folder: string) => told.push(folder) };
  await (await FileCorpusWriter.open(dir, { number: 0, offsets: { 'records.jsonl': 0 } }, INFO, cut)).close();
  expect(await sizes(dir)).toEqual({ 'records.jsonl': 0 });
  expect(await readFile(join(told[0] ?? '', 'records.jsonl'), 'utf8')).toMatch(/^({.*}\n){1100}$/);
});

test.each(['records.jsonl', 'forager-00000.warc.gz', VISITS_FILE])('a %s shorter than was committed is named as damaged', async (name) => {
  const dir = freshDir();
  const first = await FileCorpusWriter.open(dir, null, INFO, { record: true });
  appendPages(first, 0, 3);
  recordVisits(first, 0, 3);
  const committed = first.offsets();
  await first.close();
  await truncate(join(dir, name), 10);
  const error = await FileCorpusWriter.open(dir, { number: 0, offsets: committed }, INFO).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining(name) });
});

test.each(['records.jsonl', 'reservations.jsonl'])(
  '%s is cut behind a line only: elsewhere it is not the file that was committed',
  async (name) => {
    const dir = freshDir();
    const lines = ['{"a":1}\n', '{"b":22}\n', '{"c":333}\n'];
    const path = join(dir, name);
    for (let from = 1; from < lines.join('').length; from++) {
      await writeFile(path, lines.join(''));
      const opening = FileCorpusWriter.open(dir, { number: 0, offsets: { [name]: from } }, INFO);
      if (lines.join('')[from - 1] === '\n') {
        await (await opening).close();
        expect((await readFile(path)).length).toBe(from);
      } else {
        await expect(opening).rejects.toMatchObject({
          code: 'STORE_CORRUPT',
          message: expect.stringContaining(`no record ends at byte ${from}`),
        });
        expect((await readFile(path)).length).toBe(lines.join('').length);
      }
    }
  },
);

test('a committed name that is not ours is refused', async () => {
  await expect(FileCorpusWriter.open(freshDir(), { number: 0, offsets: { '../escape': 0 } }, INFO)).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  });
});

function recordVisits(writer: FileCorpusWriter, from: number, to: number): void {
  for (let i = from; i < to; i++)
    writer.append({ kind: 'visit', visit: { url: urlOf(`http://orchard.example/${i}`), status: 404, kind: 'failed', code: 'http-4xx' } });
}

async function visited(dir: string, length?: number): Promise<readonly string[]> {
  const web = await FrozenWeb.open(join(dir, VISITS_FILE), length);
  web.close();
  return web.urls.map((url) => url.replace('http://orchard.example/', ''));
}

test('a recording is a frozen web at every commit, and goes on where it was cut', async () => {
  const dir = freshDir();
  const first = await FileCorpusWriter.open(dir, null, INFO, { record: true });
  recordVisits(first, 0, 3);
  appendPages(first, 0, 2);
  const committed = first.offsets();
  recordVisits(first, 3, 9);
  await first.close();
  expect(await visited(dir, committed[VISITS_FILE])).toEqual(['0', '1', '2']);
  expect(await visited(dir)).toHaveLength(9);

  const second = await FileCorpusWriter.open(dir, { number: 0, offsets: committed }, INFO, { record: true });
  expect(await sizes(dir)).toEqual(committed);
  recordVisits(second, 3, 4);
  const offsets = second.offsets();
  await second.close();
  expect(await sizes(dir)).toEqual(offsets);
  expect(await visited(dir)).toEqual(['0', '1', '2', '3']);
});

test('a crawl that is not recorded has no recording', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  expect(writer.recorded).toBe(false);
  appendPages(writer, 0, 1);
  await writer.close();
  expect(Object.keys(await sizes(dir)).sort()).toEqual(['forager-00000.warc.gz', 'records.jsonl']);
});

test('WARC files roll, each with its own warcinfo first', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 3000 });
  const ids = appendPages(writer, 0, 20);
  await writer.close();
  const names = (await readdir(dir)).filter((name) => name.endsWith('.warc.gz')).sort();
  expect(names.length).toBeGreaterThan(3);
  expect(names.slice(0, 2)).toEqual(['forager-00000.warc.gz', 'forager-00001.warc.gz']);
  for (const name of names) {
    const [info, ...rest] = await readBack(join(dir, name));
    expect(info?.type).toBe('warcinfo');
    expect(info?.fields.get('warc-filename')).toBe(name);
    expect(rest.length % 3).toBe(0);
    for (const record of rest) expect(record.fields.get('warc-warcinfo-id')).toBe(`<${info?.id}>`);
  }
  expect(await responseIds(dir)).toEqual(ids);
});

test('flushes made while one is at work share one, and none overlap', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  appendPages(writer, 0, 5);
  const first = writer.flush();
  appendPages(writer, 5, 10);
  const second = writer.flush();
  const offsets = writer.offsets();
  const third = writer.flush();
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  await Promise.all([first, second]);
  expect(await sizes(dir)).toEqual(offsets);
  for (let i = 10; i < 60; i++) {
    appendPages(writer, i, i + 1);
    void writer.flush();
  }
  await writer.close();
  expect(await sizes(dir)).toEqual(writer.offsets());
  expect(new Set(await responseIds(dir)).size).toBe(60);
});

test('after close nothing can be appended', async () => {
  const writer = await FileCorpusWriter.open(freshDir(), null, INFO);
  await writer.close();
  await writer.close();
  expect(() => appendPages(writer, 0, 1)).toThrow(InvariantError);
});

test.skipIf(noMount !== null)(
  `a full disk is STORE_FULL, and the crawl resumes from its last commit${noMount === null ? '' : ` (skipped: ${noMount})`}`,
  async () => {
    const dir = freshDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir]);
    onTestFinished(() => void execFileSync('umount', [dir]));
    const corpus = join(dir, 'corpus');
    const writer = await FileCorpusWriter.open(corpus, null, INFO);
    const kept = appendPages(writer, 0, 5);
    const committed = writer.offsets();
    await writer.flush();
    const lost = appendPages(writer, 5, 100);
    const error = await writer.flush().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 'STORE_FULL' });
    await expect(writer.close()).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect((await readFile(join(corpus, 'records.jsonl'))).length).toBeGreaterThanOrEqual(committed['records.jsonl'] ?? 0);

    const resumed = await FileCorpusWriter.open(corpus, { number: 0, offsets: committed }, INFO);
    const again = appendPages(resumed, 5, 8);
    await resumed.close();
    expect(await responseIds(corpus)).toEqual([...kept, ...again]);
    expect(lost).toHaveLength(95);
  },
);

test.skipIf(noMount !== null)(
  `a flush that failed is made good by the next one once there is room${noMount === null ? '' : ` (skipped: ${noMount})`}`,
  async () => {
    const dir = freshDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir]);
    onTestFinished(() => void execFileSync('umount', [dir]));
    const corpus = join(dir, 'corpus');
    const writer = await FileCorpusWriter.open(corpus, null, INFO);
    const ids = appendPages(writer, 0, 100);
    await expect(writer.flush()).rejects.toMatchObject({ code: 'STORE_FULL' });
    execFileSync('mount', ['-o', 'remount,size=4m', dir]);
    await writer.close();
    expect(await sizes(corpus)).toEqual(writer.offsets());
    expect(await responseIds(corpus)).toEqual(ids);
  },
);
