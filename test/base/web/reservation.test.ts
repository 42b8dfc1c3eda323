import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CanonicalUrl, Reservation } from '../../../src/base/core/types.ts';
import {
  MAX_RESERVATIONS_BYTES,
  parseReservations,
  reservationOfPage,
  reservationWithFile,
  ruleFinder,
  type TdmStatement,
} from '../../../src/base/web/reservation.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { expectWithin } from '../../support/cpu-time.ts';

function urlOf(address: string): CanonicalUrl {
  const url = canonicalize(address);
  if (url === null) throw new Error(address);
  return url;
}

const HOST = 'http://h.example';
const FILE = urlOf(`${HOST}/.well-known/tdmrep.json`);
const says = (reservation: string | null, policy: string | null = null): TdmStatement => ({ reservation, policy });
const nothing = says(null);
const of = (meta: TdmStatement, header: TdmStatement, noai = false) => reservationOfPage(meta, header, noai, `${HOST}/a/page`);
const rulesIn = (file: unknown) => parseReservations(Buffer.from(typeof file === 'string' ? file : JSON.stringify(file)), FILE);

describe('TDM Reservation Protocol, a page', () => {
  test('“TDM Header Field”, “TDM Metadata in HTML Content”: reserves by a header or by a meta, each with its policy', () => {
    expect(of(nothing, says('1'))).toEqual({ reserved: true, by: 'header', policy: null });
    expect(of(nothing, says(' 1 ', 'https://p.example/policy.json'))).toEqual({
      reserved: true,
      by: 'header',
      policy: 'https://p.example/policy.json',
    });
    expect(of(says('1', '/policy'), nothing)).toEqual({ reserved: true, by: 'meta', policy: `${HOST}/policy` });
    expect(of(nothing, nothing)).toBeNull();
  });

  test('“Processing priority”: each value of a meta supersedes that of a header', () => {
    expect(of(says('0'), says('1', 'https://p.example/'))).toEqual({ reserved: false, by: 'meta', policy: null });
    expect(of(says('1'), says('0', 'https://p.example/'))).toEqual({ reserved: true, by: 'meta', policy: 'https://p.example/' });
    expect(of(says(null, 'https://m.example/'), says('1', 'https://p.example/'))).toEqual({
      reserved: true,
      by: 'header',
      policy: 'https://m.example/',
    });
  });

  test('“tdm-policy”: the policy of what is not reserved is left alone', () => {
    expect(of(says('0', 'https://p.example/'), nothing)).toEqual({ reserved: false, by: 'meta', policy: null });
  });

  test.each(['2', '-1', '01', 'yes', 'true', '1;q=1', '', ' ', '1 0', 'NaN'])('“tdm-reservation”: the value “%s” is as none', (value) => {
    expect(of(says(value), nothing)).toBeNull();
    expect(of(says(value), says('1'))).toMatchObject({ by: 'header' });
  });

  test('of a header that came twice, one that reserves does', () => {
    expect(of(nothing, says('1, 1'))?.reserved).toBe(true);
    expect(of(nothing, says('0, 1'))?.reserved).toBe(true);
    expect(of(nothing, says('0, 0'))?.reserved).toBe(false);
  });

  test('a policy that is no URL of the web is none', () => {
    for (const policy of ['javascript:alert(1)', 'http://', 'mailto:a@p.example', 'x'.repeat(5000)])
      expect(of(says('1', policy), nothing)?.policy).toBeNull();
  });

  test('noai reserves whatever they say, and adds nothing where they reserve', () => {
    expect(of(nothing, nothing, true)).toEqual({ reserved: true, by: 'noai', policy: null });
    expect(of(says('0', 'https://p.example/'), nothing, true)).toEqual({ reserved: true, by: 'noai', policy: null });
    expect(of(says('1'), nothing, true)).toMatchObject({ by: 'meta' });
  });
});

describe('TDM Reservation Protocol, a host’s file', () => {
  const policy = 'https://p.example/policy.json';

  test('“TDM File on the Origin Server”: rules are read in order, with the URL of a policy where there is one', () => {
    expect(
      rulesIn([
        { location: '/a/', 'tdm-reservation': 1 },
        { location: '/b/*.jpg$', 'tdm-reservation': 0, 'tdm-policy': '/policy' },
        { location: '/', 'tdm-reservation': '1', 'tdm-policy': policy },
      ]),
    ).toEqual([
      { location: '/a/', reserved: true, policy: null },
      { location: '/b/*.jpg$', reserved: false, policy: `${HOST}/policy` },
      { location: '/', reserved: true, policy },
    ]);
    expect(rulesIn(`\uFEFF${JSON.stringify([{ location: '/', 'tdm-reservation': 1 }])}`)).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['an object', { location: '/', 'tdm-reservation': 1 }],
    ['no JSON', '<!doctype html>'],
    ['half a file', '[{"location":"/","tdm-reservation":1}'],
    ['nothing', ''],
    ['null', null],
    ['deep nesting', '['.repeat(200_000)],
    ['entries that are none', [null, 1, 'x', [], {}, [[1]]]],
    ['no location', [{ 'tdm-reservation': 1 }]],
    ['an empty location', [{ location: '', 'tdm-reservation': 1 }]],
    ['a location that is no text', [{ location: ['/'], 'tdm-reservation': 1 }]],
    ['a location without end', [{ location: `/${'*a'.repeat(5000)}`, 'tdm-reservation': 1 }]],
    ['no reservation', [{ location: '/' }]],
    ['other values', [2, -1, 0.5, true, null, [1], 'yes', {}].map((value) => ({ location: '/', 'tdm-reservation': value }))],
  ])('%s: no rule', (_name, file) => {
    expect(rulesIn(file)).toEqual([]);
  });

  test('what is wrong in a file leaves the rest, and a policy that is none leaves its rule', () => {
    const file = [{ location: 7 }, { location: '/a', 'tdm-reservation': 1, 'tdm-policy': 7 }, { location: '/b', 'tdm-reservation': 'x' }];
    expect(rulesIn(file)).toEqual([{ location: '/a', reserved: true, policy: null }]);
  });

  test('a file has caps: over 500 KiB it is none, and the first thousand rules count', () => {
    const many = Array.from({ length: 1500 }, (_, i) => ({ location: `/${i}`, 'tdm-reservation': 1 }));
    expect(rulesIn(many)).toHaveLength(1000);
    expect(parseReservations(Buffer.from('[]'.padEnd(MAX_RESERVATIONS_BYTES + 1)), FILE)).toEqual([]);
    const full = JSON.stringify([{ location: '/', 'tdm-reservation': 1 }]).padEnd(MAX_RESERVATIONS_BYTES);
    expect(rulesIn(full)).toHaveLength(1);
  });

  test.each([
    ['/', '/any', true],
    ['/directory-a/', '/directory-a/x.pdf', true],
    ['/directory-a/', '/directory-A/x.pdf', false],
    ['/directory-b/images/*.jpg', '/directory-b/images/2021/a.jpg', true],
    ['/this/path/exactly$', '/this/path/exactly', true],
    ['/this/path/exactly$', '/this/path/exactly/not', false],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/%61bc', '/abc', true],
    ['/q?x=1', '/q?x=1&y', true],
    ['no-slash', '/no-slash', false],
  ])('“TDM File on the Origin Server”: location %s on path %s: %s', (location, path, matches) => {
    const find = ruleFinder(rulesIn([{ location, 'tdm-reservation': 1 }]));
    expect(find(urlOf(HOST + path)) !== null).toBe(matches);
  });

  test('“TDM File on the Origin Server”: the first rule that matches holds, whatever its length; where none does, nothing is said', () => {
    const rules = rulesIn([
      { location: '/open', 'tdm-reservation': 0 },
      { location: '/*', 'tdm-reservation': 1 },
      { location: '/closed/longer', 'tdm-reservation': 0 },
    ]);
    const find = ruleFinder(rules);
    expect(['/open/x', '/closed/longer', '/'].map((path) => find(urlOf(HOST + path))?.reserved)).toEqual([false, true, true]);
    expect(ruleFinder(rules.slice(0, 1))(urlOf(`${HOST}/x`))).toBeNull();
  });

  test('“Processing priority”: what a page says supersedes the file, value by value', () => {
    const rule = { location: '/', reserved: true, policy: urlOf(policy) };
    const page = (reserved: boolean, by: Reservation['by'] = 'header'): Reservation => ({ reserved, by, policy: null });
    expect(reservationWithFile(null, rule)).toEqual({ reserved: true, by: 'file', policy });
    expect(reservationWithFile(null, { ...rule, reserved: false })).toEqual({ reserved: false, by: 'file', policy: null });
    expect(reservationWithFile(page(false), rule)).toEqual({ reserved: false, by: 'header', policy: null });
    expect(reservationWithFile(page(true), rule)).toEqual({ reserved: true, by: 'header', policy });
    expect(reservationWithFile(page(true), { ...rule, reserved: false })).toEqual({ reserved: true, by: 'header', policy: null });
    expect(reservationWithFile({ ...page(true), policy: urlOf('http://own.example/') }, rule)?.policy).toBe('http://own.example/');
    expect(reservationWithFile(page(true, 'noai'), null)).toEqual(page(true, 'noai'));
    expect(reservationWithFile(null, null)).toBeNull();
  });

  test('no bytes throw, no file takes long', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void parseReservations(bytes, FILE)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void ruleFinder(rulesIn([value]))(FILE)));
    const stars = Array.from({ length: 1000 }, () => ({ location: `/${'*a'.repeat(200)}b`, 'tdm-reservation': 1 }));
    expectWithin(5000, () => expect(ruleFinder(rulesIn(stars))(urlOf(`${HOST}/${'a'.repeat(2000)}`))).toBeNull());
  });
});
