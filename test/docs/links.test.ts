/** Links of all documents lead somewhere: to a file and to its heading, and in the package to a file of the package. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allDocuments, anchorsOf, type LocalLink, localLinksOf } from './documents.ts';

const run = promisify(execFile);
const documents = allDocuments();
const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
const links = documents.flatMap(localLinksOf);

const shown = ({ from, file, heading }: LocalLink) => `${from}: ${file}${heading && `#${heading}`}`;

test('links lead to files and headings', () => {
  expect(links.length).toBeGreaterThan(150);
  const broken = links.filter(({ file, heading }) => !existsSync(file) || (heading !== '' && !anchors.get(file)?.has(heading)));
  expect(broken.map(shown)).toEqual([]);
});

test('in the package they lead to files of the package', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']);
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  const packed = new Set(files.map(({ path }) => path));
  expect(packed.has('docs/README.md')).toBe(true);
  const isThere = (file: string) => packed.has(file) || [...packed].some((path) => path.startsWith(`${file.replace(/\/$/, '')}/`));
  expect(links.filter(({ from, file }) => packed.has(from) && !isThere(file)).map(shown)).toEqual([]);
});

test('every page of docs can be reached from README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) for (const link of links) if (link.from === path) reached.add(link.file);
  expect(documents.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});
