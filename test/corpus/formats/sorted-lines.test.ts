import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedLines } from '../../../src/corpus/formats/sorted-lines.ts';
import { HashedFile } from '../../../src/corpus/select/hashed-file.ts';
import { runs } from '../../support/extent.ts';
import { collected, freshDir } from '../records/samples.ts';

test('lines in the order of their bytes, the same in memory and by way of files, twice', async () => {
  const dir = freshDir();
  let files = 0;
  const scratch = () => HashedFile.create(join(dir, String(files++)));
  const line = fc
    .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'b', ''))
    .map((text) => String(Buffer.from(text.replaceAll('\n', ' '))));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 3000 }), async (lines, memory) => {
      const sorted = new SortedLines(scratch, memory);
      for (const one of lines) await sorted.add(one);
      expect(sorted.count).toBe(lines.length);
      const expected = lines.map((one) => Buffer.from(one)).sort(Buffer.compare);
      for (let time = 0; time < 2; time++) expect((await collected(sorted.lines())).map(String)).toEqual(expected.map(String));
    }),
    { numRuns: runs(200) },
  );
  expect(files).toBeGreaterThan(20);
});

test('a reader that stops early leaves no file open', async () => {
  const dir = freshDir();
  let files = 0;
  const sorted = new SortedLines(() => HashedFile.create(join(dir, String(files++))), 400);
  for (let i = 0; i < 50; i++) await sorted.add(`line ${i}`);
  for await (const line of sorted.lines()) if (line.length > 0) break;
  expect(files).toBeGreaterThan(3);
});
