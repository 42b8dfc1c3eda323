/** Has a page changed? Prints of its main text decide. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameText, linesPrint } from '../../../src/base/core/same-text.ts';
import { simhash } from '../../../src/base/text/simhash.ts';

const print = (text: string) => ({ simhash: simhash(text), lines: linesPrint(text) });
const isSame = (one: string, other: string) => isSameText(print(one), print(other));
const SENTENCES = Array.from(
  { length: 60 },
  (_, i) => `The ${i}th sentence of this page says that moss number ${i * 7} grows on stone ${i * 13}.`,
);
const PAGE = SENTENCES.join('\n');

test('the same text is the same; another order of its lines too, as far as the simhash sees it so', () => {
  expect(isSame(PAGE, PAGE)).toBe(true);
  expect(linesPrint([...SENTENCES].reverse().join('\n'))).toBe(linesPrint(PAGE));
  expect(linesPrint(PAGE.replaceAll(' ', '  '))).not.toBe(0);
});

test.each([
  ['a date', 'Updated on 3 May 2024', 'Updated on 4 June 2024'],
  ['a counter', '1,204 people read this', '1,377 people read this'],
  ['an author', 'by Ann', 'by Ben'],
])('%s in a line of its own is no change', (_what, before, now) => {
  expect(isSame(`${before}\n${PAGE}`, `${now}\n${PAGE}`)).toBe(true);
});

test.each([
  ['a number in a sentence', PAGE, PAGE.replace('number 7 grows', 'number 8 grows')],
  ['a sentence more', PAGE, `${PAGE}\nA last sentence, which nobody had expected to be here.`],
  ['a sentence less', PAGE, SENTENCES.slice(1).join('\n')],
  [
    'a sentence behind the part that the simhash reads',
    `${PAGE}\n${PAGE}\n${PAGE}`,
    `${PAGE}\n${PAGE}\n${PAGE}\nAnother sentence at the very end of a long page.`,
  ],
  ['a sentence in a script without spaces', '苔藓植物门是一类没有维管束的陆生植物。', '苔藓植物门是一类没有维管束的水生植物。'],
  ['a short text', 'Closed', 'Open'],
])('%s is a change', (_what, before, now) => {
  expect(isSame(before, now)).toBe(false);
});

test('without a print, or with that of an earlier version, nothing is known to be the same', () => {
  expect(isSameText({}, {})).toBe(false);
  expect(isSameText({ simhash: simhash(PAGE) }, print(PAGE))).toBe(false);
});

test('any other line that says something is a change', () => {
  const line = fc
    .string({ minLength: 40, unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '苔') })
    .filter((text) => text.replaceAll(' ', '').length >= 40);
  fc.assert(
    fc.property(line, line, (one, other) => {
      fc.pre(one.replaceAll(' ', '') !== other.replaceAll(' ', ''));
      expect(linesPrint(`${PAGE}\n${one}`)).not.toBe(linesPrint(`${PAGE}\n${other}`));
    }),
  );
});

test('the print is the sum of the hashes of its sentences, a character after the other, without white space', () => {
  const fnv = (text: string) => [...text].reduce((hash, unit) => Math.imul(hash ^ unit.charCodeAt(0), 0x01000193), 0x811c9dc5 | 0);
  const textIn = (line: string) => line.replaceAll(/[\0- ]/g, '');
  const sizeOf = (line: string) => line.length + 2 * line.replaceAll(/[^\u2e80-\uffff]/g, '').length;
  const text = fc.string({ unit: fc.constantFrom('ab', 'c', 'é', '苔', ' ', '\t', '\0', '\n'), maxLength: 300 });
  fc.assert(
    fc.property(text, (any) => {
      const said = any.split('\n').filter((line) => sizeOf(line) >= 40);
      const sum = said.reduce((all, line) => all + fnv(textIn(line)), 0);
      expect(linesPrint(any)).toBe((said.length === 0 ? fnv(textIn(any)) : sum) >>> 0);
    }),
  );
});
