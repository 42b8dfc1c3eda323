/** Rendered pages in WARC files: written, read by another program, and read again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { readKeptPages, responsesIn } from '../../../src/corpus/records/kept-pages.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { storedResponses } from '../../../src/corpus/records/stored-responses.ts';
import { readWarcResponses } from '../../../src/corpus/records/warc-reader.ts';
import { fileMembers, newRecordId } from '../../../src/corpus/records/warc-record.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { StoredPages } from '../../../src/corpus/select/stored-pages.ts';
import { pagesOfWarc } from '../../../src/crawling/input/source-page.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { appendRendered, appScript, COST, renderedOf, SHELL } from './rendered-samples.ts';
import { collected, drained, freshDir, INFO, pageOf, recordOf } from './samples.ts';
import { readBack } from './warcio-oracle.ts';

const WARC = 'forager-00000.warc.gz';

/** A corpus of two rendered pages with one script, and a page between them that needed none. */
async function corpus(maxWarcBytes = 1e9) {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes });
  const script = appScript();
  const [first, second] = [renderedOf('apple', 'Apples keep till May.', script), renderedOf('pear', 'Pears do not.', script)];
  const plain = pageOf('http://orchard.example/plain', '<p>plain');
  appendRendered(writer, [first]);
  const record = recordOf(plain);
  writer.append({ kind: 'page', record, page: plain });
  appendRendered(writer, [second]);
  await writer.close();
  return { dir, path: join(dir, WARC), first, second, plain: record, offsets: writer.offsets() };
}

test('another program reads the records: the response as it was sent, the document under a URN of its own, each file once', async () => {
  const { path, first, second, plain } = await corpus();
  const records = (await readBack(path)).filter(({ type }) => type !== 'request' && type !== 'metadata');
  expect(records.map(({ type, fields }) => [type, fields.get('warc-target-uri')])).toEqual([
    ['warcinfo', undefined],
    ['response', first.page.url],
    ['resource', `urn:render:${first.page.url}`],
    ['response', 'http://orchard.example/app.js'],
    ['response', 'http://orchard.example/api/apple'],
    ['response', plain.url],
    ['response', second.page.url],
    ['resource', `urn:render:${second.page.url}`],
    ['response', 'http://orchard.example/api/pear'],
  ]);
  const [, response, document, script, answer] = records;
  expect(Buffer.from(response?.payload ?? []).toString()).toBe(SHELL);
  expect(Buffer.from(document?.payload ?? [])).toEqual(Buffer.from(first.document.html));
  expect([document?.concurrentTo, response?.concurrentTo]).toEqual([first.record.id, document?.id]);
  expect(document?.fields.get('warc-date')).toBe(response?.fields.get('warc-date'));
  expect(document?.fields.get('content-type')).toBe('text/html; charset=utf-8');
  expect([script, answer].map((one) => one?.fields.get('warc-resource-type'))).toEqual(['script', 'fetch']);
  // ISO 28500:2017 §5.8 has it for other kinds of records.
  expect(document?.fields.has('warc-refers-to')).toBe(false);
});

test('records name the WARC records of the rendering; the script of two pages has one', async () => {
  const { dir, path } = await corpus();
  const [first, plain, second] = await collected(readRecords(dir));
  const byId = new Map((await readBack(path)).map((one) => [one.id, one.fields.get('warc-target-uri')]));
  expect([first, second].map((record) => record?.rendering?.resources.map((id) => byId.get(id)))).toEqual([
    ['http://orchard.example/app.js', 'http://orchard.example/api/apple'],
    ['http://orchard.example/app.js', 'http://orchard.example/api/pear'],
  ]);
  expect(first?.rendering?.resources[0]).toBe(second?.rendering?.resources[0]);
  expect(byId.get(first?.rendering?.document ?? '')).toBe('urn:render:http://orchard.example/apple');
  expect(first?.rendered).toEqual(COST);
  expect(plain).not.toHaveProperty('rendering');
});

test('pages read again are the rendered documents, and no file of a script is a page', async () => {
  const { dir, offsets, first, second, plain } = await corpus();
  const pages = await collected(readKeptPages(dir, offsets));
  expect(pages.map(({ recordId, url, body }) => [recordId, url, Buffer.from(body).toString()])).toEqual([
    [first.record.id, first.page.url, Buffer.from(first.document.html).toString()],
    [plain.id, plain.url, '<p>plain'],
    [second.record.id, second.page.url, Buffer.from(second.document.html).toString()],
  ]);
  const [record] = await collected(readRecords(dir));
  expect(pages[0]?.rendering).toEqual({ rendered: record?.rendered, rendering: record?.rendering });
  expect(pages[1]).not.toHaveProperty('rendering');
  expect(await responsesIn(dir)).toEqual(new Set([first.record.id, plain.id, second.record.id]));
});

test('a corpus file given as input has the pages by their rendered documents, also before damage, and no answers to scripts', async () => {
  const { path, first, second } = await corpus();
  const warnings: string[] = [];
  const read = await collected(readWarcResponses(path, { warn: (what) => warnings.push(what) }));
  expect(read.map(({ url, body }) => [url, Buffer.from(body).toString()])).toEqual([
    [first.page.url, Buffer.from(first.document.html).toString()],
    ['http://orchard.example/plain', '<p>plain'],
    [second.page.url, Buffer.from(second.document.html).toString()],
  ]);
  expect(read[0]?.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(warnings).toEqual([]);
  // Cut inside the rendered document of the second page: its response was whole.
  const { start = 0 } = (await placesIn(path)).filter(({ type }) => type === 'resource')[1] ?? {};
  writeFileSync(path, readFileSync(path).subarray(0, start + 40));
  const { items, error } = await drained(readWarcResponses(path));
  expect(items.map(({ url }) => url)).toEqual(read.map(({ url }) => url));
  expect(error).toBeInstanceOf(DataError);
});

test('other crawlers call pages documents, and name the request in a response: such pages are read as they are', async () => {
  const page = pageOf('http://orchard.example/', '<p>a page');
  const id = newRecordId();
  const other = (field: readonly [string, string]) => Buffer.concat([...fileMembers(id, page, newRecordId(), [field])]);
  for (const [field, count] of [
    [['WARC-Resource-Type', 'document'], 1],
    [['WARC-Concurrent-To', `<${newRecordId()}>`], 1],
    [['WARC-Resource-Type', 'xhr'], 0],
  ] as const) {
    const path = join(freshDir(), 'other.warc.gz');
    writeFileSync(path, other(field));
    expect((await collected(readWarcResponses(path))).length, field.join()).toBe(count);
  }
});

test('stored pages are found in any order, each by its rendered document', async () => {
  const { path, first, second, plain } = await corpus();
  const pages = new StoredPages([{ path, end: readFileSync(path).length }]);
  const texts = [];
  for (const { id } of [second.record, first.record, plain, first.record])
    texts.push(
      Buffer.from((await pages.page(id))?.body ?? [])
        .toString()
        .match(/Apples|Pears|plain/)?.[0],
    );
  expect(texts).toEqual(['Pears', 'Apples', 'plain', 'Apples']);
  expect(await pages.page('urn:uuid:0' as RecordId)).toBeNull();
  await pages.close();
});

test('a page whose rendered document is damaged is not read by its shell; the next page is', async () => {
  const { dir, path, offsets, first, plain } = await corpus();
  const bytes = readFileSync(path);
  const places = (await placesIn(path)).filter(({ type }) => type === 'resource');
  const { start = 0, end = 0 } = places[0] ?? {};
  writeFileSync(path, Buffer.concat([bytes.subarray(0, start + 30), Buffer.alloc(10), bytes.subarray(start + 40)]));
  expect(end).toBeGreaterThan(start + 40);
  const faults: string[] = [];
  const pages = await collected(readKeptPages(dir, offsets, (fault) => faults.push(fault)));
  expect(pages.map(({ recordId }) => recordId)).not.toContain(first.record.id);
  expect([pages.length, faults.length]).toEqual([2, 1]);
  expect((await responsesIn(dir)).has(first.record.id)).toBe(false);
  const stored = await storedResponses(dir, offsets, new Set([first.record.id, plain.id]), undefined, () => undefined);
  expect([...stored.keys()]).toEqual([plain.id]);
  const byId = new StoredPages([{ path, end: bytes.length }]);
  expect(await byId.page(first.record.id)).toBeNull();
  expect(Buffer.from((await byId.page(plain.id))?.body ?? []).toString()).toBe('<p>plain');
  await byId.close();
});

async function placesIn(path: string) {
  const entries = await collected(walkWarc(path, () => false));
  return entries.map(({ fields, start, end }) => ({ type: fields.get('warc-type'), start, end }));
}

test('a revisit of a rendered page sends no validators, and is recorded only if the response is the same too', async () => {
  const dir = freshDir();
  const script = appScript();
  const rawHeaders = [['ETag', '"1"'] as const, ['Content-Type', 'text/html'] as const];
  const first = renderedOf('apple', 'Apples keep till May.', script, { rawHeaders });
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  appendRendered(writer, [first]);
  await writer.flush();
  const stored = (await storedResponses(dir, writer.offsets(), new Set([first.record.id]))).get(first.record.id) ?? null;
  expect(stored).toMatchObject({ etag: null, lastModified: null, rendered: true });
  const again = (body: string) => ({
    kind: 'revisit' as const,
    record: { profile: 'identical-payload-digest' as const, of: first.record.id, stored },
    page: pageOf(first.page.url, body),
  });
  writer.append(again(SHELL));
  writer.append(again(`${SHELL}<!-- built at noon -->`));
  await writer.close();
  const revisits = (await readBack(join(dir, WARC))).filter(({ type }) => type === 'revisit');
  expect(revisits.map(({ fields }) => fields.get('warc-refers-to'))).toEqual([`<${first.record.id}>`]);
});

test('in a next file, a page names the files of the one before', async () => {
  const { dir, first } = await corpus(1);
  const [one, , other] = await collected(readRecords(dir));
  const ids = (await readBack(join(dir, WARC))).map(({ id }) => id);
  expect(ids).toContain(one?.rendering?.document);
  expect(ids).toContain(other?.rendering?.resources[0]);
  expect(ids).not.toContain(other?.rendering?.document);
  expect(ids).toContain(first.record.id);
});

test('a route is part of the page, not of what its server saw: a page read again has it, and its links keep theirs', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const sample = renderedOf('#/apple', 'Apples keep till May.', appScript());
  const html = Buffer.from(Buffer.from(sample.document.html).toString().replace('href="/#/apple/more"', 'href="#/pear"'));
  appendRendered(writer, [{ ...sample, document: { ...sample.document, html } }]);
  await writer.close();
  const targets = (await readBack(join(dir, WARC))).flatMap(({ type, fields }) =>
    type === 'warcinfo' ? [] : [`${type} ${fields.get('warc-target-uri')}`],
  );
  expect(targets.slice(0, 2)).toEqual(['response http://orchard.example/', 'resource urn:render:http://orchard.example/#/apple']);
  const extractor = pageExtractor({ productToken: 'forager' });
  const [page] = await collected(readKeptPages(dir, writer.offsets()));
  expect(page?.url).toBe('http://orchard.example/#/apple');
  expect(page && extractor.extract(page).outlinks.map(({ url }) => url)).toEqual(['http://orchard.example/#/pear']);
  const [source] = await collected(pagesOfWarc(join(dir, WARC)));
  expect(source).toMatchObject({ url: 'http://orchard.example/#/apple', rendered: true });
});
