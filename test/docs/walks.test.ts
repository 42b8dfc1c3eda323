/** The walks name files that are there, and count them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COUNTED = /The walk passes through (\d+) files in (\d+) rooms/;

interface Walk {
  readonly title: string;
  readonly text: string;
}

/** Parts of the page, and the one before its first heading. */
function walksIn(page: string): Walk[] {
  return page.split(/^## /m).map((text) => ({ title: text.split('\n')[0] ?? '', text }));
}

/** The files of a walk's table, from `src`. A name without a folder is in that of the name before it. */
function filesOf({ text }: Walk): string[] {
  const files = new Set<string>();
  let folder = '';
  for (const [, path = '', name = ''] of text.replace(/^(?!\|).*$/gm, '').matchAll(/`((?:[a-z-]+\/)*)([a-z0-9-]+\.ts)`/g)) {
    folder = path === '' ? folder : path;
    files.add(folder + name);
  }
  return [...files];
}

function roomsOf(files: readonly string[]): number {
  return new Set(files.map((file) => file.split('/').slice(0, 2).join('/'))).size;
}

const walks = walksIn(readFileSync(`${ROOT}docs/walks.md`, 'utf8'));

test.each(walks)('$title: its files are there', (walk) => {
  expect(filesOf(walk).filter((file) => !existsSync(`${ROOT}src/${file}`))).toEqual([]);
});

test.each(walks.filter(({ text }) => COUNTED.test(text)))('$title: files and rooms are counted', (walk) => {
  const files = filesOf(walk);
  expect(COUNTED.exec(walk.text)?.slice(1).map(Number)).toEqual([files.length, roomsOf(files)]);
});

test('a name without a folder, one twice, and one outside of the table', () => {
  const [, walk] = walksIn('# Page\n\n## A walk\n\n| `a/b/c.ts`, `d-e.ts` | see `a/b/c.ts` |\n| `f/g/h.ts` | |\n\nNot `a/z/i.ts`.\n');
  expect(walk && filesOf(walk)).toEqual(['a/b/c.ts', 'a/b/d-e.ts', 'f/g/h.ts']);
  expect(roomsOf(['a/b/c.ts', 'a/b/d-e.ts', 'f/g/sub/h.ts'])).toBe(2);
});
