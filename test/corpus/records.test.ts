import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../src/core/errors.ts';
import { readRecords, recordLine } from '../../src/corpus/records.ts';
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
    { numRuns: 50 },
  );
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
