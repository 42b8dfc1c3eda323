/** All formats of a harvest have one text, with its lines. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLineOf } from '../../../src/base/text/segments.ts';
import { size } from '../../support/extent.ts';
import { linedPage } from '../../support/lined-pages.ts';
import { withDuckDb } from './duckdb.ts';
import { harvestOf, type SamplePage, sampleCrawl } from './harvest-samples.ts';
import { textOfHtml } from './tei-pages.ts';

const HAS_SQLITE3 = spawnSync('sqlite3', ['--version']).status === 0;
const LINED = fc.sample(linedPage, { seed: 49, numRuns: size(220, 40) });
const PAGES: readonly SamplePage[] = LINED.map(({ html }, i) => ({
  url: `http://a.example/${i}`,
  html,
  record: { text: textOfHtml(html), title: `Page ${i}`, lang: 'en' },
}));
const FORMATS = ['jsonl', 'text', 'chunks', 'vertical', 'conllu', 'sqlite', 'parquet', 'tei'] as const;

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
/** Tokens may be parts of words. */
const lettersOf = (text: string) => wordsOf(text).join('');
const plain = (xml: string) =>
  xml
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const paragraphsIn = (text: string) => text.split(/\n{2,}/).map(oneLineOf);

test('every line of the pages is in all of them; paragraphs are those between blank lines', async () => {
  const out = await harvestOf(await sampleCrawl(PAGES, 1e9), { formats: FORMATS, dedupe: 'none' });
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const rows = read('corpus.jsonl')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as { readonly url: string; readonly text: string; readonly id: string });
  expect(rows).toHaveLength(PAGES.length);
  const texts = rows.map(({ text }) => text);
  for (const [i, text] of texts.entries()) expect(text.split('\n').filter((line) => line !== '')).toEqual(LINED[i]?.lines);

  const files = readdirSync(join(out, 'text')).filter((name) => name.endsWith('.txt'));
  expect(new Set(files.map((name) => read(`text/${name}`)))).toEqual(new Set(texts.map((text) => `${text}\n`)));

  await withDuckDb(async (ask) => {
    const found = await ask(`SELECT url, text FROM read_parquet('${join(out, 'data/*.parquet')}')`);
    expect(new Map(found.map(({ url, text }) => [url, text]))).toEqual(new Map(rows.map(({ url, text }) => [url, text])));
  });
  if (HAS_SQLITE3) {
    const answer = execFileSync('sqlite3', ['-json', join(out, 'corpus.sqlite'), 'SELECT url, text FROM pages'], { encoding: 'utf8' });
    const found = JSON.parse(answer) as { readonly url: string; readonly text: string }[];
    expect(new Map(found.map(({ url, text }) => [url, text]))).toEqual(new Map(rows.map(({ url, text }) => [url, text])));
  }

  const chunks = read('chunks.jsonl')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as { readonly page: string; readonly text: string; readonly start: number });
  for (const { page, text, start } of chunks) expect(rows.find(({ id }) => id === page)?.text.startsWith(text, start)).toBe(true);

  const pages = read('corpus.tei.xml').split('<body>').slice(1);
  expect(pages.map((page) => wordsOf(plain(page.slice(0, page.indexOf('</body>')))))).toEqual(texts.map(wordsOf));
  expect(read('corpus.tei.xml')).not.toContain('decls="#paragraphs"');

  const docs = read('corpus.vert').split('</doc>\n').slice(0, -1);
  expect(
    docs.map((doc) =>
      doc
        .split('<p>\n')
        .slice(1)
        .map((part) => lettersOf(plain(part))),
    ),
  ).toEqual(texts.map((text) => paragraphsIn(text).map((paragraph) => lettersOf(paragraph))));
  expect(read('corpus.conllu').split('# newpar\n').length - 1).toBe(texts.flatMap(paragraphsIn).length);
});
