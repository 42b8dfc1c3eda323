import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CodeUnits } from '../../../src/base/core/code-units.ts';
import { runs } from '../../support/extent.ts';

test('the units of texts of any length and of any characters, lone surrogates too, and a NUL', () => {
  const memory = new CodeUnits();
  const unit = fc.string({ unit: 'binary', maxLength: 300 });
  const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(unit, surrogate, fc.integer({ min: 0, max: 40 }), (text, lone, times) => {
      const whole = `${text}${lone}${text.repeat(times)}`;
      const units = memory.of(whole);
      expect([...units.subarray(0, whole.length + 1)]).toEqual([...Array.from({ length: whole.length }, (_, i) => whole.charCodeAt(i)), 0]);
    }),
    { numRuns: runs(100) },
  );
});
