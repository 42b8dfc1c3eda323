/** The class of each UTF-16 code unit for the tokeniser, and its folded form. */
import { UNSPACED_EXTENDED } from './unspaced-scripts.ts';

/** Values of `LETTERS` that are classes; all others are the folded code unit of a letter or digit that folds by itself. */
export const SEPARATOR = 0;
/** Class of a unit whose block of 256 is not filled yet: see `fillBlock`. */
export const UNKNOWN = 1;
/** Folds only together with its neighbours or to another number of units: ligatures, full-width forms, jamo, surrogates. */
export const COMPLEX = 2;
/** Combining mark or invisible joiner: continues a word, and cannot start one. */
export const EXTENDER = 3;
/** Character of a script that writes no spaces between words, and its own folded form. */
export const UNSPACED = 4;
/** Character of such a script that folds like a COMPLEX character: marks, half-width kana, compatibility ideographs. */
export const UNSPACED_COMPLEX = 5;
export const LAST_CLASS = UNSPACED_COMPLEX;

/** Class or folded form of each code unit, shape [65536]. Blocks are filled on first use: a text needs few of them, and filling all takes 0.1 s. */
export const LETTERS = new Uint16Array(65536).fill(UNKNOWN);

/** Invisible inside words: soft hyphen, zero-width (non-)joiner, word joiner, byte order mark. */
const INVISIBLE = /[\u00AD\u200C\u2060\uFEFF]|\u200D/;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'g');
const WORD_CHAR = /^[\p{L}\p{N}\p{M}]$/u;
const MARK = /^\p{M}$/u;
const UNSPACED_SCRIPT = new RegExp(`^[${UNSPACED_EXTENDED}]$`, 'u');

/**
 * The form in which words are compared: NFKC, lower case, without invisible joiners, final sigma as any sigma. Idempotent. `scanWords` calls it only
 * for words with complex characters; for all others, `LETTERS` gives the same form.
 */
export function foldWord(word: string): string {
  const visible = INVISIBLE.test(word) ? word.replace(ALL_INVISIBLE, '') : word;
  const composed = visible.normalize('NFKC');
  const lower = composed.toLowerCase();
  // Lower-casing can undo the normal form; a word that it did not change needs no second pass.
  return lower === composed ? lower.replaceAll('ς', 'σ') : lower.normalize('NFKC').replaceAll('ς', 'σ');
}

/** Class of the character at `at`, with surrogate pairs as one, or the folded form of a letter as in `LETTERS`. A lone surrogate is a SEPARATOR. */
export function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdfff) {
    const codePoint = text.codePointAt(at) ?? 0;
    return codePoint > 0xffff ? astralLetter(codePoint) : SEPARATOR;
  }
  const letter = LETTERS[code] ?? SEPARATOR;
  return letter === UNKNOWN ? fillBlock(code) : letter;
}

/** Classes of characters beyond the Basic Multilingual Plane that were met: at most the 100,000 letters of Unicode there, some 4 MB. */
const astralLetters = new Map<number, number>();

function astralLetter(codePoint: number): number {
  let letter = astralLetters.get(codePoint);
  if (letter === undefined) {
    letter = letterOf(String.fromCodePoint(codePoint));
    if (letter !== SEPARATOR) astralLetters.set(codePoint, letter);
  }
  return letter;
}

/** Number of code units of the character at `at`. */
export function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Fills the block of 256 around `code`. @returns the value for `code`. */
export function fillBlock(code: number): number {
  const start = code & 0xff00;
  for (let unit = start; unit < start + 256; unit++) {
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    LETTERS[unit] = isSurrogate ? COMPLEX : letterOf(String.fromCharCode(unit));
  }
  return LETTERS[code] ?? SEPARATOR;
}

function letterOf(char: string): number {
  if (INVISIBLE.test(char)) return EXTENDER;
  if (!WORD_CHAR.test(char)) return SEPARATOR;
  const folded = foldWord(char);
  const isMark = MARK.test(char);
  if (UNSPACED_SCRIPT.test(char)) return folded === char && !isMark ? UNSPACED : UNSPACED_COMPLEX;
  if (isMark) return EXTENDER;
  // Conjoining Hangul letters are not marks, but they compose; so do the compatible and half-width ones that fold to them.
  const isJamo = folded >= '\u1100' && folded <= '\u11ff';
  return char.length === 1 && folded.length === 1 && !isJamo ? folded.charCodeAt(0) : COMPLEX;
}

fillBlock(0);
