/** The page of the library: every export of the package, with its docstring and type. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiPage } from './api-page.ts';

const page = apiPage();
const sections = page.split(/^### /m).slice(1);
const titleOf = (section: string) => section.split('\n')[0] ?? '';

test('every export of the index has its section, once', () => {
  const index = readFileSync('src/faces/library/index.ts', 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const names = [...index.matchAll(/\{([^}]*)\} from/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    )
    .filter((name) => name !== '');
  expect(names.length).toBeGreaterThan(80);
  expect(sections.map(titleOf).sort()).toEqual(names.sort());
});

test('a section has the type as the sources have it, without bodies and private members', () => {
  const crawl = sections.find((section) => titleOf(section) === 'crawl') ?? '';
  expect(crawl).toMatch(/^crawl\n\n[A-Z][\s\S]+```ts\nexport (async )?function crawl\([^{]*\): [^{]*;\n```\n/);
  for (const section of sections) expect([titleOf(section), section.match(/^```/gm)?.length]).toEqual([titleOf(section), 2]);
  expect(page).not.toMatch(/^ {2}(private |#)/m);
});

test.each([
  ['compact', "export async function compact(dir: string, options: Pick<LockOptions, 'warn' | 'signal'> = {}): Promise<CompactReport>;"],
  ['judgePages', 'export async function* judgePages('],
  ['freeze', 'export async function freeze(options: FreezeOptions): Promise<FreezeReport>;'],
])('%s, whose code is loaded with its first call, has the type of that code and the docstring of the library', (name, head) => {
  const section = sections.find((one) => titleOf(one) === name) ?? '';
  expect(section).toContain(`\`\`\`ts\n${head}`);
  expect(section).not.toContain('of the library.');
  expect(section).toMatch(/^\w+\n\n[A-Z][^`]{20}/);
});

test('every function and class of the library has a docstring', () => {
  const bare = sections.filter(
    (section) => /```ts\nexport (?:abstract )?(?:async )?(?:function|class)/.test(section) && /^\w+\n\n```/.test(section),
  );
  expect(bare.map(titleOf)).toEqual([]);
});
