import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/base/text/tokens.ts';
import { MAX_PHRASE_WORDS, phraseOf } from '../../../src/reading/topic/phrase.ts';
import { PhraseFinder } from '../../../src/reading/topic/phrase-finder.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

const stands = (phrase: string, text: string) => new PhraseFinder([phraseOf(phrase)]).find(text)[0] === 1;

test.each([
  ['corn', 'Sour CORN.', true],
  ['corn', 'popcorn and corns', false],
  ['peat bog', 'a Peat-Bog', true],
  ['peat bog', 'bog peat', false],
  ['peat bog', 'peat in a bog', false],
  ["l'eau", 'L’EAU', true],
  ['Größe', 'GRO\u0308ßE', true],
  ['Σοφός', 'ΣΟΦΌΣ', true],
  ['１２３', '123', true],
  ['moss*', 'two Mosses', true],
  ['moss*', 'moss', true],
  ['moss*', 'amoss mos', false],
  ['é*', 'e\u0301tude', true],
  ['climat* chang*', 'the climatic changes', true],
  ['climat* chang*', 'the climatic sea changes', false],
  ['climat* change', 'Climate change', true],
  ['2*3', '2 3', true],
  ['2*3', '25 3', false],
])('%s in "%s": %s', (phrase, text, expected) => expect(stands(phrase, text)).toBe(expected));

test('a script without spaces is found wherever its letters stand, also where the tokeniser only makes pairs', () => {
  expect(stands('面包', '黑面包需要酵母')).toBe(true);
  expect(stands('面包', '面和包')).toBe(false);
  expect(stands('机器学习', `${'天地玄黄'.repeat(1000)}机器学习${'宇宙洪荒'.repeat(9)}`)).toBe(true);
  expect(stands('ウェブ', 'ｳｪﾌﾞページ')).toBe(true);
  expect(stands('iPhone 手机', '买IPHONE手机')).toBe(true);
  expect(stands('湿地 保护', '湿地、保护')).toBe(true);
  expect(stands('湿地 保护', '湿地的保护')).toBe(false);
  expect(stands('ภาษา', 'เรียนภาษาไทย')).toBe(true);
});

test('words that only share a hash are not taken for each other', () => {
  const corn = phraseOf('corn crop');
  const forged = { text: 'maize crop', words: corn.words.map((word, i) => (i === 0 ? { ...word, word: 'maize' } : word)) };
  expect([...new PhraseFinder([forged, corn]).find('corn crop')]).toEqual([0, 1]);
});

/** What the finder must find, said slowly: the words of the phrase in a row among the words of the text. */
function standsSlowly(phrase: string, text: string): boolean {
  const [sought, words] = [wordsOf(phrase), wordsOf(text)];
  return words.some((_, i) => sought.every((word, k) => words[i + k] === word));
}

const word = fc.constantFrom('a', 'b', 'ab', 'É', 'e\u0301', 'ﬁ', 'fi', 'ß', 'ñ');
const text = (min: number, max: number) => fc.array(word, { minLength: min, maxLength: max }).map((words) => words.join(' '));

test('one pass finds what a slow search of each phrase finds', () => {
  fc.assert(
    fc.property(fc.array(text(1, 4), { minLength: 1, maxLength: 8 }), text(0, 40), (phrases, page) => {
      const found = new PhraseFinder(phrases.map(phraseOf)).find(page);
      expect([...found]).toEqual(phrases.map((phrase) => (standsSlowly(phrase, page) ? 1 : 0)));
    }),
  );
});

test('the longest phrase is found, at the start of a text and far down', () => {
  const long = Array.from({ length: MAX_PHRASE_WORDS }, (_, i) => `w${i}`).join(' ');
  expect(stands(long, long)).toBe(true);
  expect(stands(long, `${'w0 '.repeat(1000)}${long}`)).toBe(true);
  expect(stands(long, `${'w0 '.repeat(1000)}${long.replace('w7', 'w8')}`)).toBe(false);
});

test('the spelling of a phrase stands for the phrase', () => {
  // Its full-width form is cut into other words.
  const halfWidth = phraseOf('ﾀｰﾄﾟ');
  expect(phraseOf(halfWidth.text)).toEqual(halfWidth);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (source) => {
      const phrase = phraseOf(source);
      expect(phraseOf(phrase.text)).toEqual(phrase);
      expect(phrase.words.length === 0 || phrase.words.length > MAX_PHRASE_WORDS || stands(phrase.text, phrase.text)).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});

test('time grows with the text, however the text repeats the phrase', () => {
  const phrases = ['a a a a b', 'a* a* a* c*', '哈 哈 哈 呵', 'b a a'].map(phraseOf);
  const finder = new PhraseFinder(phrases);
  const ms = (length: number) =>
    cpuMs(() => expect([...finder.find('a '.repeat(length / 4) + '哈'.repeat(length / 2))]).toEqual([0, 0, 0, 0]));
  ms(100_000);
  // Ten times the text takes ten times as long; quadratic work would take a hundred times.
  expect(ms(1_000_000)).toBeLessThan(30 * Math.max(ms(100_000), 20));
});
