import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import { ScratchFile } from '../../../src/corpus/select/scratch-file.ts';
import { runs } from '../../support/extent.ts';
import { freshDir } from '../records/samples.ts';

test('gives back the bytes that were appended, from anywhere and between appends', () => {
  const folder = freshDir();
  let name = 0;
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.constantFrom(700_000, 1_048_576, 2_000_000).map((length) => Buffer.alloc(length, length % 251)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.double({ min: 0, max: 1, noNaN: true }), (pieces, share) => {
      const file = new ScratchFile(join(folder, 'deep', String(name++)));
      let all = Buffer.alloc(0);
      for (const bytes of pieces) {
        file.append(bytes);
        all = Buffer.concat([all, bytes]);
        const at = Math.floor(share * all.length);
        const read = Buffer.alloc(all.length - at);
        file.read(read, at);
        expect(read.equals(all.subarray(at))).toBe(true);
      }
      expect(file.size).toBe(all.length);
      file.close();
    }),
    { numRuns: runs(20) },
  );
});

test('is not there before it is written', () => {
  const path = join(freshDir(), 'scratch', 'file');
  const file = new ScratchFile(path);
  expect(existsSync(path)).toBe(false);
  file.close();
  expect(existsSync(path)).toBe(false);
});

test('a folder that cannot be made and a read beyond the end are errors of the store', () => {
  const folder = freshDir();
  writeFileSync(join(folder, 'taken'), '');
  const blocked = new ScratchFile(join(folder, 'taken', 'file'));
  blocked.append(Buffer.alloc(10));
  expect(() => blocked.read(Buffer.alloc(10), 0)).toThrow(StoreError);
  const short = new ScratchFile(join(folder, 'short'));
  short.append(Buffer.alloc(10));
  expect(() => short.read(Buffer.alloc(11), 0)).toThrow(/short: .*too short/);
  short.close();
});
