// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file's own notation
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { openHostSettings } from '../../../src/crawling/fetch/host-settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-hosts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'hunter2-s3cret';
const ENVIRONMENT = { PW: SECRET, PAIR: `me:${SECRET}`, EMPTY: '', LINES: `${SECRET}\nX-Evil: 1`, 'NOT-A-NAME': 'x' };
const path = join(folder, 'hosts.yaml');

function settingOf(yaml: string, url = 'https://in.example/') {
  writeFileSync(path, yaml);
  return openHostSettings(path, ENVIRONMENT).of(new URL(url));
}

/** One entry of `in.example`. */
const entry = (...lines: string[]) => `hosts:\n  in.example:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const basic = (pair: string) => ['authorization', `Basic ${Buffer.from(pair).toString('base64')}`];

function messageOf(yaml: string): string {
  try {
    settingOf(yaml);
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
  throw new Error('was taken');
}

test('headers, credentials in two forms and a certificate that is let pass', () => {
  expect(settingOf(entry('headers:', '  X-Key: abc', '  Accept-Language: de', 'tls: unverified'))).toEqual({
    fields: ['x-key', 'abc', 'accept-language', 'de'],
    unverified: true,
  });
  expect(settingOf(entry('user: me', 'password: "1:2 ü"'))).toEqual({ fields: basic('me:1:2 ü'), unverified: false });
  expect(settingOf(entry('auth: basic me:pw', 'tls: verified'))).toEqual({ fields: basic('me:pw'), unverified: false });
  expect(settingOf(entry('user: me', 'password: ""'))?.fields).toEqual(basic('me:'));
});

test('values come from the environment where they say so', () => {
  const yaml = entry('headers:', '  X-Key: a-${PW}-$${PW}-$PW', 'auth: basic ${PAIR}');
  expect(settingOf(yaml)?.fields).toEqual(['x-key', `a-${SECRET}-\${PW}-$PW`, ...basic(`me:${SECRET}`)]);
  expect(settingOf(entry('user: me', 'password: ${PW}'))?.fields).toEqual(basic(`me:${SECRET}`));
});

test('a host with a scheme counts before one without, in whatever order', () => {
  const yaml =
    'hosts:\n  https://in.example: {headers: {x: "1"}}\n  in.example: {headers: {x: "2"}}\n  "*.in.example": {tls: unverified}\n';
  expect(settingOf(yaml)?.fields).toEqual(['x', '1']);
  expect(settingOf(yaml, 'http://in.example/')?.fields).toEqual(['x', '2']);
  expect(settingOf(yaml, 'https://a.in.example/')?.unverified).toBe(true);
});

test.each([
  ['a key that is none', entry('pasword: x'), [':3', '"pasword"', 'did you mean password?']],
  ['a key at the top that is none', 'host:\n  in.example: {}\n', [':1', '"host"', 'did you mean hosts?']],
  ['no YAML', 'hosts:\n  in.example: {', ['not YAML']],
  ['an empty file', '', ['the file']],
  ['no host', 'hosts:\n  in.example/path: {}\n', [':2', 'names no host']],
  ['a host twice', 'hosts:\n  in.example: {}\n  IN.example: {}\n', [':3', 'IN.example', 'there already']],
  ['a number', entry('user: me', 'password: 123456'), [':4', 'password', 'quotes']],
  ['half of a pair', entry('user: me'), ['one of user and password']],
  ['two ways to log in', entry('user: me', 'password: x', 'auth: basic a:b'), ['logs in twice']],
  ['two ways to log in, by a header', entry('auth: basic a:b', 'headers: {AUTHORIZATION: x}'), ['logs in twice']],
  ['another scheme of logging in', entry('auth: bearer abc'), [':3', 'in.example auth', 'basic user:password']],
  ['a colon in the name', entry('user: "a:b"', 'password: x'), ['in.example user', 'colon']],
  ['a field of ours', entry('headers:', '  User-Agent: Mozilla'), ['User-Agent', 'sets itself']],
  ['no name of a field', entry('headers:', '  "X Key": a'), ['not the name of a header field']],
  ['a variable that is not set', entry('user: me', 'password: ${NO_SUCH}'), [':4', 'in.example password', 'NO_SUCH is not set']],
  ['a variable that is empty', entry('headers: {x: "${EMPTY}"}'), ['EMPTY is not set']],
  ['no name of a variable', entry('headers: {x: "${NOT-A-NAME}"}'), ['in.example headers x', 'name of the environment']],
  ['a variable of the object itself', entry('headers: {x: "${constructor}"}'), ['constructor is not set']],
  ['a value of two lines', entry('headers: {x: "${LINES}"}'), ['in.example headers x', 'cannot be sent']],
  ['an empty value', entry('headers: {x: ""}'), ['cannot be sent']],
  ['a word that is none of the two', entry('tls: off'), ['verified or unverified']],
])('%s is refused', (_what, yaml, parts) => {
  const message = messageOf(yaml);
  expect(message).toMatch(/^[^\n]+$/);
  for (const part of [path, ...parts]) expect(message).toContain(part);
});

test.each([
  entry(`user: me`, `password: *${SECRET}`),
  entry(`password: {${SECRET}: 1, ${SECRET}: 2}`),
  entry(`user: me`, `password: "${SECRET}`),
  entry(`user: [me, ${SECRET}]`),
  entry(`auth: ${SECRET}`),
  entry(`auth: basic ${SECRET}`),
  entry(`tls: ${SECRET}`),
  entry(`headers: {x: "\${LINES}"}`),
  entry(`headers: ${SECRET}`),
  entry(`password ${SECRET}: x`),
  `hosts:\n  https://me:${SECRET}@in.example: {}\n`,
  `hosts:\n  in.example: ${SECRET}\n`,
  `hosts: ${SECRET}\n`,
  `${SECRET}\n`,
])('no error quotes a value: %j', (yaml) => {
  expect(messageOf(yaml)).not.toContain('hunter2');
});

test('a file that cannot be read is a usage error, one that is no text is a data error', () => {
  expect(() => openHostSettings(join(folder, 'none.yaml'), {})).toThrow(UsageError);
  writeFileSync(path, Buffer.from([0x68, 0xff, 0xfe]));
  expect(() => openHostSettings(path, {})).toThrow(DataError);
});
