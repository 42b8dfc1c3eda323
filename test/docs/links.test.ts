/** Links of all documents lead somewhere: to a file and to its heading, and in the package to a file of the package. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allDocuments, anchorsOf, type LocalLink, localLinksOf } from './documents.ts';

const documents = allDocuments();
const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
const links = documents.flatMap(localLinksOf);

const shown = ({ from, file, heading }: LocalLink) => `${from}: ${file}${heading && `#${heading}`}`;

test('links lead to files and headings', () => {
  expect(links.length).toBeGreaterThan(150);
  const broken = links.filter(({ file, heading }) => !existsSync(file) || (heading !== '' && !anchors.get(file)?.has(heading)));
  expect(broken.map(shown)).toEqual([]);
});

/** Does npm pack it? Names of `files` are files, folders, or have one `*` for a folder; `npm run check -- install` packs in earnest. */
function isPacked(path: string): boolean {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] };
  return files.some((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(/|$)`).test(path));
}

test('in the package they lead to files of the package', () => {
  expect(documents.filter(({ path }) => isPacked(path)).length).toBeGreaterThan(30);
  expect(isPacked('test/golden/README.md')).toBe(false);
  expect(links.filter(({ from, file }) => isPacked(from) && !isPacked(file)).map(shown)).toEqual([]);
});

test('every page of docs can be reached from README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) for (const link of links) if (link.from === path) reached.add(link.file);
  expect(documents.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});
