/** Pages of the seven types, of our own making, in several languages: no paragraph of their main text is lost, and none is foreign. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { canonicalize } from '../../../src/base/web/url.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const folder = fileURLToPath(new URL('../../golden/types/', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length));
const TYPES = ['article', 'forum', 'product', 'collection', 'listing', 'documentation', 'service'];
const typeOf = (name: string) => name.slice(0, name.indexOf('-'));
const extractor = pageExtractor({ productToken: 'forager' });

/** Lines with a single space between words; a tab separates cells. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[^\S\n]+/g, ' ').trim())
    .filter((line) => line !== '');
}

/** The lines of an expected text; those after `? ` may be in it or not, and so may the heading of the page. */
function expectedLines(name: string, html: string): { readonly needed: readonly string[]; readonly allowed: ReadonlySet<string> } {
  const lines = linesOf(readFileSync(`${folder}${name}.txt`, 'utf8'));
  const heading = linesOf((/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '').replaceAll(/<[^>]*>/g, ' '));
  return {
    needed: lines.filter((line) => !line.startsWith('? ')),
    allowed: new Set([...lines.map((line) => line.replace(/^\? /, '')), ...heading]),
  };
}

test('the seven types have pages in several languages and scripts', () => {
  const languages = (type: string) =>
    new Set(
      names
        .filter((name) => typeOf(name) === type)
        .map((name) => /<html lang="(\w+)/.exec(readFileSync(`${folder}${name}.html`, 'utf8'))?.[1]),
    );
  expect([...new Set(names.map(typeOf))].filter((type) => !TYPES.includes(type))).toEqual([]);
  for (const type of TYPES.filter((one) => one !== 'forum')) expect(languages(type).size).toBeGreaterThanOrEqual(3);
});

test.each(names)('golden page %s', (name) => {
  const html = readFileSync(`${folder}${name}.html`, 'utf8');
  const { text } = extractor.extract(page(html, canonicalize(`https://www.example.com/${name}`) ?? undefined));
  const { needed, allowed } = expectedLines(name, html);
  const found = linesOf(text);
  expect({ lost: needed.filter((line) => !found.includes(line)), foreign: found.filter((line) => !allowed.has(line)) }).toEqual({
    lost: [],
    foreign: [],
  });
  expect(needed.join(' ').length).toBeGreaterThan(100);
});
