import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { covers, DirectoryPatterns, matches, patternsOf } from '../../../src/base/web/url-pattern.ts';
import { runs } from '../../support/extent.ts';
import { urlOf } from '../../support/frontier-values.ts';

function namesOf(url: string): string[] {
  return patternsOf(urlOf(url)).map(({ name }) => name);
}

/** The narrowest: shape where there is a query, else path. */
function narrowest(url: string): string {
  return namesOf(url)[0] ?? '';
}

const H = 'http://a.test';

test('all patterns of a URL, narrowest first', () => {
  expect(patternsOf(urlOf('http://shop.a.test:8080/wares/red/list?size=4&colour=red'))).toEqual([
    { kind: 'shape', name: 'http://shop.a.test:8080/wares/red/list?colour,size' },
    { kind: 'path', name: 'http://shop.a.test:8080/wares/red/list' },
    { kind: 'directory', name: 'http://shop.a.test:8080/wares/red/*' },
    { kind: 'directory', name: 'http://shop.a.test:8080/wares/*' },
    { kind: 'host', name: 'http://shop.a.test:8080/*' },
    { kind: 'domain', name: '*.a.test' },
  ]);
  expect(namesOf('http://a.test/')).toEqual(['http://a.test/', 'http://a.test/*', '*.a.test']);
  expect(namesOf('http://10.0.0.1/x')).toEqual(['http://10.0.0.1/x', 'http://10.0.0.1/*', '*.10.0.0.1']);
  expect(namesOf('http://a.github.io/').at(-1)).toBe('*.a.github.io');
});

test.each([
  ['/calendar/2024/11', '/calendar/#/#'],
  ['/2024-03-14/x.html', '/#-#-#/x.html'],
  ['/page-7?sid=0123456789abcdef', '/page-#?sid'],
  ['/thread12/post3.html', '/thread#/post#.html'],
  ['/commit/5d41402abc4b2a76', '/commit/<id>'],
  ['/f/5BD1E995-0a1b-4c2d-8e3f-0123456789ab/', '/f/<id>/'],
  ['/watch/dQw4w9WgXcQ', '/watch/<id>'],
  [`/${'x'.repeat(41)}/y`, '/<id>/y'],
  ['/python3-tutorial/mp3', '/python#-tutorial/mp#'],
  ['/facade/deadbeef', '/facade/deadbeef'],
  // Digits of escapes are no ids: another word is another page.
  ['/wiki/%E6%B3%A5%E7%82%AD', '/wiki/%E6%B3%A5%E7%82%AD'],
  ['/list?b=1&a=2&b=3', '/list?a,b'],
  ['/list?f[0]=1&f[12]=2', '/list?f[#]'],
  ['/list?12345', '/list?#'],
  ['/a/b/a/b/a/b/c', '/(a/b)+/c'],
  ['/x/en/en/en/', '/x/(en)+/'],
  ['/p1/p1/q', '/(p#)+/q'],
  ['/1/2/3', '/#/#/#'],
  ['/a//b//c', '/a//b//c'],
  ['/*?*=1', '/%2A?%2A'],
])('%s is %s', (target, pattern) => {
  expect(narrowest(`${H}${target}`)).toBe(`${H}${pattern}`);
});

test('any URL: its directory gives it the same patterns', () => {
  const segment = fc.constantFrom('', 'a', 'b', 'a1', '7', '2024-03', '*', 'x'.repeat(41), '%E6', 'commit', '5d41402abc4b2a76');
  const query = fc.constantFrom('', '?', '?a=1&b=/x', '?*=a');
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 20 }), query, (segments, asked) => {
      const url = `${H}/${segments.join('/')}${asked}` as CanonicalUrl;
      expect(DirectoryPatterns.of(DirectoryPatterns.directoryOf(url)).patternsOf(url)).toEqual(patternsOf(url));
    }),
    { numRuns: runs(500) },
  );
});

test('a path that nests for ever is one pattern, whatever its depth', () => {
  const nested = (times: number) => narrowest(`${H}/x/${'docs/a/'.repeat(times)}p.html`);
  expect(new Set([2, 3, 9, 40].map(nested))).toEqual(new Set([`${H}/x/(docs/a)+/p.html`]));
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const number = fc.nat(999_999).map(String);
const part = fc.oneof(
  word,
  number,
  fc.tuple(word, number).map(([a, b]) => `${a}-${b}`),
  fc.constantFrom('', '%20', '*', '.', ';x'),
);
const url = fc
  .record({
    host: fc.constantFrom('a.test', 'b.a.test', 'a.test:81', 'c.test'),
    path: fc.array(part, { maxLength: 12 }),
    query: fc.array(fc.tuple(word, part), { maxLength: 4 }),
  })
  .map(({ host, path, query }) =>
    canonicalize(`http://${host}/${path.join('/')}${query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : ''}`),
  )
  .filter((made) => made !== null);

describe('of any URL', () => {
  test('it matches each of its patterns, and those have different names', () => {
    fc.assert(
      fc.property(url, (one) => {
        const patterns = patternsOf(one);
        expect(patterns.filter((pattern) => !matches(pattern, one))).toEqual([]);
        expect(new Set(patterns.map(({ name }) => name)).size).toBe(patterns.length);
      }),
      { numRuns: runs(500) },
    );
  });

  test('one URL matches a pattern of another when it has that pattern too, and then only', () => {
    fc.assert(
      fc.property(url, url, (one, other) => {
        const own = new Set(patternsOf(other).map(({ name }) => name));
        const isIn = (pattern: (typeof patterns)[number]) => (own.has(pattern.name) ? true : matches(pattern, other));
        const patterns = patternsOf(one);
        for (const pattern of patterns) expect([pattern.name, other, isIn(pattern)]).toEqual([pattern.name, other, own.has(pattern.name)]);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('host covers directories, a directory those below it, a path its shape; none covers what is beside it', () => {
    fc.assert(
      fc.property(url, (one) => {
        const patterns = patternsOf(one);
        const nested = patterns.filter(({ kind }) => kind === 'directory' || kind === 'host' || kind === 'domain').map(({ name }) => name);
        for (const [i, narrow] of nested.entries())
          for (const [j, wide] of nested.entries()) expect([wide, narrow, covers(wide, narrow)]).toEqual([wide, narrow, j >= i]);
        const [shape, path] = patterns.map(({ name }) => name);
        if (patterns[0]?.kind === 'shape')
          expect([covers(path ?? '', shape ?? ''), covers(shape ?? '', path ?? '')]).toEqual([true, false]);
      }),
      { numRuns: runs(500) },
    );
  });

  test('other numbers, other values and another order of parameters are the same shape', () => {
    const query = fc.uniqueArray(fc.tuple(word, number), { minLength: 1, maxLength: 5, selector: ([key]) => key });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), query, fc.tuple(number, number), (dirs, pairs, [id, other]) => {
        const at = (n: string, parameters: readonly (readonly [string, string])[]) =>
          narrowest(`${H}/${[...dirs, `p${n}`].join('/')}?${parameters.map((pair) => pair.join('=')).join('&')}`);
        const changed = pairs.map(([key, value]) => [key, `${value}0`] as const).reverse();
        expect(at(id, pairs)).toBe(at(other, changed));
      }),
    );
  });

  test('names are short and few, however long the URL', () => {
    const long = canonicalize(`${H}/${'ab1/x/'.repeat(150)}?${Array.from({ length: 100 }, (_, i) => `${'k'.repeat(i % 9)}x=1`).join('&')}`);
    const patterns = patternsOf(long as CanonicalUrl);
    expect(patterns.length).toBeLessThanOrEqual(12);
    for (const { name } of patterns) expect(name.length).toBeLessThan(400);
  });
});

test('a name covers itself, and a domain the hosts under it', () => {
  expect(covers('*.a.test', 'http://b.a.test:81/x?y')).toBe(true);
  expect(covers('*.a.test', 'http://a.test/*')).toBe(true);
  expect(covers('*.a.test', 'http://ba.test/*')).toBe(false);
  expect(covers('http://a.test/x/*', 'http://a.test/xy')).toBe(false);
  expect(covers('http://a.test/list', 'http://a.test/list-2?a')).toBe(false);
});
