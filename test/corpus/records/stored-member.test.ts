import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { storedMember } from '../../../src/corpus/records/stored-member.ts';

test.each([0, 1, 65_535, 65_536, 200_000])('%i bytes come back from zlib, and a changed one is noticed', (length) => {
  const bytes = randomBytes(length);
  const member = storedMember(bytes);
  expect(gunzipSync(member).equals(bytes)).toBe(true);
  expect(member.length - length).toBeLessThanOrEqual(18 + 5 * Math.max(1, Math.ceil(length / 65_535)));
  member[member.length - 9] = (member[member.length - 9] ?? 0) ^ 1;
  expect(() => gunzipSync(member)).toThrow();
});
