import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate } from '../../../src/base/text/iso-date.ts';
import { runs } from '../../support/extent.ts';

test.each([
  ['2021', '2021'],
  ['2021-03', '2021-03'],
  ['2021/3', '2021-03'],
  ['2021-03-14', '2021-03-14'],
  [' 2021/3/14 ', '2021-03-14'],
  ['20210314', '2021-03-14'],
  ['20210314T093000Z', '2021-03-14T09:30:00Z'],
  ['2021-03-14T09:30:00Z', '2021-03-14T09:30:00Z'],
  ['2021-03-14 09:30:00.123 +0000', '2021-03-14T09:30:00Z'],
  ['2021-03-14T09:30:00-0500', '2021-03-14T09:30:00-05:00'],
  ['2021-03-14T09:30', '2021-03-14T09:30:00'],
  ['2021-03-14T25:00', '2021-03-14'],
  ['14.03.2021', '2021-03-14'],
  ['14.3.2021, 9:30', '2021-03-14T09:30:00'],
  ['03/14/2021', '2021-03-14'],
  ['14/3/2021 9:30', '2021-03-14T09:30:00'],
  ['Sun, 03/14/2021 - 11:38', '2021-03-14T11:38:00'],
  ['2021年3月14日', '2021-03-14'],
  ['2021년 3월 14일', '2021-03-14'],
  ['2021年3月14號', '2021-03-14'],
  ['14. März 2021', '2021-03-14'],
  ['Veröffentlicht am 14. Dez. 2021, 9:30', '2021-12-14T09:30:00'],
  ['1er août 2021', '2021-08-01'],
  ['Publié le 14 févr. 2021 à 9:30', '2021-02-14'],
  ['martes, 14 de septiembre de 2021', '2021-09-14'],
  ['14 maggio 2021', '2021-05-14'],
  ['1º de março de 2021', '2021-03-01'],
  ['14 maart 2021', '2021-03-14'],
  ['14 марта 2021 г., 9:30', '2021-03-14T09:30:00'],
  ['Март 2021', '2021-03'],
  ['14 września 2021 r.', '2021-09-14'],
  ['14. maaliskuuta 2021', '2021-03-14'],
  ['2021. március 14.', '2021-03-14'],
  ['14 března 2021', '2021-03-14'],
  ['mayo de 2021', '2021-05'],
  ['March 2021', '2021-03'],
  ['March 14, 2021', '2021-03-14'],
  ['March 14th, 2021 at 9:30 pm', '2021-03-14T21:30:00'],
  ['March 14, 2021 12:05 a.m.', '2021-03-14T00:05:00'],
  ['March 14, 2021 9:30 EST', '2021-03-14'],
  ['14 Mar 2021', '2021-03-14'],
  ['Published on 14 March 2021', '2021-03-14'],
  ['Sun, 14 Mar 2021 09:30:00 GMT', '2021-03-14T09:30:00Z'],
  ['Sun Mar 14 2021 09:30:00 GMT+0100 (Central European Standard Time)', '2021-03-14T09:30:00+01:00'],
  ['29 February 2020', '2020-02-29'],
  ['Sun Mar 14 09:30:00 UTC 2021', '2021-03-14T09:30:00Z'],
  ['Sun Mar 14 09:30:00 2021', '2021-03-14T09:30:00'],
  ['Sun Mar  7 09:30 GMT+01:00 2021', '2021-03-07T09:30:00+01:00'],
  ['Sunday March 14 09:30:00 EST 2021', '2021-03-14'],
  ['Sunday, 14-Mar-21 09:30:00 GMT', '2021-03-14T09:30:00Z'],
  ['Sun, 14 Mar 99 09:30:00 +0100', '1999-03-14T09:30:00+01:00'],
  ['1615714200', '2021-03-14T09:30:00Z'],
  ['1615714200000', '2021-03-14T09:30:00Z'],
  ['1000000000', '2001-09-09T01:46:40Z'],
])('%s is %s', (written, date) => expect(isoDate(written)).toBe(date));

test.each([
  '',
  'yesterday',
  '03/04/2020',
  '2021-02-30',
  '14/13/2021',
  '02/30/2021',
  '29 February 2021',
  '2021-13-01',
  '2021-13',
  'Mayhem 3, 2020',
  '12021-03-14',
  'May 3',
  '9999999999',
  '161571420',
  '1615714200000000',
  'Sun Mar 34 09:30:00 UTC 2021',
  `2021-03-14 ${'x'.repeat(100)}`,
])('%s is not read', (written) => expect(isoDate(written)).toBeNull());

test('what is read is read the same again, and any instant of any form is the same day', () => {
  const instant = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, (at) => {
      const day = at.toISOString().slice(0, 10);
      for (const written of [at.toISOString(), at.toUTCString(), day.replaceAll('-', '/'), day.replaceAll('-', '')]) {
        expect(isoDate(written)?.slice(0, 10)).toBe(day);
      }
    }),
  );
  const parts = fc.constantFrom('2021', '-', '03', '/', '.', 'T', '09:30', 'Z', '+01:00', 'Mar', ' ', ',', '14', 'pm', '年', 'x');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
      const date = isoDate(list.join(''));
      if (date === null) return;
      expect(date).toMatch(/^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?)?)?)?$/);
      expect(isoDate(date)).toBe(date);
      expect(Date.parse(date)).not.toBeNaN();
    }),
    { numRuns: runs(5_000) },
  );
});

test.each([
  '14 Kapitel 2021',
  'Kapitel 2021',
  'Seite 12 von 2021',
  '30. Februar 2021',
  '14 août 21',
  'vor 3 Monaten im Mai 2021 gelesen, Seite 4',
  '3 marks 2021',
])('a word that is no month, or a day that does not exist: %s', (written) => {
  expect(isoDate(written)).toBeNull();
});
