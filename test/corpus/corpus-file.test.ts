/** What is on disk when a write of the corpus resolves: Node's file handles are watched, not replaced. */
import { fstatSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CorpusFile } from '../../src/corpus/corpus-file.ts';
import { freshDir } from './samples.ts';

/** Inode by inode: what was written to, and flushed (fsync or fdatasync), in this order. */
const done: { readonly what: 'write' | 'flush'; readonly inode: number }[] = [];

beforeEach(async () => {
  const handle = await open(import.meta.filename);
  const methods: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const watch = (name: 'write' | 'sync' | 'datasync', what: 'write' | 'flush') => {
    const real: unknown = methods[name];
    if (typeof real !== 'function') throw new Error(`no ${name}`);
    const watched = async function (this: FileHandle, ...args: unknown[]) {
      const result: unknown = await real.apply(this, args);
      done.push({ what, inode: fstatSync(this.fd).ino });
      return result;
    };
    vi.spyOn(methods, name).mockImplementation(watched as never);
  };
  watch('write', 'write');
  watch('sync', 'flush');
  watch('datasync', 'flush');
});
afterEach(() => {
  vi.restoreAllMocks();
  done.length = 0;
});

const flushes = (path: string) => done.filter(({ what, inode }) => what === 'flush' && inode === statSync(path).ino).length;

test('a new file is flushed, and the folder that names it, before the write resolves', async () => {
  const folder = freshDir();
  const path = join(folder, 'records.jsonl');
  const file = new CorpusFile(path, 0);
  file.append(Buffer.from('one\n'));
  await file.write();
  expect(flushes(path)).toBe(1);
  expect(flushes(folder)).toBe(process.platform === 'win32' ? 0 : 1);
  expect(done.at(-1)).toEqual({ what: 'flush', inode: statSync(path).ino });
  await file.release();
});

test('a file that has committed bytes was named before: its folder is not flushed again', async () => {
  const folder = freshDir();
  const path = join(folder, 'records.jsonl');
  await writeFile(path, 'one\n');
  const file = new CorpusFile(path, 4);
  file.append(Buffer.from('two\n'));
  await file.write();
  file.append(Buffer.from('three\n'));
  await file.write();
  expect(flushes(path)).toBe(2);
  expect(flushes(folder)).toBe(0);
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
