import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import { FileCorpusWriter, isWarcName, warcNamesOf } from '../../../src/corpus/records/corpus-writer.ts';
import { FileBytes } from '../../../src/corpus/records/file-bytes.ts';
import { readKeptPages } from '../../../src/corpus/records/kept-pages.ts';
import { findRecord, recordLine } from '../../../src/corpus/records/records.ts';
import { examinedWarc } from '../../../src/corpus/records/warc-faults.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { collected, drained, freshDir, INFO, pageOf, recordOf, T0 } from './samples.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

test('kept pages come in the order they were kept, over all files, unpacked, as far as they are committed', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes: 1 });
  const bodies = ['one', 'two', 'three'];
  const records = bodies.map((body, i) => {
    const packed = gzipSync(body);
    const headers = [
      ['Content-Type', 'text/html'],
      ['Content-Encoding', 'gzip'],
      ['X-Number', String(i)],
    ] as const;
    const page = pageOf(`http://orchard.example/${i}`, body, { rawHeaders: headers, wireBody: packed });
    const record = recordOf(page);
    writer.append({ kind: 'page', record: record, page: page });
    return record;
  });
  const committed = writer.offsets();
  const late = pageOf('http://orchard.example/late', 'late');
  writer.append({ kind: 'page', record: recordOf(late), page: late });
  await writer.close();
  const found = await collected(readKeptPages(dir, committed));
  expect(found.map(({ recordId }) => recordId)).toEqual(records.map(({ id }) => id));
  expect(found.map(({ body, headers }) => [text(body), headers['x-number']])).toEqual(bodies.map((body, i) => [body, String(i)]));
  expect(found.map(({ url, date, status }) => ({ url, date, status }))).toEqual(
    records.map((record) => ({ url: record.url, date: T0, status: 200 })),
  );
});

test('a page that cannot be unpacked is passed over; a damaged file is named', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const wireBody = Buffer.from('28b52ffd04', 'hex');
  const strange = pageOf('http://orchard.example/strange', 'x', { rawHeaders: [['Content-Encoding', 'zstd']], wireBody });
  const good = pageOf('http://orchard.example/good', 'good');
  for (const page of [strange, good]) writer.append({ kind: 'page', record: recordOf(page), page: page });
  await writer.close();
  const committed = writer.offsets();
  expect((await collected(readKeptPages(dir, committed))).map(({ body }) => text(body))).toEqual(['good']);
  const path = join(dir, 'forager-00000.warc.gz');
  const bytes = await readFile(path);
  bytes.writeUInt8((bytes[bytes.length - 20] ?? 0) ^ 255, bytes.length - 20);
  await writeFile(path, bytes);
  const { error } = await drained(readKeptPages(dir, committed));
  expect(error).toBeInstanceOf(DataError);
  expect(String(error)).toContain(path);
});

const FETCH_CAP = 32 * 1024 * 1024;

test('a page of 32 MB, the most that a fetch unpacks, is read and can be examined; one of a byte more is neither', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  for (const size of [FETCH_CAP, FETCH_CAP + 1]) {
    const body = Buffer.alloc(size, 'x');
    const rawHeaders = [['Content-Encoding', 'gzip']] as const;
    const page = pageOf(`http://orchard.example/${size}`, body, { rawHeaders, wireBody: gzipSync(body) });
    writer.append({ kind: 'page', record: recordOf(page), page: page });
  }
  await writer.close();
  const committed = writer.offsets();
  expect((await collected(readKeptPages(dir, committed))).map(({ body }) => body.length)).toEqual([FETCH_CAP]);
  const name = 'forager-00000.warc.gz';
  const examined = await collected(examinedWarc(join(dir, name), committed[name] ?? 0));
  const sum = createHash('sha256').update(Buffer.alloc(FETCH_CAP, 'x')).digest('hex');
  expect(examined.flatMap(({ response }) => (response ? [response.payloadSha256] : []))).toEqual([sum, null]);
  expect(examined.map(({ fault }) => fault)).toEqual(examined.map(() => null));
});

wholeTest('a record of 64 MB is examined, as a fetch may store it; a longer one is none of a crawl', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  for (const size of [2 * FETCH_CAP - 1024, 2 * FETCH_CAP]) {
    const page = pageOf(`http://orchard.example/${size}`, Buffer.alloc(size, 'x'));
    writer.append({ kind: 'page', record: recordOf(page), page: page });
  }
  await writer.close();
  const name = 'forager-00000.warc.gz';
  const faults = (await collected(examinedWarc(join(dir, name), writer.offsets()[name] ?? 0))).map(({ fault }) => fault);
  expect(faults.filter((fault) => fault !== null)).toEqual([expect.stringContaining('it is longer than any record of a crawl')]);
});

test('WARC files are known by their names, and follow one another by number, not as text', () => {
  const names = [
    'forager-00000.warc.gz',
    'forager-00010.warc.gz',
    'forager-00009.warc.gz',
    'forager-100000.warc.gz',
    'forager-99999.warc.gz',
  ];
  const others = ['records.jsonl', 'forager-1.warc.gz', 'forager-00001.warc', 'my-forager-00001.warc.gz', 'forager-00001.warc.gz.bak'];
  expect(names.map(isWarcName)).toEqual(names.map(() => true));
  expect(others.map(isWarcName)).toEqual(others.map(() => false));
  const committed = Object.fromEntries([...names, ...others].map((name) => [name, 1]));
  const numbers = warcNamesOf(committed).map((name) => Number(/\d+/.exec(name)?.[0]));
  expect(numbers).toEqual([0, 9, 10, 99_999, 100_000]);
});

test('one record is found by its id, as far as the file counts', async () => {
  const dir = freshDir();
  const records = [0, 1, 2].map((i) => recordOf(pageOf(`http://orchard.example/${i}`, 'x'), { text: 'é'.repeat(200_000) }));
  const [first, second, third] = records;
  if (!first || !second || !third) throw new Error('three records');
  const lines = records.map(recordLine);
  await writeFile(join(dir, 'records.jsonl'), lines.join(''));
  const ends = lines.map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join('')));
  expect(await findRecord(dir, first.id, ends[2] ?? 0)).toEqual(first);
  expect(await findRecord(dir, third.id, ends[2] ?? 0)).toEqual(third);
  expect(await findRecord(dir, third.id, ends[1] ?? 0)).toBeNull();
  expect(await findRecord(dir, first.id, 0)).toBeNull();
  // Damage in a line that is not asked for is not met; in the one that is, it is named.
  await writeFile(join(dir, 'records.jsonl'), `${lines[0]}torn\n${lines[2]}{"id":"${second.id}"}\n`);
  expect(await findRecord(dir, third.id, Number.POSITIVE_INFINITY)).toEqual(third);
  await expect(findRecord(dir, second.id, Number.POSITIVE_INFINITY)).rejects.toThrow(/records\.jsonl:4: field url/);
});

test('a stream of chunks is read as a file is: by as much as is asked for, with its place, and is ended when it is closed', async () => {
  let isEnded = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of ['ab', '', 'cde', 'f']) yield Buffer.from(chunk);
    } finally {
      isEnded = true;
    }
  }
  const bytes = FileBytes.from('standard input', chunks());
  expect([bytes.path, bytes.position]).toEqual(['standard input', 0]);
  expect(text(await bytes.peek())).toBe('ab');
  expect(text(await bytes.peek(3))).toBe('abcde');
  bytes.take(4);
  expect([bytes.position, text(await bytes.peek(2))]).toEqual([4, 'ef']);
  expect(text(await bytes.peek(9))).toBe('ef');
  bytes.take(2);
  expect([bytes.position, (await bytes.peek()).length]).toEqual([6, 0]);
  const early = FileBytes.from('standard input', chunks());
  isEnded = false;
  await early.peek();
  await early.close();
  expect(isEnded).toBe(true);
});

test('of a file only the bytes that count are read', async () => {
  const path = join(freshDir(), 'a');
  await writeFile(path, Buffer.alloc(200_000, 'x'));
  const bytes = await FileBytes.open(path, 150_000);
  expect((await bytes.peek(170_000)).length).toBe(150_000);
  await bytes.close();
  await expect(FileBytes.open(join(path, 'none'), 1)).rejects.toThrow(DataError);
});
