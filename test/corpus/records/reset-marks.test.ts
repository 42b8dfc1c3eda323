import { rm } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { CommitMarks, readMarks, resetMarks } from '../../../src/corpus/records/commit-marks.ts';
import { freshDir } from './samples.ts';

vi.mock('node:fs/promises', { spy: true });

test.each([4, 5])('a folder that is made to note one commit has a mark when it removes another one, for commit %i', async (number) => {
  const dir = freshDir();
  const marks = new CommitMarks(dir, 'one');
  for (const before of [2, 3]) await marks.write({ number: before, offsets: { 'records.jsonl': before } });
  await marks.close();
  vi.mocked(rm).mockRejectedValueOnce(new Error('killed here'));
  await expect(resetMarks(dir, { number, offsets: { 'records.jsonl': number } }, 'one')).rejects.toThrow('killed here');
  expect(readMarks(dir)[0]).toMatchObject({ number, offsets: { 'records.jsonl': number } });
});
