import { expect, test } from 'vitest';
import { ALLOW_ALL, DENY_ALL, parseRobots } from '../../../src/base/web/robots.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const HOST = 'http://h.example';

function allowed(body: string | Uint8Array, path: string, token = 'forager'): boolean {
  return parseRobots(body, token).allows(HOST + path);
}

/** A group for every crawler with these lines. */
function all(...lines: string[]): string {
  return ['User-agent: *', ...lines].join('\n');
}

// The patterns and paths of RFC 9309 §2.2.2, §2.2.3 and §5, and of Google's documentation of its parser.
test.each([
  ['/', '/any', true],
  ['/fish', '/fish.html', true],
  ['/fish', '/Fish.asp', false],
  ['/fish', '/catfish', false],
  ['/fish/', '/fish', false],
  ['/*.php', '/folder/any.php.file', true],
  ['/*.php', '/windows.PHP', false],
  ['/*.php$', '/a.php', true],
  ['/*.php$', '/a.php?x', false],
  ['/fish*.php', '/fishheads/catfish.php?x', true],
  ['/fish*.php', '/Fish.PHP', false],
  ['*.gif$', '/a/b.gif', true],
  ['/a$', '/a', true],
  ['/a$', '/ab', false],
  ['/a$b', '/a$b', true],
  ['/$', '/', true],
  ['/$', '/a', false],
  ['/a*', '/a', true],
  ['/a*$', '/ab', true],
  ['/a**b', '/axxb', true],
  ['/ab*ab$', '/ab', false],
  ['/ab*ab$', '/abab', true],
  ['/*a*b*c$', '/xaxbxcxc', true],
  ['/*a*b*c$', '/xaxcxbx', false],
  ['no-slash', '/no-slash', false],
  ['/q?x=1', '/q?x=1&y', true],
  ['/q?x=1', '/q', false],
])('RFC 9309 §2.2.2, §2.2.3: pattern %s on path %s: %s', (pattern, path, matches) => {
  expect(allowed(all(`Disallow: ${pattern}`), path)).toBe(!matches);
});

// The two tables of §2.2.2 and §2.2.3, and what follows from them.
test.each([
  ['/%61bc', '/abc'],
  ['/abc', '/%61bc'],
  ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
  ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar'],
  ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
  ['/foo/bar?baz=https%3a%2f%2ffoo.bar', '/foo/bar?baz=https://foo.bar'],
  ['/*?baz=*//foo$', '/foo/bar?baz=https%3A%2F%2Ffoo'],
  ['/*https%3A%2F%2Ffoo', '/foo/bar?baz=https://foo.bar'],
  ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
  ['/foo/bar/%e3%83%84', '/foo/bar/ツ'],
  ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
  ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html'],
  ['/path/foo-%24', '/path/foo-$'],
  ['/a|b', '/a%7Cb'],
  ['/a%3cd.html', '/a%3Cd.html'],
  ['/𝒳', '/%F0%9D%92%B3'],
  ['/\ud800x', '/%EF%BF%BDx'],
  ['/%zz', '/%zz'],
])('RFC 9309 §2.2.2, §2.2.3: the two sides are compared in one encoding: pattern %s is the path %s', (pattern, path) => {
  expect(allowed(all(`Disallow: ${pattern}`), path)).toBe(false);
  expect(parseRobots(all(`Disallow: ${pattern}`), 'forager').allows(path)).toBe(false);
});

test('RFC 9309 §2.2.2, §2.2.3: an escaped slash is another path than a slash, and an escaped star is no wildcard', () => {
  expect(allowed(all('Disallow: /a%2fb'), '/a/b')).toBe(true);
  expect(allowed(all('Disallow: /a:b'), '/a%3Ab')).toBe(true);
  expect(allowed(all('Disallow: /q?a%26b'), '/q?a&b')).toBe(true);
  expect(allowed(all('Disallow: /*/feed'), '/q?u=%2Ffeed')).toBe(true);
  expect(allowed(all('Disallow: /a%2Ab'), '/axb')).toBe(true);
  expect(allowed(all('Disallow: /a%24'), '/a')).toBe(true);
});

test('RFC 9309 §2.2.2, §5.2: the longest match decides, and Allow wins a tie', () => {
  expect(allowed(all('Allow: /p', 'Disallow: /'), '/page')).toBe(true);
  expect(allowed(all('Allow: /folder', 'Disallow: /folder'), '/folder/page')).toBe(true);
  expect(allowed(all('Disallow: /folder', 'Allow: /folder'), '/folder/page')).toBe(true);
  expect(allowed(all('Allow: /page', 'Disallow: /*.htm'), '/page.htm')).toBe(false);
  expect(allowed(all('Allow: /$', 'Disallow: /'), '/')).toBe(true);
  expect(allowed(all('Allow: /$', 'Disallow: /'), '/page')).toBe(false);
  expect(allowed(all('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'), '/example/page/disallowed.gif')).toBe(false);
});

test('RFC 9309 §2.2.2: no match, no rules and no file allow; paths are compared with regard to case', () => {
  expect(allowed(all('Disallow: /a', 'Allow: /a/b'), '/b')).toBe(true);
  expect(allowed(all('Disallow:', 'Allow:'), '/b')).toBe(true);
  expect(allowed('', '/b')).toBe(true);
  expect([allowed(all('Disallow: /Aa'), '/aa'), allowed(all('Disallow: /Aa'), '/Aa')]).toEqual([true, false]);
});

test('RFC 9309 §2.2.2: most octets are those of the encoded pattern', () => {
  // Two characters, six octets, against four.
  expect(allowed(all('Allow: /éé', 'Disallow: /*%C3'), '/éé')).toBe(true);
  expect(allowed(all('Disallow: /éé', 'Allow: /*%C3%A9'), '/éé')).toBe(false);
});

test('RFC 9309 §2.2.2: robots.txt itself may always be fetched', () => {
  expect(allowed(all('Disallow: /'), '/robots.txt')).toBe(true);
  expect(DENY_ALL.allows(`${HOST}/robots.txt`)).toBe(true);
  expect(DENY_ALL.allows(`${HOST}/robots.txt.html`)).toBe(false);
  expect(DENY_ALL.allows(`${HOST}/`)).toBe(false);
  expect(ALLOW_ALL.allows(`${HOST}/x`)).toBe(true);
});

const GROUPS = `
User-agent: Forager/2.1
Disallow: /one

User-agent: foo
User-agent: FORAGER
Disallow: /two

User-agent: *
Disallow: /three

User-agent: foragerbot
Disallow: /four
`;

test('RFC 9309 §2.2.1: groups that name us are merged, whatever the case, and shut out the group for all', () => {
  expect(['/one', '/two', '/three', '/four'].map((path) => allowed(GROUPS, path))).toEqual([false, false, true, true]);
  expect(['/one', '/two', '/three', '/four'].map((path) => allowed(GROUPS, path, 'foo'))).toEqual([true, false, true, true]);
  expect(['/one', '/two', '/three', '/four'].map((path) => allowed(GROUPS, path, 'other'))).toEqual([true, true, false, true]);
});

test('RFC 9309 §2.2.1: groups for all are merged, and where none is and none names us, no rules hold', () => {
  const body = 'User-agent: *\nDisallow: /one\nUser-agent: other\nDisallow: /two\nUser-agent: *\nDisallow: /three';
  expect(['/one', '/two', '/three'].map((path) => allowed(body, path))).toEqual([false, true, false]);
  expect(allowed('User-agent: other\nDisallow: /', '/x')).toBe(true);
  expect(allowed('User-agent: other\nUser-agent: *\nDisallow: /', '/x')).toBe(false);
});

test.each([
  ['forager', true],
  ['FoRaGeR', true],
  ['Forager/1.0', true],
  ['Forager Bot', true],
  ['Forager; +http://h.example', true],
  ['foragers', false],
  ['forage', false],
  ['x-forager', false],
  ['forager_2', false],
  ['Mozilla/5.0 (compatible; Forager/1.0)', false],
  ['"forager"', false],
  ['', false],
])('RFC 9309 §2.2.1: user-agent “%s” names the product token forager: %s', (agent, names) => {
  expect(allowed(`User-agent: ${agent}\nDisallow: /`, '/x')).toBe(!names);
});

test.each(['*', '* ', '*\tall', '* # all'])('RFC 9309 §2.2.1, §2.2.3: user-agent “%s” is the group for all', (agent) => {
  expect(allowed(`User-agent: ${agent}\nDisallow: /`, '/x')).toBe(false);
});

test('RFC 9309 §2.2.1: rules after another group began are of that group alone', () => {
  const body = 'User-agent: forager\nDisallow: /one\nUser-agent: other\nDisallow: /two\nAllow: /one';
  expect(['/one', '/two'].map((path) => allowed(body, path))).toEqual([false, true]);
});

test('RFC 9309 §2.2.1: an empty group that names us allows everything', () => {
  expect(allowed('User-agent: forager\nDisallow:\n\nUser-agent: *\nDisallow: /', '/x')).toBe(true);
  expect(allowed('User-agent: forager\n\nUser-agent: *\nDisallow: /', '/x', 'bar')).toBe(false);
});

test('RFC 9309 §2.2.4: other records do not end the list of agents', () => {
  const body = 'User-agent: forager\nSitemap: http://h.example/map.xml\nCrawl-delay: 3\nfoo: bar\nUser-agent: other\nDisallow: /x';
  expect(allowed(body, '/x')).toBe(false);
  expect(parseRobots(body, 'forager').crawlDelay).toBe(3000);
  expect(parseRobots(body, 'other').crawlDelay).toBeNull();
});

test('RFC 9309 §2.2.4: crawl delays are milliseconds of the groups that hold; the longest counts', () => {
  const delay = (lines: string[]) => parseRobots(all(...lines), 'forager').crawlDelay;
  expect(delay(['Crawl-delay: 2'])).toBe(2000);
  expect(delay(['crawl-delay: 0.5', 'Crawl-Delay: 0.25'])).toBe(500);
  expect(delay(['Crawl-delay: 0'])).toBe(0);
  for (const bad of ['-1', 'soon', '', 'NaN', 'Infinity', '1e999']) expect(delay([`Crawl-delay: ${bad}`])).toBeNull();
  expect(parseRobots('User-agent: forager\nDisallow: /\nUser-agent: *\nCrawl-delay: 9', 'forager').crawlDelay).toBeNull();
});

test('RFC 9309 §2.2.4: a crawl delay is of the agents right before it, though it does not end their list', () => {
  const body = 'User-agent: *\nCrawl-delay: 1\nUser-agent: forager\nUser-agent: other\nCrawl-delay: 12\nDisallow: /x';
  expect(['forager', 'other', 'another'].map((token) => parseRobots(body, token).crawlDelay)).toEqual([12_000, 12_000, 1000]);
  expect(['forager', 'other', 'another'].map((token) => allowed(body, '/x', token))).toEqual([false, false, false]);
});

test('RFC 9309 §2.2.4: sitemaps are listed once, from anywhere in the file', () => {
  const body =
    'Sitemap: http://h.example/a.xml\nUser-agent: x\nDisallow: /\nsitemap:http://h.example/b.xml # two\nSITEMAP: http://h.example/a.xml\nSitemap:';
  expect(parseRobots(body, 'forager').sitemaps).toEqual(['http://h.example/a.xml', 'http://h.example/b.xml']);
});

test.each([
  ['line feeds', 'User-agent: *\nDisallow: /x\n'],
  ['carriage returns', 'User-agent: *\rDisallow: /x\r'],
  ['both', 'User-agent: *\r\n\r\nDisallow: /x\r\n'],
  ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /x'],
  ['white space and case', '  USER-AGENT :\t*  \n\tdIsAlLoW\t:  /x  '],
  ['comments', '# hi\nUser-agent: * # all\nDisallow: /x#y'],
  ['missing colons', 'User-agent *\nDisallow /x'],
  ['misspelt keys', 'useragent: *\nDissallow: /x'],
  ['mixed line ends', 'User-agent: *\r\n\rDisallow: /z\r\n\nDisallow: /x\r'],
  ['a last line without an end', 'User-agent: *\nDisallow: /x'],
  ['rules before any group', 'Disallow: /y\nUser-agent: *\nDisallow: /x'],
  ['NUL bytes and junk', '\0\0\n<html>\n:::\nUser-agent: *\n\0: /\nDisallow: /x'],
])('RFC 9309 §2.2, §2.3.1.5: %s are read', (_name, body) => {
  for (const form of [body, Buffer.from(body)]) {
    expect(allowed(form, '/x')).toBe(false);
    expect(allowed(form, '/y')).toBe(true);
  }
});

test('RFC 9309 §2.2.1: rules without a user-agent line are of no group', () => {
  expect(allowed('Disallow: /\nAllow: /x', '/y')).toBe(true);
  expect(parseRobots('Crawl-delay: 9\nDisallow: /', 'forager').crawlDelay).toBeNull();
});

test('RFC 9309 §2.3, §2.3.1.5: UTF-16 with a byte order mark is read; HTML and binary say nothing', () => {
  expect(allowed(Buffer.from('\uFEFFUser-agent: *\nDisallow: /x', 'utf16le').swap16(), '/x')).toBe(false);
  // Not UTF-8: the broken octet is U+FFFD, and the lines around it hold.
  expect(allowed(Buffer.from('User-agent: *\nDisallow: /caf\xe9\nDisallow: /x', 'latin1'), '/x')).toBe(false);
  expect(allowed(Buffer.from('\uFEFFUser-agent: *\nDisallow: /x', 'utf16le'), '/x')).toBe(false);
  expect(allowed('<!doctype html><p>User-agent: *<br>Disallow: /</p>', '/x')).toBe(true);
  expect(
    allowed(
      Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256),
      '/x',
    ),
  ).toBe(true);
  expect(allowed(new Uint8Array(), '/x')).toBe(true);
});

test('RFC 9309 §2.5: 500 KiB are read, and a rule cut in two there is left out', () => {
  const head = 'User-agent: *\n';
  const last = 'Disallow: /last\n';
  const fill = (room: number) => `#${'x'.repeat(room - 2)}\n`;
  const limit = 500 * 1024;
  const within = head + fill(limit - head.length - last.length) + last;
  expect(within).toHaveLength(limit);
  expect(allowed(`${within}Disallow: /beyond\n`, '/last')).toBe(false);
  expect(allowed(`${within}Disallow: /beyond\n`, '/beyond')).toBe(true);
  const cut = `${head + fill(limit - head.length - 12)}Disallow: /x/private\n`;
  expect(allowed(cut, '/x/public')).toBe(true);
});

test.each([
  ['stars and a near miss', all(`Disallow: /${'*a'.repeat(200_000)}b`)],
  ['many rules of stars', all(...Array.from({ length: 25_000 }, (_, i) => `Disallow: /*a*a*${i}`))],
  ['long near misses in the middle', all(...Array.from({ length: 400 }, () => `Disallow: /*${'a'.repeat(500)}b${'a'.repeat(500)}`))],
  ['long near misses', all(...Array.from({ length: 400 }, () => `Disallow: /*${'a'.repeat(1000)}b`))],
  ['a hundred thousand rules', all(...Array.from({ length: 100_000 }, (_, i) => `Allow: /${i}`))],
  ['one line of two megabytes', `User-agent: ${'x'.repeat(2_000_000)}`],
  ['nothing but colons', ':'.repeat(600_000)],
  ['nothing but white space', ' '.repeat(600_000)],
  ['nothing but line ends', '\r\n'.repeat(300_000)],
  ['non-ASCII', all(`Disallow: /${'ツ'.repeat(150_000)}`)],
])('RFC 9309 §2.5, §3: hostile file, %s: parsed and asked in bounded time', (_name, body) => {
  // Measured at most 0.3 s of CPU; the rest is room for a slower machine.
  expectWithin(6000, () => {
    const rules = parseRobots(body, 'forager');
    for (const path of [`/${'a'.repeat(2000)}`, `/${'ab'.repeat(1000)}`, '/']) expect(rules.allows(HOST + path)).toBe(true);
  });
});

test.each([
  ['whole', [0xef, 0xbb, 0xbf]],
  ['two bytes of three', [0xef, 0xbb]],
  ['one byte of three', [0xef]],
  ['twice', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]],
])('a byte order mark, %s, does not cost the first group', (_how, mark) => {
  const body = Buffer.concat([Uint8Array.from(mark), Buffer.from('User-agent: forager\nDisallow: /x\n')]);
  const rules = parseRobots(body, 'forager');
  expect([rules.allows('/x'), rules.allows('/y')]).toEqual([false, true]);
});

test('a part of a byte order mark that is out of its order is none, as for Google', () => {
  const body = Buffer.concat([Uint8Array.of(0xef, 0x11, 0xbf), Buffer.from('User-agent: forager\nDisallow: /x\n')]);
  expect(parseRobots(body, 'forager').allows('/x')).toBe(true);
});
