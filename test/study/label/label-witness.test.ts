/** Answers that were stored and are gone. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LabelLog } from '../../../src/study/label/label-log.ts';
import { linesTrained, refuseLostLabels } from '../../../src/study/label/label-witness.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const open = (path: string) => LabelLog.open(path, undefined, () => undefined);
const entry = (page: number) => ({
  ...{ url: `http://moss.test/${page}`, answer: 'y' as const, queue: 'random' as const, relevance: 0.5 },
  ...{ modelId: 'm', sha256: '0'.repeat(64), at: '2026-01-01T00:00:00.000Z' },
});

/** A file of twelve answers, the last one taken back. */
async function labelled(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-witness-'));
  folders.push(folder);
  const path = join(folder, 'labels.jsonl');
  const log = open(path);
  await log.append(Array.from({ length: 12 }, (_, i) => entry(i)));
  await log.undo(0, '2026-01-01T00:00:00.000Z');
  await log.close();
  return path;
}

const cutAfter = (path: string, lines: number) =>
  writeFileSync(
    path,
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, lines)
      .map((line) => `${line}\n`)
      .join(''),
  );

test.each([
  ['emptied', (path: string) => truncateSync(path, 0)],
  ['gone', (path: string) => rmSync(path)],
  ['cut after a whole line', (path: string) => cutAfter(path, 5)],
  ['cut within a line', (path: string) => truncateSync(path, readFileSync(path).length - 9)],
  ['without its undo', (path: string) => cutAfter(path, 13)],
  ['of somebody else', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('http://moss', 'http://peat'))],
])('a label file that is %s is damage', async (_, damage) => {
  const path = await labelled();
  damage(path);
  expect(() => open(path)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT', exitCode: 3 }));
});

test('a file that grew is read, as is one whose note is behind or gone', async () => {
  const path = await labelled();
  const note = join(path, '..', 'labels-known.json');
  cpSync(note, `${note}.before`);
  const log = open(path);
  await log.append([entry(20)]);
  await log.close();
  // A kill between the answer and its note.
  cpSync(`${note}.before`, note);
  expect(open(path).lines).toBe(15);
  rmSync(note);
  expect(open(path).lines).toBe(15);
});

test('the number of lines that were trained with never falls', () => {
  const trained = (...lines: number[]) => lines.map((line) => ({ at: '', from: 'a', to: 'b', labels: 1, lines: line, settled: 0 }));
  const beside = { at: '', id: 'c', labels: 1, lines: 30 };
  // An undone training, and one that was kept beside, had those lines too.
  expect(linesTrained({ relabelled: trained(20, 61, 40), keptBeside: null })).toBe(61);
  expect(linesTrained({ relabelled: trained(20), keptBeside: beside })).toBe(30);
  const manifest = { relabelled: trained(61), keptBeside: null };
  expect(() => refuseLostLabels({ labels: 'c/labels.jsonl' }, manifest, 60)).toThrow('has 60 lines where 61 were trained with');
  expect(() => refuseLostLabels({ labels: 'c/labels.jsonl' }, manifest, 61)).not.toThrow();
});
