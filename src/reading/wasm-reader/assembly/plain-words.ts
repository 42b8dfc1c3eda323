/** Words of plain letters, four at a time: the fast part of `scan` in text-words.ts. It has few branches that depend on the text: processors guess those wrong. */
import { FNV_OFFSET, FNV_PRIME, LETTERS } from './arena';

/** Units that are read at a time. */
const MOST: usize = 2048;
/** Classes of letters.ts are up to this one; others are folded letters. */
const LAST_CLASS: u32 = 5;
const MAX_WORD_CHARS: i32 = 40;
const NO_WORD: u32 = 0x80000000;
const WORD_BYTES: usize = 12;

/** Places at which words start and end, alternately, in units from the first that was read. */
const edges: usize = memory.data(2064 * 4);
/** The folded form of each unit that was read. */
const folds: usize = memory.data(2112 * 2);
/** Place at which the reading stops: a unit of another class, or the end. */
let stop: usize = 0;

/**
 * Reads words of plain letters from a place between words on.
 * @param out receives hash, start and end of each
 * @returns the end of those; `nextPlace` is the place to continue at
 */
export function readPlain(from: usize, at: usize, end: usize, out: usize): usize {
  stop = min(end, at + (MOST << 1));
  let edge = findEdges(at);
  nextPlace = stop;
  if (stop < end && edge > edges && load<u32>(edge - 4) === <u32>(stop - at) >> 1) {
    // The last word may be longer.
    edge -= 8;
    nextPlace = at + ((<usize>load<u32>(edge)) << 1);
  }
  // Words of no length fill up the last four.
  memory.fill(edge, 0, 24);
  const first = <i32>(at - from) >> 1;
  let word = out;
  for (let four = edges; four < edge; four += 32, word += 4 * WORD_BYTES) putFour(four, first, word);
  return out + ((edge - edges) >> 3) * WORD_BYTES;
}

/** Place to continue at after `readPlain`. */
export let nextPlace: usize = 0;

/** Notes the edges of words up to `stop`. @returns the end of the edges; their number is even */
function findEdges(at: usize): usize {
  let edge = edges;
  let before: u64 = 0;
  let fold = folds;
  for (let place = at; place < stop; place += 128, fold += 128) {
    let letters = lettersOf(place, fold);
    letters |= lettersOf(place + 32, fold + 32) << 16;
    letters |= lettersOf(place + 64, fold + 64) << 32;
    letters |= lettersOf(place + 96, fold + 96) << 48;
    if (stop - place < 128) letters &= ((<u64>1) << (<u64>(stop - place) >> 1)) - 1;
    const first = <u32>(place - at) >> 1;
    for (let left = letters ^ ((letters << 1) | before); left !== 0; left &= left - 1, edge += 4) {
      store<u32>(edge, first + <u32>ctz(left));
    }
    before = letters >>> 63;
  }
  if (before === 0) return edge;
  store<u32>(edge, <u32>(stop - at) >> 1);
  return edge + 4;
}

/** A bit for each letter or digit of sixteen units, whose folded forms are written to `fold`. */
function lettersOf(place: usize, fold: usize): u64 {
  const low = v128.load(place);
  const high = v128.load(place, 16);
  if (v128.any_true(v128.and(v128.or(low, high), i16x8.splat(-128)))) return lettersByOne(place, fold);
  const blank = i16x8.splat(32);
  v128.store(fold, v128.or(low, blank));
  v128.store(fold, v128.or(high, blank), 16);
  const units = i8x16.narrow_i16x8_u(low, high);
  const lower = v128.or(units, i8x16.splat(32));
  const letter = v128.and(i8x16.gt_s(lower, i8x16.splat(96)), i8x16.lt_s(lower, i8x16.splat(123)));
  const digit = v128.and(i8x16.gt_s(units, i8x16.splat(47)), i8x16.lt_s(units, i8x16.splat(58)));
  return <u64>(<u32>i8x16.bitmask(v128.or(letter, digit)));
}

function lettersByOne(place: usize, fold: usize): u64 {
  let bits: u64 = 0;
  const count: u64 = min<u64>(16, place < stop ? <u64>(stop - place) >> 1 : 0);
  for (let i: u64 = 0; i < count; i++) {
    const at = place + ((<usize>i) << 1);
    const letter: u32 = load<u16>(LETTERS + ((<usize>load<u16>(at)) << 1));
    if (letter - 1 < LAST_CLASS) {
      stop = at;
      break;
    }
    store<u16>(fold + ((<usize>i) << 1), <u16>letter);
    bits |= (<u64>(letter !== 0)) << i;
  }
  return bits;
}

/** Hashes four words: FNV-1a, a unit of each at a time, and murmur3's finaliser. */
function putFour(four: usize, first: i32, out: usize): void {
  const one = v128.load(four);
  const other = v128.load(four, 16);
  const starts = v128.shuffle<i32>(one, other, 0, 2, 4, 6);
  const ends = v128.shuffle<i32>(one, other, 1, 3, 5, 7);
  const lengths = i32x4.sub(ends, starts);
  const most = max(
    max(i32x4.extract_lane(lengths, 0), i32x4.extract_lane(lengths, 1)),
    max(i32x4.extract_lane(lengths, 2), i32x4.extract_lane(lengths, 3)),
  );
  const hashes = hashFour(four, lengths, min(most, MAX_WORD_CHARS));
  const shift = i32x4.splat(first);
  const tooLong = v128.and(i32x4.gt_s(lengths, i32x4.splat(MAX_WORD_CHARS)), i32x4.splat(<i32>NO_WORD));
  const from = i32x4.add(starts, shift);
  const to = v128.or(i32x4.add(ends, shift), tooLong);
  // Three vectors in a row hold the numbers of four words.
  const low = v128.shuffle<i32>(hashes, from, 0, 4, 1, 5);
  const high = v128.shuffle<i32>(hashes, from, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<i32>(low, to, 0, 1, 4, 2));
  v128.store(out, v128.shuffle<i32>(v128.shuffle<i32>(low, to, 3, 5, 3, 5), high, 0, 1, 4, 5), 16);
  v128.store(out, v128.shuffle<i32>(high, to, 6, 2, 3, 7), 32);
}

function hashFour(four: usize, lengths: v128, most: i32): v128 {
  let place0 = folds + ((<usize>load<u32>(four)) << 1);
  let place1 = folds + ((<usize>load<u32>(four, 8)) << 1);
  let place2 = folds + ((<usize>load<u32>(four, 16)) << 1);
  let place3 = folds + ((<usize>load<u32>(four, 24)) << 1);
  let hashes = i32x4.splat(<i32>FNV_OFFSET);
  let left = lengths;
  for (let done = 0; done < most; done += 4) {
    const units0 = v128.load_ext<u16>(place0);
    const units1 = v128.load_ext<u16>(place1);
    const units2 = v128.load_ext<u16>(place2);
    const units3 = v128.load_ext<u16>(place3);
    const early01 = v128.shuffle<i32>(units0, units1, 0, 4, 1, 5);
    const late01 = v128.shuffle<i32>(units0, units1, 2, 6, 3, 7);
    const early23 = v128.shuffle<i32>(units2, units3, 0, 4, 1, 5);
    const late23 = v128.shuffle<i32>(units2, units3, 2, 6, 3, 7);
    hashes = hashUnit(hashes, v128.shuffle<i64>(early01, early23, 0, 2), i32x4.gt_s(left, i32x4.splat(0)));
    hashes = hashUnit(hashes, v128.shuffle<i64>(early01, early23, 1, 3), i32x4.gt_s(left, i32x4.splat(1)));
    hashes = hashUnit(hashes, v128.shuffle<i64>(late01, late23, 0, 2), i32x4.gt_s(left, i32x4.splat(2)));
    hashes = hashUnit(hashes, v128.shuffle<i64>(late01, late23, 1, 3), i32x4.gt_s(left, i32x4.splat(3)));
    left = i32x4.sub(left, i32x4.splat(4));
    place0 += 8;
    place1 += 8;
    place2 += 8;
    place3 += 8;
  }
  hashes = i32x4.mul(v128.xor(hashes, i32x4.shr_u(hashes, 16)), i32x4.splat(<i32>0x85ebca6b));
  hashes = i32x4.mul(v128.xor(hashes, i32x4.shr_u(hashes, 13)), i32x4.splat(<i32>0xc2b2ae35));
  return v128.xor(hashes, i32x4.shr_u(hashes, 16));
}

/** The hashes with one more unit, in those words that have it. */
function hashUnit(hashes: v128, units: v128, has: v128): v128 {
  return v128.bitselect(i32x4.mul(v128.xor(hashes, units), i32x4.splat(<i32>FNV_PRIME)), hashes, has);
}
