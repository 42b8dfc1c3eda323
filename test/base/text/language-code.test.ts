import { expect, test } from 'vitest';
import { languageCode, languageMeant } from '../../../src/base/text/language-code.ts';

test.each([
  ['en', 'en'],
  ['EN-us', 'en'],
  ['de_AT', 'de'],
  ['ger', 'de'],
  ['DEU', 'de'],
  ['iw', 'he'],
  ['zh-Hant-TW', 'zh'],
  ['gsw', 'gsw'],
  ['aaa', 'aaa'],
  ['und', 'und'],
  ['english', null],
  ['xx', null],
  ['jp', null],
  ['e', null],
  ['', null],
  ['*', null],
])('%j is the language %s', (tag, code) => {
  expect(languageCode(tag)).toBe(code);
});

test.each([
  ['english', 'en (English)'],
  ['Englsh', 'en (English)'],
  ['Deutsch', 'de (German)'],
  ['français', 'fr (French)'],
  ['francais', 'fr (French)'],
  ['日本語', 'ja (Japanese)'],
  ['quenya', null],
])('by %s somebody means %s', (name, meant) => {
  expect(languageMeant(name)).toBe(meant);
});
