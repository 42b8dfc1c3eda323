import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Wings from the lowest to the highest, each with its rooms by rank: a room imports lower wings, and rooms of a lower rank in its own. */
const WINGS: Record<string, readonly (readonly string[])[]> = {
  base: [['core'], ['disk', 'text', 'web']],
  reading: [
    ['extract', 'topic', 'links'],
    ['documents', 'wasm-reader'],
  ],
  corpus: [['align', 'object-store', 'personal', 'records'], ['select'], ['search'], ['formats'], ['describe'], ['harvest'], ['pairs']],
  crawling: [
    ['revisits'],
    ['crawl', 'fetch', 'frontier'],
    ['archive', 'cluster', 'render'],
    ['settings'],
    ['crawl-dir', 'input'],
    ['monitor', 'openings', 'reader'],
  ],
  study: [
    ['label', 'watch'],
    ['inspect', 'repair', 'eval'],
  ],
  faces: [['app'], ['library', 'web-ui'], ['cli']],
};
/** A room's rank in the whole house: its wing, then its rank in there. */
const RANK = new Map(
  Object.entries(WINGS).flatMap(([wing, ranks], at) =>
    ranks.flatMap((rooms, rank) => rooms.map((room) => [`${wing}/${room}`, at * 100 + rank])),
  ),
);
/** Rooms that see interfaces alone. */
const ONLY_CORE = new Set(['crawling/crawl']);
const src = join(dirname(fileURLToPath(import.meta.url)), '../src');

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

function violations(): string[] {
  const out: string[] = [];
  for (const file of files) {
    const from = roomOf(file);
    for (const [, specifier = ''] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = roomOf(relative(src, resolve(src, dirname(file), specifier)));
      const isLower = (RANK.get(to) ?? Number.POSITIVE_INFINITY) < (RANK.get(from) ?? -1);
      const isAllowed = from === to || (ONLY_CORE.has(from) ? to === 'base/core' : isLower);
      if (!isAllowed) out.push(`${file} imports ${specifier}`);
    }
  }
  return out;
}

test('src has six wings, and every file is in a room of one', () => {
  // `cli` has the launcher's path of 0.2 alone.
  expect(readdirSync(src).sort()).toEqual(['README.md', 'cli', ...Object.keys(WINGS)].sort());
  expect(files.filter((file) => !RANK.has(roomOf(file)))).toEqual([]);
});

test('rooms import lower wings, and rooms of a lower rank in their own', () => expect(violations()).toEqual([]));

const isOf =
  (...folders: readonly string[]) =>
  (file: string): boolean =>
    folders.some((folder) => file.startsWith(folder));

test('a name of a file stands in one room; a command of the command line may be called as what it runs', () => {
  const names = files.filter((name) => !isOf('faces/cli/commands/', 'faces/cli/runs/')(name));
  const rooms = new Map<string, string[]>();
  for (const name of names) rooms.set(basename(name), [...(rooms.get(basename(name)) ?? []), dirname(name)]);
  expect([...rooms].filter(([, where]) => where.length > 1)).toEqual([]);
});

/** An import or export that loads its file: not one of types alone. */
const LOADS = /^(?:import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'(\.[^']+)'/gm;
const ALL_TYPES = /^\{\s*(?:type\s+[^,}]+,?\s*)+\}$/;

/** The files that are loaded with a file: those that it imports at once, and so on. */
function loadedWith(start: string): Set<string> {
  const found = new Set([start]);
  for (const file of found)
    for (const [, names = '', specifier = ''] of readFileSync(join(src, file), 'utf8').matchAll(LOADS))
      if (!ALL_TYPES.test(names)) found.add(relative(src, resolve(src, dirname(file), specifier)));
  return found;
}

test('reading the manifest of a crawl loads names of formats, strategies and methods, and none of them', () => {
  const loaded = [...loadedWith('crawling/crawl-dir/crawl-directory.ts')].filter(isOf('corpus/', 'reading/'));
  // An address of a bucket is checked as it is read.
  expect(loaded.filter((file) => !file.endsWith('-names.ts'))).toEqual(['corpus/object-store/open-bucket.ts']);
  expect(loaded.map((file) => basename(file)).sort()).toContain('format-names.ts');
});

test('the command line loads what its commands are called, and only with a call what they do', () => {
  const isNames = (file: string) => isOf('base/', 'crawling/settings/', 'faces/cli/')(file) || file.endsWith('-names.ts');
  const loaded = [...loadedWith('faces/cli/main.ts')];
  expect(loaded.filter((file) => !isNames(file)).sort()).toEqual(['corpus/object-store/open-bucket.ts', 'faces/app/project-file.ts']);
  expect(loaded.filter(isOf('faces/cli/runs/'))).toEqual([]);
  expect(loaded.length).toBeLessThan(110);
});

test('status loads neither readers of pages and documents nor patterns', () => {
  const loaded = [...loadedWith('study/inspect/status.ts'), ...loadedWith('faces/cli/runs/status.ts')];
  const isOfReaders = isOf('reading/documents/kinds/', 'reading/wasm-reader/', 'base/web/charset', 'base/web/scope.ts');
  expect(loaded.filter(isOfReaders)).toEqual([]);
  expect([...loadedWith('study/inspect/recall-of-crawl.ts')].filter(isOfReaders)).toContain('base/web/scope.ts');
});

test('a crawl on one machine loads no code of several machines', () => {
  const isOfSeveral = isOf('crawling/cluster/', 'faces/app/cluster-worker.ts', 'faces/app/shared-settings.ts');
  expect([...loadedWith('faces/app/run-crawl.ts')].filter(isOfSeveral)).toEqual([]);
  expect([...loadedWith('faces/app/cluster-worker.ts')].filter(isOfSeveral).length).toBeGreaterThan(10);
});

test('a crawl without hooks loads no code of hooks', () => {
  expect([...loadedWith('faces/app/run-crawl.ts')].filter(isOf('crawling/openings/'))).toEqual([]);
  expect(loadedWith('crawling/openings/hooked-parts.ts')).toContain('crawling/openings/hook-thread.ts');
});

test('only cli reads argv and the environment or exits', () => {
  const offenders = files
    .filter((name) => !name.startsWith('faces/cli/'))
    .filter((name) => /process\.(argv|env|exit)\b/.test(readFileSync(join(src, name), 'utf8')));
  expect(offenders).toEqual([]);
});

/** What may be left out, with its type as far as its own `|` go; of a function, only what it is given. */
const OPTIONAL = /[\w$]+\?: ((?:[^;,(){}<>=]|\([^()]*\)|<[^<>]*>|\{[^{}]*\})*)/g;

test('what may be left out is never null as well', () => {
  const both = files.flatMap((name) =>
    [...readFileSync(join(src, name), 'utf8').matchAll(OPTIONAL)]
      .filter(([, type = '']) => /(^|\|)\s*null\s*(\||$)/.test(type))
      .map(([member]) => `${name}: ${member}`),
  );
  expect(both).toEqual([]);
});
