/** The fingerprint of a text: simhash.ts. */
import { FNV_OFFSET, FNV_PRIME, LETTERS } from './arena';
import { firstWordOf, lastWordOf } from './page-judgement';
import { BLOCK_BYTES, blockCount, blocks, unitAt } from './text-blocks';
import { combine, endAt, finish, hashAt, isWord, LAST_CLASS, MAX_WORD_CHARS, startAt } from './text-words';

const MAX_CHARS: i32 = 4000;
const MAX_FEATURES: i32 = 1000;
const SALT: u32 = 0x5bd1e995;
const hashes: usize = memory.data(1002 * 4);
export let simhashLow: u32 = 0;
export let simhashHigh: u32 = 0;

/** The simhash of the blocks with this role. @returns false if its last character is inside a word that JavaScript has to read. */
export function simhash(roles: usize, role: u32, pageWords: i32): bool {
  let n = 0;
  let length = 0;
  for (let block = 0; block < blockCount && n < MAX_FEATURES + 2; block++) {
    if (load<u8>(roles + block) !== role) continue;
    const start = load<i32>(blocks + <usize>block * BLOCK_BYTES);
    const last = lastWordOf(block, pageWords);
    for (let word = firstWordOf(block); word < last && n < MAX_FEATURES + 2; word++) {
      if (length + endAt(word) - start > MAX_CHARS) {
        const cut = MAX_CHARS - length + start;
        if (startAt(word) < cut) {
          if (!hashPart(startAt(word), cut)) return false;
          if (isPart) {
            store<u32>(hashes + ((<usize>n) << 2), partHash);
            n++;
          }
        }
        break;
      }
      if (!isWord(word)) continue;
      store<u32>(hashes + ((<usize>n) << 2), hashAt(word));
      n++;
    }
    // The line break between two blocks counts.
    length += load<i32>(blocks + <usize>block * BLOCK_BYTES, 4) - start + 1;
    if (length >= MAX_CHARS) break;
  }
  const features = max(0, min(n - 2, MAX_FEATURES));
  joinThree(features);
  simhashLow = majority(features, 0);
  simhashHigh = majority(features, SALT);
  return true;
}

let isPart: bool = false;
let partHash: u32 = 0;

/** The hash of a part of the page's text, the start of a word. @returns false if it has characters that fold together */
function hashPart(start: i32, end: i32): bool {
  let hash = FNV_OFFSET;
  for (let i = start; i < end; i++) {
    const letter: u32 = load<u16>(LETTERS + ((<usize>unitAt(i)) << 1));
    if (letter <= LAST_CLASS) return false;
    hash = (hash ^ letter) * FNV_PRIME;
  }
  isPart = end - start <= MAX_WORD_CHARS;
  partHash = finish(hash);
  return true;
}

/** Features in place of words: runs of three of them. */
function joinThree(features: i32): void {
  const end = hashes + ((<usize>features) << 2);
  for (let at = hashes; at < end; at += 4) store<u32>(at, combine(combine(load<u32>(at), load<u32>(at, 4)), load<u32>(at, 8)));
}

/** Each bit as in most of the features. */
function majority(features: i32, salt: u32): u32 {
  if (!ASC_FEATURE_SIMD) return majorityByBit(features, salt);
  const bits = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  const zero = i16x8.splat(0);
  let first = zero;
  let second = zero;
  let third = zero;
  let fourth = zero;
  for (let i = 0; i < features; i++) {
    let hash = load<u32>(hashes + ((<usize>i) << 2));
    if (salt !== 0) hash = combine(hash, salt);
    first = i16x8.sub(first, i16x8.ne(v128.and(i16x8.splat(<i16>(hash & 255)), bits), zero));
    second = i16x8.sub(second, i16x8.ne(v128.and(i16x8.splat(<i16>((hash >>> 8) & 255)), bits), zero));
    third = i16x8.sub(third, i16x8.ne(v128.and(i16x8.splat(<i16>((hash >>> 16) & 255)), bits), zero));
    fourth = i16x8.sub(fourth, i16x8.ne(v128.and(i16x8.splat(<i16>(hash >>> 24)), bits), zero));
  }
  const half = i16x8.splat(<i16>(features >> 1));
  return (
    <u32>i16x8.bitmask(i16x8.gt_s(first, half)) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(second, half))) << 8) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(third, half))) << 16) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(fourth, half))) << 24)
  );
}

function majorityByBit(features: i32, salt: u32): u32 {
  let all: u32 = 0;
  for (let bit: u32 = 0; bit < 32; bit++) {
    let count: i32 = 0;
    for (let i = 0; i < features; i++) {
      let hash = load<u32>(hashes + ((<usize>i) << 2));
      if (salt !== 0) hash = combine(hash, salt);
      count += (hash >>> bit) & 1;
    }
    if (count > features >> 1) all |= (<u32>1) << bit;
  }
  return all;
}
