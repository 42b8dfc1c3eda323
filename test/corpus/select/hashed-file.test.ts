import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import { HashedFile } from '../../../src/corpus/select/hashed-file.ts';
import { freshDir } from '../records/samples.ts';

test('size and hash are those of all that was written, in its order, held in memory up to 256 KB', async () => {
  const path = join(freshDir(), 'a');
  const file = await HashedFile.create(path);
  const parts = [100_000, 100_000, 62_144, 1, 300_000, 7].map((length, i) => Buffer.alloc(length, `${i}`));
  const sizes: number[] = [];
  const scratch = Buffer.alloc(300_000);
  for (const part of parts) {
    // Bytes that are written may change.
    part.copy(scratch);
    await file.write(scratch.subarray(0, part.length));
    scratch.fill(0);
    sizes.push((await stat(path)).size);
  }
  expect(sizes).toEqual([0, 0, 0, 262_144, 562_145, 562_145]);
  expect(file.size).toBe(562_152);
  const all = Buffer.concat(parts);
  expect(await file.finish()).toEqual({ bytes: all.length, sha256: createHash('sha256').update(all).digest('hex') });
  expect((await readFile(path)).equals(all)).toBe(true);
  await file.abandon();
});

test('text is written as UTF-8, be it short or larger than the buffer', async () => {
  const path = join(freshDir(), 'a');
  const file = await HashedFile.create(path);
  const texts = ['Äpfel 🍏', '苹'.repeat(100_000), '', '\ud83c alone', 'é'.repeat(80_000), 'x'.repeat(80_000)];
  for (const text of texts) await file.write(text);
  const all = Buffer.from(texts.join(''));
  expect(await file.finish()).toEqual({ bytes: all.length, sha256: createHash('sha256').update(all).digest('hex') });
  expect((await readFile(path)).equals(all)).toBe(true);
});

test('an empty one is a file too; one that is there already is not written over', async () => {
  const path = join(freshDir(), 'a');
  await (await HashedFile.create(path)).finish();
  expect((await stat(path)).size).toBe(0);
  await writeFile(path, 'mine');
  await expect(HashedFile.create(path)).rejects.toThrow(StoreError);
  expect(await readFile(path, 'utf8')).toBe('mine');
});

test('one that was abandoned cannot be written any more', async () => {
  const file = await HashedFile.create(join(freshDir(), 'a'));
  await file.write(Buffer.from('x'));
  await file.abandon();
  await expect(file.finish()).rejects.toThrow(StoreError);
});
