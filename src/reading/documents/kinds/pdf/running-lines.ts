/** Heads, feet and page numbers: lines that recur on three or more pages at one height, near the upper or lower end of the page. */
import { grouped } from '../../../../base/core/grouped.ts';
import { type TextLine, textOfLine } from './glyph-lines.ts';

const PAGES = 3;
/** A line of type so much larger than that of the text is a heading. */
const LARGER = 1.2;
/** Share of the page's height, at either end, in which such lines are. */
const MARGIN = 0.15;
/** Heights within so many points are one. */
const SAME_HEIGHT = 3;
/** A number that may be that of a page, in digits or in Roman numerals. */
const NUMBER = /(?<![\p{L}\p{Nd}])(?:\p{Nd}{1,5}|(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3}))(?![\p{L}\p{Nd}])/giu;

/** The other lines. @param lines of all pages, in their order */
export function withoutRunningLines(lines: readonly TextLine[]): readonly TextLine[] {
  const ends = [...grouped(lines, ({ page }) => page).values()].flatMap(pageEnds);
  const pages = new Map<string, Set<number>>();
  for (const line of ends.flat()) {
    for (const key of keysOf(line)) {
      const known = pages.get(key) ?? new Set();
      pages.set(key, known.add(line.page));
    }
  }
  const largest = LARGER * sizeOfText(lines);
  const recurs = (line: TextLine) => line.size <= largest && keysOf(line).some((key) => (pages.get(key)?.size ?? 0) >= PAGES);
  const running = new Set(ends.flatMap((end) => whileTrue(end, recurs)));
  return running.size === 0 ? lines : lines.filter((line) => !running.has(line));
}

/** The size of type of most characters. */
function sizeOfText(lines: readonly TextLine[]): number {
  const sizes = new Map<number, number>();
  for (const line of lines) sizes.set(line.size, (sizes.get(line.size) ?? 0) + textOfLine(line).length);
  return [...sizes].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

/** Lines near the upper and the lower end of a page, from the end towards the middle. */
function pageEnds(lines: readonly TextLine[]): [TextLine[], TextLine[]] {
  const down = [...lines].sort((a, b) => b.y - a.y);
  const [highest, lowest] = [down[0]?.y ?? 0, down.at(-1)?.y ?? 0];
  const margin = MARGIN * (highest - lowest);
  return [down.filter(({ y }) => y >= highest - margin), [...down].reverse().filter(({ y }) => y <= lowest + margin)];
}

/** The first lines, up to one for which the test fails: behind the first line of text, all is text. */
function whileTrue(lines: readonly TextLine[], test: (line: TextLine) => boolean): readonly TextLine[] {
  const end = lines.findIndex((line) => !test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/**
 * The words at two grids of heights: equal heights are in one box of at least one of them. One of the numbers may follow the pages, as page numbers do; a
 * number of chapters does not.
 */
function keysOf(line: TextLine): string[] {
  const words = textOfLine(line).replace(/\s+/g, ' ').trim();
  const forms = [words, ...Array.from(words.matchAll(NUMBER), (found) => withOffset(words, found, line.page))];
  return forms.flatMap((form) =>
    [0, 0.5].map((shift) => `${shift} ${Math.round(line.y / (2 * SAME_HEIGHT) + shift)} ${line.turn} ${form}`),
  );
}

/** The words with a number in relation to that of the page. */
function withOffset(words: string, { 0: number, index }: RegExpExecArray, page: number): string {
  return `${words.slice(0, index)}#${numberIn(number) - page}${words.slice(index + number.length)}`;
}

function numberIn(number: string): number {
  const digits = number.replaceAll(/\p{Nd}/gu, (digit) => String(digitOf(digit)));
  return /^\d/.test(digits) ? Number(digits) : romanValue(number.toLowerCase());
}

/** The value of a digit of any script: ten in a row. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanValue(numeral: string): number {
  const values = Array.from(numeral, (letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}
