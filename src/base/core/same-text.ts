/** Prints of main texts: has a page changed since it was kept? */
import type { Simhash, TextPrint } from './types.ts';

/** Number of different bits among the 64. */
export function distance(one: Simhash, other: Simhash): number {
  return bitsOf(one[0] ^ other[0]) + bitsOf(one[1] ^ other[1]);
}

/** Population count (Hacker's Delight, 5-1). */
export function bitsOf(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Most bits in which the simhashes of a page that has not changed differ: one word in a hundred is another (64·arccos(.99)/π is 2.9), such as those of a menu or a
 * clock.
 */
const UNCHANGED_BITS = 3;
/** Characters of a line that says something: some eight words. Dates, counters, names of authors and links to other pages are in shorter ones. */
const SENTENCE = 40;
/** A sign of a script without spaces counts as three: it is half a word. */
const IDEOGRAPHS_FROM = 0x2e80;
const OF_IDEOGRAPH = 3;
const [LINE_FEED, SPACE] = [10, 32];

/**
 * Has a page the main text of a former version? A sentence that is another is a change, and so is one word in a hundred; another date or counter in a line of its own
 * is none. Prints of earlier versions lack a part, and count as changed. O(1).
 */
export function isSameText(one: Partial<TextPrint>, other: Partial<TextPrint>): boolean {
  if (!one.simhash || !other.simhash || one.lines === undefined || one.lines !== other.lines) return false;
  return distance(one.simhash, other.simhash) <= UNCHANGED_BITS;
}

/**
 * Sum of the hashes, 32 bits, of all lines that say something, without their white space: another order of them is no change. Of a text without such lines, the hash of
 * all of it. O(text), some 10 µs for 10,000 characters.
 */
export function linesPrint(text: string): number {
  let [sum, whole, any] = [0, START, false];
  let [hash, size] = [START, 0];
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : LINE_FEED;
    if (code > SPACE) {
      hash = mixed(hash, code);
      whole = mixed(whole, code);
      size += code >= IDEOGRAPHS_FROM ? OF_IDEOGRAPH : 1;
    } else if (code !== LINE_FEED) size += 1;
    else {
      if (size >= SENTENCE) [sum, any] = [(sum + hash) | 0, true];
      [hash, size] = [START, 0];
    }
  }
  return (any ? sum : whole) >>> 0;
}

/** FNV-1a over UTF-16 units. */
const START = 0x811c9dc5;
function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
