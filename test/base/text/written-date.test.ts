import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { isWrittenDate, lastMomentOf } from '../../../src/base/text/written-date.ts';

test.each([
  ['2026', '2026-12-31T23:59:59.999Z'],
  ['2026-02', '2026-02-28T23:59:59.999Z'],
  ['2024-02', '2024-02-29T23:59:59.999Z'],
  ['2026-12', '2026-12-31T23:59:59.999Z'],
  ['2026-11-01', '2026-11-01T23:59:59.999Z'],
  ['2026-12-31', '2026-12-31T23:59:59.999Z'],
  ['2026-11-01T12:00Z', '2026-11-01T12:00:00.000Z'],
  ['2026-11-01T12:00:30Z', '2026-11-01T12:00:30.000Z'],
  ['2026-11-01T12:00:30.25Z', '2026-11-01T12:00:30.250Z'],
])('the last moment of %s', (word, moment) => {
  expect(isWrittenDate(word)).toBe(true);
  expect(isoTime(lastMomentOf(word))).toBe(moment);
});

test.each([
  '',
  'yesterday',
  '26-11-01',
  '2026-13',
  '2026-02-31',
  '2026-11-01T12:00',
  '2026-11-01 12:00Z',
  '2026-11-01T25:00Z',
  '01.11.2026',
])('%s is no date', (word) => {
  expect(isWrittenDate(word)).toBe(false);
});
