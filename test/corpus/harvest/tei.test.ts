/** corpus.tei.xml: well-formed by xmllint, valid by jing, and with the values of the records in its headers. */
import { existsSync } from 'node:fs';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { readGold } from '../../../datasets/extractor/gold.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord, PageMetadata } from '../../../src/base/core/types.ts';
import { oneLineOf, paragraphsOf } from '../../../src/base/text/segments.ts';
import { size } from '../../support/extent.ts';
import { freshDir } from '../records/samples.ts';
import { harvestOf, has, run, type SamplePage, sampleCrawl } from './harvest-samples.ts';
import { BODIES, textOfHtml } from './tei-pages.ts';

const HAS_XMLLINT = await has('xmllint', '--version');
if (!HAS_XMLLINT) console.log('Tests of XML by xmllint are left out: it is not installed (Debian: libxml2-utils)');
const HAS_JING = await has('jing');
/** The schema of a TEI release, e.g. `TEI_SCHEMA=tei_all.rng npx vitest run test/corpus/harvest/tei.test.ts`. No package of Debian or npm has a release of today. */
const RELEASE = process.env['TEI_SCHEMA'] ?? '/usr/share/xml/tei/schema/relaxng/tei_all.rng';
/** Folder with `tei_all.rnc` of Debian's xmlcopyeditor: of 24 September 2006, before TEI P5 1.0. `tei-p5.rnc` adds the later definitions that the file needs. */
const BASE = process.env['TEI_BASE'] ?? '/usr/share/xmlcopyeditor/rng';
const SCHEMAS = [
  ...(existsSync(RELEASE) ? ['release'] : []),
  ...(existsSync(join(BASE, 'tei_all.rnc')) ? ['2006 with later definitions'] : []),
];
if (!HAS_JING || SCHEMAS.length === 0)
  console.log(
    `Validation of TEI is left out: no jing (Debian: jing), or neither ${BASE}/tei_all.rnc (Debian: xmlcopyeditor) nor ${RELEASE}`,
  );
/** Real pages, which are not in the repository. */
const REAL = fileURLToPath(new URL('../../../../shared/data/extraction', import.meta.url));

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
    rights: i % 3 === 0 ? `© ${hostile}` : null,
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
    expect(texts('availability > p')).toEqual(record.metadata.rights === null ? [] : [shown(record.metadata.rights)]);
    expect(texts('body p').map((one) => oneLineOf(one ?? ''))).toEqual(
      [...paragraphsOf(record.text)].length === 0 ? [''] : Array.from(paragraphsOf(record.text), (parts) => shown(parts.join(' '))),
    );
    for (const one of page.querySelectorAll('[target]'))
      expect(one.getAttribute('target')).toMatch(/^(?:[^\s"<>\\^`{|}%#]|%[0-9A-Fa-f]{2})*(?:#[^#]*)?$/);
    for (const one of page.querySelectorAll('language')) expect(one.getAttribute('ident')).toMatch(/^[a-z]+(?:-[A-Za-z]+)*$/);
  });
  expect(new Set(pages.map((page) => page.getAttribute('xml:id'))).size).toBe(records.length);
});

test.skipIf(!HAS_XMLLINT)('hostile titles, texts and metadata make well-formed XML, and so does an empty corpus', async () => {
  const { path, dir } = await written();
  await run('xmllint', ['--noout', '--huge', path]);
  const { stdout } = await run('xmllint', ['--huge', '--xpath', 'count(//*[local-name()="TEI"])', path]);
  expect(stdout.trim()).toBe(String(PAGES.length));
  const to = { out: join(dir, '..', 'none'), force: false };
  const none = await harvestOf({ dir }, { formats: ['tei'], minRelevance: 1, to });
  await run('xmllint', ['--noout', join(none, 'corpus.tei.xml')]);
});

/** Generated pages with structure, each with hostile metadata. */
const STRUCTURED: readonly SamplePage[] = fc.sample(BODIES, { seed: 9, numRuns: 500 }).map((html, i) => ({
  url: `http://a.example/structure/${i}`,
  html,
  record: {
    title: HOSTILE[i % HOSTILE.length] ?? '',
    text: textOfHtml(html),
    lang: LANGS[i % LANGS.length] ?? null,
    metadata: metadata(i),
  },
}));

const realPages = (): SamplePage[] =>
  readGold(REAL)
    .filter((_, i) => i % 3 === 0)
    .map(({ html }, i) => ({ url: `http://real${i}.example/`, html, record: { text: textOfHtml(html) } }));

/** @returns the messages of jing; '' for a valid file */
async function errorsOf(path: string, schema: string): Promise<string> {
  const { stdout } = await run('jing', schema === 'release' ? [RELEASE, path] : ['-c', await extendedSchema(), path]).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
  );
  return stdout;
}

/** `tei-p5.rnc` beside the schema that it includes. */
async function extendedSchema(): Promise<string> {
  const dir = freshDir();
  const path = join(dir, 'tei-p5.rnc');
  await symlink(join(BASE, 'tei_all.rnc'), join(dir, 'tei_all.rnc'));
  await copyFile(new URL('tei-p5.rnc', import.meta.url), path);
  return path;
}

test.skipIf(!HAS_JING).each(SCHEMAS)('valid TEI P5: %s', async (schema) => {
  expect(metadata(3)).toMatchObject({ licences: [expect.anything(), expect.anything()], rights: expect.stringContaining('©') });
  const generated = join(
    await harvestOf(await sampleCrawl([...PAGES, ...STRUCTURED], 1e9), { formats: ['tei'], dedupe: 'none' }),
    'corpus.tei.xml',
  );
  expect((await readFile(generated, 'utf8')).split('decls="#structured"').length).toBeGreaterThan(450);
  expect(await errorsOf(generated, schema)).toBe('');
});

test.skipIf(!HAS_JING || !existsSync(REAL)).each(SCHEMAS)('real pages are valid TEI P5: %s', async (schema) => {
  const pages = realPages();
  const real = join(await harvestOf(await sampleCrawl(pages, 1e9), { formats: ['tei'], dedupe: 'none' }), 'corpus.tei.xml');
  expect(pages.length).toBeGreaterThan(500);
  expect((await readFile(real, 'utf8')).split('decls="#structured"').length).toBeGreaterThan(0.95 * pages.length);
  expect(await errorsOf(real, schema)).toBe('');
});

test.skipIf(!HAS_JING).each(SCHEMAS)('a file that breaks the rules of a division is not valid: %s', async (schema) => {
  const made = await sampleCrawl([{ url: 'http://a.example/', html: '<h1>a</h1><p>b</p>', record: { text: 'a\nb' } }]);
  const path = join(await harvestOf(made, { formats: ['tei'] }), 'corpus.tei.xml');
  expect(await errorsOf(path, schema)).toBe('');
  const xml = await readFile(path, 'utf8');
  for (const [valid, broken] of [
    ['<head>a</head>\n<p>b</p>', '<p>b</p>\n<head>a</head>'],
    ['<p>b</p>', '<list/>'],
    ['</notesStmt>\n<sourceDesc>', '</notesStmt>\n<editionStmt/>\n<sourceDesc>'],
  ] as const) {
    expect(xml).toContain(valid);
    await writeFile(path, xml.replace(valid, broken));
    expect(await errorsOf(path, schema)).not.toBe('');
  }
});
