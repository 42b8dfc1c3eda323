import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import {
  byteLines,
  countLines,
  findRecord,
  isRecordLine,
  readRecords,
  recordBefore,
  recordLine,
  storedRecordLine,
} from '../../../src/corpus/records/records.ts';
import { newRecordId } from '../../../src/corpus/records/warc-record.ts';
import { runs } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { collected, drained, freshDir, pageOf, recordOf, urlOf } from './samples.ts';

const record = recordOf(pageOf('http://orchard.example/', 'x'));

test('any records come back as they went', async () => {
  const dir = freshDir();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: fc.string({ unit: 'binary' }), text: fc.string({ unit: 'binary', maxLength: 4000 }) }), {
        maxLength: 20,
      }),
      async (texts) => {
        const records = texts.map((over) => ({ ...record, ...over }));
        await writeFile(join(dir, 'records.jsonl'), records.map(recordLine).join(''));
        expect(await collected(readRecords(dir))).toEqual(records);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('the record whose line ends at a byte is found, however long it is, and none elsewhere or if it is damaged', async () => {
  const dir = freshDir();
  const path = join(dir, 'records.jsonl');
  const records = [0, 70_000, 300_000].map((length, i) => ({ ...record, id: newRecordId(), title: `${i}`, text: 'x'.repeat(length) }));
  const lines = records.map(storedRecordLine);
  await writeFile(path, Buffer.concat(lines));
  let end = 0;
  for (const [i, line] of lines.entries()) {
    end += line.length;
    expect(await recordBefore(dir, end)).toEqual(records[i]);
    expect(await recordBefore(dir, end - 1)).toBeNull();
    const damaged = Buffer.concat(lines);
    damaged[end - 40] = (damaged[end - 40] ?? 0) ^ 1;
    await writeFile(path, damaged);
    expect(await recordBefore(dir, end)).toBeNull();
    await writeFile(path, Buffer.concat(lines));
  }
});

test('what a page reserves comes back, and records of pages that say nothing have no such field', async () => {
  const dir = freshDir();
  const record = recordOf(pageOf('http://a.example/', 'x'));
  const reservation = { reserved: true, by: 'meta', policy: urlOf('http://a.example/policy') } as const;
  await writeFile(join(dir, 'records.jsonl'), [{ ...record, reservation }, record].map(recordLine).join(''));
  const [reserved, silent] = await collected(readRecords(dir));
  expect(reserved).toEqual({ ...record, reservation });
  expect(silent).not.toHaveProperty('reservation');
});

test('what several topics say of a page comes back, and records of one topic have no such field', async () => {
  const dir = freshDir();
  const topics = [
    { name: 'apples, old kinds', modelId: 'a'.repeat(16), relevance: 1 / 3, threshold: 0.5, onTopic: false },
    { name: 'pests', modelId: 'b'.repeat(16), relevance: 0.9, threshold: 0.4, onTopic: true },
  ];
  await writeFile(join(dir, 'records.jsonl'), [{ ...record, topics }, record].map(recordLine).join(''));
  const [several, one] = await collected(readRecords(dir));
  expect(several).toEqual({ ...record, topics });
  expect(one).not.toHaveProperty('topics');
});

test('a line longer than a read, and reading up to an offset', async () => {
  const dir = freshDir();
  const lines = [recordLine({ ...record, text: 'é'.repeat(700_000) }), recordLine(record), '{"torn'];
  await writeFile(join(dir, 'records.jsonl'), lines.join(''));
  const end = Buffer.byteLength(`${lines[0]}${lines[1]}`);
  expect((await collected(readRecords(dir, end))).map(({ text }) => text.length)).toEqual([700_000, record.text.length]);
  expect(await collected(readRecords(dir, 0))).toEqual([]);
});

const CHUNK = 256 * 1024;
const MIB = 1024 * 1024;

test('lines come as they stand between line feeds, wherever reads end; the last may have no end', async () => {
  const path = join(freshDir(), 'a');
  const length = fc.oneof(
    fc.nat(40),
    fc.integer({ min: -3, max: 3 }).map((by) => CHUNK + by),
    fc.integer({ min: 0, max: 3 * CHUNK }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 8 }), fc.boolean(), async (lengths, isEnded) => {
      const lines = lengths.map((size, i) => String(i % 10).repeat(size));
      await writeFile(path, lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));
      const read: string[] = [];
      for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) read.push(String(line));
      // Behind the last line feed there is no empty line.
      expect(read).toEqual(isEnded || lines.at(-1) !== '' ? lines : lines.slice(0, -1));
    }),
    { numRuns: runs(60) },
  );
});

wholeTest('a line of 64 MB is one, a longer one is no record', async () => {
  const path = join(freshDir(), 'a');
  await writeFile(path, 'short\n');
  for (const [size, lengths] of [
    [64 * MIB, [5, 64 * MIB]],
    [64 * MIB + 1, null],
  ] as const) {
    await truncate(path, 6 + size);
    const { items, error } = await drained(byteLines(path, Number.POSITIVE_INFINITY));
    if (lengths) expect(items.map((line) => line.length)).toEqual(lengths);
    else expect(String(error)).toContain(`${path}:2: a line of over ${64 * MIB} bytes`);
  }
});

test('a file that is shorter than was committed is told, behind what there is', async () => {
  const dir = freshDir();
  const lines = recordLine(record) + recordLine(record);
  await writeFile(join(dir, 'records.jsonl'), lines);
  const size = Buffer.byteLength(lines);
  expect((await drained(readRecords(dir, size))).error).toBeNull();
  const { items, error } = await drained(readRecords(dir, size + 1));
  expect(items).toEqual([record, record]);
  expect(String(error)).toContain(`has ${size} bytes, but ${size + 1} were committed`);
  const told: string[] = [];
  expect(await collected(readRecords(dir, size + 1, (message) => told.push(message)))).toEqual([record, record]);
  expect(told).toEqual([expect.stringContaining(`${join(dir, 'records.jsonl')}: has ${size} bytes`)]);
});

test('lines are counted from a byte on, over all reads', async () => {
  const dir = freshDir();
  await writeFile(join(dir, 'records.jsonl'), `${'a\n'.repeat(3 * CHUNK)}${'\n'.repeat(5)}no end`);
  expect(await countLines(dir, 0)).toBe(3 * CHUNK + 5);
  expect(await countLines(dir, 6)).toBe(3 * CHUNK + 2);
  expect(await countLines(dir, 6 * CHUNK + 4)).toBe(1);
});

const old = Buffer.from(recordLine(record));
const summed = storedRecordLine({ ...record, text: 'with a sum' });
const wrong = Buffer.from(String(summed).replace('with a sum', 'with a sun'));

test.each<[string, readonly Buffer[], readonly number[]]>([
  ['that was changed', [summed, wrong, summed], [2]],
  ['without a checksum behind one that has it', [old, summed, old, old], [3, 4]],
  ['without a checksum behind one whose checksum is wrong', [old, wrong, old], [2]],
  ['that is none', [summed, Buffer.from('no JSON\n'), Buffer.from('\n'), summed], [2, 3]],
])('a record %s is told with its line, and all others are read', async (_, lines, damaged) => {
  const dir = freshDir();
  const path = join(dir, 'records.jsonl');
  await writeFile(path, Buffer.concat(lines));
  const told: string[] = [];
  const read = await collected(readRecords(dir, undefined, (message) => told.push(message)));
  expect(read).toHaveLength(lines.length - damaged.length);
  expect(told).toEqual(damaged.map((number) => expect.stringMatching(new RegExp(`^${path}:${number}: `))));
  const { items, error } = await drained(readRecords(dir));
  expect(items).toHaveLength((damaged[0] ?? 0) - 1);
  expect(String(error)).toContain(told[0]);
});

test('a damaged record is told with the URL of its page, as far as the line tells', async () => {
  const dir = freshDir();
  const message = async (line: Buffer | string) => {
    await writeFile(join(dir, 'records.jsonl'), line);
    return String((await drained(readRecords(dir))).error);
  };
  expect(await message(wrong)).toContain('its checksum is wrong; the record of http://orchard.example/)');
  expect(await message('{"url":"http://a.example/","torn\n')).toMatch(/not JSON \(.*; the record of http:\/\/a\.example\/\)/);
  expect(await message('{"url":"http://a.example/"}\n')).toContain(
    'field id is missing or of the wrong type; the record of http://a.example/;',
  );
  expect(await message(`{"url":"http://${'a'.repeat(2000)}/"}\n`)).not.toContain('the record of');
});

test('a line is a record by itself, with its checksum or with none', () => {
  const bare = (line: Buffer) => line.subarray(0, -1);
  expect([summed, old, wrong].map((line) => isRecordLine(bare(line)))).toEqual([true, true, false]);
  expect(['', '{}', '[]', 'null', `${bare(old)}x`].map((line) => isRecordLine(Buffer.from(line)))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('a record that is found by its id is named by its own line when it is damaged', async () => {
  const dir = freshDir();
  const two = { ...record, id: newRecordId() };
  const torn = Buffer.from(String(storedRecordLine(two)).replace('Grafting', 'Crafting'));
  await writeFile(join(dir, 'records.jsonl'), Buffer.concat([summed, torn]));
  await expect(findRecord(dir, two.id, Number.POSITIVE_INFINITY)).rejects.toThrow(/records\.jsonl:2: has changed since it was written/);
});

test('times of earlier versions, in milliseconds since 1970, are read as those of today', async () => {
  const dir = freshDir();
  const old = `${JSON.stringify({ ...record, fetchedAt: 1_770_000_000_123 })}\n`;
  await writeFile(join(dir, 'records.jsonl'), old + recordLine(record));
  expect((await collected(readRecords(dir))).map(({ fetchedAt }) => fetchedAt)).toEqual(['2026-02-02T02:40:00.123Z', record.fetchedAt]);
});

test.each([
  ['a time that is none', `${JSON.stringify({ ...record, fetchedAt: 'yesterday' })}\n`, 'field fetchedAt'],
  ['a time beyond all dates', `${JSON.stringify({ ...record, fetchedAt: 1e300 })}\n`, 'field fetchedAt'],
  ['not JSON', '{"id":\n', 'not JSON'],
  ['not an object', '[]\n', 'field id'],
  ['a missing field', `${JSON.stringify({ ...record, text: undefined })}\n`, 'field text'],
  ['a wrong type', `${JSON.stringify({ ...record, relevance: 'high' })}\n`, 'field relevance'],
  ['damaged metadata', `${JSON.stringify({ ...record, metadata: { ...record.metadata, authors: 'one' } })}\n`, 'field metadata'],
  ['damaged fields', `${JSON.stringify({ ...record, fields: { price: 12 } })}\n`, 'field fields'],
  [
    'a damaged reservation',
    `${JSON.stringify({ ...record, reservation: { reserved: 1, by: 'meta', policy: null } })}\n`,
    'field reservation',
  ],
  [
    'a reservation by nobody',
    `${JSON.stringify({ ...record, reservation: { reserved: true, by: 'toString', policy: null } })}\n`,
    'field reservation',
  ],
  ['damaged topics', `${JSON.stringify({ ...record, topics: [{ name: 'pests', relevance: 0.9 }] })}\n`, 'field topics'],
  ['no URL', `${JSON.stringify({ ...record, url: 'nowhere' })}\n`, 'field url'],
  ['an empty line', '\n', 'not JSON'],
])('%s is a DataError with file and line', async (_, line, why) => {
  const dir = freshDir();
  await writeFile(join(dir, 'records.jsonl'), `${recordLine(record)}${line}${recordLine(record)}`);
  const { items, error } = await drained(readRecords(dir));
  expect(items).toEqual([record]);
  expect(error).toBeInstanceOf(DataError);
  expect(error).toMatchObject({ message: expect.stringMatching(new RegExp(`records\\.jsonl:2: .*${why}`)) });
});

test('a record with less metadata and no fields, as Forager 0.1 wrote it, is completed', async () => {
  const dir = freshDir();
  const { fields, metadata, ...old } = record;
  const said = { canonical: null, description: 'short', author: 'A. Writer', siteName: null, published: '2021' };
  await writeFile(join(dir, 'records.jsonl'), `${JSON.stringify({ ...old, metadata: said })}\n`);
  const [read] = await collected(readRecords(dir));
  expect(read).toMatchObject({ fields: {}, metadata: { ...metadata, description: 'short', published: '2021' } });
  expect(fields).toEqual({});
});

test('a folder without records is a DataError', async () => {
  expect((await drained(readRecords(freshDir()))).error).toBeInstanceOf(DataError);
});

test('the product of a page comes back, and one with parts of another type is damage', async () => {
  const dir = freshDir();
  const product = {
    name: 'Kettle',
    properties: [{ name: 'Weight', value: '1', unit: 'kg' }],
    offers: [{ price: 5 }],
    sources: ['json-ld'],
  };
  const line = (value: object) => storedRecordLine({ ...record, product: value as NonNullable<typeof record.product> });
  await writeFile(join(dir, 'records.jsonl'), line(product));
  expect((await collected(readRecords(dir)))[0]?.product).toEqual(product);
  for (const wrong of [
    { ...product, sources: undefined },
    { ...product, offers: [{ price: '5' }] },
    { ...product, properties: [{ name: 'Weight' }] },
  ]) {
    await writeFile(join(dir, 'records.jsonl'), line(wrong));
    await expect(collected(readRecords(dir))).rejects.toThrow(/field product is missing or of the wrong type/);
  }
});
