/** The edges of what is read as a WARC file: headers of gzip members one by one, and where a record begins and ends. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { declaredDay } from '../../../src/corpus/select/declared-date.ts';
import { collected, drained, freshDir } from './samples.ts';

const record = (content: string, fields = '') =>
  Buffer.from(`WARC/1.1\r\nWARC-Type: resource\r\n${fields}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}\r\n\r\n`);

async function walked(...parts: readonly Uint8Array[]) {
  const path = join(freshDir(), 'a.warc.gz');
  await writeFile(path, Buffer.concat(parts));
  const { items, error } = await drained(walkWarc(path, () => true));
  return { contents: items.map(({ content }) => Buffer.from(content ?? []).toString()), items, error };
}

/** One gzip member with these flags and what they announce. */
function member(flags: number, announced: Buffer, content: Buffer): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]), announced, deflateRawSync(content), trailer]);
}

describe('a gzip header', () => {
  test.each([
    ['nothing', 0, Buffer.alloc(0)],
    ['a text hint', 1, Buffer.alloc(0)],
    ['a checksum', 2, Buffer.from([1, 2])],
    ['extra bytes', 4, Buffer.from([3, 0, 7, 7, 7])],
    ['many extra bytes', 4, Buffer.concat([Buffer.from([1, 1]), Buffer.alloc(257, 7)])],
    ['a name', 8, Buffer.from('name\0')],
    ['a name longer than is read at once', 8, Buffer.from(`${'n'.repeat(200_000)}\0`)],
    ['a comment', 16, Buffer.from('\0')],
    ['a name and a comment', 24, Buffer.from('n\0c\0')],
  ])('with %s', async (_, flags, announced) => {
    const { contents, error } = await walked(member(flags, announced, record('one')), member(flags, announced, record('two')));
    expect([contents, error]).toEqual([['one', 'two'], null]);
  });

  test.each([
    ['cut in its name', member(8, Buffer.from('name'), Buffer.alloc(0)).subarray(0, 14)],
    ['cut in its extra bytes', member(4, Buffer.from([9, 0, 7]), Buffer.alloc(0)).subarray(0, 13)],
    ['of another method', Buffer.concat([Buffer.from([0x1f, 0x8b, 7]), Buffer.alloc(30)])],
    ['of another kind', Buffer.concat([Buffer.from([0x1f, 0x8c, 8]), Buffer.alloc(30)])],
  ])('%s is damage, after what was whole', async (_, bytes) => {
    const { contents, error } = await walked(gzipSync(record('one')), bytes);
    expect(contents).toEqual(['one']);
    expect(error).toBeInstanceOf(DataError);
  });
});

describe('a record', () => {
  test('begins with its version; a header alone is none', async () => {
    for (const text of [
      'A: b\r\nContent-Length: 1\r\n\r\nx\r\n\r\n',
      'Content-Length: 0\r\n\r\n',
      ' WARC/1.1\r\nContent-Length: 0\r\n\r\n',
    ]) {
      const { contents, error } = await walked(Buffer.from(text));
      expect(contents).toEqual([]);
      expect(String(error)).toContain('no WARC record starts here');
    }
  });

  test('has fields whose names have no case, folded over lines, the last of each; a line without a colon is passed over', async () => {
    const { items, error } = await walked(record('', 'X-A: 1\r\n  2\r\n\t3\r\nno colon\r\nx-a : 4\r\nX-B: b:c\r\n: nameless\r\n'));
    expect(error).toBeNull();
    const fields = items[0]?.fields;
    expect([fields?.get('x-a'), fields?.get('x-b'), fields?.get('no colon'), fields?.get('')]).toEqual(['4', 'b:c', undefined, 'nameless']);
    const folded = await walked(record('', 'X-A: 1\r\n  2\r\n\t3\r\n'));
    expect(folded.items[0]?.fields.get('x-a')).toBe('1 2 3');
  });

  test('without a length that is a number is damage', async () => {
    for (const length of [
      '',
      'Content-Length: x\r\n',
      'Content-Length: -1\r\n',
      'Content-Length: 1.5\r\n',
      `Content-Length: ${'9'.repeat(17)}\r\n`,
    ]) {
      const { error } = await walked(Buffer.from(`WARC/1.1\r\n${length}\r\n`));
      expect(String(error)).toContain('without a Content-Length');
    }
  });

  test('stands where it stands, in a file that is compressed or not', async () => {
    const [one, two] = [record('one'), record('two two')];
    const plain = await walked(Buffer.from('\r\n'), one, two);
    expect(plain.items.map(({ start, end, length }) => [start, end, length])).toEqual([
      [2, 2 + one.length, 3],
      [2 + one.length, 2 + one.length + two.length, 7],
    ]);
    const [first, second] = [gzipSync(one), gzipSync(two)];
    const packed = await walked(first, second);
    expect(packed.items.map(({ start, end }) => [start, end])).toEqual([
      [0, first.length],
      [first.length, first.length + second.length],
    ]);
  });

  test('is not held unless it is wanted', async () => {
    const path = join(freshDir(), 'a.warc');
    await writeFile(path, Buffer.concat([record('one'), record('three')]));
    const entries = await collected(walkWarc(path, (_, length) => length > 3));
    expect(entries.map(({ content }) => content && Buffer.from(content).toString())).toEqual([null, 'three']);
  });
});

test('a declared day may be that of a time zone ahead, and not before the first web page', () => {
  const midnight = Date.UTC(2024, 4, 6);
  expect(declaredDay('2024-05-07', midnight)).toBe(midnight + 86_400_000);
  expect(declaredDay('2024-05-07', midnight - 1)).toBeNull();
  expect(declaredDay('1991-08-06', midnight)).toBe(Date.UTC(1991, 7, 6));
  expect(declaredDay('1991-08-05', midnight)).toBeNull();
});
