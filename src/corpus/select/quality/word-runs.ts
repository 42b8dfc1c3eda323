/** Repeated runs of words (n-grams). Runs are compared by hashes of 32 bits: of 1,000 words, two runs share one with probability 10^-4. */

/** Golden ratio (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1 | 0;

/** Open addressing, reused for each text: a slot is of this pass if its stamp is. */
let keys = new Int32Array(4096);
let stamps = new Uint32Array(4096);
let counts = new Uint32Array(4096);
let firsts = new Uint32Array(4096);
let stamp = 0;
let mask = 0;

/** Number of code units of all occurrences of the most frequent run of `n` words, with a space between words; of equals, the first; 0 if none occurs twice. O(words). */
export function topRunChars(words: Int32Array, lengths: Uint32Array, n: number): number {
  reset(words.length);
  let [most, first] = [0, 0];
  for (let at = 0; at + n <= words.length; at++) {
    const slot = slotOf(hashOfRun(words, at, n));
    if (stamps[slot] !== stamp) {
      stamps[slot] = stamp;
      counts[slot] = 0;
      firsts[slot] = at;
    }
    const count = (counts[slot] as number) + 1;
    counts[slot] = count;
    const start = firsts[slot] as number;
    if (count > most || (count === most && start < first)) [most, first] = [count, start];
  }
  return most < 2 ? 0 : most * charsOf(lengths, first, n);
}

/** Number of code units of the runs of `n` words that equal an earlier one; runs that are counted do not overlap. O(words). */
export function repeatedRunChars(words: Int32Array, lengths: Uint32Array, n: number): number {
  reset(words.length);
  let chars = 0;
  for (let at = 0; at + n <= words.length; ) {
    const slot = slotOf(hashOfRun(words, at, n));
    if (stamps[slot] === stamp) {
      chars += charsOf(lengths, at, n);
      at += n;
    } else {
      stamps[slot] = stamp;
      at++;
    }
  }
  return chars;
}

function charsOf(lengths: Uint32Array, at: number, n: number): number {
  let chars = n - 1;
  for (let i = at; i < Math.min(lengths.length, at + n); i++) chars += lengths[i] as number;
  return chars;
}

function hashOfRun(words: Int32Array, at: number, n: number): number {
  let hash = n;
  for (let i = at; i < at + n; i++) {
    hash = Math.imul(hash ^ (words[i] as number), SPREAD);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** The slot of a key in this pass, or a free one, which gets the key. */
function slotOf(key: number): number {
  let slot = Math.imul(key, SPREAD) & mask;
  while (stamps[slot] === stamp && keys[slot] !== key) slot = (slot + 1) & mask;
  keys[slot] = key;
  return slot;
}

function reset(words: number): void {
  stamp++;
  // No more slots than the text needs: after a long text, the whole table would be out of the processor's cache.
  const size = 2 ** Math.ceil(Math.log2(2 * words + 2));
  mask = size - 1;
  if (keys.length >= size) return;
  keys = new Int32Array(size);
  stamps = new Uint32Array(size);
  counts = new Uint32Array(size);
  firsts = new Uint32Array(size);
}
