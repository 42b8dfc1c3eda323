import { expect, test } from 'vitest';
import { ZipWriter } from '../../../src/corpus/formats/zip-writer.ts';
import { openZip, type ZipArchive } from '../../../src/reading/documents/zip-reader.ts';
import { type ZipPart, zipFile } from '../../support/zip-file.ts';

function opened(bytes: Uint8Array, most?: number): ZipArchive {
  const opening = openZip(bytes, most);
  if (opening.kind !== 'open') throw new Error(opening.detail);
  return opening.archive;
}

function textIn(archive: ZipArchive, name: string): string {
  const content = archive.read(name);
  return content.kind === 'read' ? Buffer.from(content.bytes).toString() : `${content.kind}: ${'detail' in content ? content.detail : ''}`;
}

const inOne = (part: Omit<ZipPart, 'name'>, most?: number) => textIn(opened(zipFile([{ name: 'a', ...part }]), most), 'a');

test('entries are read that are stored, packed, empty, with sizes behind them or of 64 bits', () => {
  const parts: ZipPart[] = [
    { name: 'mimetype', data: 'a/b', stored: true },
    { name: 'texts/long.xml', data: 'sphagnum '.repeat(5000) },
    { name: 'empty', data: '' },
    { name: 'streamed', data: 'later sizes', descriptor: true },
    { name: 'wide', data: 'sizes of eight bytes', wide: true },
    { name: 'wide and streamed', data: 'both', wide: true, descriptor: true },
  ];
  const archive = opened(zipFile(parts, 'a comment'));
  expect(archive.names).toEqual(parts.map(({ name }) => name));
  for (const { name, data } of parts) expect(textIn(archive, name)).toBe(data);
});

test('the archives of our own writer are read, with Zip64 records or without', async () => {
  for (const entries of [0xffff, 1]) {
    const chunks: Uint8Array[] = [];
    const writer = new ZipWriter(async (bytes) => void chunks.push(Buffer.from(bytes)), 0, { bytes: 0xffffffff, entries });
    await writer.add('pages/ä.txt', Buffer.from('peat'));
    await writer.add('b', Buffer.from('bog'));
    await writer.finish();
    const archive = opened(Buffer.concat(chunks));
    expect([textIn(archive, 'pages/ä.txt'), textIn(archive, 'b')]).toEqual(['peat', 'bog']);
  }
});

test('bytes in front of an archive or behind it, other slashes and other cases do not matter', () => {
  const bytes = zipFile([{ name: '/word\\Document.xml', data: 'moss' }]);
  const moved = Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes, Buffer.from('\n\n')]);
  expect(textIn(opened(moved), 'word/document.xml')).toBe('moss');
  expect(opened(moved).has('word/other.xml')).toBe(false);
  expect(textIn(opened(moved), 'other')).toBe('absent: ');
});

test('encrypted entries are told, by each way to say so', () => {
  expect(inOne({ data: 'x', flags: 1 })).toBe('encrypted: ');
  expect(inOne({ data: 'x', flags: 0x41 })).toBe('encrypted: ');
  expect(inOne({ data: 'x', method: 99 })).toBe('encrypted: ');
});

test('content that is not as declared is a fault, and no more of it is inflated than declared', () => {
  expect(inOne({ data: 'x'.repeat(1e6), size: 100 })).toContain('cannot be inflated');
  expect(inOne({ data: 'short', size: 100 })).toContain('has 5 bytes, not 100');
  expect(inOne({ data: 'x', crc: 7 })).toContain('does not match its checksum');
  expect(inOne({ data: 'x', method: 12 })).toContain('packed by method 12');
  expect(inOne({ data: 'x'.repeat(500), method: 8, stored: true })).toContain('cannot be inflated');
  expect(inOne({ data: 'x', offset: 1, packedSize: 1 })).toContain('does not begin where the directory says');
});

test('all entries of a file share the bytes that may be inflated', () => {
  const bytes = zipFile(['a', 'b', 'c'].map((name) => ({ name, data: '0'.repeat(400) })));
  const archive = opened(bytes, 1000);
  expect(textIn(archive, 'a')).toHaveLength(400);
  expect(textIn(archive, 'b')).toHaveLength(400);
  expect(textIn(archive, 'c')).toContain('is larger than the bytes that may be inflated');
  expect(inOne({ data: '', stored: true, wide: true, size: 2 ** 40 })).toContain('is larger');
});

test('entries that share bytes, sizes beyond numbers and damaged directories are faults of the file', () => {
  const faultOf = (bytes: Uint8Array) => {
    const opening = openZip(bytes);
    return opening.kind === 'failed' ? opening.detail : 'none';
  };
  const bomb = ['a', 'b', 'c'].map((name) => ({ name, data: '0'.repeat(5000), stored: true }));
  expect(faultOf(zipFile(bomb.map((part, i) => (i === 0 ? part : { ...part, offset: 0 }))))).toContain('overlaps');
  expect(faultOf(zipFile([{ name: 'a', data: 'x', packedSize: 1000 }]))).toContain('overlaps');
  expect(faultOf(zipFile([{ name: 'a', data: 'x', wide: true, size: 2 ** 60 }]))).toContain('damaged behind 0 of 1');
  const whole = zipFile(bomb);
  expect(faultOf(whole.subarray(0, whole.length - 30))).toContain('truncated');
  expect(faultOf(new Uint8Array())).toContain('truncated');
  expect(faultOf(Buffer.concat([whole.subarray(0, 9000), whole.subarray(9100)]))).not.toBe('none');
  const lying = Buffer.from(whole);
  lying.writeUInt16LE(9, lying.length - 12);
  expect(faultOf(lying)).toContain('damaged behind 3 of 9');
});

test('any change of any byte is an outcome', () => {
  const bytes = zipFile([
    { name: 'a', data: 'peat '.repeat(50) },
    { name: 'b', data: 'moss', stored: true, wide: true },
  ]);
  for (let at = 0; at < bytes.length; at += 1)
    for (const value of [0, 255, (bytes[at] ?? 0) ^ 1]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      const opening = openZip(changed);
      if (opening.kind === 'open') for (const name of opening.archive.names) expect(opening.archive.read(name).kind).toBeTruthy();
    }
});
