import { expect, test } from 'vitest';
import { declaredDay } from '../../../src/corpus/select/declared-date.ts';

const NOW = Date.UTC(2024, 4, 6, 12);
const dayOf = (text: string) => {
  const at = declaredDay(text, NOW);
  return at === null ? null : new Date(at).toISOString();
};

test.each([
  ['2023-11-05', '2023-11-05'],
  ['2023-11-05T23:59:59+09:00', '2023-11-05'],
  ['2023-11', '2023-11-01'],
  ['March 3, 2021', '2021-03-03'],
  ['3 Mar 2021', '2021-03-03'],
  ['Wed, 03 Mar 2021 10:00:00 GMT', '2021-03-03'],
  ['2024-05-07', '2024-05-07'],
])('%s is read', (text, day) => expect(dayOf(text)).toBe(`${day}T00:00:00.000Z`));

test.each(['', 'yesterday', '03/04/2020', '2023-13-01', '1850-01-01', '2031-01-01', 'May 3', '2023', `2023-11-05 ${'x'.repeat(100)}`])(
  '%s is not read',
  (text) => expect(dayOf(text)).toBeNull(),
);
