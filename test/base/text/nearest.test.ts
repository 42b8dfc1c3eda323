import { expect, test } from 'vitest';
import { nearest } from '../../../src/base/text/nearest.ts';

test('the known name with the fewest edits, when they are few for its length', () => {
  const known = ['headers', 'user', 'password', 'auth', 'tls'];
  expect(['header', 'passwd', 'uesr', 'tsl', 'usr'].map((name) => nearest(name, known))).toEqual([
    'headers',
    'password',
    'user',
    null,
    'user',
  ]);
  expect(['cookies', 'x', ''].map((name) => nearest(name, known))).toEqual([null, null, null]);
});
