import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreError } from '../../src/core/errors.ts';
import { HashedFile } from '../../src/harvest/hashed-file.ts';
import { freshDir } from '../corpus/samples.ts';

test('size and hash are those of all that was written, in its order, held in memory up to a megabyte', async () => {
  const path = join(freshDir(), 'a');
  const file = await HashedFile.create(path);
  const parts = [400_000, 400_000, 248_575, 1, 7].map((length, i) => Buffer.alloc(length, `${i}`));
  const sizes: number[] = [];
  for (const part of parts) {
    await file.write(part);
    sizes.push((await stat(path)).size);
  }
  expect(sizes).toEqual([0, 0, 0, 1_048_576, 1_048_576]);
  expect(file.size).toBe(1_048_583);
  const all = Buffer.concat(parts);
  expect(await file.finish()).toEqual({ bytes: all.length, sha256: createHash('sha256').update(all).digest('hex') });
  expect((await readFile(path)).equals(all)).toBe(true);
  await file.abandon();
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
