/** Words of texts as hashes with their places: tokens.ts. */

import { FNV_OFFSET, FNV_PRIME, LETTERS, take } from './arena';
import { complexWord, fillLetters } from './host-functions';
import { nextPlace, readPlain } from './plain-words';
import { BLOCK_BYTES, blockCount, blocks, text, textLength } from './text-blocks';

// Classes of letters.ts.
const SEPARATOR: u32 = 0;
const UNKNOWN: u32 = 1;
const COMPLEX: u32 = 2;
const EXTENDER: u32 = 3;
const UNSPACED: u32 = 4;
const UNSPACED_COMPLEX: u32 = 5;
export const LAST_CLASS: u32 = 5;

export const MAX_WORD_CHARS: i32 = 40;

/** Hash, start and end of each word, in units of its text. A run that is no word, because it is too long, has `NO_WORD` in its end. */
export const WORD_BYTES: usize = 12;
export const NO_WORD: u32 = 0x80000000;
export let words: usize = 0;
export let wordCount: i32 = 0;
/** Has the page a character of a script without spaces? Then the host reads its words. */
export let isUnspaced: bool = false;
/** The answer about a word with characters that fold together: its hash, and 1 if it is a word. */
export const folded: usize = memory.data(8);

export function finish(hash: u32): u32 {
  let h = (hash ^ (hash >>> 16)) * 0x85ebca6b;
  h = (h ^ (h >>> 13)) * 0xc2b2ae35;
  return h ^ (h >>> 16);
}

export function combine(one: u32, other: u32): u32 {
  return finish((one * 0x9e3779b1) ^ other);
}

export function hashAt(word: i32): u32 {
  return load<u32>(words + <usize>word * WORD_BYTES);
}
export function startAt(word: i32): i32 {
  return load<i32>(words + <usize>word * WORD_BYTES, 4);
}
export function endAt(word: i32): i32 {
  return <i32>(load<u32>(words + <usize>word * WORD_BYTES, 8) & ~NO_WORD);
}
export function isWord(word: i32): bool {
  return (load<u32>(words + <usize>word * WORD_BYTES, 8) & NO_WORD) === 0;
}

function add(hash: u32, start: i32, end: u32): void {
  const at = words + <usize>wordCount * WORD_BYTES;
  store<u32>(at, hash);
  store<i32>(at, start, 4);
  store<u32>(at, end, 8);
  wordCount++;
}

/**
 * Reads the words of the page's text, and the number of the first word of each block.
 * @param more number of units of the other texts that follow
 */
export function readWords(more: i32): void {
  const length = textLength();
  words = take(<usize>((length + more) / 2 + 8) * WORD_BYTES);
  wordCount = 0;
  isUnspaced = false;
  scan(text, length);
  let word = 0;
  for (let i = 0; i < blockCount; i++) {
    const block = blocks + <usize>i * BLOCK_BYTES;
    const start = load<i32>(block);
    while (word < wordCount && startAt(word) < start) word++;
    store<i32>(block, word, 68);
  }
}

/** Reads the words of another text after those so far. @returns whether it has no character of a script without spaces. */
export function readOther(from: usize, length: i32): bool {
  const before = isUnspaced;
  isUnspaced = false;
  scan(from, length);
  const isSpaced = !isUnspaced;
  isUnspaced = before;
  return isSpaced;
}

function scan(from: usize, length: i32): void {
  const end = from + ((<usize>length) << 1);
  store<u16>(end, 0);
  let at = from;
  while (at < end && !isUnspaced) {
    if (ASC_FEATURE_SIMD) {
      const out = words + <usize>wordCount * WORD_BYTES;
      wordCount += <i32>((readPlain(from, at, end, out) - out) / WORD_BYTES);
      at = nextPlace;
    }
    if (at < end) at = scanRun(from, at);
  }
}

/** Reads the word at a place, or passes a separator. @returns the place to continue at */
function scanRun(from: usize, start: usize): usize {
  let at = start;
  let hash = FNV_OFFSET;
  let letter: u32 = load<u16>(LETTERS + ((<usize>load<u16>(at)) << 1));
  while (letter > LAST_CLASS) {
    hash = (hash ^ letter) * FNV_PRIME;
    at += 2;
    letter = load<u16>(LETTERS + ((<usize>load<u16>(at)) << 1));
  }
  if (letter === UNKNOWN) {
    fillLetters(load<u16>(at));
    return start;
  }
  if (letter === COMPLEX || letter === EXTENDER) {
    // The host knows characters of two units.
    const after = complexWord(from, start, at);
    if (after === 0) {
      isUnspaced = true;
      return at;
    }
    if (after > start) {
      add(load<u32>(folded), <i32>(start - from) >> 1, (<u32>(after - from) >> 1) | (load<u32>(folded, 4) === 0 ? NO_WORD : 0));
      return after;
    }
    // A lone surrogate separates.
    letter = SEPARATOR;
  }
  if (at > start) {
    const size = <i32>(at - start) >> 1;
    add(finish(hash), <i32>(start - from) >> 1, (<u32>(at - from) >> 1) | (size > MAX_WORD_CHARS ? NO_WORD : 0));
  }
  isUnspaced = letter === UNSPACED || letter === UNSPACED_COMPLEX;
  return at + 2;
}
