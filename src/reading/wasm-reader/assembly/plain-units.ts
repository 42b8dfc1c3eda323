/** Plain text, sixteen or eight units at a time: the fast part of `append` in text-blocks.ts. */

// Of the units that were read last: words that start, spaces after a stop, the end.
export let wordStarts: i32 = 0;
export let sentenceSpaces: i32 = 0;
export let endsInStop: bool = false;
export let endsInSpace: bool = false;

/**
 * Reads sixteen units together: ASCII letters and digits, single spaces with a word after each, stops, marks that follow no stop. Nearly all text is so.
 * @param word whether the first unit continues a word @param stop whether it follows a stop @param noSpace whether it must not be a space
 * @returns false for other units
 */
export function readSixteen(at: usize, word: bool, stop: bool, noSpace: bool): bool {
  if (!ASC_FEATURE_SIMD) return false;
  return readUnits(i8x16.narrow_i16x8_u(v128.load(at), v128.load(at, 16)), 16, word, stop, noSpace);
}

/** Reads eight units as `readSixteen` does sixteen. */
export function readEight(at: usize, word: bool, stop: bool, noSpace: bool): bool {
  if (!ASC_FEATURE_SIMD) return false;
  const units = v128.load(at);
  return readUnits(i8x16.narrow_i16x8_u(units, units), 8, word, stop, noSpace);
}

/** @param units a byte each; others than ASCII are 0 or at least 128 @param count of the units that are read */
function readUnits(units: v128, count: i32, word: bool, stop: bool, noSpace: bool): bool {
  const all = (1 << count) - 1;
  if (v128.any_true(v128.or(i8x16.lt_s(units, i8x16.splat(32)), i8x16.eq(units, i8x16.splat(127))))) return false;
  // Signed: all codes are under 127.
  const lower = v128.or(units, i8x16.splat(32));
  const letter = v128.and(i8x16.gt_s(lower, i8x16.splat(96)), i8x16.lt_s(lower, i8x16.splat(123)));
  const digit = v128.and(i8x16.gt_s(units, i8x16.splat(47)), i8x16.lt_s(units, i8x16.splat(58)));
  const letters = i8x16.bitmask(v128.or(letter, digit)) & all;
  const spaces = i8x16.bitmask(i8x16.eq(units, i8x16.splat(32))) & all;
  const dots = v128.or(i8x16.eq(units, i8x16.splat(46)), i8x16.eq(units, i8x16.splat(33)));
  const stops = i8x16.bitmask(v128.or(dots, i8x16.eq(units, i8x16.splat(63)))) & all;
  const marks = ~(letters | spaces | stops) & all;
  // The first unit of a word is a letter.
  const starts = ((spaces << 1) & all) | (word || (spaces & 1) !== 0 ? 0 : 1);
  const afterStops = (stops << 1) | (stop ? 1 : 0);
  if ((starts & ~letters) !== 0 || (afterStops & marks) !== 0 || (noSpace && (spaces & 1) !== 0)) return false;
  const last = 1 << (count - 1);
  wordStarts = popcnt(starts);
  sentenceSpaces = popcnt(afterStops & spaces & (last - 1));
  endsInSpace = (spaces & last) !== 0;
  endsInStop = (stops & last) !== 0 || (endsInSpace && (stops & (last >> 1)) !== 0);
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
