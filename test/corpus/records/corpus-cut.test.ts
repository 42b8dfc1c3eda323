/** A corpus folder brought back to a commit: what is cut off is aside before, whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { cutTails, tailsOf } from '../../../src/corpus/records/corpus-cut.ts';
import { runs } from '../../support/extent.ts';
import { flushesOf, watchedFlushes } from '../../support/flushes.ts';
import { freshDir } from './samples.ts';
import { noMount } from './small-disk.ts';

const NOW = new Date('2026-11-22T10:11:12.345Z');
const ASIDE = 'cut-2026-11-22T10-11-12.345Z';
const isOurs = (name: string) => name.endsWith('.jsonl');
const at = (offsets: Readonly<Record<string, number>>) => ({ number: 3, offsets });

function folderOf(files: Readonly<Record<string, string>>): string {
  const dir = freshDir();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

/** Names and texts of the files in a folder. */
function textsIn(dir: string): Record<string, string> {
  const names = readdirSync(dir).filter((name) => statSync(join(dir, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

test.each<[string, string, number | null, object | null]>([
  ['as long as was committed', 'abc', 3, null],
  ['shorter than was committed', 'ab', 3, null],
  ['a byte longer', 'abcd', 3, { from: 3, size: 4 }],
  ['of which nothing was committed', 'abc', 0, { from: 0, size: 3 }],
  ['empty, as was committed', '', 0, null],
  ['that the commit does not name', 'abc', null, { from: 0, size: 3 }],
  ['that the commit does not name, and is empty', '', null, { from: 0, size: 0 }],
])('the tail of a file %s', async (_, text, committed, tail) => {
  const dir = folderOf({ 'a.jsonl': text, 'notes.txt': 'mine' });
  const offsets = committed === null ? {} : { 'a.jsonl': committed };
  expect(await tailsOf(dir, at(offsets), isOurs)).toEqual(tail === null ? [] : [{ name: 'a.jsonl', ...tail }]);
});

test('without a commit all that our files hold is a tail, and an empty file is none', async () => {
  const dir = folderOf({ 'b.jsonl': 'b', 'a.jsonl': 'a', 'empty.jsonl': '', 'notes.txt': 'mine' });
  expect(await tailsOf(dir, null, isOurs)).toEqual([
    { name: 'a.jsonl', from: 0, size: 1 },
    { name: 'b.jsonl', from: 0, size: 1 },
  ]);
});

test('what stays and what is put aside make up every file as it was', async () => {
  const files = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}\.jsonl$/),
    fc.record({ text: fc.stringMatching(/^[a-z\n]{0,300}$/), cut: fc.nat(300) }),
  );
  await fc.assert(
    fc.asyncProperty(files, async (drawn) => {
      const before = Object.fromEntries(Object.entries(drawn).map(([name, { text }]) => [name, text]));
      const dir = folderOf({ ...before, 'notes.txt': 'mine' });
      const offsets = Object.fromEntries(Object.entries(drawn).map(([name, { text, cut }]) => [name, Math.min(text.length, cut)]));
      const folder = await cutTails(dir, await tailsOf(dir, at(offsets), isOurs), NOW, false);
      const [kept, aside] = [textsIn(dir), folder === null ? {} : textsIn(folder)];
      for (const [name, text] of Object.entries(before)) {
        const size = offsets[name] ?? 0;
        expect(kept[name] ?? '').toBe(text.slice(0, size));
        if (size < text.length) expect(aside[size === 0 ? name : `${name}.from-${size}`]).toBe(text.slice(size));
      }
      expect(Object.keys(aside)).toHaveLength(Object.entries(before).filter(([name, text]) => text.length > (offsets[name] ?? 0)).length);
      expect(kept['notes.txt']).toBe('mine');
      expect(await tailsOf(dir, at(offsets), isOurs)).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});

test('the folder has the time in its name; a file that goes whole keeps its name there, an empty one too', async () => {
  const dir = folderOf({ 'a.jsonl': 'one\ntwo\n', 'b.jsonl': 'three\n', 'c.jsonl': '' });
  const folder = await cutTails(dir, await tailsOf(dir, at({ 'a.jsonl': 4 }), isOurs), NOW, true);
  expect(folder).toBe(join(dir, ASIDE));
  expect(textsIn(dir)).toEqual({ 'a.jsonl': 'one\n' });
  expect(textsIn(join(dir, ASIDE))).toEqual({ 'a.jsonl.from-4': 'two\n', 'b.jsonl': 'three\n', 'c.jsonl': '' });
});

test('nothing is made where nothing is to be cut', async () => {
  const dir = folderOf({ 'a.jsonl': 'one\n', 'b.jsonl': '' });
  for (const offsets of [{ 'a.jsonl': 4, 'b.jsonl': 0 }, { 'a.jsonl': 4 }])
    expect(await cutTails(dir, await tailsOf(dir, at(offsets), isOurs), NOW, true)).toBeNull();
  expect(readdirSync(dir)).toEqual(['a.jsonl', 'b.jsonl']);
});

test('no file is cut before the tails, their folder and its name are on disk', async () => {
  const dir = folderOf({ 'a.jsonl': 'one\ntwo\n', 'b.jsonl': 'three\n' });
  const path = join(dir, ASIDE);
  const done = await watchedFlushes(() => ({ names: readdirSync(dir), aside: existsSync(path) ? textsIn(path) : {} }));
  await cutTails(dir, await tailsOf(dir, at({ 'a.jsonl': 4 }), isOurs), NOW, false);
  const aside = { 'a.jsonl.from-4': 'two\n', 'b.jsonl': 'three\n' };
  for (const [name, text] of Object.entries(aside)) {
    const [flush] = flushesOf(done, join(path, name));
    expect(flush?.seen.aside[name]).toBe(text);
    expect(flush?.seen.names).toContain('b.jsonl');
  }
  if (process.platform === 'win32') return;
  expect(flushesOf(done, path).map(({ seen }) => seen)).toEqual([{ names: ['a.jsonl', 'b.jsonl', ASIDE], aside }]);
  expect(flushesOf(done, dir).map(({ seen }) => seen.names)).toEqual([
    ['a.jsonl', 'b.jsonl', ASIDE],
    ['a.jsonl', ASIDE],
  ]);
});

test.each([true, false])('what was put aside before is never written over (may it be dropped? %s)', async (mayDrop) => {
  const dir = folderOf({ 'a.jsonl': 'one\ntwo\n' });
  mkdirSync(join(dir, ASIDE));
  writeFileSync(join(dir, ASIDE, 'a.jsonl.from-4'), 'earlier');
  await expect(cutTails(dir, await tailsOf(dir, at({ 'a.jsonl': 4 }), isOurs), NOW, mayDrop)).rejects.toThrow(/EEXIST/);
  expect(textsIn(dir)).toEqual({ 'a.jsonl': 'one\ntwo\n' });
  expect(textsIn(join(dir, ASIDE))).toEqual({ 'a.jsonl.from-4': 'earlier' });
});

test.skipIf(noMount !== null)(
  `a full disk gets room by the cut, if that was never committed; else nothing is cut${noMount === null ? '' : ` (skipped: ${noMount})`}`,
  async () => {
    const disk = freshDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    onTestFinished(() => void execFileSync('umount', [disk]));
    const path = join(disk, 'a.jsonl');
    writeFileSync(path, 'x'.repeat(60_000));
    const tails = await tailsOf(dirname(path), at({ 'a.jsonl': 10 }), (name) => name === basename(path));
    await expect(cutTails(disk, tails, NOW, false)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(statSync(path).size).toBe(60_000);
    const later = new Date(NOW.getTime() + 1000);
    expect(await cutTails(disk, tails, later, true)).toBeNull();
    expect(textsIn(disk)).toEqual({ 'a.jsonl': 'x'.repeat(10) });
    expect(readdirSync(disk)).toEqual(['a.jsonl', ASIDE]);
  },
);
