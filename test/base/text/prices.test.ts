import { expect, test } from 'vitest';
import { currencyIn, priceIn } from '../../../src/base/text/prices.ts';

test.each([
  ['19.90', [19.9], null],
  ['19,90', [19.9], null],
  ['1.299,00 €', [1299], 'EUR'],
  ['1,299.00', [1299], null],
  ['€ 1.299', [1299], 'EUR'],
  ['1.299', [1.299], null],
  ['12.990.000 ₫', [12_990_000], 'VND'],
  ["CHF 1'299.–", [1299], 'CHF'],
  ['1 299,50 zł', [1299.5], 'PLN'],
  ['KWD 4.250', [4.25], 'KWD'],
  ['£0.999', [0.999], 'GBP'],
  ['US$ 7', [7], 'USD'],
  ['$7', [7], null],
  ['12 990 руб.', [12_990], 'RUB'],
  ['１２００円', [1200], 'JPY'],
  ['١٬٢٩٩٫٥٠', [1299.5], null],
  ['10–25 EUR', [10, 25], 'EUR'],
  ['EUR 25.00 - 10.00', [10, 25], 'EUR'],
  ['5 €, 5,00 €', [5], 'EUR'],
])('%s', (written, amounts, currency) => expect(priceIn(written)).toEqual({ amounts, currency }));

test.each([
  '',
  'on request',
  '-5',
  '20% off',
  '1 2 3',
  '9'.repeat(20),
  'from 10 to 20 with a long explanation of the terms that apply here',
])('no price: %s', (written) => expect(priceIn(written)).toBeNull());

test('a stated currency counts before signs', () => {
  expect(priceIn('1.299 €', 'KWD')).toEqual({ amounts: [1.299], currency: 'KWD' });
  expect(priceIn('$ 5', 'AUD')).toEqual({ amounts: [5], currency: 'AUD' });
});

test.each([
  ['eur', 'EUR'],
  ['  usd ', 'USD'],
  ['R$ 5', 'BRL'],
  ['kr', null],
  ['XYZ', null],
  ['', null],
])('currency in %j', (written, code) => expect(currencyIn(written)).toBe(code));
