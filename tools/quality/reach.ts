/**
 * The sources in numbers: lines of `src`, by wing, of tests, tools and documents, and what one loads to read a part: the files that it imports, and so on,
 * types aside.
 *
 *   npm run check -- reach [--root FOLDER of another commit] [file of src …]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The start of a crawl, its loop, one page, one label, and the reader. */
const STARTS = [
  'faces/app/run-crawl.ts',
  'crawling/crawl/loop.ts',
  'crawling/crawl/visit.ts',
  'study/label/labelling.ts',
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
