/** The slope of weighted tag density, and the roles that it gives: tag-density.ts and main-text.ts. */
import { take } from './arena';
import { blockTagsOf, flagsOf, halfLinkedOf, halfWordsOf, inlineTagsOf, sentencesOf } from './block-fields';
import { blockCount } from './text-blocks';

/** Roles of blocks, as in main-text.ts. */
export const OUTSIDE: u8 = 0;
export const LINKS: u8 = 1;
export const TEXT: u8 = 2;

const MAX_WINDOWS: i32 = 64;

/** The weights, in the order of `SLOPE_WEIGHTS`; from the host. */
export const WEIGHTS: usize = memory.data(21 * 8);
const BLOCK_TAG: usize = 0;
const INLINE_TAG: usize = 8;
const MAX_TAG_COST: usize = 16;
const LINK_WORD: usize = 24;
const LINK_BLOCK: usize = 32;
const SENTENCE: usize = 40;
const BOILERPLATE_BLOCK: usize = 48;
const BOILERPLATE_WORD: usize = 56;
const HINT_WORD: usize = 64;
const PRE: usize = 72;
const LIST: usize = 80;
const BODY: usize = 88;
const WINDOW: usize = 96;
const PIVOT: usize = 104;
const REACH: usize = 112;
const SECOND_WINDOW: usize = 120;
const MAX_LINKED: usize = 128;
const MIN_SHARE: usize = 136;
const FEW_SENTENCES: usize = 144;
const MIN_WORDS: usize = 152;

// Flags, from the host.
export let boilerplateFlags: i32 = 0;
export let boilerplateHint: i32 = 0;
export let bodyFlag: i32 = 0;
export let hiddenFlag: i32 = 0;
export let preFlag: i32 = 0;
export let mainFlag: i32 = 0;
let listFlag: i32 = 0;

export function setSlopeFlags(boilerplate: i32, hint: i32, body: i32, hidden: i32, pre: i32, main: i32, list: i32): void {
  boilerplateFlags = boilerplate;
  boilerplateHint = hint;
  bodyFlag = body;
  hiddenFlag = hidden;
  preFlag = pre;
  mainFlag = main;
  listFlag = list;
}

/** Score of each block in a segment, f64; the slope's role, a byte. */
export let scores: usize = 0;
export let slopeRoles: usize = 0;
/** The run of blocks with the best sum of scores. */
export let bestStart: i32 = 0;
export let bestEnd: i32 = 0;
export let bestScore: f64 = 0;

/** Sums before each block: words outside boilerplate that are not linked; words and costs of tags. */
let plain: usize = 0;
let all: usize = 0;

function weight(at: usize): f64 {
  return load<f64>(WEIGHTS + at);
}

export function double(array: usize, index: i32): f64 {
  return load<f64>(array + ((<usize>index) << 3));
}

export function putDouble(array: usize, index: i32, value: f64): void {
  store<f64>(array + ((<usize>index) << 3), value);
}

export function isBoilerplate(block: i32): bool {
  return (flagsOf(block) & boilerplateFlags) !== 0;
}

export function wordsOf(block: i32): f64 {
  return <f64>halfWordsOf(block) * 0.5;
}

export function linkedOf(block: i32): f64 {
  return <f64>halfLinkedOf(block) * 0.5;
}

function tagCost(block: i32): f64 {
  return min<f64>(weight(MAX_TAG_COST), weight(BLOCK_TAG) * <f64>blockTagsOf(block) + weight(INLINE_TAG) * <f64>inlineTagsOf(block));
}

function ownScore(block: i32): f64 {
  const words = wordsOf(block);
  if (isBoilerplate(block)) return -weight(BOILERPLATE_BLOCK) - weight(BOILERPLATE_WORD) * words;
  const linked = linkedOf(block);
  const unlinked = words - linked;
  const sentences = sentencesOf(block);
  let score = unlinked - weight(LINK_WORD) * linked - tagCost(block) + weight(SENTENCE) * <f64>min(4, sentences);
  if (linked > unlinked && sentences === 0) score -= weight(LINK_BLOCK);
  const flags = flagsOf(block);
  if (flags & boilerplateHint) score -= weight(HINT_WORD) * words;
  if (flags & preFlag) score += weight(PRE);
  if (flags & listFlag) score += weight(LIST);
  if (flags & mainFlag) score += weight(BODY);
  if (flags & bodyFlag) score += weight(BODY);
  return score;
}

function scoreBlocks(): void {
  putDouble(plain, 0, 0);
  putDouble(all, 0, 0);
  for (let i = 0; i < blockCount; i++) {
    putDouble(scores, i, ownScore(i));
    putDouble(plain, i + 1, double(plain, i) + (isBoilerplate(i) ? 0 : wordsOf(i) - linkedOf(i)));
    putDouble(all, i + 1, double(all, i) + wordsOf(i) + tagCost(i));
  }
  const reach = <i32>weight(REACH);
  for (let i = 0; i < blockCount; i++) {
    const from = max(0, i - reach);
    const to = min(blockCount, i + reach + 1);
    const total = double(all, to) - double(all, from);
    const density: f64 = total > 0 ? (double(plain, to) - double(plain, from)) / total : 0;
    putDouble(scores, i, double(scores, i) + weight(WINDOW) * (density - weight(PIVOT)));
  }
}

// The segment that was found last.
let segmentStart: i32 = 0;
let segmentEnd: i32 = 0;
let segmentScore: f64 = 0;

/** Finds the run within [from, to) with the largest sum. */
function findSegment(from: i32, to: i32): void {
  segmentStart = segmentEnd = from;
  segmentScore = 0;
  let sum: f64 = 0;
  let start = from;
  for (let i = from; i < to; i++) {
    if (sum <= 0) {
      sum = 0;
      start = i;
    }
    sum += double(scores, i);
    if (sum > segmentScore) {
      segmentStart = start;
      segmentEnd = i + 1;
      segmentScore = sum;
    }
  }
}

/** Gives each block its score and its role. */
export function decideBySlope(): void {
  scores = take((<usize>blockCount) << 3);
  plain = take((<usize>(blockCount + 1)) << 3);
  all = take((<usize>(blockCount + 1)) << 3);
  slopeRoles = take(<usize>blockCount);
  memory.fill(slopeRoles, OUTSIDE, <usize>blockCount);
  scoreBlocks();
  findSegment(0, blockCount);
  bestStart = segmentStart;
  bestEnd = segmentEnd;
  bestScore = segmentScore;
  if (isBelievable()) markWindows();
  else markOthers();
}

function isBelievable(): bool {
  let words: f64 = 0;
  let inside: f64 = 0;
  let sentences: f64 = 0;
  for (let i = 0; i < blockCount; i++) {
    if (isBoilerplate(i)) continue;
    words += wordsOf(i);
    if (i < bestStart || i >= bestEnd) continue;
    inside += wordsOf(i);
    sentences += <f64>sentencesOf(i);
  }
  if (inside < weight(MIN_WORDS)) return false;
  return inside >= weight(MIN_SHARE) * words || sentences >= weight(FEW_SENTENCES);
}

/** All blocks except boilerplate are text; on a page of boilerplate, all that are not hidden. */
function markOthers(): void {
  let found = false;
  for (let i = 0; i < blockCount; i++) {
    if ((flagsOf(i) & (boilerplateFlags | boilerplateHint)) !== 0) continue;
    store<u8>(slopeRoles + i, TEXT);
    found = true;
  }
  if (found) return;
  for (let i = 0; i < blockCount; i++) if ((flagsOf(i) & hiddenFlag) === 0) store<u8>(slopeRoles + i, TEXT);
}

/** Start and end of each gap between windows that is still to be searched. */
const gaps: usize = memory.data(80 * 8);
let gapCount: i32 = 0;

function addGap(start: i32, end: i32): void {
  const at = gaps + ((<usize>gapCount) << 3);
  store<i32>(at, start);
  store<i32>(at, end, 4);
  gapCount++;
}

/** The best segment, and further ones in the body of the page. */
function markWindows(): void {
  mark(bestStart, bestEnd);
  gapCount = 0;
  addGap(0, bestStart);
  addGap(bestEnd, blockCount);
  let windows = 1;
  while (gapCount > 0 && windows < MAX_WINDOWS) {
    gapCount--;
    const from = load<i32>(gaps + ((<usize>gapCount) << 3));
    const to = load<i32>(gaps + ((<usize>gapCount) << 3), 4);
    findSegment(from, to);
    if (segmentScore <= 0 || segmentScore < weight(SECOND_WINDOW) * bestScore || !isInBody(segmentStart, segmentEnd)) continue;
    mark(segmentStart, segmentEnd);
    windows++;
    addGap(from, segmentStart);
    addGap(segmentEnd, to);
  }
}

function isInBody(start: i32, end: i32): bool {
  let inBody = 0;
  for (let i = start; i < end; i++) if (flagsOf(i) & (mainFlag | bodyFlag)) inBody++;
  return inBody * 2 > end - start;
}

function mark(start: i32, end: i32): void {
  for (let i = start; i < end; i++) {
    if (isBoilerplate(i)) continue;
    const isLinks = sentencesOf(i) === 0 && linkedOf(i) > weight(MAX_LINKED) * wordsOf(i);
    store<u8>(slopeRoles + i, isLinks ? LINKS : TEXT);
  }
}
