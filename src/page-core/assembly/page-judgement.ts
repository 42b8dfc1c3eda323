/** Pages and links judged by linear topic models: features.ts and model.ts. */
import { take } from './arena';
import { BLOCK_BYTES, blockCount, blocks } from './text-blocks';
import { combine, endAt, hashAt, isWord, startAt } from './text-words';

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
    add(base + (hashAt(word) & bits));
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
