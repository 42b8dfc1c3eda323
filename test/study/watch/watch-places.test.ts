import { expect, test } from 'vitest';
import type { Absence, AbsenceState } from '../../../src/base/core/types.ts';
import { changedAbsences } from '../../../src/study/watch/absent-pages.ts';
import { linesBefore, placeAtEnd } from '../../../src/study/watch/growing-places.ts';

const lineIn = (keys: readonly string[]) => (key: string) => (keys.includes(key) ? keys.indexOf(key) : undefined);
const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
const place = placeAtEnd(keys.length, (line) => keys[line] ?? '');

test('a place is behind its last line that is left: in a file that grew, and in one that a purge has shortened', () => {
  expect(linesBefore(place, lineIn([...keys, 'later']))).toBe(30);
  const purged = keys.filter((_, i) => i % 3 !== 2 && i !== 28);
  expect(linesBefore(place, lineIn([...purged, 'later']))).toBe(purged.length);
  expect(
    linesBefore(
      placeAtEnd(0, () => ''),
      lineIn(keys),
    ),
  ).toBe(0);
  expect(linesBefore(place, lineIn(['other']))).toBeNull();
});

const absence = (url: string, state: AbsenceState, at: number, to: string | null = null) =>
  ({ url: `http://a.test/${url}`, state, at: `2026-01-0${at}T00:00:00.000Z`, status: 404, to, recordId: 'r' }) as unknown as Absence;
const changed = (all: readonly Absence[], from: number, returned: readonly string[] = []) =>
  changedAbsences(all, from, ({ url }) => returned.includes(url.slice(14))).map(({ url, state }) => `${url.slice(14)} ${state}`);

test('the last state counts, and only if it is another than at the report before', () => {
  const before = [
    absence('gone', 'gone', 1),
    absence('was', 'gone', 1),
    absence('was', 'back', 2),
    absence('moves', 'moved', 1, 'http://a.test/1'),
  ];
  const now = [
    absence('gone', 'back', 3),
    absence('was', 'gone', 3),
    absence('flickers', 'gone', 3),
    absence('flickers', 'back', 4),
    absence('moves', 'moved', 3, 'http://a.test/2'),
    absence('new', 'noindex', 3),
  ];
  expect(changed([...before, ...now], before.length)).toEqual(['gone back', 'was gone', 'moves moved', 'new noindex']);
});

test('a page that was told to be gone, and is again, is told again only if it was there in between', () => {
  const before = [absence('page', 'gone', 1)];
  const now = [absence('page', 'gone', 3)];
  expect(changed([...before, ...now], 1)).toEqual([]);
  expect(changed([...before, ...now], 1, ['page'])).toEqual(['page gone']);
  expect(changed([...before, absence('page', 'back', 2), ...now], 1)).toEqual([]);
});
