import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { cachedLookup } from '../../src/fetch/dns-cache.ts';

/** A name server that answers when told to, and the cache before it. */
function world() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const names = new Map<string, LookupAddress[]>([
    [
      'a.example',
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    ],
  ]);
  const failures = new Map<string, string>();
  let now = 0;
  const server: LookupFunction = (name, _options, callback) => {
    asked.push(name);
    const code = failures.get(name);
    waiting.push(() => (code ? callback(Object.assign(new Error(code), { code }), '') : callback(null, names.get(name) ?? [])));
  };
  const lookup = cachedLookup(server, () => now);
  const ask = (name: string, all = true) =>
    new Promise((resolve) => lookup(name, { all }, (error, answer) => resolve(error ? `error ${error.code}` : answer)));
  const answer = () => {
    for (const tell of waiting.splice(0)) tell();
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { asked, names, failures, ask, answer, pass };
}

test('questions for one name are joined, and the answer is remembered for five minutes', async () => {
  const { asked, names, ask, answer, pass } = world();
  const both = Promise.all([ask('a.example'), ask('a.example', false)]);
  answer();
  expect(await both).toEqual([names.get('a.example'), '8.8.8.8']);
  pass(299_999);
  expect(await ask('a.example', false)).toBe('8.8.8.8');
  expect(asked).toEqual(['a.example']);
  pass(1);
  const again = ask('a.example');
  answer();
  await again;
  expect(asked).toEqual(['a.example', 'a.example']);
});

test.each([
  ['ENOTFOUND', 60_000],
  ['EAI_AGAIN', 5_000],
])('%s is remembered for %i ms', async (code, ms) => {
  const { asked, failures, ask, answer, pass } = world();
  failures.set('b.example', code);
  const first = ask('b.example');
  answer();
  expect(await first).toBe(`error ${code}`);
  pass(ms - 1);
  expect(await ask('b.example')).toBe(`error ${code}`);
  pass(1);
  failures.delete('b.example');
  const later = ask('b.example');
  answer();
  // The server has no address for it now: an error too.
  expect(await later).toBe('error ENOTFOUND');
  expect(asked).toHaveLength(2);
});
