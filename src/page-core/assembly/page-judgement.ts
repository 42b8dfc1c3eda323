/** Pages and links judged by linear topic models: features.ts and model.ts; the fingerprint of simhash.ts. */
import { FNV_OFFSET, FNV_PRIME, LETTERS, take } from './arena';
import { BLOCK_BYTES, blockCount, blocks, unitAt } from './text-blocks';
import { combine, endAt, finish, hashAt, isWord, LAST_CLASS, MAX_WORD_CHARS, startAt } from './text-words';

/** Counts of the buckets, 2^18 of them; those that are not 0, in the order of their first occurrence. */
const counts: usize = memory.data(262144 * 2);
const touched: usize = memory.data(65536 * 4);
/** 1 + ln(tf), a f64 for each count up to the largest. */
export const SUBLINEAR: usize = memory.data(20104 * 8);

// Ranges of buckets and limits, from features.ts.
let wordMask: u32 = 0;
let bigramBase: u32 = 0;
let bigramScale: f64 = 0;
let characterBase: u32 = 0;
let titleBase: u32 = 0;
let titleMask: u32 = 0;
let urlBase: u32 = 0;
let urlMask: u32 = 0;
let maxWords: i32 = 0;
let maxTitleWords: i32 = 0;
let maxUrlWords: i32 = 0;

let size: i32 = 0;
let seen: i32 = 0;
let previous: u32 = 0;

export function setBuckets(
  words: u32,
  bigrams: u32,
  scale: f64,
  characters: u32,
  titles: u32,
  titleBits: u32,
  urls: u32,
  urlBits: u32,
  mostWords: i32,
  mostTitleWords: i32,
  mostUrlWords: i32,
): void {
  wordMask = words;
  bigramBase = bigrams;
  bigramScale = scale;
  characterBase = characters;
  titleBase = titles;
  titleMask = titleBits;
  urlBase = urls;
  urlMask = urlBits;
  maxWords = mostWords;
  maxTitleWords = mostTitleWords;
  maxUrlWords = mostUrlWords;
}

function add(bucket: u32): void {
  const at = counts + ((<usize>bucket) << 1);
  const count = load<u16>(at);
  store<u32>(touched + ((<usize>size) << 2), bucket);
  size += count === 0 ? 1 : 0;
  store<u16>(at, count + 1);
}

/** Starts a text: its first word has no word before it. */
export function startCount(): void {
  seen = 0;
}

/** Counts the words from one to another, and their pairs. */
function addWords(from: i32, to: i32): void {
  for (let word = from; word < to; word++) {
    if (!isWord(word)) continue;
    if (seen++ >= maxWords) return;
    const hash = hashAt(word);
    add(hash & wordMask);
    if (seen > 1) add(bigramBase + <u32>(<f64>combine(previous, hash) * bigramScale));
    previous = hash;
  }
}

function firstWordOf(block: i32): i32 {
  return load<i32>(blocks + <usize>block * BLOCK_BYTES, 68);
}
function lastWordOf(block: i32, pageWords: i32): i32 {
  return block + 1 < blockCount ? firstWordOf(block + 1) : pageWords;
}

/** Counts the words of the blocks whose byte in `roles` is `role`. @param pageWords number of words of the page */
export function addBlocks(roles: usize, role: u32, pageWords: i32): void {
  for (let block = 0; block < blockCount && seen < maxWords; block++) {
    if (load<u8>(roles + block) === role) addWords(firstWordOf(block), lastWordOf(block, pageWords));
  }
}

/** Counts words of the title, or of the path. */
export function addTitle(from: i32, to: i32): void {
  let left = maxTitleWords;
  for (let word = from; word < to && left > 0; word++) {
    if (!isWord(word)) continue;
    add(titleBase + (hashAt(word) & titleMask));
    left--;
  }
}
export function addUrl(from: i32, to: i32): void {
  let left = maxUrlWords;
  for (let word = from; word < to && left > 0; word++) {
    if (!isWord(word)) continue;
    add(urlBase + (hashAt(word) & urlMask));
    left--;
  }
}

/** bias + w·x of the counted features, in natural-log odds. @param model pairs of idf and weight, f32, one for each bucket */
export function logit(model: usize, bias: f64): f64 {
  let wordDot: f64 = 0;
  let bigramDot: f64 = 0;
  let characterDot: f64 = 0;
  let titleDot: f64 = 0;
  let urlDot: f64 = 0;
  let wordSquare: f64 = 0;
  let bigramSquare: f64 = 0;
  let characterSquare: f64 = 0;
  let titleSquare: f64 = 0;
  let urlSquare: f64 = 0;
  for (let i = 0; i < size; i++) {
    const bucket = load<u32>(touched + ((<usize>i) << 2));
    const count = load<u16>(counts + ((<usize>bucket) << 1));
    const pair = model + ((<usize>bucket) << 3);
    const value = load<f64>(SUBLINEAR + ((<usize>count) << 3)) * <f64>load<f32>(pair);
    const dot = value * <f64>load<f32>(pair, 4);
    const square = value * value;
    if (bucket < bigramBase) {
      wordDot += dot;
      wordSquare += square;
    } else if (bucket < characterBase) {
      bigramDot += dot;
      bigramSquare += square;
    } else if (bucket < titleBase) {
      characterDot += dot;
      characterSquare += square;
    } else if (bucket < urlBase) {
      titleDot += dot;
      titleSquare += square;
    } else {
      urlDot += dot;
      urlSquare += square;
    }
  }
  let sum = bias;
  if (wordSquare > 0) sum += wordDot / sqrt(wordSquare);
  if (bigramSquare > 0) sum += bigramDot / sqrt(bigramSquare);
  if (characterSquare > 0) sum += characterDot / sqrt(characterSquare);
  if (titleSquare > 0) sum += titleDot / sqrt(titleSquare);
  if (urlSquare > 0) sum += urlDot / sqrt(urlSquare);
  return sum;
}

/** Forgets the counts. */
export function reset(): void {
  for (let i = 0; i < size; i++) store<u16>(counts + ((<usize>load<u32>(touched + ((<usize>i) << 2))) << 1), 0);
  size = 0;
}

// Links.

/** A link: start and end of its anchor, of the text before it, of the text after it, in units of the page's text. */
export const LINK_BYTES: usize = 24;

let rangeFrom: i32 = 0;
let rangeTo: i32 = 0;

/** Sets the words in `[start, end)`. @returns false if an end is inside a word. */
function findRange(start: i32, end: i32, pageWords: i32): bool {
  rangeFrom = firstEndingAfter(start, pageWords);
  rangeTo = rangeFrom;
  if (start >= end) return true;
  if (rangeFrom < pageWords && startAt(rangeFrom) < start) return false;
  while (rangeTo < pageWords && startAt(rangeTo) < end) rangeTo++;
  return rangeTo === rangeFrom || endAt(rangeTo - 1) <= end;
}

function firstEndingAfter(at: i32, pageWords: i32): i32 {
  let low = 0;
  let high = pageWords;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (endAt(middle) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Room for `count` links and for the logits of their anchors and of their anchors with context. */
export function takeLinks(count: i32): usize {
  return take(<usize>count * (LINK_BYTES + 16));
}

/** Puts ranges of words in the places of links: -1 first for a link whose places are unknown, or inside a word. */
export function findWords(at: usize, count: i32, pageWords: i32): void {
  for (let i = 0; i < count; i++) {
    const link = at + <usize>i * LINK_BYTES;
    if (load<i32>(link) < 0) continue;
    const isWhole = putRange(link, pageWords) && putRange(link + 8, pageWords) && putRange(link + 16, pageWords);
    if (!isWhole) store<i32>(link, -1);
  }
}

function putRange(at: usize, pageWords: i32): bool {
  if (!findRange(load<i32>(at), load<i32>(at, 4), pageWords)) return false;
  store<i32>(at, rangeFrom);
  store<i32>(at, rangeTo, 4);
  return true;
}

/** The logits of each link, after `findWords`: NaN where its first number is -1. @param withAnchor whether the anchor is judged by itself */
export function judgeLinks(at: usize, count: i32, withAnchor: bool, model: usize, bias: f64): void {
  let out = at + <usize>count * LINK_BYTES;
  for (let i = 0; i < count; i++, out += 16) {
    const link = at + <usize>i * LINK_BYTES;
    store<f64>(out, NaN);
    store<f64>(out, NaN, 8);
    if (load<i32>(link) < 0) continue;
    startCount();
    addWords(load<i32>(link), load<i32>(link, 4));
    if (withAnchor) store<f64>(out, logit(model, bias));
    addWords(load<i32>(link, 8), load<i32>(link, 12));
    addWords(load<i32>(link, 16), load<i32>(link, 20));
    store<f64>(out, logit(model, bias), 8);
    reset();
  }
}

// Simhash.

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

/** Each bit as in most of the features, which are runs of three words. */
function majority(features: i32, salt: u32): u32 {
  const bits = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  const zero = i16x8.splat(0);
  let first = zero;
  let second = zero;
  let third = zero;
  let fourth = zero;
  for (let i = 0; i < features; i++) {
    const at = hashes + ((<usize>i) << 2);
    let hash = combine(combine(load<u32>(at), load<u32>(at, 4)), load<u32>(at, 8));
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
