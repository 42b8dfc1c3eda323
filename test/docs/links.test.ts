/** Links of all documents lead somewhere: to a file and to its heading, and in the package to a file of the package. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wholeTest } from '../support/whole-test.ts';
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

/** Files of the package, by npm itself. Without its scripts: they build, and `npm test` has done so. */
function packedFiles(): ReadonlySet<string> {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const [tarball] = JSON.parse(said) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return new Set(tarball?.files.map(({ path }) => path));
}

/** The map of the code leads to sources, which are in the repository alone. */
const isOfMap = ({ from, file }: LocalLink) => /^src\/(\w+\/)?README\.md$/.test(from) && file.startsWith('src/');

wholeTest('in the package they lead to files of the package', () => {
  const packed = packedFiles();
  const inPackage = documents.filter(({ path }) => packed.has(path));
  // Every document of the package is one that is read here.
  expect(inPackage.map(({ path }) => path)).toEqual([...packed].filter((path) => path.endsWith('.md')).sort());
  expect(inPackage.length).toBeGreaterThan(30);
  expect(packed.has('test/golden/README.md')).toBe(false);
  const leads = (file: string) => packed.has(file) || [...packed].some((path) => path.startsWith(`${file.replace(/\/$/, '')}/`));
  const broken = links.filter((link) => packed.has(link.from) && !leads(link.file) && !isOfMap(link));
  expect(broken.map(shown)).toEqual([]);
});

test('every page of docs can be reached from README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) for (const link of links) if (link.from === path) reached.add(link.file);
  expect(documents.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});
