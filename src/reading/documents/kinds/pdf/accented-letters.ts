/** Letters with an accent that a program set as a character of its own, above or below them, as TeX does: they are one letter. */
import type { Glyph } from './page-glyphs.ts';

/** Accents that take a place, and those that combine with the letter before. */
const COMBINING: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['\u00b4', '\u0301'],
  ['\u02ca', '\u0301'],
  ['\u02cb', '\u0300'],
  ['^', '\u0302'],
  ['\u02c6', '\u0302'],
  ['~', '\u0303'],
  ['\u02dc', '\u0303'],
  ['\u00af', '\u0304'],
  ['\u02c9', '\u0304'],
  ['\u02d8', '\u0306'],
  ['\u02d9', '\u0307'],
  ['\u00a8', '\u0308'],
  ['\u02da', '\u030a'],
  ['\u02dd', '\u030b'],
  ['\u02c7', '\u030c'],
  ['\u00b8', '\u0327'],
  ['\u02db', '\u0328'],
]);
/** Letters without their dot, under an accent. */
const DOTLESS: Readonly<Record<string, string>> = { '\u0131': 'i', '\u0237': 'j' };
const LETTER = /^\p{L}$/u;

/** The characters of a page, those of accents joined with their letters. */
export function withAccents(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(({ text }) => COMBINING.has(text))) return glyphs;
  const joined: Glyph[] = [];
  for (let at = 0; at < glyphs.length; at++) {
    const [glyph, next, last] = [glyphs[at], glyphs[at + 1], joined.at(-1)];
    if (glyph === undefined) continue;
    const behind = accented(next, glyph);
    const before = behind ?? accented(last, glyph);
    if (behind !== null) {
      joined.push({ ...behind, space: glyph.space });
      at += 1;
    } else if (before !== null) joined[joined.length - 1] = before;
    else joined.push(glyph);
  }
  return joined;
}

/** The letter with the accent; null if they are not over each other, or if no such letter exists. */
function accented(letter: Glyph | undefined, accent: Glyph): Glyph | null {
  const mark = COMBINING.get(accent.text);
  if (mark === undefined || letter === undefined || !LETTER.test(letter.text) || !isOver(letter, accent)) return null;
  const text = `${DOTLESS[letter.text] ?? letter.text}${mark}`.normalize('NFC');
  return LETTER.test(text) ? { ...letter, text } : null;
}

function isOver(letter: Glyph, accent: Glyph): boolean {
  const middle = (accent.left + accent.right) / 2;
  const isNear = letter.turn === accent.turn && Math.abs(letter.y - accent.y) < letter.size / 2;
  return isNear && middle > letter.left && middle < letter.right;
}
