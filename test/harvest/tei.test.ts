/** corpus.tei.xml: well-formed by xmllint, valid by jing where the schema of TEI P5 is at hand, and with the text of the pages. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { NO_METADATA } from '../../src/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord, PageMetadata } from '../../src/core/types.ts';
import { oneLineOf, paragraphsOf } from '../../src/text/segments.ts';
import { size } from '../support/extent.ts';
import { harvestOf, has, run, type SamplePage, sampleCrawl } from './harvest-samples.ts';

const HAS_XMLLINT = await has('xmllint', '--version');
if (!HAS_XMLLINT) console.log('Tests of XML by xmllint are left out: it is not installed (Debian: libxml2-utils)');
/** The schema of a TEI release, e.g. `TEI_SCHEMA=tei_all.rng npx vitest run test/harvest/tei.test.ts`. No package of Debian or npm has it. */
const SCHEMA = process.env['TEI_SCHEMA'] ?? '/usr/share/xml/tei/schema/relaxng/tei_all.rng';
const HAS_SCHEMA = existsSync(SCHEMA) && (await has('jing'));
if (!HAS_SCHEMA) console.log(`Validation of TEI is left out: no jing, or no ${SCHEMA} (set TEI_SCHEMA)`);

const HOSTILE = [
  ']]> <![CDATA[ x ]]>',
  'a\u0000b\u0008c\u001f',
  'lone \ud800 and \udc00',
  'not a character \ufffe \uffff',
  '</title></TEI> <!-- -- --> <?x?>',
  '&amp; &#0; &nope;',
  "“quoted\" 'title'",
  '',
  '\u202e\u200b\ufeff',
  '😀 \u{1fffe}',
];
const DATES = [
  '2021',
  '2021-03',
  '2021-03-14',
  '2021-03-14T09:30:00+01:00',
  '2021-03-14T09:30',
  '2021-02-31',
  '0000',
  'last week',
  '2021-W03',
];
const VALID_DATES = new Set(DATES.slice(0, 4));

function metadata(i: number): PageMetadata {
  const hostile = HOSTILE[i % HOSTILE.length] ?? '';
  return {
    ...NO_METADATA,
    authors: i % 3 === 0 ? [] : [hostile, 'A. Author'],
    siteName: i % 4 === 0 ? null : hostile,
    published: DATES[i % DATES.length] ?? null,
    licences: i % 2 === 0 ? [] : (['https://a.example/l?%zz#a#b', 'https://creativecommons.org/licenses/by/4.0/'] as CanonicalUrl[]),
    rights: i % 5 === 0 ? hostile : null,
    description: i % 7 === 0 ? hostile : null,
  };
}

const TEXT = fc.array(fc.oneof(fc.lorem(), fc.string({ unit: 'binary' }), fc.constantFrom('\n', ...HOSTILE)), { maxLength: 20 });
const LANGS = ['en', 'de-at', null, 'x', 'not_a_tag!', 'zh'];

const PAGES: readonly SamplePage[] = fc.sample(TEXT, { seed: 3, numRuns: size(500, 100) }).map((parts, i) => ({
  url: new URL(`http://a.example/${i}?q=%zz|^\`{}&b="<>"#a#b`).href,
  html: 'x',
  record: { title: HOSTILE[i % HOSTILE.length] ?? '', text: parts.join(''), lang: LANGS[i % LANGS.length] ?? null, metadata: metadata(i) },
}));

async function written() {
  const made = await sampleCrawl(PAGES, 1e9);
  const path = join(await harvestOf(made, { formats: ['tei'] }), 'corpus.tei.xml');
  return { path, ...made };
}

/** XML has no lone surrogates and no U+FFFE: both are U+FFFD. */
const shown = (text: string) => oneLineOf(text).replace(/[\ufffe\uffff]/g, '\ufffd');

test('each page once, with the values of its record, and its text in paragraphs', async () => {
  const { path, records } = await written();
  const document = new DOMParser().parseFromString(await readFile(path, 'utf8'), 'text/xml');
  const pages = [...document.querySelectorAll('TEI')];
  expect(pages).toHaveLength(records.length);
  pages.forEach((page, i) => {
    const record = records[i] as CorpusRecord;
    const texts = (selector: string) => [...page.querySelectorAll(selector)].map((one) => one.textContent);
    expect(texts('idno')).toEqual([record.url, record.id]);
    expect(texts('titleStmt title')).toEqual([shown(record.title)]);
    expect(texts('titleStmt author')).toEqual(record.metadata.authors.map(shown));
    expect(texts('publisher')).toEqual([shown(record.metadata.siteName ?? 'a.example')]);
    expect(texts('publicationStmt date')).toEqual([record.metadata.published]);
    expect(page.querySelector('publicationStmt date')?.getAttribute('when') ?? null).toBe(
      VALID_DATES.has(record.metadata.published ?? '') ? record.metadata.published : null,
    );
    expect(texts('licence')).toEqual(record.metadata.licences);
    expect(texts('body p')).toEqual([...paragraphsOf(record.text)].length === 0 ? [''] : [...paragraphsOf(record.text)].map(shown));
    for (const one of page.querySelectorAll('[target]'))
      expect(one.getAttribute('target')).toMatch(/^(?:[^\s"<>\\^`{|}%#]|%[0-9A-Fa-f]{2})*(?:#[^#]*)?$/);
    for (const one of page.querySelectorAll('language')) expect(one.getAttribute('ident')).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });
  expect(new Set(pages.map((page) => page.getAttribute('xml:id'))).size).toBe(records.length);
});

test.skipIf(!HAS_XMLLINT)('hostile titles, texts and metadata make well-formed XML, and so does an empty corpus', async () => {
  const { path, dir } = await written();
  await run('xmllint', ['--noout', '--huge', path]);
  const { stdout } = await run('xmllint', ['--huge', '--xpath', 'count(//*[local-name()="TEI"])', path]);
  expect(stdout.trim()).toBe(String(PAGES.length));
  const none = await harvestOf({ dir }, { formats: ['tei'], minRelevance: 1 });
  await run('xmllint', ['--noout', join(none, 'corpus.tei.xml')]);
});

test.skipIf(!HAS_SCHEMA)(
  'valid TEI P5',
  async () => {
    const { path } = await written();
    const { stdout } = await run('jing', [SCHEMA, path]).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
    expect(stdout).toBe('');
  },
  120_000,
);
