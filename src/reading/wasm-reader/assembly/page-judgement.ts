/** Pages and links judged by linear topic models: features.ts and model.ts. */
import { take } from './arena';
import { BLOCK_BYTES, blockCount, blocks } from './text-blocks';
import { combine, endAt, hashAt, isWord, startAt } from './text-words';

/** Counts of the buckets, 2^18 of them. */
const counts: usize = memory.data(262144 * 2);
/** Buckets whose counts are not 0, in the order of their first occurrence: of words; of pairs of words; of title and URL. */
const wordBuckets: usize = memory.data(20104 * 4);
const pairBuckets: usize = memory.data(20104 * 4);
const otherBuckets: usize = memory.data(1024 * 4);
/** 1 + ln(tf), a f64 for each count up to the largest. */
export const SUBLINEAR: usize = memory.data(20104 * 8);

// Ranges of buckets and limits, from features.ts.
let wordMask: u32 = 0;
let bigramBase: u32 = 0;
let bigramCount: u64 = 0;
let titleBase: u32 = 0;
let titleMask: u32 = 0;
let urlBase: u32 = 0;
let urlMask: u32 = 0;
let maxWords: i32 = 0;
let maxTitleWords: i32 = 0;
let maxUrlWords: i32 = 0;

let wordSize: i32 = 0;
let pairSize: i32 = 0;
let otherSize: i32 = 0;
let seen: i32 = 0;
let previous: u32 = 0;

export function setBuckets(
  words: u32,
  bigrams: u32,
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
  bigramCount = characters - bigrams;

  titleBase = titles;
  titleMask = titleBits;
  urlBase = urls;
  urlMask = urlBits;
  maxWords = mostWords;
  maxTitleWords = mostTitleWords;
  maxUrlWords = mostUrlWords;
}

/** Counts a bucket, which is also written to the end of `list`. @returns 1 for its first occurrence */
function count(bucket: u32, list: usize, size: i32): i32 {
  const at = counts + ((<usize>bucket) << 1);
  const before = load<u16>(at);
  store<u32>(list + ((<usize>size) << 2), bucket);
  store<u16>(at, before + 1);
  return before === 0 ? 1 : 0;
}

/** Starts a text: its first word has no word before it. */
export function startCount(): void {
  seen = 0;
}

/** Counts the words from one to another, and their pairs. */
function addWords(from: i32, to: i32): void {
  // Globals are memory: each would be stored and loaded again for each word.
  let words = wordSize;
  let pairs = pairSize;
  let number = seen;
  let before = previous;
  for (let word = from; word < to; word++) {
    if (!isWord(word)) continue;
    if (number++ >= maxWords) break;
    const hash = hashAt(word);
    words += count(hash & wordMask, wordBuckets, words);
    // The host multiplies by the number of buckets over 2^32, which is exact.
    if (number > 1) pairs += count(bigramBase + <u32>((<u64>combine(before, hash) * bigramCount) >>> 32), pairBuckets, pairs);
    before = hash;
  }
  wordSize = words;
  pairSize = pairs;
  seen = number;
  previous = before;
}

export function firstWordOf(block: i32): i32 {
  return load<i32>(blocks + <usize>block * BLOCK_BYTES, 68);
}
export function lastWordOf(block: i32, pageWords: i32): i32 {
  return block + 1 < blockCount ? firstWordOf(block + 1) : pageWords;
}

/** Counts the words of the blocks whose byte in `roles` is `role`. @param pageWords number of words of the page */
export function addBlocks(roles: usize, role: u32, pageWords: i32): void {
  for (let block = 0; block < blockCount && seen < maxWords; block++) {
    if (load<u8>(roles + block) === role) addWords(firstWordOf(block), lastWordOf(block, pageWords));
  }
}

/** Counts words of the title. */
export function addTitle(from: i32, to: i32): void {
  addFirst(from, to, maxTitleWords, titleBase, titleMask);
}

/** Counts words of the path of the URL. */
export function addUrl(from: i32, to: i32): void {
  addFirst(from, to, maxUrlWords, urlBase, urlMask);
}

function addFirst(from: i32, to: i32, most: i32, base: u32, bits: u32): void {
  let left = most;
  for (let word = from; word < to && left > 0; word++) {
    if (!isWord(word)) continue;
    otherSize += count(base + (hashAt(word) & bits), otherBuckets, otherSize);
    left--;
  }
}

let dot: f64 = 0;
let square: f64 = 0;

/** Sums the features of some buckets: w·x, and x·x. */
function sumBuckets(list: usize, size: i32, model: usize): void {
  let dotHere: f64 = 0;
  let squareHere: f64 = 0;
  for (let i = 0; i < size; i++) {
    const bucket = load<u32>(list + ((<usize>i) << 2));
    const pair = model + ((<usize>bucket) << 3);
    const value = sublinearOf(bucket) * <f64>load<f32>(pair);
    dotHere += value * <f64>load<f32>(pair, 4);
    squareHere += value * value;
  }
  dot = dotHere;
  square = squareHere;
}

function sublinearOf(bucket: u32): f64 {
  return load<f64>(SUBLINEAR + ((<usize>load<u16>(counts + ((<usize>bucket) << 1))) << 3));
}

/** Bytes of the places of all word buckets, which the rows of a table of meanings follow, and the shift of a row: 16 bytes. */
const PLACES_BYTES: usize = 131072 * 4;
const ROW_SHIFT: usize = 4;

/** Table of the directions of words, of the model that judges next; 0 without. */
let meaning: usize = 0;
let lengthStep: f64 = 0;

/** @param table for each word bucket the number of its row, or -1; then rows of eight codes, i8, a weight, f32, and a rest, u8 */
export function setMeaning(table: usize, step: f64): void {
  meaning = table;
  lengthStep = step;
}

/** The sums of the counted words along the eight directions, f64; the share of their weights; the square of their rests. */
const directions: usize = memory.data(8 * 8);
let weightSum: f64 = 0;
let restSquare: f64 = 0;

/** The share of the counted words by their directions: meaning-tables.ts. */
function meaningOf(): f64 {
  if (ASC_FEATURE_SIMD) sumMeanings();
  else sumMeaningsByOne();
  let length = restSquare;
  for (let at = directions; at < directions + 64; at += 8) length += load<f64>(at) * load<f64>(at);
  return length > 0 ? weightSum / (lengthStep * sqrt(length)) : 0;
}

/** Address of the row of a word; 0 without one. */
function rowOf(bucket: u32): usize {
  const place = load<i32>(meaning + ((<usize>bucket) << 2));
  return place < 0 ? 0 : meaning + PLACES_BYTES + ((<usize>place) << ROW_SHIFT);
}

/** Two directions at a time: each sum has the same summands in the same order as one by one. */
function sumMeanings(): void {
  let weights: f64 = 0;
  let rests: f64 = 0;
  let first = f64x2.splat(0);
  let second = f64x2.splat(0);
  let third = f64x2.splat(0);
  let fourth = f64x2.splat(0);
  for (let i = 0; i < wordSize; i++) {
    const bucket = load<u32>(wordBuckets + ((<usize>i) << 2));
    const row = rowOf(bucket);
    if (row === 0) continue;
    const tf = sublinearOf(bucket);
    const rest = tf * <f64>load<u8>(row, 12);
    weights += tf * <f64>load<f32>(row, 8);
    rests += rest * rest;
    const each = f64x2.splat(tf);
    const codes = v128.load_ext<i8>(row);
    const low = i32x4.extend_low_i16x8_s(codes);
    const high = i32x4.extend_high_i16x8_s(codes);
    first = f64x2.add(first, f64x2.mul(each, f64x2.convert_low_i32x4_s(low)));
    second = f64x2.add(second, f64x2.mul(each, f64x2.convert_low_i32x4_s(v128.shuffle<i64>(low, low, 1, 1))));
    third = f64x2.add(third, f64x2.mul(each, f64x2.convert_low_i32x4_s(high)));
    fourth = f64x2.add(fourth, f64x2.mul(each, f64x2.convert_low_i32x4_s(v128.shuffle<i64>(high, high, 1, 1))));
  }
  v128.store(directions, first);
  v128.store(directions, second, 16);
  v128.store(directions, third, 32);
  v128.store(directions, fourth, 48);
  weightSum = weights;
  restSquare = rests;
}

function sumMeaningsByOne(): void {
  memory.fill(directions, 0, 64);
  let weights: f64 = 0;
  let rests: f64 = 0;
  for (let i = 0; i < wordSize; i++) {
    const bucket = load<u32>(wordBuckets + ((<usize>i) << 2));
    const row = rowOf(bucket);
    if (row === 0) continue;
    const tf = sublinearOf(bucket);
    const rest = tf * <f64>load<u8>(row, 12);
    weights += tf * <f64>load<f32>(row, 8);
    rests += rest * rest;
    for (let code: usize = 0; code < 8; code++) {
      const at = directions + (code << 3);
      store<f64>(at, load<f64>(at) + tf * <f64>load<i8>(row + code));
    }
  }
  weightSum = weights;
  restSquare = rests;
}

/**
 * bias + w·x of the counted features, and the share of the directions of words, in natural-log odds. Each kind of features is summed by itself, in the order of first occurrences. A page of the
 * core has no features of single characters.
 * @param model pairs of idf and weight, f32, one for each bucket
 */
export function logit(model: usize, bias: f64): f64 {
  let sum = bias;
  sumBuckets(wordBuckets, wordSize, model);
  if (square > 0) sum += dot / sqrt(square);
  sumBuckets(pairBuckets, pairSize, model);
  if (square > 0) sum += dot / sqrt(square);
  // The title is counted before the URL.
  let titles = 0;
  while (titles < otherSize && load<u32>(otherBuckets + ((<usize>titles) << 2)) < urlBase) titles++;
  sumBuckets(otherBuckets, titles, model);
  if (square > 0) sum += dot / sqrt(square);
  sumBuckets(otherBuckets + ((<usize>titles) << 2), otherSize - titles, model);
  if (square > 0) sum += dot / sqrt(square);
  return meaning === 0 ? sum : sum + meaningOf();
}

/** Forgets the counts. */
export function reset(): void {
  forget(wordBuckets, wordSize);
  forget(pairBuckets, pairSize);
  forget(otherBuckets, otherSize);
  wordSize = pairSize = otherSize = 0;
}

function forget(list: usize, size: i32): void {
  for (let i = 0; i < size; i++) store<u16>(counts + ((<usize>load<u32>(list + ((<usize>i) << 2))) << 1), 0);
}

// Links.

/** A link: start and end of its anchor, of the text before it, of the text after it, in units of the page's text. */
export const LINK_BYTES: usize = 24;

let rangeFrom: i32 = 0;
let rangeTo: i32 = 0;

/** Sets the words in `[start, end)`, the first of which is `first`. @returns false if an end is inside a word. */
function findRange(first: i32, start: i32, end: i32, pageWords: i32): bool {
  rangeFrom = first;
  rangeTo = first;
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

/** First word that ends after a place, for a place near the word `from`. */
function firstEndingNear(from: i32, at: i32, pageWords: i32): i32 {
  let word = from;
  while (word > 0 && endAt(word - 1) > at) word--;
  while (word < pageWords && endAt(word) <= at) word++;
  return word;
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
    const isWhole =
      putRange(link, firstEndingAfter(load<i32>(link), pageWords), pageWords) &&
      putRange(link + 8, firstEndingNear(rangeFrom, load<i32>(link, 8), pageWords), pageWords) &&
      putRange(link + 16, firstEndingNear(rangeTo, load<i32>(link, 16), pageWords), pageWords);
    if (!isWhole) store<i32>(link, -1);
  }
}

function putRange(at: usize, first: i32, pageWords: i32): bool {
  if (!findRange(first, load<i32>(at), load<i32>(at, 4), pageWords)) return false;
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
