import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contribution } from '../../../src/base/core/parts/reading.ts';
import { bestPassage } from '../../../src/reading/topic/passage.ts';

const TEXT =
  'The tram leaves at six. Moss is a plant. It grows on peat, and peat moss holds water. The driver counts the change.\nThe end comes late.';

function of(...shares: [string, number][]): Contribution[] {
  return shares.map(([feature, contribution]) => ({ feature, contribution }));
}

test('the sentences with the largest sum of positive contributions, whole', () => {
  const passage = bestPassage(TEXT, of(['moss', 1], ['peat', 0.8], ['tram', 0.1], ['driver', -5]), 70);
  expect(passage.text).toBe('Moss is a plant. It grows on peat, and peat moss holds water.');
  expect(passage).toMatchObject({ fromStart: false, toEnd: false });
});

test('each occurrence has an equal part of a contribution; a pair gives half to each of its words; offsets are of the passage', () => {
  const { text, words } = bestPassage(TEXT, of(['moss', 1], ['peat moss', 0.4], ['the', -0.3]), 50);
  expect(words.map(({ start, end, contribution }) => [text.slice(start, end), Number(contribution.toFixed(6))])).toEqual([
    ['peat', 0.2],
    ['moss', 0.7],
  ]);
});

test('names that share a bucket share what it contributes; other name spaces are of no text', () => {
  const { words } = bestPassage('Moss and fern and moss.', of(['moss|fern|absent', 0.9], ['title:moss', 5]), 100);
  expect(words.map(({ contribution }) => Number(contribution.toFixed(6)))).toEqual([0.3, 0.3, 0.3]);
});

test('words are found as they are folded, in scripts without spaces too', () => {
  expect(bestPassage('STRASSE Größe', of(['größe', 1]), 50).words.length).toBe(1);
  const { text, words } = bestPassage('今天天气很好。面包师做面包。', of(['面包', 1]), 8);
  expect(text).toBe('面包师做面包。');
  expect(words.length).toBeGreaterThan(0);
  for (const { start, end } of words) expect(text.slice(start, end)).toBe('面包');
});

test('a sentence longer than the passage is cut; a page without gain shows its beginning; an empty page nothing', () => {
  expect(bestPassage('word '.repeat(100), of(['word', 1]), 20)).toMatchObject({ text: 'word word word word', toEnd: false });
  expect(bestPassage(TEXT, of(['tram', -1]), 50)).toMatchObject({ text: TEXT.slice(0, 50).trimEnd(), fromStart: true, toEnd: false });
  expect(bestPassage(TEXT, [], 1000)).toMatchObject({ text: TEXT, fromStart: true, toEnd: true });
  expect(bestPassage('', of(['moss', 1]), 30)).toEqual({ text: '', fromStart: true, toEnd: true, words: [] });
});

test('sentences behind the best one fill what is left', () => {
  expect(bestPassage(TEXT, of(['tram', 1]), 50).text).toBe('The tram leaves at six. Moss is a plant.');
  expect(bestPassage(TEXT, of(['late', 1]), 60).text).toBe('The driver counts the change.\nThe end comes late.');
});

test('whatever the text: no longer than asked, a part of it, its words within it and in order', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 80 }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'the', '的'), fc.float({ noNaN: true, min: -2, max: 2 }))),
      (text, size, shares) => {
        const passage = bestPassage(text, of(...shares), size);
        expect(passage.text.length).toBeLessThanOrEqual(size);
        expect(text).toContain(passage.text);
        let before = 0;
        for (const { start, end } of passage.words) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(passage.text.length);
      },
    ),
  );
});
