/** ZIP files, read back by Python's zipfile. */
import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Zip64From, ZipWriter } from '../../../src/corpus/formats/zip-writer.ts';
import { IS_WHOLE, size } from '../../support/extent.ts';
import { has, run } from '../harvest/harvest-samples.ts';
import { freshDir } from '../records/samples.ts';

const HAS_PYTHON = await has('python3', '--version');
if (!HAS_PYTHON) console.log('Tests of ZIP files are left out: no python3');
const AT = Date.UTC(2024, 4, 6, 7, 8, 9);

/** Name, size, time, and SHA-256 of the content of each entry, after a test of all checksums. */
const READ = `
import sys, json, zipfile, hashlib
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, i.file_size, i.compress_type, list(i.date_time), hashlib.sha256(z.read(i)).hexdigest(), i.header_offset, len(i.extra)] for i in z.infolist()[:9]] + [len(z.infolist())]))
`;

async function zipOf(contents: ReadonlyMap<string, Uint8Array>, zip64From?: Zip64From): Promise<{ path: string; bytes: Buffer }> {
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void parts.push(bytes), AT, zip64From);
  for (const [name, content] of contents) await zip.add(name, content);
  await zip.finish();
  const [path, bytes] = [join(freshDir(), 'a.zip'), Buffer.concat(parts)];
  await writeFile(path, bytes);
  return { path, bytes };
}

async function readByPython(path: string): Promise<unknown[]> {
  return JSON.parse((await run('python3', ['-c', READ, path])).stdout) as unknown[];
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const CONTENTS = new Map([
  ['archive/a.warc.gz', Buffer.from('A'.repeat(3000))],
  ['leer', Buffer.alloc(0)],
  ['Äpfel/ß.txt', Buffer.from('schön')],
]);

/** The places of entries and of the directory in 32 or 64 bits, from a lower bound than 4 GB. The last column is the number of places in 64. */
const FORMATS: readonly (readonly [string, Zip64From | undefined, number])[] = [
  ['places of 32 bits', undefined, 0],
  ['places of 64 bits', { bytes: 0, entries: 0 }, 3],
  ['places of 64 bits behind the first entry', { bytes: 3000, entries: 100 }, 2],
  ['64 bits for the number of entries alone', { bytes: 1e9, entries: 3 }, 0],
];

test.skipIf(!HAS_PYTHON).each(FORMATS)('entries and their facts, %s', async (_, zip64From, wide) => {
  const { path, bytes } = await zipOf(CONTENTS, zip64From);
  const read = await readByPython(path);
  expect(read.at(-1)).toBe(3);
  const entries = read.slice(0, -1) as [string, number, number, number[], string, number, number][];
  expect(entries.map(([name, length, method, time, sum]) => [name, length, method, time, sum])).toEqual(
    [...CONTENTS].map(([name, content]) => [name, content.length, 0, [2024, 5, 6, 7, 8, 8], hash(content)]),
  );
  expect(entries.filter(([, , , , , , extra]) => extra === 28).length).toBe(wide);
  expect(bytes.includes(Buffer.from('PK\x06\x06'))).toBe(zip64From !== undefined);
});

/** So many that their number needs 64 bits, as in the table above with a lower bound. */
test.skipIf(!HAS_PYTHON || !IS_WHOLE)('more than 65,535 entries', async () => {
  const { path } = await zipOf(new Map(Array.from({ length: 65_537 }, (_, i) => [String(i), Buffer.from(String(i))])));
  expect((await readByPython(path)).at(-1)).toBe(65_537);
});

test.skipIf(!HAS_PYTHON)('an entry is known by what was written: a changed byte is found', async () => {
  const { path, bytes } = await zipOf(CONTENTS);
  bytes[1000] = 66;
  await writeFile(path, bytes);
  await expect(readByPython(path)).rejects.toThrow();
});

/** Zeros are a hole in the file: the disk has a few megabytes of it. `npm test` writes no more than that. */
const BIG = size(4.2 * 2 ** 30, 0);

test.skipIf(!HAS_PYTHON || BIG === 0)(
  'an entry beyond 4 GB, and entries behind it',
  async () => {
    const path = join(freshDir(), 'big.zip');
    const file = await open(path, 'w');
    let at = 0;
    const zip = new ZipWriter(async (bytes) => {
      if (bytes.length < ZEROS.length) await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    }, AT);
    const entry = await zip.entry('zeros');
    for (let written = 0; written < BIG; written += ZEROS.length) await entry.write(ZEROS);
    const { bytes } = await entry.finish();
    await zip.add('after', Buffer.from('it'));
    await zip.finish();
    await file.close();
    const { stdout } = await run('python3', [
      '-c',
      'import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(z.testzip(), [(i.filename, i.file_size) for i in z.infolist()], z.read("after"))',
      path,
    ]);
    expect(stdout.trim()).toBe(`None [('zeros', ${bytes}), ('after', 2)] b'it'`);
  },
  120_000,
);
const ZEROS = Buffer.alloc(16 * 1024 * 1024);
