import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  oneLineOf,
  paragraphRanges,
  paragraphsOf,
  type Sentence,
  sentencesIn,
  sentencesOf,
  tokensOf,
} from '../../../src/base/text/segments.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

const cut = (text: string, lang: string) =>
  [...paragraphsOf(text)].map((paragraph) =>
    [...sentencesIn(paragraph, lang)].map((one) => [...tokensOf(one, lang)].map(({ form }) => form)),
  );

test.each([
  [
    'en',
    'It’s 3.5 cm (1.4 in). Is it?\n\nYes!',
    [
      [
        ['It’s', '3.5', 'cm', '(', '1.4', 'in', ')', '.'],
        ['Is', 'it', '?'],
      ],
      [['Yes', '!']],
    ],
  ],
  ['de-AT', 'Der Apfel heißt „Elstar“.', [[['Der', 'Apfel', 'heißt', '„', 'Elstar', '“', '.']]]],
  [
    'zh',
    '我喜欢苹果。苹果！',
    [
      [
        ['我', '喜欢', '苹果', '。'],
        ['苹果', '！'],
      ],
    ],
  ],
  ['th', 'ต้นแอปเปิล สูงมาก', [[['ต้น', 'แอปเปิล', 'สูง', 'มาก']]]],
  ['und', 'x\u0000y\u2028 z ', [[['x', 'y', 'z']]]],
  ['no language', 'a\ud800b', [[['a', '\ufffd', 'b']]]],
])('paragraphs, sentences and tokens: %s', (lang, text, expected) => {
  expect(cut(text, lang)).toEqual(expected);
});

test.each([
  ['a paragraph a line, if no line is blank: Forager 0.2', 'Peat.\nBog.\n Fen', [['Peat.'], ['Bog.'], ['Fen']]],
  ['paragraphs at blank lines', 'Peat grows\nslowly.\n\nBog.', [['Peat grows slowly.'], ['Bog.']]],
  ['blank lines with blanks, and several', 'Peat.\n \t\n\n\nBog.\n\n', [['Peat.'], ['Bog.']]],
  ['items are sentences', 'Plants\n\nPeat moss\nHeather\nSundew', [['Plants'], ['Peat moss', 'Heather', 'Sundew']]],
  ['rows with cells', 'Plants\n\nName\tHeight\nHeather\t50 cm', [['Plants'], ['Name Height', 'Heather 50 cm']]],
  [
    'a comma at the end, a small letter at the start',
    'Song\n\nOver the moss,\nThe heather blows\n“and sleeps',
    [['Song'], ['Over the moss, The heather blows “and sleeps']],
  ],
  ['signs of other scripts', '歌\n\n泥炭，\n石楠', [['歌'], ['泥炭， 石楠']]],
])('%s', (_, text, expected) => {
  expect([...paragraphsOf(text)]).toEqual(expected);
});

test('the first line of a paragraph has its blanks, the last has none behind it', () => {
  const text = 'Code:\n\n    if peat:\n        burn()  \n\nEnd';
  expect(Array.from(paragraphRanges(text), ([start, end]) => text.slice(start, end))).toEqual([
    'Code:',
    '    if peat:\n        burn()',
    'End',
  ]);
});

test.each(['\n', ' \n', '\n ', 'a\n', 'a,\n', 'a\n\n'])('a million lines of %j take time in proportion to their number', (line) => {
  const text = line.repeat(400_000 / line.length);
  expectWithin(5000, () => expect([...paragraphsOf(text)].length).toBeGreaterThanOrEqual(0));
});

test('spaces: after a token, after a sentence, and none at the end of a Chinese one', () => {
  const [first, second, third] = [...sentencesOf('树。高！ Yes', 'zh')] as [Sentence, Sentence, Sentence];
  expect([first, second, third]).toEqual([
    { text: '树。', spaceAfter: false },
    { text: '高！', spaceAfter: true },
    { text: 'Yes', spaceAfter: true },
  ]);
  expect([...tokensOf(first, 'zh')]).toEqual([
    { form: '树', spaceAfter: false },
    { form: '。', spaceAfter: false },
  ]);
});

/** Of pieces that decide about breaks, in all scripts, and of any characters. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        '. ',
        '." ',
        '!',
        '。',
        '\u0301',
        ' \u0301',
        '\u200b',
        '\u00a0',
        '\u0085',
        '\ud800',
        'Mr. A',
        '树很高',
        'ต้นแอปเปิล',
        '3,5',
        '👩‍👩‍👧',
        '&<"',
        '_',
        '#',
      ),
      fc.lorem(),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const language = fc.constantFrom('en', 'de', 'zh', 'ja', 'th', 'el', 'und', 'xx-invalid', '');

test('tokens and spaces make the sentence again, and sentences the paragraph', () => {
  fc.assert(
    fc.property(hostileText, language, (text, lang) => {
      for (const paragraph of paragraphsOf(text)) {
        expect(paragraph).toEqual(paragraph.map(oneLineOf));
        let whole = '';
        for (const sentence of sentencesIn(paragraph, lang)) {
          whole += sentence.text + (sentence.spaceAfter ? ' ' : '');
          const tokens = [...tokensOf(sentence, lang)];
          for (const { form } of tokens) expect(form).toMatch(/^[^\s\p{Cc}]+$/u);
          expect(
            tokens
              .map(({ form, spaceAfter }) => form + (spaceAfter ? ' ' : ''))
              .join('')
              .trimEnd(),
          ).toBe(sentence.text);
          expect(tokens.at(-1)?.spaceAfter).toBe(sentence.spaceAfter);
        }
        expect(whole.trimEnd()).toBe(paragraph.join(' '));
      }
    }),
    { numRuns: runs(1500) },
  );
});

test('breaks are those of the segmenter on the whole text, also where it is read in windows', () => {
  const text = 'Mr. Smith grafted 3.5 trees (in May). “Why?” he asked — nobody knew... '.repeat(120).trim();
  const own = [...sentencesOf(text, 'en')].map((one) => one.text);
  const whole = Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text), ({ segment }) => segment.trim());
  expect(own).toEqual(whole);
  const long = { text: text.replaceAll('.', ','), spaceAfter: true };
  const tokens = Array.from(new Intl.Segmenter('en', { granularity: 'word' }).segment(long.text), ({ segment }) => segment).filter(
    (one) => one !== ' ',
  );
  expect([...tokensOf(long, 'en')].map(({ form }) => form)).toEqual(tokens);
});

test.each([
  ['あ', 'ja'],
  ['a', 'en'],
  ['. ', 'en'],
  ['a ', 'en'],
])('a long paragraph without breaks of its kind takes time in proportion to its length: %o', (part, lang) => {
  // At once, 200,000 of the first take 40 seconds.
  expectWithin(20_000, () => {
    let tokens = 0;
    for (const paragraph of paragraphsOf(part.repeat(200_000 / part.length)))
      for (const sentence of sentencesIn(paragraph, lang)) for (const _ of tokensOf(sentence, lang)) tokens++;
    expect(tokens).toBeGreaterThan(0);
  });
});
