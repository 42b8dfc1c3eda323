/** Words and tokens beside Intl.Segmenter, whose rules they follow. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textCounts } from '../../../src/base/text/word-counts.ts';
import { expectWithin } from '../../support/cpu-time.ts';

function bySegmenter(text: string): { readonly words: number; readonly tokens: number } {
  const segments = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)].filter(({ segment }) => segment.trim() !== '');
  return { words: segments.filter(({ isWordLike }) => isWordLike).length, tokens: segments.length };
}

const TEXTS = {
  English: "The baker's dozen (13) wasn't $1,000.50 — see https://example.org/a_b, e.g. today.",
  German: 'Die Veredelung ist seit 2.000 Jahren bekannt; z.B. bei den „Alten“ (234–149 v.Chr.). Preis: 3,50 €.',
  French: "L'eau et l’arbre: aujourd'hui, c'est 12,5 % de l'an 2021 !",
  Russian: 'Прививка яблони — это старый способ, известный с древних времён.',
  Arabic: 'التطعيم هو طريقة قديمة، وقد عرفها الرومان.',
  Hindi: 'सेब के पेड़ की कलम लगाना एक पुरानी विधि है।',
  Korean: '사과나무 접붙이기는 아주 오래된 방법이다.',
  Thai: 'การเสียบยอดต้นแอปเปิลเป็นวิธีที่เก่าแก่มาก',
};

test.each(Object.entries(TEXTS))('%s: words and tokens of Intl.Segmenter', (_, text) => {
  expect(textCounts(text)).toEqual({ characters: text.length, ...bySegmenter(text) });
});

test.each([
  ['Chinese', '泥炭蘚是一種生長在沼澤中的植物，它可以吸收大量的水分。', 40],
  ['Japanese', 'りんごの木を接ぎ木する方法は、とても古くから知られています。', 40],
  ['Chinese and English', 'The 苹果 apple (Malus domestica) 树，在 orchard 里。', 40],
])('%s: within a tenth of Intl.Segmenter, also in a text of which a part is segmented', (_, text, times) => {
  const long = Array.from({ length: times }, () => text).join('\n');
  const expected = bySegmenter(long);
  const { words, tokens } = textCounts(long);
  expect(Math.abs(words / expected.words - 1)).toBeLessThan(0.1);
  expect(Math.abs(tokens / expected.tokens - 1)).toBeLessThan(0.1);
});

test('real prose and source: within a hundredth', () => {
  for (const name of ['README.md', 'docs/style.md', 'src/corpus/records/records.ts']) {
    const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8').slice(0, 8000);
    const { words, tokens } = bySegmenter(text);
    const counted = textCounts(text);
    expect(Math.abs(counted.words / words - 1)).toBeLessThan(0.01);
    expect(Math.abs(counted.tokens / tokens - 1)).toBeLessThan(0.01);
  }
});

test('nothing, spaces, and texts without words', () => {
  expect(textCounts('')).toEqual({ characters: 0, words: 0, tokens: 0 });
  expect(textCounts(' \n\t\u00a0')).toEqual({ characters: 4, words: 0, tokens: 0 });
  expect(textCounts('... !')).toEqual({ characters: 5, words: 0, tokens: 4 });
});

test('time is linear in text that is made to be slow, and long texts count at the rate of their start', () => {
  const hostile = ["'", "a'", '1,', '\u0301', '泥', '泥a', 'a', '\ud83c'].map((unit) => unit.repeat(1_500_000 / unit.length));
  expectWithin(4000, () => hostile.forEach((text) => void textCounts(text)));
  expect(textCounts('one two '.repeat(500_000))).toEqual({ characters: 4_000_000, words: 1_000_000, tokens: 1_000_000 });
});
