/** What is on disk when a write of the corpus resolves. */
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CorpusFile } from '../../../src/corpus/records/corpus-file.ts';
import { flushesOf, watchedFlushes } from '../../support/flushes.ts';
import { freshDir } from './samples.ts';

test('a new file is flushed, and the folder that names it, before the write resolves', async () => {
  const folder = freshDir();
  const path = join(folder, 'records.jsonl');
  const done = await watchedFlushes(() => null);
  const file = new CorpusFile(path, 0);
  file.append(Buffer.from('one\n'));
  await file.write();
  expect(flushesOf(done, path)).toHaveLength(1);
  expect(flushesOf(done, folder)).toHaveLength(process.platform === 'win32' ? 0 : 1);
  expect(done.at(-1)).toMatchObject({ what: 'flush', inode: statSync(path).ino });
  await file.release();
});

test('a file that has committed bytes was named before: its folder is not flushed again', async () => {
  const folder = freshDir();
  const path = join(folder, 'records.jsonl');
  await writeFile(path, 'one\n');
  const done = await watchedFlushes(() => null);
  const file = new CorpusFile(path, 4);
  file.append(Buffer.from('two\n'));
  await file.write();
  file.append(Buffer.from('three\n'));
  await file.write();
  expect(flushesOf(done, path)).toHaveLength(2);
  expect(flushesOf(done, folder)).toEqual([]);
  await file.release();
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('what is appended during a write waits for the next, and is counted at once', async () => {
  const path = join(freshDir(), 'records.jsonl');
  const file = new CorpusFile(path, 0);
  file.append(Buffer.from('one\n'));
  const first = file.write();
  file.append(Buffer.from('two\n'));
  expect(file.size).toBe(8);
  await first;
  expect(await readFile(path, 'utf8')).toBe('one\n');
  await file.write();
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  await file.release();
});

test('without anything to write no file is made', async () => {
  const path = join(freshDir(), 'records.jsonl');
  await new CorpusFile(path, 0).write();
  expect(() => statSync(path)).toThrow(/ENOENT/);
});
