/**
 * Words of a text in any script, as 32-bit hashes. The hot path of topic model and link scorer: no substrings and no regular expressions for plain
 * words.
 *
 * A word is a run of letters, digits and marks (Unicode L, N, M); everything else ends it, including apostrophes and hyphens: `don't` is `don` + `t`,
 * `l'eau` is `l` + `eau`. Words are folded (see `foldWord`); NFKC runs only on words with a character that it could change. Runs of Han, kana, Thai,
 * Lao, Khmer and Myanmar, which have no spaces, are split by `Intl.Segmenter`.
 */
import { CodeUnits } from '../core/code-units.ts';
import { COMPLEX, EXTENDER, fillBlock, foldWord, LAST_CLASS, LETTERS, letterAt, SEPARATOR, UNKNOWN, UNSPACED, widthAt } from './letters.ts';
import { SEGMENTED_OF_PAGE, type Segmented, visitSegments, wholeAt } from './unspaced-words.ts';

/** `hash` is a signed 32-bit integer, which V8 keeps without allocating; `start` and `end` are offsets of UTF-16 code units in the text. */
export type VisitWord = (hash: number, start: number, end: number) => void;

/** Longer runs are encoded data, not words: the longest entries of common dictionaries have under 35 letters. */
export const MAX_WORD_CHARS = 40;
/** FNV-1a, 32 bits (Fowler, Noll, Vo), a code unit a step. */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** Receives the hash of a word: signed, 32 bits. */
export type VisitHash = (hash: number) => void;

/**
 * Visits each word in order. O(n). Skips words of over 40 characters.
 * @param segmented how much of its scripts without spaces is split into words; the rest comes in pairs of characters
 * @param visitHan receives each Han character of the text by itself as well, as if it were a word; a run of them after the words of the run
 */
export function scanWords(text: string, visit: VisitWord, segmented = SEGMENTED_OF_PAGE, visitHan: VisitHash | null = null): void {
  // A visitor may scan another text meanwhile.
  const memory = spare ?? new CodeUnits();
  spare = null;
  scanUnits(text, memory.of(text), visit, segmented, visitHan);
  spare = memory;
}

let spare: CodeUnits | null = null;

/** @param units of the text, and a NUL, which ends its last word */
function scanUnits(text: string, units: Uint16Array, visit: VisitWord, segmented: Segmented, visitHan: VisitHash | null): void {
  const length = text.length;
  let segmentable = segmented.chars;
  let i = 0;
  while (i < length) {
    let letter = LETTERS[units[i] as number] as number;
    if (letter === SEPARATOR) {
      i++;
      continue;
    }
    const start = i;
    let hash = FNV_OFFSET;
    while (letter > LAST_CLASS) {
      hash = Math.imul(hash ^ letter, FNV_PRIME);
      letter = LETTERS[units[++i] as number] as number;
    }
    if (letter === UNKNOWN) {
      // Once per block of 256: fill it, and read this word again.
      fillBlock(units[i] as number);
      i = start;
      continue;
    }
    if (letter !== SEPARATOR) letter = letterAt(text, i);
    if (letter === COMPLEX || letter === EXTENDER) {
      i = complexEnd(text, i);
      if (letter === COMPLEX || start < i - 1) visitFolded(text, start, i, visit);
      continue;
    }
    if (i > start && i - start <= MAX_WORD_CHARS) visit(finish(hash), start, i);
    if (letter >= UNSPACED) {
      const end = unspacedEnd(text, i);
      // A character by itself is a word, which no dictionary has to confirm.
      if (end - i === 1) visitUnspaced(text, i, end, visit);
      else {
        segmentable -= segmented.perRun;
        segmentable -= scanUnspaced(text, i, end, segmentable, visit);
      }
      if (visitHan !== null) scanHan(units, i, end, visitHan);
      i = end;
    } else i++;
  }
}

/** The hash that `scanWords` gives this word, in any case or Unicode form. Signed 32-bit. */
export function hashWord(word: string): number {
  return hashFolded(foldWord(word));
}

/** A hash for an ordered pair of hashes, such as a bigram. Signed 32-bit. */
export function combineHashes(a: number, b: number): number {
  // The golden ratio spreads `a` (Knuth, TAOCP 6.4); only one side is multiplied, so the order counts.
  return finish(Math.imul(a, 0x9e3779b1) ^ b);
}

/** The words of a text as folded strings: the words that `scanWords` hashes, in the same order. For explanations and tests. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (_hash, start, end) => words.push(foldWord(text.slice(start, end))));
  return words;
}

/** murmur3's finaliser: FNV-1a alone leaves its low bits poor, and they choose the bucket. */
function finish(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hashFolded(word: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME);
  return finish(hash);
}

function visitFolded(text: string, start: number, end: number, visit: VisitWord): void {
  const hash = foldedHash(text, start, end);
  if (hash !== null) visit(hash, start, end);
}

/** The hash of the word at this place; null if it is too long, or nothing is visible of it. */
export function foldedHash(text: string, start: number, end: number): number | null {
  if (end - start > MAX_WORD_CHARS) return null;
  const word = text.slice(start, end);
  if (word.length > KNOWN_WORD_CHARS) return hashOf(word);
  let hash = knownHashes.get(word);
  if (hash === undefined) {
    hash = hashOf(word);
    if (knownHashes.size === MAX_KNOWN_HASHES) knownHashes.clear();
    knownHashes.set(word, hash);
  }
  return hash;
}

function hashOf(word: string): number | null {
  const folded = foldWord(word);
  return folded === '' ? null : hashFolded(folded);
}

/**
 * Hashes of words that have to be folded, which takes 1 µs: a page is read up to four times, as text and as words of its links. V8 copies slices of
 * up to 12 units, so that a word does not hold its page in memory; 16,384 take about 1 MB.
 */
const knownHashes = new Map<string, number | null>();
const KNOWN_WORD_CHARS = 12;
const MAX_KNOWN_HASHES = 2 ** 14;

/** Visits a word of an unspaced script: directly from the text if each unit is its own folded form. */
function visitUnspaced(text: string, start: number, end: number, visit: VisitWord): void {
  let hash = FNV_OFFSET;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (LETTERS[code] !== UNSPACED) {
      visitFolded(text, start, end, visit);
      return;
    }
    hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  if (end - start <= MAX_WORD_CHARS) visit(finish(hash), start, end);
}

/** The blocks of Han characters in the Basic Multilingual Plane: Extension A and the Unified Ideographs (Unicode 15, Blocks.txt). Rarer ones are omitted. */
const HAN_FIRST = 0x3400;
const HAN_LAST = 0x9fff;

/** Visits each Han character of a run as a word. */
function scanHan(units: Uint16Array, start: number, end: number, visitHan: VisitHash): void {
  for (let i = start; i < end; i++) {
    const code = units[i] as number;
    if (code >= HAN_FIRST && code <= HAN_LAST) visitHan(finish(Math.imul(FNV_OFFSET ^ code, FNV_PRIME)));
  }
}

/** End of a word that continues with a COMPLEX character or an EXTENDER. */
export function complexEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const letter = letterAt(text, end);
    if (letter === SEPARATOR || (letter >= UNSPACED && letter <= LAST_CLASS)) break;
    end += widthAt(text, end);
  }
  return end;
}

function unspacedEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const letter = letterAt(text, end);
    if (letter !== EXTENDER && (letter < UNSPACED || letter > LAST_CLASS)) break;
    end += widthAt(text, end);
  }
  return end;
}

/** Visits the words of an unspaced run. @returns the number of segmented characters. */
function scanUnspaced(text: string, start: number, end: number, segmentable: number, visit: VisitWord): number {
  const cut = Math.max(start, Math.min(end, wholeAt(text, start + segmentable)));
  visitSegments(text, start, cut, (from, to) => visitUnspaced(text, from, to, visit));
  if (cut < end) scanBigrams(text, cut, end, visit);
  return cut - start;
}

/** Overlapping pairs of characters; a single one if there is no second. */
function scanBigrams(text: string, start: number, end: number, visit: VisitWord): void {
  let first = start;
  let second = first + widthAt(text, first);
  if (second >= end) visitUnspaced(text, first, end, visit);
  while (second < end) {
    const after = Math.min(end, second + widthAt(text, second));
    visitUnspaced(text, first, after, visit);
    first = second;
    second = after;
  }
}
