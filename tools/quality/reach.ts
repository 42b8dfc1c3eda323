/**
 * The sources in numbers: lines of `src`, by wing, of tests, tools and documents, and what one loads to read a part: the files that it imports, and so on,
 * types aside. Then the values of their largest function, which its reader holds at once: parameters and declarations, and those that change.
 *
 *   npm run check -- reach [--root FOLDER of another commit] [file of src …]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { children, isFunction, isNode, type Node, parsed, walk } from '../mutation/syntax.ts';

/** The start of a crawl, its loop, one page, one label, and the reader. */
const STARTS = [
  'faces/app/run-crawl.ts',
  'faces/app/crawl-session.ts',
  'faces/app/open-parts.ts',
  'crawling/crawl/loop.ts',
  'crawling/crawl/visit.ts',
  'study/label/labelled-topic.ts',
  'reading/extract/extractor.ts',
];
/** An import or export of a file of ours that loads it. */
const IMPORTS = /^(?:import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'(\.[^']+)'/gm;
const TYPES_ALONE = /^\{\s*(?:type\s+[^,}]+,?\s*)+\}$/;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { root: { type: 'string', default: '.' } } });
const src = join(values.root, 'src');

function filesIn(folder: string, ending: RegExp): string[] {
  const path = join(values.root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(path, name));
}

function lines(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

function reached(start: string): readonly string[] {
  const found = new Set([join(src, start)]);
  for (const file of found)
    for (const [, names = '', specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS))
      if (!TYPES_ALONE.test(names)) found.add(relative('.', resolve(dirname(file), specifier)));
  return [...found];
}

/** The names that a pattern binds. */
function bound(pattern: unknown): readonly Node[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [pattern];
  const parts =
    pattern.type === 'Property' ? [pattern['value']] : pattern.type === 'AssignmentPattern' ? [pattern['left']] : children(pattern);
  return parts.flatMap(bound);
}

interface Values {
  readonly name: string;
  readonly lines: number;
  readonly values: number;
  readonly changing: number;
}

function valuesOf(node: Node, above: readonly Node[], code: string): Values {
  const params = [node['params']].flat().flatMap(bound).length;
  const declared = [...walk(node, () => true)].flatMap(([{ type, kind, declarations }]) =>
    type === 'VariableDeclaration' ? [declarations].flat().flatMap((each) => (isNode(each) ? bound(each['id']).map(() => kind) : [])) : [],
  );
  const named = [node['id'], above.at(-1)?.['key'], above.at(-1)?.['id']].find(isNode);
  return {
    name: String(named?.['name'] ?? 'function'),
    lines: code.slice(node.start, node.end).split('\n').length,
    values: params + declared.length,
    changing: declared.filter((kind) => kind === 'let').length,
  };
}

function fullest(start: string): Values | undefined {
  const code = readFileSync(join(src, start), 'utf8');
  const functions = [...walk(parsed(code), () => true)].filter(([node, above]) => isFunction(node) && !above.some(isFunction));
  return functions.map(([node, above]) => valuesOf(node, above, code)).sort((a, b) => b.values - a.values)[0];
}

console.log('| part | files | lines |\n| --- | ---: | ---: |');
const wings = readdirSync(src, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join('src', entry.name)] : []));
for (const part of [...wings, 'src', 'test', 'tools', 'datasets', 'docs']) {
  const files = filesIn(part, part === 'docs' ? /\.(?:md|1|json)$/ : /\.ts$/);
  console.log(`| ${part} | ${files.length} | ${lines(files)} |`);
}
console.log('\n| from | files | lines | rooms |\n| --- | ---: | ---: | ---: |');
for (const start of positionals.length > 0 ? positionals : STARTS) {
  const files = reached(start);
  console.log(`| ${start} | ${files.length} | ${lines(files)} | ${new Set(files.map(dirname)).size} |`);
}
console.log('\n| file | function of most values | lines | values | changing |\n| --- | --- | ---: | ---: | ---: |');
for (const start of positionals.length > 0 ? positionals : STARTS) {
  const { name, lines: length, values: all, changing } = fullest(start) ?? { name: '', lines: 0, values: 0, changing: 0 };
  console.log(`| ${start} | ${name} | ${length} | ${all} | ${changing} |`);
}
