import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import { parseScope } from '../../../src/base/web/scope.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

function follows(rules: readonly string[], input: string): boolean {
  const url = canonicalize(input);
  if (url === null) throw new Error(`no URL: ${input}`);
  return parseScope(rules).refuses(url) === null;
}

test('no rule, and no including rule, lets everything in', () => {
  expect(follows([], 'http://a.org/')).toBe(true);
  expect(follows(['not:host:b.org'], 'http://a.org/')).toBe(true);
  expect(follows(['not:host:b.org'], 'http://b.org/')).toBe(false);
});

test.each([
  ['host:a.org', 'http://a.org/x', true],
  ['host:A.org', 'https://a.org:8443/x', true],
  ['host:a.org', 'http://www.a.org/', false],
  ['host:a.org:8080', 'http://a.org:8080/', true],
  ['host:a.org:8080', 'http://a.org/', false],
  ['host:[::1]', 'http://[::1]:9/', true],
  ['domain:a.org', 'http://a.org/', true],
  ['domain:a.org', 'http://x.y.a.org/', true],
  ['domain:a.org', 'http://ba.org/', false],
  ['domain:*.a.org', 'http://x.a.org/', true],
  ['domain:org', 'http://x.a.org/', true],
  ['domain:bücher.example', 'http://xn--bcher-kva.example/', true],
  ['prefix:http://a.org/docs', 'http://a.org/docs/1', true],
  ['prefix:http://a.org/docs', 'http://a.org/blog', false],
  ['prefix:http://a.org', 'http://a.org.evil.example/', false],
  ['regex:/(en|de)/', 'http://a.org/de/', true],
  ['regex:^https:', 'http://a.org/de/', false],
  ['regex:\\.pdf$', 'http://a.org/x.pdf', true],
])('%s against %s: %s', (rule, input, expected) => {
  expect(follows([rule], input)).toBe(expected);
  expect(follows([`not:${rule}`], input)).toBe(!expected);
});

test('one of several including rules is enough, and an excluding rule wins', () => {
  const rules = ['domain:a.org', 'host:b.org', 'not:prefix:http://a.org/private/', 'not:regex:[?&]page='];
  expect(follows(rules, 'http://b.org/')).toBe(true);
  expect(follows(rules, 'http://a.org/open')).toBe(true);
  expect(follows(rules, 'http://a.org/private/x')).toBe(false);
  expect(follows(rules, 'http://b.org/?page=2')).toBe(false);
  expect(follows(rules, 'http://c.org/')).toBe(false);
});

test.each(['(a|a)*$', '(a+)+$', '(\\w*)*!', '([a-z]+)*\\d', '(?:a|ab|b)*c$', '(.*.*)*=', '(a?){900}a{90}z', '(x{0,100}){0,10}y'])(
  'the pattern %s, on which a backtracking engine is lost, takes milliseconds a URL',
  (pattern) => {
    const url = canonicalize(`http://a.org/${'a'.repeat(2000)}!`);
    if (url === null) throw new Error('no URL');
    const scope = parseScope([`regex:${pattern}`]);
    expectWithin(10_000, () => {
      for (let i = 0; i < 50; i++) scope.refuses(url);
    });
  },
);

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    '/',
    '\\/',
    '\\d',
    '\\w',
    '\\W',
    '.',
    '\\.',
    '[a-c]',
    '[^/]',
    '[(?=]',
    '\\?',
    '\\x61',
    '\\u0062',
    '\\b',
    '^',
    '$',
    '-',
    '_',
    '&',
    '=',
  ],
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    piece,
    fc.tuple(tie('pattern'), tie('pattern')).map((both) => both.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '*?', '+?')).map(([a, times]) => `(${a})${times}`),
  ),
}));
const path = fc.array(fc.constantFrom('a', 'b', 'c', '/', '.', '-', '_', '1', '?', '&', '=', '('), { maxLength: 12 });

test('a pattern holds where JavaScript says that it does', () => {
  fc.assert(
    fc.property(pattern, path, (pattern, path) => {
      const url = canonicalize(`http://a.org/${path.join('')}`);
      if (url !== null) expect(parseScope([`regex:${pattern}`]).refuses(url) === null).toBe(new RegExp(pattern).test(url));
    }),
    { numRuns: runs(2000) },
  );
});

test.each(['^http://a.org/(?!private)', '(?=a)', '(?<=/)a', '(?<!/)a', '(a)\\1', '(?<x>a)\\k<x>', '\\\\(?=a)', '[a\\]](?=b)'])(
  'the pattern %s, which no linear engine can match, is refused, with what to write in its place',
  (pattern) => {
    expect(() => parseScope([`regex:${pattern}`])).toThrow(/look-ahead, look-behind and back references .* to exclude URLs/);
  },
);

test.each(['[(?=]', '\\(?=', '(?<year>\\d+)', '\\\\', '(?:a)'])('the pattern %s only looks like one', (pattern) => {
  expect(() => parseScope([`regex:${pattern}`])).not.toThrow();
});

test.each([`${'('.repeat(20_000)}a${')'.repeat(20_000)}`, '((a{30}){30}){30}', 'a{5000}', '['.repeat(50_000)])(
  'a pattern over what the engine takes is refused: %#',
  (pattern) => {
    expect(() => parseScope([`regex:${pattern}`])).toThrow(UsageError);
  },
);

test('a refused URL is refused as out of scope', () => {
  const url = canonicalize('http://c.org/');
  expect(url && parseScope(['host:a.org']).refuses(url)).toBe('scope');
});

test.each([
  '',
  'a.org',
  'host:',
  'host:a.org/path',
  'host:a b',
  'domain:',
  'prefix:/docs',
  'prefix:ftp://a.org/',
  'regex:(',
  'regex:',
  'not:',
  'not:not:host:a.org',
  'hosts:a.org',
])('the rule "%s" is refused with its name and the forms', (rule) => {
  expect(() => parseScope(['host:ok.org', rule])).toThrow(UsageError);
  expect(() => parseScope([rule])).toThrow(`scope rule "${rule}"`);
  expect(() => parseScope([rule])).toThrow('a rule is host:NAME, domain:NAME, prefix:URL or regex:RE');
});
