import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../../src/crawling/fetch/retry-after.ts';

const HOUR = 3_600_000;
/** Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110. */
const AT = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  ['1', 1000],
  [' 120 ', 120_000],
  ['3600', HOUR],
  ['315360000', HOUR],
  ['999999999999999', HOUR],
  ['0', null],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['soon', null],
  ['', null],
  ['9'.repeat(40), null],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 60_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 60_000],
  ['Sun Nov  6 08:49:37 1994', 60_000],
  ['Sat, 05 Nov 1994 08:49:37 GMT', null],
  ['Fri, 06 Nov 2094 08:49:37 GMT', HOUR],
  ['Sun, 99 Nov 1994 08:49:37 GMT', null],
  ['1994-11-06', null],
])('%j a minute before the date is %s ms', (value, expected) => {
  expect(parseRetryAfter(value, AT - 60_000)).toBe(expected);
});

test('an absent field is null, and half a second is a whole one', () => {
  expect(parseRetryAfter(undefined, AT)).toBeNull();
  expect(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', AT - 500)).toBe(1000);
});

test('any text gives null or one second to one hour', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (value) => {
        const ms = parseRetryAfter(value, AT);
        expect(ms === null || (ms >= 1000 && ms <= HOUR)).toBe(true);
      },
    ),
  );
});
