/** What is read of a WARC file behind a damage: all that is whole, and each damage told. */
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { nextMember, walkWarcBehindDamage } from '../../../src/corpus/records/warc-recovery.ts';
import { type WarcEntry, walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { runs } from '../../support/extent.ts';
import { damages, spared } from './damages.ts';
import { collected, drained, freshDir, INFO, pageOf, recordOf } from './samples.ts';

const everything = () => true;
const placed = ({ start, end, fields }: WarcEntry) => ({ start, end, id: fields.get('warc-record-id') });

/** A WARC file of pages, and where its records stand. */
async function sampleOf(bodies: readonly string[]) {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  for (const [i, body] of bodies.entries()) {
    const page = pageOf(`http://orchard.example/${i}`, body);
    writer.append({ kind: 'page', record: recordOf(page), page: page });
  }
  await writer.close();
  const path = join(dir, 'forager-00000.warc.gz');
  const bytes = await readFile(path);
  return { path, bytes, records: (await collected(walkWarc(path, everything))).map(placed) };
}

async function readBehind(path: string, end: number) {
  const told: string[] = [];
  const entries = await collected(walkWarcBehindDamage(path, everything, end, (message) => told.push(message)));
  return { records: entries.map(placed), told };
}

test('whatever is damaged, every other record is read, in its order, and nothing else is', async () => {
  const { path, bytes, records } = await sampleOf(['one', 'two '.repeat(3000), 'three']);
  await fc.assert(
    fc.asyncProperty(damages(bytes.length), async (all) => {
      const damaged = Buffer.from(bytes);
      for (const damage of all) damage.apply(damaged);
      writeFileSync(path, damaged);
      const { records: read, told } = await readBehind(path, bytes.length);
      const starts = new Set([...read, ...spared(records, all)].map(({ start }) => start));
      expect(read).toEqual(records.filter(({ start }) => starts.has(start)));
      expect(told.length > 0).toBe(read.length < records.length);
    }),
    { numRuns: runs(200) },
  );
});

test('a member that goes on behind its record, as one that is damaged may, is no record', async () => {
  const { path, bytes, records } = await sampleOf(['one', 'two']);
  const [, second, third, ...more] = records;
  const both = Buffer.concat([second, third].map((one) => gunzipSync(bytes.subarray(one?.start, one?.end))));
  const member = gzipSync(both);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, second?.start), member, bytes.subarray(third?.end)]));
  const { records: read, told } = await readBehind(path, bytes.length);
  expect(read.map(({ id }) => id)).toEqual([records[0], ...more].map((one) => one?.id));
  expect(told).toEqual([expect.stringContaining(`damaged at byte ${second?.start} (a gzip member continues after its record)`)]);
});

test('of a file cut anywhere the records before the cut are read, and the rest is told', async () => {
  const { path, bytes, records } = await sampleOf(['one', 'two']);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), async (size) => {
      writeFileSync(path, bytes.subarray(0, size));
      const { records: read, told } = await readBehind(path, bytes.length);
      expect(read).toEqual(records.filter(({ end }) => end <= size));
      const isBetween = size === 0 || records.some(({ end }) => end === size);
      expect(told).toEqual(isBetween ? [] : [expect.stringContaining(path)]);
    }),
    { numRuns: runs(60) },
  );
});

test('records that no byte counts of are not read, and are no damage', async () => {
  const { path, records } = await sampleOf(['one', 'two']);
  const [first, second] = records;
  expect(await readBehind(path, second?.end ?? 0)).toEqual({ records: [first, second], told: [] });
});

test('damage is thrown where nobody is told; what is no damage is thrown anyway', async () => {
  const { path, bytes, records } = await sampleOf(['one', 'two']);
  writeFileSync(path, Buffer.from(bytes).fill(0, records[1]?.start, (records[1]?.start ?? 0) + 20));
  const { items, error } = await drained(walkWarcBehindDamage(path, everything, bytes.length, undefined));
  expect(items.map(placed)).toEqual(records.slice(0, 1));
  expect(error).toBeInstanceOf(DataError);
  const broken = new RangeError('our own fault');
  const wants = () => {
    throw broken;
  };
  expect((await drained(walkWarcBehindDamage(path, wants, bytes.length, () => undefined))).error).toBe(broken);
});

test('a file that is not there is told once', async () => {
  const path = join(freshDir(), 'none.warc.gz');
  expect(await readBehind(path, 1000)).toEqual({ records: [], told: [expect.stringContaining(path)] });
});

/** Bytes that no member begins in. */
const junk = (size: number) => Buffer.alloc(size, 0x1f);
const MEMBER = gzipSync('WARC/1.1\r\n');
const MIB = 1024 * 1024;

test.each([0, 1, 9, MIB - MEMBER.length, MIB - 4, MIB - 3, MIB - 2, MIB - 1, MIB, MIB + 1, 2 * MIB - 3, 2 * MIB - 6])(
  'the next member is found behind %d other bytes, and nothing behind the end',
  async (size) => {
    const path = join(freshDir(), 'a');
    const bytes = Buffer.concat([junk(size), MEMBER, junk(20)]);
    writeFileSync(path, bytes);
    expect(await nextMember(path, 0, bytes.length, 'WARC/')).toBe(size);
    expect(await nextMember(path, size, bytes.length, 'WARC/')).toBe(size);
    expect(await nextMember(path, size + 1, bytes.length, 'WARC/')).toBeNull();
    expect(await nextMember(path, 0, size, 'WARC/')).toBeNull();
    expect(await nextMember(path, 0, size + MEMBER.length, 'WARC/')).toBe(size);
  },
);

test.each<[string, Buffer, boolean]>([
  ['begins otherwise', gzipSync('{"url":1}'), false],
  ['holds less', gzipSync('WAR'), false],
  ['is empty', gzipSync(''), false],
  ['has optional fields', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8]), MEMBER.subarray(4)]), false],
  ['is no DEFLATE', Buffer.concat([MEMBER.subarray(0, 10), Buffer.alloc(20, 0xff)]), false],
  ['ends in its header', MEMBER.subarray(0, 8), false],
  ['is cut in its data', gzipSync(`WARC/1.1\r\n${'x'.repeat(1000)}`).subarray(0, 30), true],
  [
    'does not compress',
    gzipSync(Buffer.concat([Buffer.from('WARC/'), Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 * i) % 251))])),
    true,
  ],
  ['is 8 MB of one letter', gzipSync(`WARC/1.1\r\n${'x'.repeat(8_000_000)}`), true],
])('a member that %s', async (_, member, isFound) => {
  const path = join(freshDir(), 'a');
  writeFileSync(path, Buffer.concat([junk(5), member]));
  expect(await nextMember(path, 0, 5 + member.length, 'WARC/')).toBe(isFound ? 5 : null);
});

test('of a file that is not there nothing is found', async () => {
  expect(await nextMember(join(freshDir(), 'none'), 0, 100, 'WARC/')).toBeNull();
});
