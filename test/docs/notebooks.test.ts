/** The notebooks run as they stand on a harvested corpus, with Debian's pandas and R, and count as the corpus does. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, harvest } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallWeb, trainedOn } from '../faces/cli/small-web.ts';

const small = smallWeb();
const corpus = small.path('corpus');
const WORD = 'the';
let expected: readonly string[] = [];
afterAll(() => small.close());

beforeAll(async () => {
  const { proxy } = await small.serve();
  const dir = small.path('crawl');
  await crawl({ dir, topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, maxPages: 60 });
  await harvest({ dir, out: corpus, formats: ['jsonl'] });
  const pages = readFileSync(join(corpus, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly url: string; readonly text: string });
  const hosts = new Map<string, number>();
  for (const { url } of pages) hosts.set(new URL(url).host, (hosts.get(new URL(url).host) ?? 0) + 1);
  const words = pages.reduce((sum, { text }) => sum + text.trim().split(/\s+/).length, 0);
  const places = pages.reduce((sum, { text }) => sum + (text.match(new RegExp(`\\b${WORD}\\b`, 'gi'))?.length ?? 0), 0);
  const drawn = [...hosts.values()].reduce((sum, count) => sum + Math.min(2, count), 0);
  expected = [`${pages.length} pages of ${hosts.size} hosts, ${words} words`, `${drawn} pages drawn`, `${places} places of ${WORD}`];
  expect([pages.length > 10, places > 10]).toEqual([true, true]);
});

/** Runs a program made of the code of a notebook. @returns its output */
function run(command: string, name: string, code: string): string {
  const path = small.path(name);
  writeFileSync(path, code);
  const { status, stdout, stderr } = spawnSync(command, [path], { encoding: 'utf8', env: { ...process.env, CORPUS: corpus, WORD } });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('the notebook for Python', (context) => {
  if (spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status !== 0) context.skip("needs Debian's python3-pandas");
  const { cells } = JSON.parse(readFileSync('docs/notebooks/corpus.ipynb', 'utf8')) as {
    readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
  };
  const code = cells.filter((cell) => cell.cell_type === 'code').map(({ source }) => source.join(''));
  const output = run('/usr/bin/python3', 'corpus.py', code.join('\n\n'));
  for (const line of expected) expect(output).toContain(line);
});

test('the notebook for R', (context) => {
  if (spawnSync('Rscript', ['-e', 'library(jsonlite)']).status !== 0) context.skip("needs Debian's r-base-core and r-cran-jsonlite");
  const chunks = [...readFileSync('docs/notebooks/corpus.Rmd', 'utf8').matchAll(/^```\{r\}\n([\s\S]*?)^```/gm)].map(
    ([, code = '']) => code,
  );
  expect(chunks.length).toBe(4);
  const output = run('Rscript', 'corpus.R', chunks.join('\n'));
  for (const line of expected) expect(output).toContain(line);
});
