/** `absences.jsonl`: lines as they were appended, damage named, and none beyond a commit. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { Absence, RecordId } from '../../../src/base/core/types.ts';
import { ABSENCES_FILE, absenceFaults, absenceLine, readAbsences } from '../../../src/corpus/records/absences.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { collected, freshDir, INFO, urlOf } from './samples.ts';

const PEAR = urlOf('http://orchard.example/pear');
const absenceOf = (over: Partial<Absence> = {}): Absence => ({
  url: PEAR,
  at: '2026-10-01T10:00:00.000Z',
  status: 404,
  state: 'gone',
  to: null,
  recordId: 'urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8' as RecordId,
  ...over,
});
const ALL: readonly Absence[] = [
  absenceOf(),
  absenceOf({ at: '2026-10-02T10:00:00.000Z', status: 200, state: 'back' }),
  absenceOf({ status: 301, state: 'moved', to: urlOf('http://orchard.example/quince') }),
  absenceOf({ status: 200, state: 'noindex' }),
];

test('a corpus has the absences that were appended, in their order', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  for (const absence of ALL) writer.append({ kind: 'absence', absence });
  await writer.close();
  expect(await collected(readAbsences(dir, writer.offsets()[ABSENCES_FILE] ?? 0))).toEqual(ALL);
  expect(await collected(absenceFaults(dir, writer.offsets()[ABSENCES_FILE] ?? 0))).toEqual(ALL.map(() => null));
});

test('absences that were not committed are cut, and those before them stay', async () => {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  for (const absence of ALL.slice(0, 2)) writer.append({ kind: 'absence', absence });
  const offsets = writer.offsets();
  for (const absence of ALL.slice(2)) writer.append({ kind: 'absence', absence });
  await writer.close();
  const again = await FileCorpusWriter.open(dir, { number: 0, offsets }, INFO);
  again.append({ kind: 'absence', absence: absenceOf({ state: 'noindex', status: 200 }) });
  await again.close();
  const states = (await collected(readAbsences(dir, again.offsets()[ABSENCES_FILE] ?? 0))).map(({ state }) => state);
  expect(states).toEqual(['gone', 'back', 'noindex']);
});

test.each<[string, (line: Buffer) => Buffer]>([
  ['a changed status', (line) => Buffer.from(line.toString().replace('404', '410'))],
  ['an unknown state', () => absenceLine({ ...absenceOf(), state: 'asleep' as never })],
  ['no URL', () => absenceLine({ ...absenceOf(), url: 'pear' as never })],
  ['no time', () => absenceLine({ ...absenceOf(), at: 'yesterday' })],
])('a line with %s is named, and the others are read by a check', async (_, damaged) => {
  const dir = freshDir();
  const path = join(dir, ABSENCES_FILE);
  writeFileSync(path, absenceLine(absenceOf()));
  appendFileSync(path, damaged(absenceLine(absenceOf())));
  appendFileSync(path, absenceLine(absenceOf()));
  const size = readFileSync(path).length;
  await expect(collected(readAbsences(dir, size))).rejects.toThrow(DataError);
  await expect(collected(readAbsences(dir, size))).rejects.toThrow(`${path}:2: cannot be read`);
  expect(await collected(absenceFaults(dir, size))).toEqual([null, expect.stringContaining(`${path}:2`), null]);
});

test('a corpus without the file has none', async () => {
  expect(await collected(readAbsences(freshDir(), 0))).toEqual([]);
});
