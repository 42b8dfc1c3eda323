import { expect, test } from 'vitest';
import { languageDetector } from '../../../src/base/text/language.ts';
import { numbersOf } from '../../../src/corpus/pairs/number-tokens.ts';
import { PAIR_FILTERS, sentenceKey } from '../../../src/corpus/pairs/pair-filters.ts';

const basis = { langs: ['en', 'fr'], detect: await languageDetector(), ratio: 1.1 } as const;

/** The first filter that drops a pair by its texts; null if all let it through. */
function droppedBy(left: string, right: string): string | null {
  return PAIR_FILTERS.find((filter) => 'begin' in filter && filter.begin(basis)({ left, right }))?.name ?? null;
}

test.each([
  ['The gardener looks for a basket of apples.', 'Le jardinier cherche un panier de pommes.', null],
  ['12 / 34', '12 / 34', 'no-words'],
  ['***', 'Le jardinier cherche.', 'no-words'],
  ['Apache HTTP Server', 'APACHE http server', 'identical'],
  [
    'The gardener looks for a basket of apples behind the station.',
    'The gardener wants some baskets of apples near a station today.',
    'language',
  ],
  [
    'Der Gärtner sucht am Morgen einen Korb mit Äpfeln hinter dem Bahnhof.',
    'Le jardinier cherche le matin un panier de pommes derrière la gare.',
    'language',
  ],
  [
    'Yes, the gardener does.',
    'Le jardinier cherche un panier de pommes derrière la gare pendant que le boulanger du village répare le pont de bois.',
    'length',
  ],
  ['Built in 1923 by the miller.', 'Construit en 1932 par le meunier.', 'numbers'],
  ['It costs 1,234.50 in the shop.', 'Il coûte 1 234,50 dans la boutique.', null],
  ['The 3 gardeners are here today.', 'Les trois jardiniers sont ici.', null],
])('%s | %s: %s', (left, right, reason) => expect(droppedBy(left, right)).toBe(reason));

test.each([
  ['10.05.2010', '10 2010'],
  ['2010-05-10', '10 2010'],
  ['1.234 or 1,234 or 1 234', '1234'],
  ['١٩٢٣ and １９２３', '1923'],
  ['007, 7 and 70', '70'],
  ['no number', ''],
])('the numbers of %s are %s', (text, numbers) => expect(numbersOf(text)).toBe(numbers));

test('near-duplicates have one key', () => {
  expect(sentenceKey('Built in 1923, by the Miller!')).toBe(sentenceKey('built in 1924 by the miller'));
  expect(sentenceKey('Élevé')).toBe(sentenceKey('eleve'));
  expect(sentenceKey('ёлка')).toBe(sentenceKey('елка'));
  expect(sentenceKey('كِتَابٌ')).toBe(sentenceKey('كتاب'));
  expect(sentenceKey('the miller')).not.toBe(sentenceKey('the miner'));
});

test.each([
  ['Hindi', 'कमल किला', 'काम लेकिन कल'],
  ['Thai', 'ป่า', 'ปี'],
  ['Tamil', 'கல்', 'கால்'],
  ['Japanese', 'かき', 'かぎ'],
])('words of %s that differ in their vowel signs have two keys', (_, left, right) =>
  expect(sentenceKey(left)).not.toBe(sentenceKey(right)),
);
