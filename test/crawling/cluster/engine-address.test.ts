import { expect, test } from 'vitest';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';

test('an address has its database and crawl; messages show neither user nor options', () => {
  const { database, crawl, shown } = readEngineAddress('postgres://forager@db.example.org/crawls?crawl=moss&sslmode=verify-full');
  expect([database, crawl]).toEqual(['postgres://forager@db.example.org/crawls?sslmode=verify-full', 'moss']);
  expect(shown).toBe('db.example.org/crawls (crawl moss)');
});

test.each([
  'postgres://forager:Secr3t@db/crawls?crawl=moss',
  'postgres://forager@db/crawls?crawl=moss&password=Secr3t',
  'postgres://forager@db/crawls?crawl=moss&sslpassword=Secr3t',
])('a password in the address is refused and not repeated: %s', (text) => {
  expect(() => readEngineAddress(text)).toThrow('--at: has a password in it');
  expect(() => readEngineAddress(text)).not.toThrow('Secr3t');
});

test('an address that cannot be read is not repeated either: a password may be why', () => {
  const text = 'postgres://forager:Secr3t#1@db/crawls?crawl=moss';
  expect(() => readEngineAddress(text)).toThrow('is not the address of a PostgreSQL database');
  expect(() => readEngineAddress(text)).not.toThrow('Secr3t');
});

test.each(['postgres://db/crawls', 'postgres://db/crawls?crawl=a b', 'mysql://db/crawls?crawl=moss', 'moss'])(
  'names database and crawl: %s is refused',
  (text) => {
    expect(() => readEngineAddress(text)).toThrow('--at');
  },
);
