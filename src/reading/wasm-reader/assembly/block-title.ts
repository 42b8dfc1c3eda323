/** Share of the page's title that a block has: `inTitle` of block-features.ts. */
import { endOf, halfWordsOf, startOf } from './block-fields';
import { inTitle } from './host-functions';
import { text } from './text-blocks';

const MAX_TITLE_HALF_WORDS: i32 = 50;
/** Comparisons on one page; after them the host compares, whose search is faster in long texts. */
const MAX_STEPS: i64 = 1000000;

let title: usize = 0;
let titleLength: i32 = 0;
let stepsLeft: i64 = 0;

/** Starts a page. @param at its title in lower case */
export function setTitle(at: usize, length: i32): void {
  title = at;
  titleLength = length;
  stepsLeft = MAX_STEPS;
}

/** The length of the block as a share of the title's, if one is part of the other. */
export function shareOfTitle(i: i32): f64 {
  const start = startOf(i);
  const length = endOf(i) - start;
  if (titleLength === 0 || halfWordsOf(i) > MAX_TITLE_HALF_WORDS || length < 4) return 0;
  const from = text + ((<usize>start) << 1);
  stepsLeft -= <i64>length * <i64>titleLength;
  if (stepsLeft < 0 || !isAscii(from, length)) return inTitle(start, start + length);
  const isIn = length <= titleLength ? hasPart(title, titleLength, from, length, true) : hasPart(from, length, title, titleLength, false);
  return isIn ? <f64>length / <f64>titleLength : 0;
}

function isAscii(from: usize, length: i32): bool {
  let all: u32 = 0;
  for (let i = 0; i < length; i++) all |= load<u16>(from + ((<usize>i) << 1));
  return all < 128;
}

function lower(unit: u32): u32 {
  return unit - 65 < 26 ? unit | 32 : unit;
}

/** Is one text a part of another? @param raw whether the part, or else the whole, may have capitals */
function hasPart(whole: usize, length: i32, part: usize, partLength: i32, raw: bool): bool {
  const first = raw ? lower(load<u16>(part)) : load<u16>(part);
  for (let at = 0; at <= length - partLength; at++) {
    const from = whole + ((<usize>at) << 1);
    let i: i32 = 0;
    let unit: u32 = load<u16>(from);
    if ((raw ? unit : lower(unit)) !== first) continue;
    for (i = 1; i < partLength; i++) {
      const place = (<usize>i) << 1;
      unit = load<u16>(from + place);
      const other: u32 = load<u16>(part + place);
      if (raw ? unit !== lower(other) : lower(unit) !== other) break;
    }
    if (i === partLength) return true;
  }
  return false;
}
