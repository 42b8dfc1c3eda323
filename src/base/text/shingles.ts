/** Runs of five words of a text (Broder 1997), as 64-bit hashes: the features by which pages are compared as copies. */
import { COMPLEX, EXTENDER, fillBlock, foldWord, LAST_CLASS, LETTERS, letterAt, SEPARATOR, UNKNOWN, UNSPACED, widthAt } from './letters.ts';
import { complexEnd } from './tokens.ts';

/** Words of a shingle: 5, as in Broder et al. 1997 for web pages with more than a few lines, and in the tools for training corpora (datatrove). */
export const SHINGLE_WORDS = 5;
/** Words of one text that count: 1.6 MB of hashes. Texts that differ only after that count as the same. */
export const MAX_SHINGLED_WORDS = 200_000;

/** FNV-1a, 32 bits (Fowler, Noll, Vo), and a second lane with the offset of cyrb53 (bryc) and the first constant of murmur3's finaliser. */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const SECOND_OFFSET = 0x41c6ce57 | 0;
const SECOND_PRIME = 0x85ebca6b | 0;

/** Reused for each text: two 32-bit lanes of the hash of each word. */
let firstLane = new Int32Array(4096);
let secondLane = new Int32Array(4096);

/**
 * The set of shingles of a text: hashes in ascending order, each once, shape [shingles]. Words are runs of letters, digits and marks, folded as in
 * `scanWords`; of scripts without spaces, each character is a word. A text of fewer than five words has one shingle of all of them; without words, none.
 * Two shingles of 10^6 share a hash with probability 3·10^-8. O(n log n); about 0.1 ms for 1,000 words.
 */
export function shinglesOf(text: string): BigUint64Array {
  const words = scan(text);
  if (words === 0) return new BigUint64Array(0);
  const length = Math.min(SHINGLE_WORDS, words);
  const hashes = new BigUint64Array(words - length + 1);
  const halves = new Uint32Array(hashes.buffer);
  for (let i = 0; i < hashes.length; i++) {
    let first = FNV_OFFSET;
    let second = SECOND_OFFSET;
    for (let j = i; j < i + length; j++) {
      first = rotatedLeft(Math.imul(first ^ (firstLane[j] as number), 0xcc9e2d51), 15);
      second = rotatedLeft(Math.imul(second ^ (secondLane[j] as number), 0x1b873593), 13);
    }
    halves[2 * i] = finished(first);
    halves[2 * i + 1] = finished(second);
  }
  return distinct(hashes.sort());
}

/** @param sorted is overwritten */
function distinct(sorted: BigUint64Array): BigUint64Array {
  const halves = new Uint32Array(sorted.buffer);
  let kept = 2;
  for (let i = 2; i < halves.length; i += 2) {
    if (halves[i] === halves[kept - 2] && halves[i + 1] === halves[kept - 1]) continue;
    halves[kept] = halves[i] as number;
    halves[kept + 1] = halves[i + 1] as number;
    kept += 2;
  }
  return sorted.subarray(0, kept / 2);
}

/** Number of shared shingles of two sets. O(n + m). */
export function sharedShingles(one: BigUint64Array, other: BigUint64Array): number {
  // As pairs of 32 bits: a comparison of two BigInts allocates both.
  const a = new Uint32Array(one.buffer, one.byteOffset, 2 * one.length);
  const b = new Uint32Array(other.buffer, other.byteOffset, 2 * other.length);
  let i = 0;
  let j = 0;
  let shared = 0;
  while (i < a.length && j < b.length) {
    const high = (a[i + 1] as number) - (b[j + 1] as number);
    const order = high === 0 ? (a[i] as number) - (b[j] as number) : high;
    if (order === 0) shared++;
    if (order <= 0) i += 2;
    if (order >= 0) j += 2;
  }
  return shared;
}

/** Share of the shingles of both that they have in common (Jaccard), in [0, 1]; 0 if both are empty. */
export function jaccard(one: BigUint64Array, other: BigUint64Array): number {
  const shared = sharedShingles(one, other);
  const all = one.length + other.length - shared;
  return all === 0 ? 0 : shared / all;
}

/** Fills the lanes. @returns number of words */
function scan(text: string): number {
  const { length } = text;
  let words = 0;
  for (let i = 0; i < length && words < MAX_SHINGLED_WORDS; ) {
    if (words === firstLane.length) enlarge();
    let letter: number = LETTERS[text.charCodeAt(i)] as number;
    if (letter === SEPARATOR) {
      i++;
      continue;
    }
    const start = i;
    let first = FNV_OFFSET;
    let second = SECOND_OFFSET;
    while (letter > LAST_CLASS) {
      first = Math.imul(first ^ letter, FNV_PRIME);
      second = Math.imul(second ^ letter, SECOND_PRIME);
      i++;
      if (i === length) break;
      letter = LETTERS[text.charCodeAt(i)] as number;
    }
    if (i < length && letter === UNKNOWN) {
      // Once per block of 256: fill it, and read this word again.
      fillBlock(text.charCodeAt(i));
      i = start;
      continue;
    }
    if (i < length && letter !== SEPARATOR) letter = letterAt(text, i);
    if (i < length && (letter === COMPLEX || letter === EXTENDER)) {
      i = complexEnd(text, i);
      if (store(words, text.slice(start, i))) words++;
    } else if (i > start) {
      firstLane[words] = first;
      secondLane[words] = second;
      words++;
    } else if (letter >= UNSPACED && letter <= LAST_CLASS) {
      i += widthAt(text, i);
      if (store(words, text.slice(start, i))) words++;
    } else i++;
  }
  return words;
}

/** Stores a word that needs folding. @returns false if nothing of it is visible */
function store(at: number, word: string): boolean {
  const folded = foldWord(word);
  let first = FNV_OFFSET;
  let second = SECOND_OFFSET;
  for (let i = 0; i < folded.length; i++) {
    first = Math.imul(first ^ folded.charCodeAt(i), FNV_PRIME);
    second = Math.imul(second ^ folded.charCodeAt(i), SECOND_PRIME);
  }
  firstLane[at] = first;
  secondLane[at] = second;
  return folded !== '';
}

function enlarge(): void {
  const [first, second] = [new Int32Array(2 * firstLane.length), new Int32Array(2 * firstLane.length)];
  first.set(firstLane);
  second.set(secondLane);
  firstLane = first;
  secondLane = second;
}

function rotatedLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** murmur3's finaliser (Appleby, public domain). */
function finished(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
