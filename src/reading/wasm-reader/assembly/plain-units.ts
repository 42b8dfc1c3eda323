/** Plain text, sixteen units at a time: the fast part of `append` in text-blocks.ts. */

// The result of `readPlain` for some units, from the lowest bits on: their number, the words that start, spaces after a stop, capitals, marks; the last unit.
const COUNT: i32 = 31;
const FIELD_BITS: i32 = 5;
const STARTS: i32 = FIELD_BITS;
const SENTENCES: i32 = 2 * FIELD_BITS;
const CAPITALS: i32 = 3 * FIELD_BITS;
const MARKS: i32 = 4 * FIELD_BITS;
const ENDS_IN_STOP: i32 = 1 << (5 * FIELD_BITS);
const ENDS_IN_SPACE: i32 = ENDS_IN_STOP << 1;

export function countOf(read: i32): i32 {
  return read & COUNT;
}
export function wordStartsOf(read: i32): i32 {
  return (read >>> STARTS) & COUNT;
}
export function sentenceSpacesOf(read: i32): i32 {
  return (read >>> SENTENCES) & COUNT;
}
export function capitalsOf(read: i32): i32 {
  return (read >>> CAPITALS) & COUNT;
}
export function marksOf(read: i32): i32 {
  return (read >>> MARKS) & COUNT;
}
export function endsInStop(read: i32): bool {
  return (read & ENDS_IN_STOP) !== 0;
}
export function endsInSpace(read: i32): bool {
  return (read & ENDS_IN_SPACE) !== 0;
}

/**
 * Reads up to sixteen units together: ASCII letters and digits, single spaces with a word after each, stops, marks that follow no stop. Nearly all text is so.
 * @param bytes of all units; 32 bytes can be read
 * @param word whether the first unit continues a word @param stop whether it follows a stop @param noSpace whether it must not be a space
 * @returns a result for the units up to the first other one
 */
export function readPlain(at: usize, bytes: usize, word: bool, stop: bool, noSpace: bool): i32 {
  if (!ASC_FEATURE_SIMD) return 0;
  // Units beyond ASCII are 0 or at least 128.
  const units = i8x16.narrow_i16x8_u(v128.load(at), v128.load(at, 16));
  // Signed: all codes are under 127.
  const printable = i8x16.bitmask(v128.and(i8x16.gt_s(units, i8x16.splat(31)), i8x16.lt_s(units, i8x16.splat(127))));
  const lower = v128.or(units, i8x16.splat(32));
  const letter = v128.and(i8x16.gt_s(lower, i8x16.splat(96)), i8x16.lt_s(lower, i8x16.splat(123)));
  const digit = v128.and(i8x16.gt_s(units, i8x16.splat(47)), i8x16.lt_s(units, i8x16.splat(58)));
  const letters = i8x16.bitmask(v128.or(letter, digit));
  const spaces = i8x16.bitmask(i8x16.eq(units, i8x16.splat(32)));
  const dots = v128.or(i8x16.eq(units, i8x16.splat(46)), i8x16.eq(units, i8x16.splat(33)));
  const stops = i8x16.bitmask(v128.or(dots, i8x16.eq(units, i8x16.splat(63))));
  const marks = ~(letters | spaces | stops);
  // The first unit of a word is a letter.
  const starts = (spaces << 1) | (word || (spaces & 1) !== 0 ? 0 : 1);
  const afterStops = (stops << 1) | (stop ? 1 : 0);
  const others = ~printable | (starts & ~letters) | (afterStops & marks) | (noSpace ? spaces & 1 : 0);
  const count = ctz(others | (1 << (<i32>min<usize>(16, bytes >> 1))));
  if (count === 0) return 0;
  const all = (1 << count) - 1;
  const last = 1 << (count - 1);
  const capitals = i8x16.bitmask(v128.and(letter, i8x16.lt_s(units, i8x16.splat(91))));
  const isSpace = (spaces & last) !== 0;
  return (
    count |
    (popcnt(starts & all) << STARTS) |
    (popcnt(afterStops & spaces & (last - 1)) << SENTENCES) |
    (popcnt(capitals & all) << CAPITALS) |
    (popcnt((marks | stops) & all) << MARKS) |
    (((isSpace ? afterStops : stops) & last) !== 0 ? ENDS_IN_STOP : 0) |
    (isSpace ? ENDS_IN_SPACE : 0)
  );
}

/** Copies sixteen units. */
export function copySixteen(to: usize, from: usize): void {
  if (!ASC_FEATURE_SIMD) return;
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}
