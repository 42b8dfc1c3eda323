import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { SourcePage } from '../../../src/crawling/input/source-page.ts';
import { pagesOfStream } from '../../../src/crawling/input/standard-input.ts';
import { warcRecord } from '../../faces/app/warc.ts';
import { runs } from '../../support/extent.ts';

const html = '<title>Tides</title><p>The tide comes in over the flats, and the birds go up the river with it.</p>';
const urls = ['http://a.example/1', 'http://a.example/2', 'http://a.example/3'];
const records = urls.map((url, i) => warcRecord(url, html.repeat(i + 1)));
const warc = Buffer.concat(records);
const objects = [...urls.map((url) => ({ url, html })), { text: 'only words' }];
const lines = objects.map((object) => JSON.stringify(object)).join('\n\n');

interface Read {
  readonly pages: readonly SourcePage[];
  /** '' when there was none. */
  readonly error: string;
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(chunks: AsyncIterable<Uint8Array>, warn?: (message: string) => void): Promise<Read> {
  const pages: SourcePage[] = [];
  try {
    for await (const page of pagesOfStream('input', chunks, warn)) pages.push(page);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { pages, error: error.message };
  }
  return { pages, error: '' };
}

const bodyOf = ({ body }: SourcePage) => Buffer.from(body).toString();

const forms: readonly (readonly [string, Uint8Array, readonly (string | null)[]])[] = [
  ['a WARC', warc, urls],
  ['a WARC after blank lines', Buffer.concat([Buffer.from('\r\n\n'), warc]), urls],
  ['a WARC with a gzip member for each record', Buffer.concat(records.map((bytes) => gzipSync(bytes))), urls],
  ['a WARC in one gzip member', gzipSync(warc), urls],
  ['JSON lines', Buffer.from(lines), [...urls, null]],
  ['JSON lines with a byte order mark and white space', Buffer.from(`\ufeff\r\n  ${lines.replace('{', '{ ')}\r\n`), [...urls, null]],
  ['gzipped JSON lines', gzipSync(lines), [...urls, null]],
  ['JSON lines gzipped one by one', Buffer.concat(objects.map((object) => gzipSync(`${JSON.stringify(object)}\n`))), [...urls, null]],
];

test.each(forms)('%s: the same pages however the stream is cut', async (_, bytes, expected) => {
  for (const size of [1, 2, 7, 100, bytes.length]) {
    const { pages, error } = await read(cut(bytes, size));
    expect({ error, urls: pages.map(({ url }) => url) }).toEqual({ error: '', urls: expected });
    expect(bodyOf(pages[0] as SourcePage)).toBe(html);
  }
});

test('ids: the URL of a record, the number of a line', async () => {
  expect((await read(cut(warc, 64))).pages.map(({ id }) => id)).toEqual(urls);
  expect((await read(cut(Buffer.from(lines), 64))).pages.map(({ id }) => id)).toEqual(['input:1', 'input:3', 'input:5', 'input:7']);
});

test.each([
  html,
  ` \n${html}`,
  '{{ template }} with a text',
  '{',
  '{%',
  'W',
  'We begin with a W',
  'WARC/1.0',
  'WARC/1.0 is the name of a form',
  'WARC/1.0.1\nnot quite',
])('one page, gzipped or not: %j', async (text) => {
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    for (const size of [1, bytes.length]) {
      const { pages, error } = await read(cut(bytes, size));
      expect({ error, bodies: pages.map(bodyOf) }).toEqual({ error: '', bodies: [text] });
      expect(pages[0]).toMatchObject({ id: 'input', url: null, headers: { 'content-type': 'text/html' } });
    }
  }
});

test('blank from the start on for longer than is looked at: a page', async () => {
  const blank = ' '.repeat(5_000) + lines;
  for (const bytes of [Buffer.from(blank), gzipSync(blank)]) {
    expect((await read(cut(bytes, 500))).pages.map(bodyOf)).toEqual([blank]);
  }
});

test('UTF-16 is a page, told by its byte order mark', async () => {
  const bytes = Buffer.from('\ufeff{"text": "no JSON in this charset"}', 'utf16le');
  expect((await read(cut(bytes, 3))).pages.map(({ id }) => id)).toEqual(['input']);
});

const MB = 1024 * 1024;

test.each<[string, Uint8Array, number, readonly string[]]>([
  ['nothing', Buffer.alloc(0), 0, ['input: is empty']],
  ['gzip of nothing', gzipSync(''), 0, ['input: is empty']],
  [
    'a cut-off record',
    warc.subarray(0, -60),
    2,
    ['input: damaged at byte', 'ends inside a record', 'take the rest from an undamaged copy'],
  ],
  ['a cut-off record header', warc.subarray(0, (records[0]?.length ?? 0) + 30), 1, [`damaged at byte ${records[0]?.length}`, 'breaks off']],
  ['a cut-off gzip member', Buffer.concat(records.map((bytes) => gzipSync(bytes))).subarray(0, -20), 2, ['ends inside a gzip member']],
  ['a WARC that goes on as something else', Buffer.concat([warc, Buffer.from('<p>')]), 3, [`damaged at byte ${warc.length}`, 'breaks off']],
  ['a wrong checksum', wrongChecksum(gzipSync(html)), 0, ['input: damaged', 'checksum']],
  ['a bad line', Buffer.from('{"text": "one"}\n{"text": \n'), 1, ['input:2: is not JSON', 'mend or delete the line']],
  ['a bad first line', Buffer.from('{"text": \n'), 0, ['input:1: is not JSON']],
  ['an object over several lines', Buffer.from('{\n  "text": "one"\n}'), 0, ['input:1: is not JSON']],
  ['an object of other fields', Buffer.from('{"title": "one"}'), 0, ['input:1: has neither "html" nor "text"']],
  ['an empty object', Buffer.from('{}\n'), 0, ['input:1: has neither "html" nor "text"']],
  ['fields of another type', Buffer.from('{"html": 1}\n'), 0, ['input:1: is not an object with text fields']],
  ['a gzipped page that breaks off', gzipSync(html).subarray(0, -12), 0, ['input: damaged', 'ends inside a gzip member']],
  ['a gzip header that breaks off', gzipSync(html).subarray(0, 5), 0, ['input: damaged', 'gzip']],
  ['gzip in gzip', gzipSync(gzipSync(html)), 0, ['input: is binary data']],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 0, ['input: is binary data']],
  ['too long a page', Buffer.alloc(33 * MB, 'long '), 0, ['input: is over the cap', 'split it']],
  ['too long a page, gzipped', gzipSync(Buffer.alloc(40 * MB, 'long ')), 0, ['input: is over the cap']],
  ['too long a line', Buffer.alloc(33 * MB, '{"text":"'), 0, ['input: has a line of over', 'split or remove it']],
  ['too long a line, gzipped', gzipSync(Buffer.alloc(40 * MB, '{"text":"')), 0, ['input: has a line of over']],
])('%s: an error, after what was good', async (_, bytes, before, parts) => {
  const { pages, error } = await read(cut(bytes, MB));
  for (const part of parts) expect(error).toContain(part);
  expect(error).toMatch(/^[^\n]+$/);
  expect(pages).toHaveLength(before);
});

function wrongChecksum(bytes: Buffer): Buffer {
  const wrong = Buffer.from(bytes);
  const at = wrong.length - 6;
  wrong[at] = (wrong[at] ?? 0) ^ 1;
  return wrong;
}

test('a record over the cap is passed over with a warning', async () => {
  const warnings: string[] = [];
  const long = warcRecord('http://a.example/long', 'x'.repeat(34 * MB));
  const { pages, error } = await read(cut(Buffer.concat([long, warc]), MB), (message) => warnings.push(message));
  expect({ error, urls: pages.map(({ url }) => url) }).toEqual({ error: '', urls });
  expect(warnings).toEqual([expect.stringMatching(/^input: record at byte 0 skipped \(.*over the cap/)]);
});

test('a page is given before the next has come, and the stream is ended with the reading', async () => {
  for (const [first, more] of [
    [warc.subarray(0, (records[0]?.length ?? 0) + 8), 'never asked for'],
    [Buffer.concat([gzipSync(records[0] ?? ''), gzipSync(records[1] ?? '').subarray(0, 3)]), 'never asked for'],
    [Buffer.from('{"text": "one"}\n{"text"'), 'never asked for'],
  ] as const) {
    let asked = false;
    let ended = false;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        yield first;
        asked = true;
        yield Buffer.from(more);
      } finally {
        ended = true;
      }
    }
    const pages = pagesOfStream('input', chunks());
    expect((await pages.next()).done).toBe(false);
    expect({ asked, ended }).toEqual({ asked: false, ended: false });
    await pages.return(undefined);
    expect(ended).toBe(true);
  }
});

test('whatever comes: pages, or one DataError', async () => {
  const starts = ['', 'WARC/1.0\r\n', '{"', '\u001f\u008b\b', ' \n', '\ufeff'].map((text) => Buffer.from(text, 'latin1'));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (start, rest, size) => {
        const { pages, error } = await read(cut(Buffer.concat([start, rest]), size));
        expect(pages.length > 0 || error !== '' || start.includes('WARC')).toBe(true);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
