/** Descriptions of a corpus: each by the rules of its format, and its figures by the files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { citationKey } from '../../../src/corpus/formats/page-names.ts';
import { harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { withDuckDb } from '../harvest/duckdb.ts';
import { CRAWL, harvestOptions, madeRecord, writeRecords } from '../harvest/made-corpus.ts';
import { freshDir } from '../records/samples.ts';

const PAGES = 60;
const CREATORS = ['Jane Doe', 'Team “Ö & Söhne” {of} 50% #1'];
const TOPIC = { name: 'peat', modelId: 'ab', relevance: 0.25, threshold: 0.5, onTopic: false };
const folder = mkdtempSync(join(tmpdir(), 'descriptions-test-'));
const out = join(folder, 'out');
const record = (i: number) => ({ ...madeRecord(i), ...(i % 2 === 0 && { topics: [TOPIC] }) });

beforeAll(async () => {
  const corpus = await writeRecords(folder, PAGES, record);
  const published = { creators: CREATORS, corpusUrl: 'https://corpus.example/orchards' };
  await harvestCorpus(harvestOptions(corpus, out, { formats: ['jsonl', 'parquet', 'csv', 'csl', 'bibtex', 'text'], ...published }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(out, name), 'utf8');

function facts(name: string): { readonly bytes: number; readonly sha256: string } {
  const bytes = readFileSync(join(out, name));
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The files that a glob matches, by DuckDB. */
async function globbed(pattern: string): Promise<readonly string[]> {
  const files = await withDuckDb((ask) => ask(`SELECT file FROM glob('${join(out, pattern)}')`));
  return files.map(({ file }) => String(file).slice(out.length + 1));
}

interface Field {
  readonly '@id': string;
  readonly dataType?: string;
  readonly source?: {
    readonly extract: { readonly column?: string; readonly jsonPath?: string };
    readonly transform?: { readonly jsonPath: string };
  };
  readonly isArray?: boolean;
  readonly subField?: readonly Field[];
}
interface Croissant {
  readonly distribution: readonly Readonly<Record<string, string>>[];
  readonly recordSet: readonly { readonly '@id': string; readonly key: { readonly '@id': string }; readonly field: readonly Field[] }[];
  readonly [property: string]: unknown;
}

test('Croissant: every required property, and each hash and size is that of its file', async () => {
  const croissant = JSON.parse(read('croissant.json')) as Croissant;
  // Specification 1.1, "Required", and distribution, which Croissant makes required.
  for (const name of [
    '@context',
    '@type',
    'conformsTo',
    'description',
    'license',
    'name',
    'url',
    'creator',
    'datePublished',
    'distribution',
  ])
    expect([name, croissant[name] ?? '']).not.toEqual([name, '']);
  expect(croissant).toMatchObject({
    conformsTo: expect.arrayContaining(['http://mlcommons.org/croissant/1.1']),
    url: 'https://corpus.example/orchards',
    datePublished: '2024-05-07',
    version: '2024.5.7',
    creator: CREATORS.map((name) => ({ '@type': 'sc:Person', name })),
  });
  const files = croissant.distribution.filter((one) => one['@type'] === 'cr:FileObject');
  const names = files.map(({ contentUrl = '' }) => contentUrl);
  const described = [
    'corpus.jsonl',
    'corpus.csv',
    'data/train-00000-of-00001.parquet',
    'text/index.tsv',
    'pages.bib',
    'pages.csl.json',
    'left-out.jsonl',
  ];
  expect(names.toSorted()).toEqual(described.toSorted());
  for (const { contentUrl = '', contentSize, sha256 } of files) {
    const { bytes, ...hash } = facts(contentUrl);
    expect([contentUrl, contentSize, sha256]).toEqual([contentUrl, `${bytes} B`, hash.sha256]);
  }
  const [texts] = croissant.distribution.filter((one) => one['@type'] === 'cr:FileSet');
  expect(await globbed(texts?.['includes'] ?? '')).toHaveLength(PAGES);
});

/** A path of JSONPath as DuckDB reads a nested value: `$.metadata.authors`, `$.alternates[*].lang`. */
function sqlOf(column: string, path: string): string {
  const [first = '', ...rest] = path.split('[*]');
  const members = (of: string, names: string) =>
    names
      .split('.')
      .slice(1)
      .reduce((sql, name) => `${sql}."${name}"`, of);
  const base = members(`"${column}"`, first);
  return rest.length === 0 ? base : `list_transform(${base}, lambda x: ${members('x', rest.join(''))})`;
}

function leaves(fields: readonly Field[]): Field[] {
  return fields.flatMap((one) => (one.subField ? leaves(one.subField) : [one]));
}

const TYPES: Readonly<Record<string, RegExp>> = {
  'sc:Text': /^(VARCHAR|JSON)$/,
  'sc:DateTime': /^TIMESTAMP/,
  'sc:Float': /^DOUBLE$/,
  'sc:Integer': /^INTEGER$/,
  'sc:Boolean': /^BOOLEAN$/,
};

test('Croissant: DuckDB finds each field of each record set, with its type, and no column is without a field', async () => {
  const { recordSet } = JSON.parse(read('croissant.json')) as Croissant;
  expect(recordSet.map((set) => set['@id'])).toEqual(['pages', 'pages-jsonl', 'pages-csv']);
  const tables: Readonly<Record<string, string>> = {
    pages: `read_parquet('${join(out, 'data/*.parquet')}')`,
    'pages-jsonl': `read_json('${join(out, 'corpus.jsonl')}', format = 'newline_delimited')`,
    'pages-csv': `read_csv('${join(out, 'corpus.csv')}', all_varchar = true)`,
  };
  await withDuckDb(async (ask) => {
    for (const { '@id': id, key, field } of recordSet) {
      expect(key['@id']).toBe(`${id}/id`);
      const columns = (await ask(`DESCRIBE SELECT * FROM ${tables[id]}`)).map(({ column_name }) => column_name);
      expect(field.map((one) => one['@id'].slice(id.length + 1)).sort()).toEqual(columns.toSorted());
      for (const { '@id': leaf, dataType = '', isArray, source } of leaves(field)) {
        const { column, jsonPath } = source?.extract ?? {};
        const [, first = '', rest = ''] = /^\$\.(\w+)(.*)$/.exec(jsonPath ?? '') ?? [];
        const sql = column === undefined ? sqlOf(first, `$${rest}`) : sqlOf(column, source?.transform?.jsonPath ?? '$');
        const [found] = await ask(`SELECT typeof(${sql}) AS type FROM ${tables[id]} LIMIT 1`);
        if (id !== 'pages') continue;
        const type = String(found?.['type']).replaceAll('[]', '');
        expect([leaf, type]).toEqual([leaf, expect.stringMatching(TYPES[dataType] ?? /^$/)]);
        expect([leaf, String(found?.['type']).endsWith('[]')]).toEqual([leaf, isArray === true || jsonPathIsList(source)]);
      }
    }
  });
});

function jsonPathIsList(source: Field['source']): boolean {
  return /\[\*\]/.test(`${source?.extract.jsonPath ?? ''}${source?.transform?.jsonPath ?? ''}`);
}

const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const hasPyld = spawnSync(PYTHON, ['-c', 'import pyld']).status === 0;
const EXPAND = fileURLToPath(new URL('json-ld-terms.py', import.meta.url));

/** Terms of schema.org and Dublin Core that we use; any other property must be of Croissant or its RAI vocabulary. */
const SCHEMA_ORG = new Set(
  'name description license url creator datePublished version keywords inLanguage distribution contentUrl contentSize encodingFormat sha256'.split(
    ' ',
  ),
);
/** Croissant 1.1 and RAI 1.0, as far as we use them. */
const CROISSANT = new Set(
  'citeAs isLiveDataset recordSet key field source extract transform column jsonPath fileObject fileSet includes isArray arrayShape subField dataType'.split(
    ' ',
  ),
);
const RAI = new Set('dataCollection dataCollectionType dataCollectionTimeframe dataLimitations personalSensitiveInformation'.split(' '));

test.skipIf(!hasPyld)('Croissant: pyld expands it and drops no term (left out without python3-pyld)', () => {
  const { keys, properties, nodes } = JSON.parse(execFileSync(PYTHON, [EXPAND, join(out, 'croissant.json')], { encoding: 'utf8' })) as {
    readonly keys: Readonly<Record<string, number>>;
    readonly properties: Readonly<Record<string, number>>;
    readonly nodes: readonly Readonly<Record<string, unknown>>[];
  };
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, count) => total + count, 0);
  expect(sum(properties)).toBe(sum(keys));
  const [local] = [Object.keys(properties).map((iri) => iri.replace(/^.*[/#]/, ''))];
  expect(local.toSorted()).toEqual(
    Object.keys(keys)
      .map((key) => key.replace(/^.*:/, ''))
      .toSorted(),
  );
  for (const iri of Object.keys(properties)) {
    const [, base = '', term = ''] = /^(.*\/)([^/]+)$/.exec(iri) ?? [];
    const vocabulary = {
      'http://schema.org/': SCHEMA_ORG,
      'http://mlcommons.org/croissant/': CROISSANT,
      'http://mlcommons.org/croissant/RAI/': RAI,
      'http://purl.org/dc/terms/': new Set(['conformsTo']),
    }[base];
    expect([iri, vocabulary?.has(term)]).toEqual([iri, true]);
  }
  expect(nodes).toHaveLength(1);
  expect(nodes[0]?.['@type']).toEqual(['http://schema.org/Dataset']);
});

interface Entity {
  readonly '@id': string;
  readonly '@type': string;
  readonly [property: string]: unknown;
}

/** Properties of the context of RO-Crate 1.2 that we use. */
const RO_CRATE = new Set(
  'conformsTo about name description datePublished license creator keywords inLanguage url creditText hasPart mentions contentSize encodingFormat sha256 version identifier value startTime endTime instrument agent object result'.split(
    ' ',
  ),
);

test('RO-Crate: the required entities, no reference into nothing, no nesting, every other file with its hash', () => {
  const { '@context': context, '@graph': graph } = JSON.parse(read('ro-crate-metadata.json')) as {
    readonly '@context': string;
    readonly '@graph': readonly Entity[];
  };
  expect(context).toBe('https://w3id.org/ro/crate/1.2/context');
  const byId = new Map(graph.map((entity) => [entity['@id'], entity]));
  expect(byId.size).toBe(graph.length);
  expect(byId.get('ro-crate-metadata.json')).toEqual({
    '@id': 'ro-crate-metadata.json',
    '@type': 'CreativeWork',
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
    about: { '@id': './' },
  });
  const root = byId.get('./');
  expect(root).toMatchObject({
    '@type': 'Dataset',
    name: expect.any(String),
    description: expect.any(String),
    datePublished: '2024-05-07',
  });
  const used = new Set<string>();
  for (const entity of graph)
    for (const [property, value] of Object.entries(entity)) {
      if (property.startsWith('@')) continue;
      expect([property, RO_CRATE.has(property)]).toEqual([property, true]);
      for (const one of [value].flat()) {
        if (typeof one !== 'object' || one === null) continue;
        expect(Object.keys(one)).toEqual(['@id']);
        const id = (one as Entity)['@id'];
        used.add(id);
        expect([id, byId.has(id) || id === 'https://w3id.org/ro/crate/1.2']).toEqual([id, true]);
      }
    }
  expect(graph.filter((entity) => !used.has(entity['@id'])).map((entity) => entity['@id'])).toEqual(['ro-crate-metadata.json']);
  const files = graph.filter((entity) => entity['@type'] === 'File');
  const names = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.txt') && !['ro-crate-metadata.json', 'SHA256SUMS'].includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1));
  expect(files.map(({ name }) => name).sort()).toEqual(names.sort());
  for (const { name, contentSize, sha256 } of files) {
    const { bytes, ...hash } = facts(String(name));
    expect([name, contentSize, sha256]).toEqual([name, String(bytes), hash.sha256]);
  }
  const crawl = byId.get('#crawl');
  expect(crawl).toMatchObject({
    '@type': 'CreateAction',
    instrument: { '@id': '#forager' },
    startTime: CRAWL.runs[0]?.startedAt,
    result: { '@id': './' },
  });
  for (const seed of CRAWL.seeds) expect(crawl?.['object']).toContainEqual({ '@id': seed });
  expect(byId.get('#forager')).toMatchObject({ '@type': 'SoftwareApplication', name: 'forager', version: '0.0.0-test' });
});

test('Hugging Face: the front matter is YAML, its globs match the files of the data, and the body is the card', async () => {
  const [, head = '', body] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(read('README.md')) ?? [];
  const front = parse(head) as {
    readonly configs: readonly { readonly data_files: readonly { readonly split: string; readonly path: string }[] }[];
  };
  expect(front).toMatchObject({
    pretty_name: 'Web corpus “orchards”',
    language: expect.arrayContaining(['en', 'de', 'zh']),
    license: 'other',
    size_categories: ['n<1K'],
  });
  expect(front.configs).toHaveLength(1);
  const [{ data_files: files } = { data_files: [] }] = front.configs;
  expect(files.map(({ split }) => split)).toEqual(['train']);
  expect(await globbed(files[0]?.path ?? '')).toEqual(['data/train-00000-of-00001.parquet']);
  expect(body).toBe(read('corpus-card.md'));
});

test.each([
  [['jsonl', 'csv'], 'corpus.jsonl'],
  [['csv'], 'corpus.csv'],
  [['text'], null],
] as const)('Hugging Face: the data of a corpus as %j', async (formats, path) => {
  const dir = freshDir();
  await harvestCorpus(harvestOptions(await writeRecords(dir, 3, madeRecord), join(dir, 'out'), { formats }));
  const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync(join(dir, 'out/README.md'), 'utf8')) ?? [];
  const { configs } = parse(head) as { readonly configs?: unknown };
  expect(configs).toEqual(path === null ? undefined : [{ config_name: 'default', data_files: [{ split: 'train', path }] }]);
});

/** The part of the schema of version 1.2.0 that we use; no other fields. */
const text = z.string().min(1);
const CITATION = z.strictObject({
  'cff-version': z.literal('1.2.0'),
  message: text,
  type: z.literal('dataset'),
  title: text,
  abstract: text,
  authors: z.array(z.strictObject({ name: text })).min(1),
  url: z.url().optional(),
  version: text,
  'date-released': z.iso.date(),
  keywords: z.array(text).min(1),
  identifiers: z.array(z.strictObject({ type: z.literal('other'), value: text, description: text })),
  references: z.array(
    z.strictObject({ type: z.literal('software'), title: text, version: text, authors: z.array(z.strictObject({ name: text })) }),
  ),
});

test('CITATION.cff is valid, and names the creators and the hash of the first file', () => {
  const cited = CITATION.parse(parse(read('CITATION.cff')));
  expect(cited.authors.map(({ name }) => name)).toEqual(CREATORS);
  expect(cited.identifiers[0]?.value).toBe(`sha256:${facts('corpus.jsonl').sha256}`);
});

test('without names, the creator is the operator of the crawl with the contact, and the address is the folder', async () => {
  const dir = freshDir();
  const crawl = { ...CRAWL, politeness: { contact: 'crawler@orchard.example', delay: 1000, delayFactor: 1 } };
  await harvestCorpus(harvestOptions(await writeRecords(dir, 3, madeRecord), join(dir, 'out'), { crawl }));
  const cited = CITATION.parse(parse(readFileSync(join(dir, 'out/CITATION.cff'), 'utf8')));
  expect(cited.authors).toEqual([{ name: 'Operator of the crawl (crawler@orchard.example)' }]);
  const croissant = JSON.parse(readFileSync(join(dir, 'out/croissant.json'), 'utf8')) as Croissant;
  expect(croissant).toMatchObject({ url: './', creator: [{ '@type': 'sc:Organization' }] });
});

const CSL_DATE = z.strictObject({ 'date-parts': z.array(z.array(z.number().int()).min(1).max(3)).length(1) });
const CSL = z.array(
  z.strictObject({
    id: text,
    type: z.literal('webpage'),
    title: text,
    author: z
      .array(z.strictObject({ literal: text }))
      .min(1)
      .optional(),
    'container-title': text,
    URL: z.url(),
    issued: CSL_DATE.optional(),
    accessed: CSL_DATE,
    language: text.optional(),
    abstract: text.optional(),
  }),
);

test('CSL-JSON: one item a page, with the ids of the corpus and dates as exact as declared', () => {
  const items = CSL.parse(JSON.parse(read('pages.csl.json')));
  expect(items.map(({ id, URL }) => [id, URL])).toEqual(Array.from({ length: PAGES }, (_, i) => [record(i).id, record(i).url]));
  for (const [i, { issued, author, title }] of items.entries()) {
    const { published, authors } = record(i).metadata;
    expect(issued?.['date-parts'][0]).toEqual(published === null ? undefined : published.slice(0, 10).split('-').map(Number));
    expect(author?.map(({ literal }) => literal) ?? []).toEqual(authors);
    expect(title).toBe(record(i).title || record(i).url);
  }
});

const hasPandoc = spawnSync('pandoc', ['--version']).status === 0;

test.skipIf(!hasPandoc)('BibTeX: pandoc reads both files as they were meant (left out without pandoc)', () => {
  const parsed = (name: string) =>
    JSON.parse(execFileSync('pandoc', ['-f', 'biblatex', '-t', 'csljson', join(out, name)], { encoding: 'utf8' })) as Readonly<
      Record<string, unknown>
    >[];
  const pages = parsed('pages.bib');
  expect(pages.map(({ id, URL }) => [id, URL])).toEqual(Array.from({ length: PAGES }, (_, i) => [citationKey(record(i)), record(i).url]));
  const plain = (value: unknown) =>
    String(value)
      .replace(/[\s\u00a0]+/g, ' ')
      .trim();
  for (const [i, { author, issued }] of pages.entries()) {
    const { authors, published } = record(i).metadata;
    expect(((author ?? []) as { literal?: string; family?: string }[]).map(({ literal, family }) => plain(literal ?? family))).toEqual(
      authors.map((name) => plain(name)),
    );
    expect((issued as { 'date-parts': unknown[] } | undefined)?.['date-parts'][0]).toEqual(
      published === null ? undefined : published.slice(0, 10).split('-').map(Number),
    );
  }
  const [corpus] = parsed('corpus.bib');
  expect(corpus).toMatchObject({ id: 'corpus-orchards-2024', URL: 'https://corpus.example/orchards', title: 'Web corpus “orchards”' });
  expect(((corpus?.['author'] ?? []) as { literal: string }[]).map(({ literal }) => literal)).toEqual(CREATORS);
});

test('BibTeX: braces balance in every entry, whatever the titles contain', () => {
  const entries = read('pages.bib').split(/\n(?=@)/);
  expect(entries).toHaveLength(PAGES);
  for (const entry of entries) {
    const bare = entry.replace(/\\[{}]/g, '');
    let depth = 0;
    for (const char of bare) {
      if (char === '{') depth++;
      if (char === '}') depth--;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    expect(entry).toMatch(/^@online\{[a-z0-9-]+-(?:\d{4}|nd)-[0-9a-f]{12},\n {2}ids = \{urn:uuid:[0-9a-f-]+\},\n/);
  }
});
