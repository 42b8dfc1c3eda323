import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Who may import whom: a room imports rooms of a lower rank only; `crawl` sees interfaces, so only `core`. */
const RANK: Record<string, number> = {
  core: 0,
  disk: 1,
  'object-store': 1,
  text: 1,
  web: 1,
  fetch: 2,
  extract: 2,
  frontier: 2,
  topic: 2,
  links: 2,
  corpus: 2,
  crawl: 3,
  'page-core': 3,
  engine: 4,
  harvest: 4,
  settings: 5,
  'crawl-dir': 6,
  input: 6,
  monitor: 7,
  reader: 7,
  label: 8,
  inspect: 9,
  repair: 9,
  eval: 9,
  app: 10,
  page: 11,
  'library.ts': 11,
  'index.ts': 12,
  'part-exports.ts': 11,
  cli: 13,
};
const ONLY_CORE = new Set(['crawl']);
const src = join(dirname(fileURLToPath(import.meta.url)), '../src');

function violations(): string[] {
  const out: string[] = [];
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const from = file.split('/')[0] ?? '';
    for (const [, specifier = ''] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = relative(src, resolve(src, dirname(file), specifier)).split('/')[0] ?? '';
      const allowed = from === to || (ONLY_CORE.has(from) ? to === 'core' : (RANK[to] ?? 99) < (RANK[from] ?? -1));
      if (!allowed) out.push(`${file} imports ${specifier}`);
    }
  }
  return out;
}

test('rooms import only rooms of a lower rank', () => expect(violations()).toEqual([]));

test('a name of a file stands in one room; a command of the command line may be called as what it runs', () => {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('cli/commands/'),
  );
  const rooms = new Map<string, string[]>();
  for (const name of names) rooms.set(basename(name), [...(rooms.get(basename(name)) ?? []), dirname(name)]);
  expect([...rooms].filter(([, where]) => where.length > 1)).toEqual([]);
});

test('only cli reads argv and the environment or exits', () => {
  const offenders = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('cli/'))
    .filter((name) => /process\.(argv|env|exit)\b/.test(readFileSync(join(src, name), 'utf8')));
  expect(offenders).toEqual([]);
});

/** What may be left out, with its type as far as its own `|` go; of a function, only what it is given. */
const OPTIONAL = /[\w$]+\?: ((?:[^;,(){}<>=]|\([^()]*\)|<[^<>]*>|\{[^{}]*\})*)/g;

test('what may be left out is never null as well', () => {
  const both = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...readFileSync(join(src, name), 'utf8').matchAll(OPTIONAL)]
        .filter(([, type = '']) => /(^|\|)\s*null\s*(\||$)/.test(type))
        .map(([member]) => `${name}: ${member}`),
    );
  expect(both).toEqual([]);
});
