import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskedText } from '../../../src/corpus/personal/masked-text.ts';
import { FINDERS, personalRanges } from '../../../src/corpus/personal/personal-data.ts';
import { maskOf, PERSONAL_KINDS } from '../../../src/corpus/personal/personal-names.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const found = (text: string, lang = 'en') => personalRanges(text, lang).map(([start, end, kind]) => `${kind}: ${text.slice(start, end)}`);

describe('finds', () => {
  test.each([
    ['mail', 'a.b+c@debian.org', 'en', 'Write to <a.b+c@debian.org>.'],
    ['mail', 'müller@bücher.de', 'de', 'an müller@bücher.de, bitte'],
    ['mail', 'x@debian.org', 'en', 'mailto:x@debian.org.Thanks'],
    ['mail', 'foo@163.com', 'zh', '邮箱foo@163.com。'],
    ['mail', 'a.b [at] debian [dot] org', 'en', 'a.b [at] debian [dot] org'],
    ['mail', 'me(at)home.net', 'en', 'me(at)home.net'],
    ['phone', '+49 (0)30 23125-123', 'und', 'call +49 (0)30 23125-123 now'],
    ['phone', '0044 20 7946 0123', 'und', '0044 20 7946 0123'],
    ['phone', '030/23125 123', 'de', 'unter 030/23125 123 (Büro)'],
    ['phone', '069 90009 123', 'de', 'Tel.: 069 90009 123 2020'],
    ['phone', '(212) 555-0123', 'en', 'or (212) 555-0123'],
    ['phone', '01 42 68 53 00', 'fr', 'au 01 42 68 53 00.'],
    ['phone', '13812345678', 'zh', '手机13812345678。'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'de', 'IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX'],
    ['iban', 'GB29NWBK60161331926819', 'en', 'GB29NWBK60161331926819'],
    ['card', '4111 2222 3333 4448', 'en', 'Visa 4111 2222 3333 4448'],
    ['card', '378282246310005', 'en', 'Amex 378282246310005'],
    ['ip', '193.99.144.80', 'en', 'from 193.99.144.80 on'],
    ['ip', '8.8.8.8', 'en', 'the address 8.8.8.8'],
    ['ip', '93.184.216.34', 'en', 'http://93.184.216.34:80/x'],
    ['ip', '2a00:1450:4001:81b::200e', 'en', '[2a00:1450:4001:81b::200e]'],
    ['id', 'RSSMRA85T10A562S', 'en', 'RSSMRA85T10A562S'],
    ['id', '12345678Z', 'es', 'el 12345678Z'],
    ['id', '44051401359', 'en', 'PESEL: 44051401359'],
    ['id', '11010519491231002X', 'zh', '身份证11010519491231002X'],
    ['id', '111.444.777-35', 'en', '111.444.777-35'],
  ] as const)('%s %s (%s)', (kind, written, lang, text) => expect(found(text, lang)).toEqual([`${kind}: ${written}`]));
});

describe('finds nothing in', () => {
  test.each([
    ['versions', 'New upstream release 1.2.3.4, 115.112.0.2, v120.100.1.2; linux 5.10.103-1; kernel 200.150.3.1'],
    ['dates', '2020-12-31 10:11:12 +0100, 31.12.2020, 01-02-2003, 1999-2004, Mon, 01 Jan 2001 12:00:00 +0200'],
    ['bugs and commits', 'Closes: #0123456789, #87654321; commit 4111222233334448deadbeef; CVE-2021-41112223'],
    ['books', 'ISBN 0-306-40615-2, ISBN 978-3-16-148410-0, ISSN 0317-8471, doi:10.1000/182'],
    ['places', 'git@github.com:a/b ssh://git@host.org/x https://u:p@host.org/ getty@tty1.service @@ -1234,7 +1234,8 @@ printf@GLIBC_2.2.5'],
    ['nobodys', 'user@example.org, root@localhost, 127.0.0.1, 192.168.1.1, 10.0.0.1, 255.255.255.0, 203.0.113.9, ::1, 2001:db8::1'],
    ['coordinates and prices', '52.5200066, 13.4049540; 1.234.567,89 EUR; $1,234,567.89; 100 000 000'],
    ['bytes and articles', '<Buffer 01 02 03 04 05 06 07>; JCP 128, 014106 (2008); OID 1.3.101.110'],
    ['postal codes', 'Boston, MA 02110-1301 USA'],
    ['wrong check digits', 'DE88 3704 0044 0532 0130 00, 4111 2222 3333 4444, 12345678A, PESEL 44051401358, RSSMRA85T10A562T'],
    ['C++', 'std::dead::beef, 2001::x, a::b, 12:34:56:78'],
    ['masks', PERSONAL_KINDS.map(maskOf).join(' ')],
    ['URLs', 'https://shop.example.com/item/01714567890 and https://x.org/?id=4111222233334448'],
  ])('%s', (_, text) => {
    for (const lang of ['en', 'de', 'es', 'fr', 'zh', 'pl', 'und']) expect([lang, found(text, lang)]).toEqual([lang, []]);
  });
});

test('the same numbers are not those of a page in another language', () => {
  expect(found('030/23125 123', 'fr')).toEqual([]);
  expect(found('12345678Z', 'de')).toEqual([]);
});

test('finds are in order, without overlaps, and stay inside of a line; masks leave none, and keep the rest and its places', () => {
  const parts = [
    'x@debian.org',
    '+49 30 23125123',
    'DE89 3704 0044 0532 0130 00',
    '4111 2222 3333 4448',
    '8.8.8.8',
    '12345678Z',
    '\n',
    ' ',
    'Tel',
    '0',
    '@',
    '.',
    '-',
    'é',
  ];
  const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })), { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, fc.constantFrom('en', 'de', 'es'), (text, lang) => {
      const ranges = personalRanges(text, lang);
      const { text: masked, moved, masks } = maskedText(text, ranges);
      ranges.forEach(([start, end], i) => {
        expect(start).toBeGreaterThanOrEqual(ranges[i - 1]?.[1] ?? 0);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).not.toContain('\n');
        expect([moved(start), moved(end)]).toEqual(masks[i]?.slice(0, 2));
      });
      for (const [start, end, kind] of masks) expect(masked.slice(start, end)).toBe(maskOf(kind));
      for (let at = 0; at < text.length; at++)
        if (!ranges.some(([start, end]) => start <= at && at < end)) expect(masked[moved(at)]).toBe(text[at]);
    }),
  );
});

/** Long inputs that look like the beginning of a find at every place: each pattern is tried with them, also in one language of each rule. */
const LONG = 200_000;
const HOSTILE: readonly string[] = [
  ...['@', 'a@', 'a.', '@a.', 'a@b.c', ' [at] ', 'a [at] b [dot] ', '(at)', '%40', 'a-'],
  ...['0', '1', '01', '0 ', '0-', '(0', '+1', '+49 ', '00 1', '(((', ') (', '1/1', '0\u00a0', 'Tel', 'Tel. ', 'Tel 0'],
  ...['DE89', 'DE89 ', 'A', 'AA00 ', '4111 ', '4111-', '4', '1.', '1.1.1.1', '1.1.1.1.', '255.', '2a00:', '2:', ':', '2a00::'],
  ...['85073', '123456/', '756.', 'A1', 'ABCDEF', 'X1234567', 'ISBN ', 'PESEL ', 'C.F. ', 'no ', 'www.', '://', '身份证', '19', '2001-'],
];

test.each(PERSONAL_KINDS)('%s: hostile texts of 200,000 characters take linear time', (kind) => {
  for (const part of HOSTILE)
    for (const lang of ['en', 'zh'])
      expectWithin(2_500, () => [...FINDERS[kind](part.repeat(LONG / part.length), lang)], `${kind} ${JSON.stringify(part)} ${lang}`);
});

test('numbers beyond the ten-thousandth of a page count without the library', () => {
  const text = 'Tel. +49 30 23125123; '.repeat(30_000);
  expectWithin(5_000, () => expect(personalRanges(text, 'de').length).toBe(30_000));
});
