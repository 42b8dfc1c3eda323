/** Numbers of versions, the newest one, and pages that are gone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { Absence, AbsenceState, RecordId } from '../../../src/base/core/types.ts';
import { GonePages } from '../../../src/corpus/select/gone-pages.ts';
import { PageVersions, type VersionFacts } from '../../../src/corpus/select/page-versions.ts';
import { T0, urlOf } from '../records/samples.ts';

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const idOf = (i: number) => `urn:uuid:${i}` as RecordId;
const factsOf = (page: number, minute: number, i: number): VersionFacts => ({
  id: idOf(i),
  url: urlOf(`http://orchard.example/${page}`),
  fetchedAt: isoTime(T0 + 60_000 * minute),
});

test('versions are numbered by time, and by their order at one time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(4), fc.nat(5))), async (pairs) => {
      const records = pairs.map(([page, minute], i) => factsOf(page, minute, i));
      const versions = await PageVersions.of(each(records));
      const sorted = records.toSorted((a, b) => Date.parse(a.fetchedAt) - Date.parse(b.fetchedAt));
      for (const { id, url } of records) {
        const ofPage = sorted.filter((one) => one.url === url);
        const place = ofPage.findIndex((one) => one.id === id);
        expect([versions.numberOf(id), versions.isNewest(id)]).toEqual([place + 1, place === ofPage.length - 1]);
      }
      expect([versions.size, versions.pages]).toEqual([records.length, new Set(records.map(({ url }) => url)).size]);
    }),
  );
});

test('a record that is there twice is one version, and an unknown one is none', async () => {
  const versions = await PageVersions.of(each([factsOf(1, 1, 1), factsOf(1, 2, 2), factsOf(1, 2, 2)]));
  expect([1, 2, 3].map((i) => versions.numberOf(idOf(i)))).toEqual([1, 2, 0]);
  expect([1, 2, 3].map((i) => versions.isNewest(idOf(i)))).toEqual([false, true, false]);
});

const absenceOf = (state: AbsenceState, minute: number, id = 1): Absence => ({
  url: urlOf('http://orchard.example/1'),
  at: isoTime(T0 + 60_000 * minute),
  status: state === 'back' ? 200 : 404,
  state,
  to: null,
  recordId: idOf(id),
});

test.each<[string, readonly Absence[], number | null]>([
  ['gone', [absenceOf('gone', 1)], 1],
  ['gone and back', [absenceOf('gone', 1), absenceOf('back', 2)], null],
  ['gone, back and gone again', [absenceOf('gone', 1), absenceOf('back', 2), absenceOf('gone', 3)], 3],
  ['gone, then moved', [absenceOf('gone', 1), absenceOf('moved', 2)], 1],
  ['moved', [absenceOf('moved', 2)], 2],
  ['a page that asks not to be kept', [absenceOf('noindex', 1)], null],
  ['gone, then a page that asks not to be kept', [absenceOf('gone', 1), absenceOf('noindex', 2)], null],
  ['lines of two workers, the later first', [absenceOf('back', 5), absenceOf('gone', 1)], null],
  ['gone with an earlier version alone', [absenceOf('gone', 1, 7)], null],
])('%s', async (_, absences, minute) => {
  const gone = await GonePages.of(each(absences));
  expect(gone.since(idOf(1))).toBe(minute === null ? null : isoTime(T0 + 60_000 * minute));
});

test('absences after a moment do not count', async () => {
  const absences = [absenceOf('gone', 1), absenceOf('back', 3)];
  const at = async (minute: number) => (await GonePages.of(each(absences), T0 + 60_000 * minute)).since(idOf(1));
  expect(await Promise.all([at(0), at(1), at(2), at(3)])).toEqual([null, isoTime(T0 + 60_000), isoTime(T0 + 60_000), null]);
});
