/** Lines of a page by baseline, words by gap, cells by wide gap. Gaps are in parts of the size of type. */
import { UNSPACED_EXTENDED } from '../../../../base/text/unspaced-scripts.ts';
import type { Glyph } from './page-glyphs.ts';

/** Words with one target. */
export interface TextRun {
  readonly text: string;
  readonly href: string | null;
}

export interface Cell {
  readonly runs: readonly TextRun[];
  readonly left: number;
  readonly right: number;
}

export interface TextLine {
  /** Number of its page, from 0. */
  readonly page: number;
  readonly turn: number;
  readonly cells: readonly Cell[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Size of most of its characters, in points, to a tenth. */
  readonly size: number;
  /** Does it end with a hyphen that PDFium takes for one of a broken word? */
  readonly hyphen: boolean;
}

/** A space takes a quarter of the size; letters of one word lie nearer. */
const WORD_GAP = 0.25;
/** PDFium makes a space where the size or the height changes, too: after a raised mark. */
const MADE_GAP = 0.1;
/** A gap of justified type seldom has one and a half sizes. */
const CELL_GAP = 1.6;
/** A raised or lowered mark is on the line. */
const BASELINE = 0.5;
/** A kerned letter begins before the end of the one before. */
const KERNING = 0.6;
/** Letters from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const MARK_BEFORE_NUMBER = /(^|\s)([.,:;!?\u060c\u061b\u061f]+)(\p{Nd}+(?:[.,:/-]\p{Nd}+)*)(?=\s|$)/gu;
/** A mark belongs to the letter before it, though PDFium may see a gap between them. */
const MARK = /^\p{M}/u;
const UNSPACED = new RegExp(`[${UNSPACED_EXTENDED}]`, 'u');

export function linesOfGlyphs(glyphs: readonly Glyph[], page: number): TextLine[] {
  const lines: TextLine[] = [];
  let line: LineBuilder | null = null;
  for (const glyph of glyphs) {
    if (line?.take(glyph)) continue;
    if (line) lines.push(line.line(page));
    line = new LineBuilder(glyph);
  }
  if (line) lines.push(line.line(page));
  return lines;
}

class LineBuilder {
  readonly #first: Glyph;
  #last: Glyph;
  /** Baseline of the character with the largest type so far. */
  #main: Glyph;
  #isRightToLeft: boolean;
  readonly #cells: { runs: { text: string; href: string | null }[]; left: number; right: number }[] = [];
  readonly #sizes = new Map<number, number>();

  constructor(first: Glyph) {
    this.#first = first;
    this.#last = first;
    this.#main = first;
    this.#isRightToLeft = RIGHT_TO_LEFT.test(first.text);
    this.#newCell(first);
    this.#count(first);
  }

  /** Adds a character if it belongs to the line. */
  take(glyph: Glyph): boolean {
    const last = this.#last;
    if (glyph.turn !== last.turn) return false;
    if (isSameGlyph(last, glyph)) {
      this.#add(glyph, false);
      return true;
    }
    if (!this.#isOnLine(glyph)) return false;
    this.#isRightToLeft ||= RIGHT_TO_LEFT.test(glyph.text);
    const gap = gapOf(last, glyph);
    const size = Math.max(last.size, glyph.size);
    if (!this.#isRightToLeft && gap > CELL_GAP * size) this.#newCell(glyph);
    else this.#add(glyph, this.#isSpaced(glyph, gap / size));
    this.#count(glyph);
    return true;
  }

  line(page: number): TextLine {
    if (this.#isRightToLeft) for (const { runs } of this.#cells) for (const run of runs) run.text = withMarksBehindNumbers(run.text);
    const [size = this.#first.size] = [...this.#sizes].reduce((most, one) => (one[1] > most[1] ? one : most), [this.#first.size, 0]);
    return {
      page,
      turn: this.#first.turn,
      cells: this.#cells,
      left: Math.min(...this.#cells.map(({ left }) => left)),
      right: Math.max(...this.#cells.map(({ right }) => right)),
      y: this.#main.y,
      size,
      hyphen: this.#last.hyphen,
    };
  }

  #isSpaced(glyph: Glyph, gap: number): boolean {
    if (glyph.space !== 'written' && MARK.test(glyph.text)) return false;
    if (glyph.space === 'written' || this.#isRightToLeft) return glyph.space !== null;
    if (isUnspaced(this.#last, glyph)) return gap > WORD_GAP && glyph.space !== null;
    return gap > (glyph.space === 'made' ? MADE_GAP : WORD_GAP);
  }

  #isOnLine(glyph: Glyph): boolean {
    const size = Math.max(this.#main.size, glyph.size);
    if (Math.abs(glyph.y - this.#main.y) > BASELINE * size) return this.#isBelow(glyph);
    // From right to left, numbers and foreign words go the other way.
    if (this.#isRightToLeft || RIGHT_TO_LEFT.test(glyph.text)) return true;
    return glyph.left >= this.#last.right - KERNING * size || glyph.right > this.#last.right;
  }

  /** Does it follow in a vertical line? */
  #isBelow(glyph: Glyph): boolean {
    const { size, y, left, right } = this.#last;
    const isUnder = Math.abs(glyph.left + glyph.right - left - right) < 0.5 * size && y - glyph.y > 0.5 * size && y - glyph.y < 1.6 * size;
    return isUnder && this.#isVertical(glyph);
  }

  #isVertical(glyph: Glyph): boolean {
    const [cell] = this.#cells;
    return isUnspaced(this.#last, glyph) && this.#cells.length === 1 && cell !== undefined && cell.right - cell.left < 1.5 * glyph.size;
  }

  #newCell(glyph: Glyph): void {
    this.#cells.push({ runs: [{ text: glyph.text, href: glyph.href }], left: glyph.left, right: glyph.right });
  }

  #add(glyph: Glyph, isSpaced: boolean): void {
    const cell = this.#cells.at(-1);
    const run = cell?.runs.at(-1);
    if (cell === undefined || run === undefined) return;
    cell.left = Math.min(cell.left, glyph.left);
    cell.right = Math.max(cell.right, glyph.right);
    const text = (isSpaced ? ' ' : '') + glyph.text;
    if (run.href === glyph.href) run.text += text;
    else if (isSpaced && glyph.href !== null && run.href !== null)
      cell.runs.push({ text: ' ', href: null }, { text: glyph.text, href: glyph.href });
    else if (isSpaced && glyph.href !== null) {
      run.text += ' ';
      cell.runs.push({ text: glyph.text, href: glyph.href });
    } else cell.runs.push({ text, href: glyph.href });
  }

  #count(glyph: Glyph): void {
    this.#last = glyph;
    if (glyph.size > this.#main.size * 1.1) this.#main = glyph;
    const size = Math.round(glyph.size * 10) / 10;
    this.#sizes.set(size, (this.#sizes.get(size) ?? 0) + 1);
  }
}

/** Is it a further letter of a ligature? PDFium gives all of them the place of the first. */
function isSameGlyph(last: Glyph, next: Glyph): boolean {
  return last.left === next.left && last.right === next.right && last.y === next.y && last.right > last.left;
}

/** The distance between two characters in either direction; negative if they overlap. */
function gapOf(last: Glyph, next: Glyph): number {
  return Math.max(next.left - last.right, last.left - next.right);
}

/** The text of a line from right to left, with marks behind numbers: PDFium puts them before. */
function withMarksBehindNumbers(text: string): string {
  return text.replace(MARK_BEFORE_NUMBER, '$1$3$2');
}

function isUnspaced(last: Glyph, next: Glyph): boolean {
  return UNSPACED.test(last.text) && UNSPACED.test(next.text);
}

/** Words of a line, a tab between its cells. */
export function textOfLine({ cells }: Pick<TextLine, 'cells'>): string {
  return cells.map(({ runs }) => runs.map(({ text }) => text).join('')).join('\t');
}
