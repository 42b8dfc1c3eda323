/** Every format, with pages that no honest site would make, and with none. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { FORMAT_NAMES } from '../../../src/corpus/formats/format-names.ts';
import { freshDir } from '../records/samples.ts';
import { harvestOf, type WrittenPage, writtenCrawl } from './written-crawl.ts';

const HALF = '\ud83c';
const HOSTILE: readonly WrittenPage[] = [
  { at: 'http://[2001:db8::1]:8080/a', title: `x${HALF}`, text: `one ${HALF} two\0three`, anchorText: `cut ${HALF}` },
  { at: 'http://a.example/long', title: 't'.repeat(100_000), text: `${'字'.repeat(30_000)}\n${'x'.repeat(100_000)}` },
  { at: 'http://a.example/empty', title: '', text: '', lang: null },
  {
    at: "http://a.example/q?a='%22&b=]]>%00%zz",
    title: '=1+1\n</doc>\t"\u0000\u0085\u2028]]>',
    text: '</text>\n<g/>\n# text = no\n1\tno\r\n\u2028\u2029\uffff',
    lang: `en${HALF}\nx`,
    html: `<a href="/empty">${'a\u{1F350}'.repeat(100)}</a><a href="/long">&#xD83C;</a>`,
    fields: { [`"a",${HALF}`]: ['=1', HALF], __proto__x: '' },
    metadata: { ...NO_METADATA, authors: ['', '{\\', HALF], published: '9999-99-99', rights: '\0', siteName: HALF },
  },
];

async function filesOf(dir: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (path) => [path.slice(dir.length + 1), await readFile(path)] as const)));
}

/** Binary: Parquet, SQLite, ZIP and gzip. */
const BINARY = /\.(parquet|sqlite|wacz|zip|gz)$/;

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, one]) => [key, ...stringsOf(one)]) : [];
}

test('hostile pages: all files are UTF-8, and each line of JSON is well-formed Unicode', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const crawl = await writtenCrawl(dir, HOSTILE);
  const { card } = await harvestOf(crawl, out, { formats: FORMAT_NAMES, chunk: 3, chunkBy: 'words', csvText: true, waczText: true });
  expect(card.records.kept).toBe(HOSTILE.length);
  const files = await filesOf(out);
  let lines = 0;
  for (const [name, bytes] of files) {
    if (BINARY.test(name)) continue;
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), name).not.toThrow();
    const values = name.endsWith('.jsonl') ? bytes.toString().split('\n').slice(0, -1) : name.endsWith('.json') ? [bytes.toString()] : [];
    for (const text of values.flatMap((value) => stringsOf(JSON.parse(value)))) {
      expect(/\p{Surrogate}/u.test(text), `${name}: ${text.slice(0, 40)}`).toBe(false);
      lines++;
    }
  }
  expect(lines).toBeGreaterThan(100);
  for (const line of String(files.get('corpus.conllu')).split('\n'))
    expect(line === '' || line.startsWith('# ') || line.split('\t').length === 10, line.slice(0, 60)).toBe(true);
  const tags = String(files.get('corpus.vert'))
    .split('\n')
    .filter((line) => line.startsWith('<'));
  expect(tags.filter((line) => !/^<(?:doc(?: \w+="[^"<>]*")+|\/doc|\/?p|\/?s|g\/)>$/.test(line))).toEqual([]);
  expect(tags.filter((line) => line.startsWith('<doc '))).toHaveLength(HOSTILE.length);
});

test('a crawl without pages: every format writes its files, and none of them has a page', async () => {
  const dir = freshDir();
  const out = join(dir, 'out');
  const { card } = await harvestOf(await writtenCrawl(dir, []), out, { formats: FORMAT_NAMES.filter((name) => name !== 'links') });
  expect(card.records.kept).toBe(0);
  const files = await filesOf(out);
  expect(files.get('corpus.jsonl')?.length).toBe(0);
  expect(JSON.parse(String(files.get('pages.csl.json')))).toEqual([]);
  expect(String(files.get('corpus.tei.xml'))).not.toContain('<TEI');
});
