/** Eight units of plain text at a time: the fast half of `append` in text-blocks.ts. */

// Of the units that were read last: words that start, spaces after a stop, the end.
export let wordStarts: i32 = 0;
export let sentenceSpaces: i32 = 0;
export let endsInStop: bool = false;
export let endsInSpace: bool = false;

/**
 * Reads eight units together: ASCII letters and digits, single spaces with a word after each, stops, marks that follow no stop. Nearly all text is so.
 * @param word whether the first unit continues a word @param stop whether it follows a stop @param noSpace whether it must not be a space
 * @returns false for other units
 */
export function readEight(at: usize, word: bool, stop: bool, noSpace: bool): bool {
  if (!ASC_FEATURE_SIMD) return false;
  const units = v128.load(at);
  if (v128.any_true(i16x8.gt_u(i16x8.sub(units, i16x8.splat(32)), i16x8.splat(94)))) return false;
  const letter = i16x8.lt_u(i16x8.sub(v128.or(units, i16x8.splat(32)), i16x8.splat(97)), i16x8.splat(26));
  const digit = i16x8.lt_u(i16x8.sub(units, i16x8.splat(48)), i16x8.splat(10));
  const letters = i16x8.bitmask(v128.or(letter, digit));
  const spaces = i16x8.bitmask(i16x8.eq(units, i16x8.splat(32)));
  const dots = v128.or(i16x8.eq(units, i16x8.splat(46)), i16x8.eq(units, i16x8.splat(33)));
  const stops = i16x8.bitmask(v128.or(dots, i16x8.eq(units, i16x8.splat(63))));
  const marks = ~(letters | spaces | stops) & 255;
  // The first unit of a word is a letter.
  const starts = ((spaces << 1) & 255) | (word || (spaces & 1) !== 0 ? 0 : 1);
  const afterStops = (stops << 1) | (stop ? 1 : 0);
  if ((starts & ~letters) !== 0 || (afterStops & marks) !== 0 || (noSpace && (spaces & 1) !== 0)) return false;
  wordStarts = popcnt(starts);
  sentenceSpaces = popcnt(afterStops & spaces & 127);
  endsInSpace = (spaces & 128) !== 0;
  endsInStop = (stops & 128) !== 0 || (endsInSpace && (stops & 64) !== 0);
  return true;
}

/** Copies eight units. */
export function copyEight(to: usize, from: usize): void {
  if (ASC_FEATURE_SIMD) v128.store(to, v128.load(from));
  else {
    store<u64>(to, load<u64>(from));
    store<u64>(to, load<u64>(from, 8), 8);
  }
}
