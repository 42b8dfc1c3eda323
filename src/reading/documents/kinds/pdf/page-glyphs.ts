/** Characters of a page with their places, in the order of PDFium: that of the file, and from right to left in logical order. */
import { PageTargets } from './page-targets.ts';
import type { PdfFile } from './pdf-file.ts';

export interface Glyph {
  /** A character, or several of a ligature. */
  readonly text: string;
  /** Left and right end and baseline, in points, as if its line were horizontal: y grows upwards. */
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Size of the type, in points. */
  readonly size: number;
  /** Direction of its line: quarter turns, 0 to 3. */
  readonly turn: number;
  /** White space before it: of the file, or made by PDFium from its place. */
  readonly space: 'written' | 'made' | null;
  /** Is it a hyphen at the end of a line by PDFium's own judgement? */
  readonly hyphen: boolean;
  readonly href: string | null;
}

/** Characters of one page that are read: a page of small print has 10,000; a plotted map may have any number of labels. */
const MOST_GLYPHS = 200_000;
/** Presentation forms, ligatures and radicals, which stand for the letters of other blocks. */
const COMPATIBLE = /[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufdff\ufe70-\ufefe]/;
/** Controls, private and unassigned characters, and marks of order: they have no text. */
const NO_TEXT = /[\p{Cc}\p{Co}\p{Cn}\ufffd]|(?![\u200c\u200d])\p{Cf}/u;
const SPACE = /\s/;
const HYPHEN_MARK = 2;

interface Style {
  readonly size: number;
  readonly turn: number;
}

export function pageGlyphs(file: PdfFile, page: number, text: number, base: string | null): Glyph[] {
  const { pdfium } = file;
  const { calls, ofCharacters } = pdfium;
  const targets = new PageTargets(file, page, text, base);
  const styles = new Map<number, Style>();
  const glyphs: Glyph[] = [];
  let space: Glyph['space'] = null;
  const count = Math.min(calls.FPDFText_CountChars(text), MOST_GLYPHS);
  for (let i = 0; i < count; i++) {
    const code = ofCharacters.GetUnicode(text, i);
    const shown = code === HYPHEN_MARK ? '-' : shownText(code);
    if (shown === '' || SPACE.test(shown)) {
      if (shown !== '' && space !== 'written') space = ofCharacters.IsGenerated(text, i) ? 'made' : 'written';
      continue;
    }
    const style = styleOf(pdfium, text, i, styles);
    const place = placeOf(pdfium, text, i, style.turn);
    if (place === null) continue;
    const { left, right, y, middle } = place;
    const href = targets.at(i, ...middle);
    glyphs.push({ text: shown, left, right, y, ...style, space, hyphen: code === HYPHEN_MARK, href });
    space = null;
  }
  return glyphs;
}

function shownText(code: number): string {
  if (code <= 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return '';
  const one = String.fromCodePoint(code);
  if (code === 9 || code === 10 || code === 13) return ' ';
  if (code === 0xad) return '\u00ad';
  if (NO_TEXT.test(one)) return '';
  return COMPATIBLE.test(one) ? one.normalize('NFKC') : one;
}

/** Size and direction of the text object of a character. */
function styleOf(pdfium: PdfFile['pdfium'], text: number, index: number, known: Map<number, Style>): Style {
  const { calls, ofCharacters, scratch } = pdfium;
  const object = ofCharacters.GetTextObject(text, index);
  const before = known.get(object);
  if (before !== undefined && object !== 0) return before;
  const nominal = calls.FPDFText_GetFontSize(text, index);
  const hasMatrix = calls.FPDFText_GetMatrix(text, index, scratch);
  const [a = 1, b = 0, c = 0, d = 1] = hasMatrix ? [0, 1, 2, 3].map((at) => pdfium.float(at)) : [];
  const size = Math.abs(nominal) * (Math.hypot(c, d) || 1);
  const turn = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
  const style = { size: Number.isFinite(size) && size > 0 ? size : 1, turn };
  known.set(object, style);
  return style;
}

interface Place extends Pick<Glyph, 'left' | 'right' | 'y'> {
  /** Middle of the character on the page as it is. */
  readonly middle: readonly [x: number, y: number];
}

/** Place of a character, turned by quarters until its line is horizontal; null if it has none. */
function placeOf(pdfium: PdfFile['pdfium'], text: number, index: number, turn: number): Place | null {
  const { ofCharacters, scratch } = pdfium;
  if (!ofCharacters.GetCharOrigin(text, index, scratch, scratch + 8)) return null;
  const [x, y] = [pdfium.double(0), pdfium.double(1)];
  if (!ofCharacters.GetLooseCharBox(text, index, scratch)) return null;
  const [left, top, right, bottom] = [pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3)];
  const middle = [(left + right) / 2, (top + bottom) / 2] as const;
  if (turn === 1) return { left: bottom, right: top, y: -x, middle };
  if (turn === 2) return { left: -right, right: -left, y: -y, middle };
  if (turn === 3) return { left: -top, right: -bottom, y: x, middle };
  return { left, right, y, middle };
}
