/** Levels of headings by the size of their type: the largest of the document is level 1. */

import { type TextLine, textOfLine } from './glyph-lines.ts';
import type { PdfParagraph } from './line-paragraphs.ts';

/** A heading's type is at least so much larger than that of the body. */
const LARGER = 1.12;
/** Sizes that differ by less are one: scaled pages have many. */
const SAME = 1.06;
/** Longest heading, in characters. */
const LONGEST = 250;
const LEVELS = 6;

export class HeadingSizes {
  /** The largest size of each level, descending. */
  readonly #sizes: readonly number[];
  readonly #body: number;

  constructor(paragraphs: readonly PdfParagraph[]) {
    this.#body = bodySize(paragraphs);
    const sizes = new Set(paragraphs.filter((one) => this.#isHeading(one)).map(({ lines }) => sizeOf(lines)));
    const levels: number[] = [];
    for (const size of [...sizes].sort((a, b) => b - a)) if ((levels.at(-1) ?? Number.POSITIVE_INFINITY) / size >= SAME) levels.push(size);
    this.#sizes = levels;
  }

  /** Level of a heading, from 1 to 6; null for other paragraphs. */
  levelOf(paragraph: PdfParagraph): number | null {
    if (!this.#isHeading(paragraph)) return null;
    const size = sizeOf(paragraph.lines);
    const level = this.#sizes.findLastIndex((largest) => size <= largest);
    return Math.min(level + 1, LEVELS);
  }

  /** The largest heading of a page, as text; null without one. */
  largestOf(page: number, paragraphs: readonly PdfParagraph[]): string | null {
    const headings = paragraphs.filter((one) => one.lines[0]?.page === page && this.#isHeading(one));
    const [largest] = headings.sort((a, b) => sizeOf(b.lines) - sizeOf(a.lines));
    return largest === undefined ? null : largest.lines.map(textOfLine).join(' ').replaceAll(/\s+/g, ' ');
  }

  #isHeading({ kind, lines }: PdfParagraph): boolean {
    if (kind !== 'paragraph' || sizeOf(lines) < LARGER * this.#body) return false;
    const text = lines.map(textOfLine).join(' ');
    return text.length <= LONGEST && /\p{L}/u.test(text);
  }
}

/** Size of the most characters. */
function bodySize(paragraphs: readonly PdfParagraph[]): number {
  const counts = new Map<number, number>();
  for (const { lines } of paragraphs)
    for (const line of lines) counts.set(line.size, (counts.get(line.size) ?? 0) + textOfLine(line).length);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [Number.POSITIVE_INFINITY, 0])[0];
}

function sizeOf(lines: readonly TextLine[]): number {
  return lines[0]?.size ?? 0;
}
