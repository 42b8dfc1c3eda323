/** Functions of the sources are short: the longer ones have their reason here. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isFunction, isNode, type Node, parsed, walk } from '../tools/mutation/syntax.ts';

/** Lines from the first of a function to its last, without its docstring. */
const LONG = 60;

/** Tables and hot loops. Others are several functions. */
const ALLOWED: readonly { readonly file: string; readonly name: string; readonly why: string }[] = [
  { file: 'reading/wasm-reader/assembly/text-blocks.ts', name: 'append', why: 'a hot loop over all text, whose state is in locals' },
];

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

function longFunctions(code: string, most = LONG): LongFunction[] {
  // Few files have that many lines, and in these few nodes do: the others are not entered.
  const isLong = (node: Node) => linesOf(node, code) > most;
  if (code.split('\n').length <= most) return [];
  return [...walk(parsed(code), isLong)].flatMap(([node, above]) =>
    isFunction(node) ? [{ name: nameOf(node, above.at(-1)), lines: linesOf(node, code) }] : [],
  );
}

function linesOf({ start, end }: Node, code: string): number {
  return code.slice(start, end).split('\n').length;
}

/** The name of a function, or of the constant, member or property that has it; `function` for one without. */
function nameOf(node: Node, above: Node | undefined): string {
  for (const named of [node['id'], above?.['key'], above?.['id']])
    if (isNode(named) && typeof named['name'] === 'string') return named['name'];
  return 'function';
}

test(`no function has more than ${LONG} lines but those with a reason, and each of these has`, () => {
  const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => longFunctions(readFileSync(SRC + file, 'utf8')).map(({ name }) => `${file}: ${name}`));
  expect(found.sort()).toEqual(ALLOWED.map(({ file, name }) => `${file}: ${name}`).sort());
});

const body = (lines: number) => '  f();\n'.repeat(lines - 2);

test.each([
  ['a declaration', (lines: number) => `function long() {\n${body(lines)}}\n`, 'long'],
  ['an arrow', (lines: number) => `export const arrow = async () => {\n${body(lines)}};\n`, 'arrow'],
  ['a method', (lines: number) => `class A {\n  read() {\n${body(lines)}  }\n}\n`, 'read'],
  ['a private method', (lines: number) => `class A {\n  static async *#read() {\n${body(lines)}  }\n}\n`, 'read'],
  ['a getter of an object', (lines: number) => `const a = {\n  get size() {\n${body(lines)}  },\n};\n`, 'size'],
  ['a callback', (lines: number) => `each(() => {\n${body(lines)}});\n`, 'function'],
  [
    'a function in a function',
    (lines: number) => `const o = {\n  outer: 1,\n};\nif (o) {\n  (function inner() {\n${body(lines)}  })();\n}\n`,
    'inner',
  ],
])('%s is measured, with its signature and without what is around it', (_, code, name) => {
  expect(longFunctions(`/**\n * Text.\n */\n${code(LONG)}`)).toEqual([]);
  expect(longFunctions(`/**\n * Text.\n */\n${code(LONG + 1)}`)).toEqual([{ name, lines: LONG + 1 }]);
});

test('a long table or class of short functions is no long function', () => {
  const members = Array.from({ length: 40 }, (_, i) => `  m${i}() {\n    f();\n  }\n`).join('\n');
  const rows = Array.from({ length: 90 }, (_, i) => `  { row: ${i} },\n`).join('');
  expect(longFunctions(`class A {\n${members}}\nconst table = [\n${rows}];\n`)).toEqual([]);
});
