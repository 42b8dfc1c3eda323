/** Names of a page that people read: file names are safe and of one page, keys can be typed, titles are the page's own. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl, RecordId } from '../../../src/base/core/types.ts';
import { babelName } from '../../../src/corpus/formats/babel-names.ts';
import { citationKey, isTextFileName, ownTitle, textFileName } from '../../../src/corpus/formats/page-names.ts';
import { runs } from '../../support/extent.ts';

function page(url: string, title = '', published: string | null = null, siteName: string | null = null) {
  const metadata = { published, siteName } as Parameters<typeof textFileName>[0]['metadata'];
  return { id: 'urn:uuid:01234567-89ab-cdef-0123-456789abcdef' as RecordId, url: url as CanonicalUrl, title, metadata };
}

test.each([
  [
    page('https://www.bog.example/a', 'Raised bogs of Ireland', '2021-03-14T09:30:00Z'),
    'www.bog.example_Raised-bogs-of-Ireland_2021-03-14_',
  ],
  [page('http://bog.example:8080/a', '“Moos & Torf” – 1/2', '1998'), 'bog.example-8080_Moos-Torf-1-2_1998_'],
  [page('http://[2001:db8::1]/a', '苔と泥炭'), '2001-db8-1_苔と泥炭_undated_'],
  [page('http://xn--mos-hoa.example/', '🌊 ../../etc/passwd'), 'xn--mos-hoa.example_etc-passwd_undated_'],
  [page('http://con.example/', '', 'soon'), 'con-.example_untitled_undated_'],
  [page('http://bog.example/', '\u202egnp.exe'), 'bog.example_gnp-exe_undated_'],
  [page(`http://${'a'.repeat(59)}.${'b'.repeat(60)}.example/`, 'Bog'), `${'a'.repeat(59)}_Bog_undated_`],
])('file name %#', (one, start) => {
  const name = textFileName(one);
  expect(name.replace(/[0-9a-f]{16}\.txt$/, '')).toBe(start);
  expect(isTextFileName(name)).toBe(true);
});

test('whatever titles and hosts are, names are safe on every file system, and two URLs have two', () => {
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
  const title = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('\u0301', '苔', '/', '.', '-', '𓀀'), maxLength: 300 }),
  );
  fc.assert(
    fc.property(url, url, title, fc.option(fc.string({ unit: 'binary' })), (a, b, text, date) => {
      const [one, other] = [textFileName(page(a, text, date)), textFileName(page(b, text, date))];
      expect(Buffer.byteLength(one)).toBeLessThanOrEqual(255);
      expect(one).not.toMatch(/[/\\:*?"<>|\s\p{Cc}\p{Cf}]|^[.-]|\.\./u);
      expect(isTextFileName(one)).toBe(true);
      expect(one === other).toBe(a === b);
      expect(citationKey(page(a, text, date))).toMatch(/^[a-z0-9-]+-(?:\d{4}|nd)-456789abcdef$/);
    }),
    { numRuns: runs(200) },
  );
});

test('names of earlier versions are names; those that lead elsewhere are none', () => {
  expect(isTextFileName(`${'a0'.repeat(16)}.txt`)).toBe(true);
  for (const name of ['../../etc/passwd', '../a.txt', 'a/b.txt', 'a\\b.txt', '.txt', '', 'a.exe', '\u0000.txt'])
    expect(isTextFileName(name)).toBe(false);
});

test.each([
  ['Raised bogs | Moss Society', 'Moss Society', 'Raised bogs'],
  ['Raised bogs - moss society', 'Moss Society', 'Raised bogs'],
  ['Raised bogs – Ireland – Moss Society', 'Moss Society', 'Raised bogs – Ireland'],
  ['Moss Society: news » Raised bogs', 'Moss Society', 'Moss Society: news » Raised bogs'],
  ['Moss Society | Raised bogs', 'Moss Society', 'Raised bogs'],
  ['Raised bogs | bog.example', null, 'Raised bogs'],
  ['Raised bogs | Ireland', 'Moss Society', 'Raised bogs | Ireland'],
  ['Well-known', 'known', 'Well-known'],
  ['Moss Society', 'Moss Society', 'Moss Society'],
  ['| Moss Society', 'Moss Society', '| Moss Society'],
])('title %j of the site %j', (title, site, own) => {
  expect(ownTitle(page('http://www.bog.example/x', title, null, site))).toBe(own);
});

test('languages have the names of babel, or none', () => {
  const names = ['en', 'en-us', 'en-GB', 'de', 'de-CH-1996', 'pt-br', 'zh-Hant-TW', 'nb-NO', 'und', 'x-moss'].map(babelName);
  expect(names).toEqual(['english', 'american', 'british', 'ngerman', 'nswissgerman', 'brazilian', null, 'norsk', null, null]);
});
