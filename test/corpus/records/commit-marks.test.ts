/** The commits that a corpus folder notes of itself, and what they allow a frontier. */
import { statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksummedLine } from '../../../src/base/core/checksum.ts';
import { StoreError } from '../../../src/base/core/errors.ts';
import { CommitMarks, readMarks, resetMarks, type StoredMark, whyNotOf } from '../../../src/corpus/records/commit-marks.ts';
import { runs } from '../../support/extent.ts';
import { flushesOf, watchedFlushes } from '../../support/flushes.ts';
import { freshDir } from './samples.ts';

const offsetsOf = (number: number) => ({ 'records.jsonl': 100 * number, 'forager-00000.warc.gz': 900 * number });
const mark = (number: number, crawl: string | null = 'one'): StoredMark => ({ crawl, number, offsets: offsetsOf(number) });
const frontier = (number: number) => ({ number, offsets: offsetsOf(number) });

async function written(dir: string, numbers: readonly number[], crawl: string | null = 'one'): Promise<void> {
  const marks = new CommitMarks(dir, crawl);
  for (const number of numbers) await marks.write(frontier(number));
  await marks.close();
}

test('a folder notes its last two commits, newest first, whatever number they begin with', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 5 }), async (first, count) => {
      const dir = freshDir();
      const numbers = Array.from({ length: count }, (_, i) => first + i);
      await written(dir, numbers);
      expect(readMarks(dir)).toEqual(
        numbers
          .slice(-2)
          .reverse()
          .map((number) => mark(number)),
      );
      expect((await readdir(dir)).length).toBe(Math.min(2, count));
    }),
    { numRuns: runs(20) },
  );
});

test('a mark shorter than the one it takes the place of is whole', async () => {
  const dir = freshDir();
  const marks = new CommitMarks(dir, null);
  const long = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`forager-000${10 + i}.warc.gz`, 1e9]));
  await marks.write({ number: 1, offsets: long });
  await marks.write({ number: 3, offsets: { 'records.jsonl': 7 } });
  await marks.close();
  expect(readMarks(dir)).toEqual([{ crawl: null, number: 3, offsets: { 'records.jsonl': 7 } }]);
});

test('each mark is on disk before the next is begun, and its name once', async () => {
  const dir = freshDir();
  const done = await watchedFlushes(() => readMarks(dir).map(({ number }) => number));
  await written(dir, [1, 2, 3, 4]);
  const flushes = (number: number) => flushesOf(done, join(dir, `commit-${number}.json`)).map(({ seen }) => seen);
  expect(flushes(1)).toEqual([[1], [3, 2]]);
  expect(flushes(0)).toEqual([
    [2, 1],
    [4, 3],
  ]);
  expect(flushesOf(done, dir).map(({ seen }) => seen)).toEqual(process.platform === 'win32' ? [] : [[], [1]]);
  expect(done.at(-1)).toMatchObject({ what: 'flush', inode: statSync(join(dir, 'commit-0.json')).ino });
});

test('a mark with any byte changed, or cut anywhere, is none, and the one before stands', async () => {
  const dir = freshDir();
  await written(dir, [8, 9]);
  const path = join(dir, 'commit-1.json');
  const bytes = await readFile(path);
  const damages = fc.oneof(
    fc.record({ at: fc.nat(bytes.length - 2), mask: fc.integer({ min: 1, max: 255 }) }).map(({ at, mask }) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ mask, at);
      return changed;
    }),
    fc.nat(bytes.length - 2).map((size) => bytes.subarray(0, size)),
  );
  await fc.assert(
    fc.asyncProperty(damages, async (damaged) => {
      await writeFile(path, damaged);
      expect(readMarks(dir)).toEqual([mark(8)]);
    }),
  );
});

test.each<[string, object]>([
  ['no number', { crawl: 'one', offsets: {} }],
  ['number 0', { crawl: 'one', number: 0, offsets: {} }],
  ['half a commit', { crawl: 'one', number: 1.5, offsets: {} }],
  ['a crawl that is no name', { crawl: 1, number: 1, offsets: {} }],
  ['a negative size', { crawl: 'one', number: 1, offsets: { 'records.jsonl': -1 } }],
  ['half a byte', { crawl: 'one', number: 1, offsets: { 'records.jsonl': 0.5 } }],
  ['a field of a later version', { crawl: 'one', number: 1, offsets: {}, codec: 'zstd' }],
])('what has a right checksum and %s is no mark', async (_, value) => {
  const dir = freshDir();
  await writeFile(join(dir, 'commit-0.json'), checksummedLine(value));
  await writeFile(join(dir, 'commit-1.json'), checksummedLine({ crawl: null, number: 5, offsets: { 'records.jsonl': 0 } }));
  expect(readMarks(dir)).toEqual([{ crawl: null, number: 5, offsets: { 'records.jsonl': 0 } }]);
});

test('a mark without a checksum is none', async () => {
  const dir = freshDir();
  await writeFile(join(dir, 'commit-0.json'), `${JSON.stringify({ crawl: 'one', number: 2, offsets: {} })}\n`);
  expect(readMarks(dir)).toEqual([]);
});

test.each<[string, readonly StoredMark[], number | null, string | null, string | null]>([
  ['a new crawl in a new folder', [], null, 'one', null],
  ['a frontier that counts no commits, and a folder that notes none', [], 0, 'one', null],
  ['marks that are lost', [], 1, 'one', 'has no word of its commits left'],
  ['the newest commit', [mark(9), mark(8)], 9, 'one', null],
  ['the one before it', [mark(9), mark(8)], 8, 'one', null],
  ['the one before it, its mark lost', [mark(9)], 8, 'one', null],
  ['one before that', [mark(9), mark(8)], 7, 'one', 'the frontier is an older copy'],
  ['one that the corpus does not know', [mark(9), mark(8)], 10, 'one', 'the corpus is an older copy'],
  ['nothing, the corpus having its first commit', [mark(1)], null, 'one', null],
  ['nothing, the corpus having its second', [mark(2), mark(1)], null, 'one', 'the frontier is an older copy'],
  ['another crawl', [mark(9)], 9, 'two', 'the corpus is of crawl one, and this is crawl two'],
  ['a crawl that has no id', [mark(9)], 9, null, null],
  ['a corpus of a crawl that had no id', [mark(9, null)], 9, 'two', null],
])('a frontier of %s', (_, marks, number, crawl, why) => {
  const answer = whyNotOf(marks, number === null ? null : frontier(number), crawl);
  if (why === null) expect(answer).toBeNull();
  else expect(answer).toContain(why);
});

test.each<[string, Readonly<Record<string, number>>, boolean]>([
  ['the same, in any order', { 'forager-00000.warc.gz': 8100, 'records.jsonl': 900 }, true],
  ['and a file that is empty yet', { ...offsetsOf(9), 'reservations.jsonl': 0 }, true],
  ['and a file more', { ...offsetsOf(9), 'reservations.jsonl': 1 }, false],
  ['a file fewer', { 'records.jsonl': 900 }, false],
  ['a byte more', { ...offsetsOf(9), 'records.jsonl': 901 }, false],
  ['those of the commit before', offsetsOf(8), false],
])('two commits of one number are one history when their sizes are %s', (_, offsets, isSame) => {
  for (const marks of [
    [mark(9), mark(8)],
    [mark(10), mark(9)],
  ]) {
    const answer = whyNotOf(marks, { number: 9, offsets }, 'one');
    expect(answer).toEqual(isSame ? null : expect.stringContaining('they are not of one history'));
  }
});

test.each<[string, number | null, readonly number[]]>([
  ['one commit', 4, [4]],
  ['a frontier that counts none', 0, []],
  ['a frontier without a commit', null, []],
])('a folder is made to note %s alone', async (_, number, expected) => {
  const dir = freshDir();
  await written(dir, [6, 7], 'other');
  await resetMarks(dir, number === null ? null : frontier(number), 'one');
  expect(readMarks(dir)).toEqual(expected.map((one) => mark(one)));
});

test('a folder that is gone is named', async () => {
  const dir = join(freshDir(), 'none');
  const marks = new CommitMarks(dir, 'one');
  await expect(marks.write(frontier(1))).rejects.toThrow(StoreError);
  await expect(marks.write(frontier(1))).rejects.toThrow(join(dir, 'commit-1.json'));
  await marks.close();
});
