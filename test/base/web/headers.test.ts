import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReadableType, looksBinary, parseContentType } from '../../../src/base/web/content-type.ts';
import { directivesFor, robotsDirectives } from '../../../src/base/web/robots-meta.ts';
import { expectWithin } from '../../support/cpu-time.ts';

test.each([
  [undefined, '', null],
  ['', '', null],
  ['text/html', 'text/html', null],
  ['Text/HTML; Charset=UTF-8', 'text/html', 'utf-8'],
  ['text/html;charset="gbk"', 'text/html', 'gbk'],
  ["text/html; charset='gbk'", 'text/html', 'gbk'],
  ['text/html; boundary=x; charset = big5 ; charset=utf-8', 'text/html', 'big5'],
  ['text/html; charset=', 'text/html', null],
  ['text/html; charset', 'text/html', null],
  ['text/html;charset=utf-8, text/html', 'text/html', 'utf-8'],
  ['text/html, application/json', 'text/html', null],
  ['charset=utf-8', '', null],
  ['; charset=utf-8', '', 'utf-8'],
  ['html', '', null],
])('Content-Type %s', (header, mime, charset) => {
  expect(parseContentType(header)).toEqual({ mime, charset });
});

test('a Content-Type is told from the one before, and from none', () => {
  const [html, plain] = ['text/html; charset=utf-8', 'text/plain'];
  const read = [html, html, plain, undefined, undefined, '', html].map((header) => parseContentType(header));
  const [first, none] = [
    { mime: 'text/html', charset: 'utf-8' },
    { mime: '', charset: null },
  ];
  expect(read).toEqual([first, first, { mime: 'text/plain', charset: null }, none, none, none, first]);
});

test('no Content-Type throws or takes long', () => {
  fc.assert(fc.property(fc.string(), (header) => void parseContentType(header)));
  expectWithin(3000, () => {
    for (const unit of ['charset=', ';', '"', ' ', 'a/']) parseContentType(unit.repeat(100_000));
  });
});

test('pages and plain text are readable, other types are not', () => {
  expect(['text/html', 'application/xhtml+xml', 'text/plain', ''].every(isReadableType)).toBe(true);
  expect(['application/pdf', 'image/png', 'text/css', 'application/json', 'application/octet-stream'].some(isReadableType)).toBe(false);
});

test.each([
  ['PDF', Buffer.from('%PDF-1.7\n')],
  ['zip', Buffer.from('PK\x03\x04\x14', 'latin1')],
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0)],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)],
  ['GIF', Buffer.from('GIF89a')],
  ['WebP', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')],
  ['MP3', Buffer.from('ID3\x04\x00\x00\x00\x00\x01\x02', 'latin1')],
  ['MP4', Buffer.from('\x00\x00\x00\x18ftypmp42', 'latin1')],
  ['text with NUL bytes', Buffer.from('<p>hello\0world')],
])('%s looks binary', (_name, bytes) => {
  expect(looksBinary(bytes)).toBe(true);
});

test.each([
  ['HTML', Buffer.from('<!doctype html><p>hi')],
  ['nothing', new Uint8Array()],
  ['GBK', Uint8Array.of(0xd6, 0xd0, 0xb9, 0xfa)],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFhi')],
  ['UTF-16 with a byte order mark', Buffer.from('\uFEFFhi', 'utf16le')],
  ['UTF-16 without one', Buffer.from('<html>', 'utf16le')],
  ['big-endian UTF-16', Buffer.from('<html>', 'utf16le').swap16()],
  ['a page with one stray NUL byte', Buffer.from(`<p>hello\0world ${'x'.repeat(200)}`)],
  ['prose about PDF', Buffer.from('About %PDF- headers')],
  ['prose about RIFF', Buffer.from('RIFF is a container format')],
  ['prose about ID3', Buffer.from('ID3 tags explained')],
])('%s does not', (_name, bytes) => {
  expect(looksBinary(bytes)).toBe(false);
});

test.each([
  [[], false, false],
  [['index, follow'], false, false],
  [['noindex'], true, false],
  [['NOINDEX,NoFollow'], true, true],
  [['noindex nofollow'], true, true],
  [['none'], true, true],
  [['all', 'nofollow'], false, true],
  [['forager: noindex'], true, false],
  [['Forager : none'], true, true],
  [['otherbot: noindex, nofollow'], false, false],
  [['otherbot: noindex, forager: nofollow'], false, true],
  [['otherbot: noindex', 'nofollow'], false, true],
  [['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex'], true, false],
  [['unavailable_after: Thursday, 14-Mar-30 09:30:00 GMT, noindex'], true, false],
  [['unavailable_after: Thu, 14 Mar 2030 09:30:00 GMT, max-snippet:20, nofollow'], false, true],
  [['nofollow, unavailable_after: Mar 14, 2030, 09:30, noindex'], true, true],
  [['unavailable_after: Thursday, March 14, 2030 09:30:00 +0100,noindex'], true, false],
  [['forager: unavailable_after: Thu, 14 Mar 2030 09:30:00 GMT, noindex'], true, false],
  [['otherbot: unavailable_after: Thu, 14 Mar 2030 09:30:00 GMT, noindex'], false, false],
  [['otherbot: noindex, forager: unavailable_after: Thu, 14 Mar 2030 09:30:00 GMT, nofollow'], false, true],
  [['unavailable_after: 2030-03-14T09:30:00+01:00, noindex'], true, false],
  [['revisit-after: 7 days, noindex'], true, false],
  [['max-video-preview: -1, max-image-preview: large, nofollow'], false, true],
  [['max-snippet:20, max-image-preview:large, nofollow'], false, true],
  [['noindexing, xnofollow'], false, false],
  [['*: noindex'], true, false],
  [['otherbot: noindex\nnofollow'], false, true],
  [['FORAGER: noindex\notherbot: nofollow'], true, false],
])('robots directives %j', (values, noindex, nofollow) => {
  expect(robotsDirectives(directivesFor(values, 'Forager'))).toEqual({ noindex, nofollow, noai: false });
});

test.each([
  ['noai', true],
  ['NoAI, noimageai', true],
  ['noimageai', false],
  ['none', false],
  ['forager: noai', true],
  ['otherbot: noai', false],
  ['otherbot: none\nForager: noai', true],
  ['noai\notherbot: index', true],
])('robots directives “%s” ask for no use in models: %s', (value, noai) => {
  expect(robotsDirectives(directivesFor([value], 'Forager')).noai).toBe(noai);
});

test('directives that hold for us are listed as written, each agent to the end of its line', () => {
  const lines = 'otherbot: noindex, noai\nmax-snippet:20, NoImageAI\nforager: noarchive, *: noai';
  expect(directivesFor([lines, 'unavailable_after: 25 Jun 2030'], 'Forager')).toEqual([
    'max-snippet:20',
    'noimageai',
    'noarchive',
    'noai',
    'unavailable_after: 25 jun 2030',
  ]);
});
