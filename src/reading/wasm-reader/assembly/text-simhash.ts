/** The fingerprint of a text: simhash.ts. */
import { FNV_OFFSET, FNV_PRIME, LETTERS } from './arena';
import { firstWordOf, lastWordOf } from './page-judgement';
import { BLOCK_BYTES, blockCount, blocks, unitAt } from './text-blocks';
import { combine, endAt, finish, hashAt, isWord, LAST_CLASS, MAX_WORD_CHARS, startAt } from './text-words';

const MAX_CHARS: i32 = 4000;
const MAX_FEATURES: i32 = 1000;
const SALT: u32 = 0x5bd1e995;
const hashes: usize = memory.data(1008 * 4);
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
  simhashLow = majority(features);
  salt(features);
  simhashHigh = majority(features);
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
  if (ASC_FEATURE_SIMD)
    for (let at = hashes; at < end; at += 16) v128.store(at, combineFour(combineFour(v128.load(at), v128.load(at, 4)), v128.load(at, 8)));
  else for (let at = hashes; at < end; at += 4) store<u32>(at, combine(combine(load<u32>(at), load<u32>(at, 4)), load<u32>(at, 8)));
}

/** Other features in place of features. */
function salt(features: i32): void {
  const end = hashes + ((<usize>features) << 2);
  if (ASC_FEATURE_SIMD) for (let at = hashes; at < end; at += 16) v128.store(at, combineFour(v128.load(at), i32x4.splat(<i32>SALT)));
  else for (let at = hashes; at < end; at += 4) store<u32>(at, combine(load<u32>(at), SALT));
}

/** `combine` of four hashes each. */
function combineFour(one: v128, other: v128): v128 {
  let h = v128.xor(i32x4.mul(one, i32x4.splat(<i32>0x9e3779b1)), other);
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 16)), i32x4.splat(<i32>0x85ebca6b));
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 13)), i32x4.splat(<i32>0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

/** Most features whose bits a byte counts. */
const MOST: i32 = 255;

/** Each bit as in most of the features. */
function majority(features: i32): u32 {
  if (!ASC_FEATURE_SIMD) return majorityByBit(features);
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  let first = i16x8.splat(0);
  let second = first;
  let third = first;
  let fourth = first;
  for (let from = 0; from < features; from += MOST) {
    const end = hashes + ((<usize>min(features, from + MOST)) << 2);
    let low = i8x16.splat(0);
    let high = low;
    for (let at = hashes + ((<usize>from) << 2); at < end; at += 4) {
      const hash = v128.load_splat<u32>(at);
      const one = v128.shuffle<u8>(hash, hash, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
      const other = v128.shuffle<u8>(hash, hash, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
      low = i8x16.sub(low, i8x16.eq(v128.and(one, bits), bits));
      high = i8x16.sub(high, i8x16.eq(v128.and(other, bits), bits));
    }
    first = i16x8.add(first, i16x8.extend_low_i8x16_u(low));
    second = i16x8.add(second, i16x8.extend_high_i8x16_u(low));
    third = i16x8.add(third, i16x8.extend_low_i8x16_u(high));
    fourth = i16x8.add(fourth, i16x8.extend_high_i8x16_u(high));
  }
  const half = i16x8.splat(<i16>(features >> 1));
  return (
    <u32>i16x8.bitmask(i16x8.gt_s(first, half)) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(second, half))) << 8) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(third, half))) << 16) |
    ((<u32>i16x8.bitmask(i16x8.gt_s(fourth, half))) << 24)
  );
}

function majorityByBit(features: i32): u32 {
  let all: u32 = 0;
  for (let bit: u32 = 0; bit < 32; bit++) {
    let count: i32 = 0;
    for (let i = 0; i < features; i++) count += (load<u32>(hashes + ((<usize>i) << 2)) >>> bit) & 1;
    if (count > features >> 1) all |= (<u32>1) << bit;
  }
  return all;
}
