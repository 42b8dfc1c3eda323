import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { NameCache, type NamedAddress } from '../../../src/crawling/fetch/dns-cache.ts';

/** A name server that answers when told to, and the cache before it. */
function world() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const names = new Map<string, NamedAddress[]>([
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
  const cache = new NameCache(server, () => now);
  const ask = (name: string, all = true) =>
    new Promise((resolve) => cache.lookup(name, { all }, (error, answer) => resolve(error ? `error ${error.code}` : answer)));
  const answer = () => {
    for (const tell of waiting.splice(0)) tell();
  };
  const pass = (ms: number) => {
    now += ms;
  };
  const askNow = (name: string, all = true) => {
    const answered = ask(name, all);
    answer();
    return answered;
  };
  return { asked, names, failures, cache, ask, askNow, answer, pass };
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
  [1, 60],
  [60, 60],
  [900, 900],
  [10_000_000, 86_400],
])('an answer of which the least TTL is %i s holds for %i s', async (ttl, seconds) => {
  const { asked, names, askNow, ask, pass } = world();
  names.set('a.example', [
    { address: '8.8.8.8', family: 4, ttl: 100_000_000 },
    { address: '1.1.1.1', family: 4, ttl },
  ]);
  await askNow('a.example');
  pass(1000 * seconds - 1);
  await ask('a.example');
  expect(asked).toHaveLength(1);
  pass(1);
  await askNow('a.example');
  expect(asked).toHaveLength(2);
});

test.each([
  ['ENOTFOUND', 60_000],
  ['ENODATA', 60_000],
  ['EAI_AGAIN', 5_000],
  ['ESERVFAIL', 5_000],
  ['ETIMEOUT', 5_000],
])('%s is remembered for %i ms, then twice as long each time, up to an hour; an address ends it', async (code, first) => {
  const { asked, names, failures, ask, askNow, pass } = world();
  failures.set('b.example', code);
  const waits = Array.from({ length: 14 }, (_, i) => Math.min(first * 2 ** i, 3_600_000));
  expect(waits.at(-1)).toBe(3_600_000);
  for (const [i, wait] of waits.entries()) {
    expect(await askNow('b.example')).toBe(`error ${code}`);
    pass(wait - 1);
    expect(await ask('b.example')).toBe(`error ${code}`);
    expect(asked).toHaveLength(i + 1);
    pass(1);
  }
  failures.delete('b.example');
  names.set('b.example', [{ address: '8.8.8.8', family: 4 }]);
  expect(await askNow('b.example', false)).toBe('8.8.8.8');
  pass(300_000);
  failures.set('b.example', code);
  await askNow('b.example');
  pass(first);
  await askNow('b.example');
  expect(asked).toHaveLength(waits.length + 3);
});

test('no address at all is remembered as a name that is not there', async () => {
  const { asked, askNow, ask, pass } = world();
  expect(await askNow('c.example')).toBe('error ENOTFOUND');
  pass(59_999);
  expect(await ask('c.example')).toBe('error ENOTFOUND');
  expect(asked).toHaveLength(1);
});

test('a dead name whose URLs come up every second for an hour is asked for six times', async () => {
  const { failures, cache, askNow, pass } = world();
  failures.set('dead.example', 'ENOTFOUND');
  for (let second = 0; second < 3600; second++) {
    await askNow('dead.example');
    pass(1000);
  }
  expect(cache.askedFor('dead.example')).toBe(6);
  expect(cache.askedFor('other.example')).toBe(0);
  expect(cache.counts).toEqual({ asked: 6, failed: 6 });
});
