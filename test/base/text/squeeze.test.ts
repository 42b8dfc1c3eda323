import fc from 'fast-check';
import { expect, test } from 'vitest';
import { squeeze } from '../../../src/base/text/squeeze.ts';

const sign = fc.constantFrom(
  'a',
  'B',
  '7',
  '-',
  '~',
  '!',
  ' ',
  ' ',
  '\n',
  '\t',
  '\0',
  '\u007f',
  '\u0080',
  '\u00a0',
  'é',
  '\ud800',
  '\u{1f600}',
  '世',
);

test('the result is that of the expressions, for texts that need them and others', () => {
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const text = signs.join('');
      const without = text.replaceAll(/\p{Surrogate}/gu, '').replaceAll(/[\s\p{Cc}]+/gu, ' ');
      expect(squeeze(text)).toBe(without.trim());
    }),
    { numRuns: 2000 },
  );
});
