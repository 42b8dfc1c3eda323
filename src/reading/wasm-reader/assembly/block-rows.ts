/**
 * The features of blocks, a row of f32 each: block-features.ts. A row starts with the values that all blocks of a page share. Several rows are made at a time,
 * feature by feature.
 */
import { take } from './arena';
import {
  blockTagsOf,
  endOf,
  flagsOf,
  halfLinkedOf,
  halfWordsOf,
  inlineTagsOf,
  nodeAround,
  sentencesOf,
  startOf,
  tagOf,
} from './block-fields';
import {
  blocksIn,
  CONTAINERS,
  containerOf,
  findContainers,
  firstOf,
  groupBlocks,
  groupOf,
  plainIn,
  sentencesIn,
  wordsIn,
} from './block-groups';
import {
  bestEnd,
  bestScore,
  bestStart,
  bodyFlag,
  double,
  isBoilerplate,
  linkedOf,
  mainFlag,
  preFlag,
  scores,
  slopeRoles,
  wordsOf,
} from './block-slope';
import { setTitle, shareOfTitle } from './block-title';
import { FEATURE_BYTES, ROWS } from './block-trees';
import { BLOCK_BYTES, blockCount, blocks, unitAt } from './text-blocks';

export const FEATURES: usize = 95;

// Places of the groups in a row.
const SHARE: usize = 10;
const OWN: usize = 18;
const TAG: usize = 25;
const PLACE: usize = 31;
const NEAR: usize = 37;
const SLOPE: usize = 42;
const CONTAINER: usize = 45;
const TAG_PATH: usize = 69;
const CLASS_PATH: usize = 74;
const SEMANTIC: usize = 79;

const SUMS_GROUP: i32 = 5;
const WINDOW: i32 = 4;

// Places of numbers in a block, by which blocks are grouped.
const TAG_PATH_AT: usize = 44;
const CLASS_PATH_AT: usize = 48;
const HASH_AT: usize = 64;

/** Flags whose share of the page is a feature, and after them those that are features of a block; from the host. */
export const ROW_FLAGS: usize = memory.data(19 * 4);
const SHARED: i32 = 7;
const OF_BLOCK: i32 = 12;
const NEAR_HINTS: i32 = 4;
/**
 * Signs of no tag and of each known one: is it an item, its level as a heading, is it a term or definition, a caption, generic, a
 * paragraph, a term, the first heading? From the host.
 */
export const TAG_SIGNS: usize = memory.data(257 * 8);
const ITEM: usize = 0;
const LEVEL: usize = 1;
const DEFINITION: usize = 2;
const CAPTION: usize = 3;
const GENERIC: usize = 4;
const PARAGRAPH: usize = 5;
const TERM: usize = 6;
const H1: usize = 7;

// Flags, from the host.
let allHints: i32 = 0;
export let headingFlag: i32 = 0;

export function setRowFlags(hints: i32, heading: i32): void {
  allHints = hints;
  headingFlag = heading;
}

/** The first feature of the row that is written. */
let row: usize = 0;
let tagPaths: usize = 0;
let classPaths: usize = 0;
let copies: usize = 0;
/** Half words, half words that are not linked, and quarters of tags before each block. */
let before: usize = 0;
let allWords: f64 = 1;
let allPlain: f64 = 1;
/** The last heading so far, and whether there was an `h1`. */
let heading: i32 = -1;
let afterH1: bool = false;

function put(at: usize, value: f64): void {
  store<f32>(row + at * FEATURE_BYTES, <f32>value);
}

function sign(block: i32, which: usize): u32 {
  return load<u8>(TAG_SIGNS + ((<usize>(tagOf(block) + 1)) << 3) + which);
}

function halfBefore(block: i32, which: usize): i32 {
  return load<i32>(before + <usize>block * 12 + (which << 2));
}

function wordsBefore(block: i32): f64 {
  return <f64>halfBefore(block, 0) * 0.5;
}

export function isTerm(block: i32): bool {
  return sign(block, TERM) !== 0;
}

/** Prepares the rows of a page, after its slope. @param titleAt the page's title in lower case */
export function startRows(rows: usize, titleAt: usize, length: i32): void {
  setTitle(titleAt, length);
  heading = -1;
  afterH1 = false;
  findContainers();
  tagPaths = groupBlocks(TAG_PATH_AT);
  classPaths = groupBlocks(CLASS_PATH_AT);
  copies = groupBlocks(HASH_AT);
  sumBefore();
  row = rows;
  pageGroup();
  shareGroup();
  for (let feature = rows; feature < rows + OWN * FEATURE_BYTES; feature += FEATURE_BYTES)
    for (let other: usize = 1; other < ROWS; other++) store<f32>(feature + (other << 2), load<f32>(feature));
}

function sumBefore(): void {
  before = take(<usize>(blockCount + 1) * 12);
  let words = 0;
  let plain = 0;
  let tags = 0;
  for (let i = 0; i <= blockCount; i++) {
    const at = before + <usize>i * 12;
    store<i32>(at, words);
    store<i32>(at, plain, 4);
    store<i32>(at, tags, 8);
    if (i === blockCount) break;
    words += halfWordsOf(i);
    plain += halfWordsOf(i) - halfLinkedOf(i);
    tags += 4 * blockTagsOf(i) + inlineTagsOf(i);
  }
  allWords = max<f64>(1, <f64>words * 0.5);
  allPlain = max<f64>(1, <f64>plain * 0.5);
}

function pageGroup(): void {
  const n = <f64>max<i32>(1, blockCount);
  let paragraphs = 0;
  let items = 0;
  let sentences = 0;
  let main = 0;
  for (let i = 0; i < blockCount; i++) {
    if (sign(i, PARAGRAPH)) paragraphs += halfWordsOf(i);
    else if (sign(i, ITEM)) items += halfWordsOf(i);
    if (flagsOf(i) & mainFlag) main = 1;
    sentences += sentencesOf(i);
  }
  const words = wordsBefore(blockCount);
  const plain = <f64>halfBefore(blockCount, 1) * 0.5;
  put(0, blockCount);
  put(1, words);
  put(2, 1 - plain / allWords);
  put(3, <f64>sentences / n);
  put(4, (<f64>paragraphs * 0.5) / allWords);
  put(5, (<f64>items * 0.5) / allWords);
  put(6, words / n);
  put(7, (<f64>(halfBefore(bestEnd, 1) - halfBefore(bestStart, 1)) * 0.5) / allPlain);
  put(8, max<f64>(0, bestScore));
  put(9, main);
}

function shareGroup(): void {
  for (let k = -1; k < SHARED; k++) {
    let words = 0;
    for (let i = 0; i < blockCount; i++) {
      const flags = flagsOf(i);
      if ((flags & allHints) === 0) continue;
      const counts = k < 0 ? (flags & bodyFlag) !== 0 && !isBoilerplate(i) : (flags & rowFlag(k)) !== 0;
      if (counts) words += halfWordsOf(i);
    }
    put(SHARE + 1 + <usize>k, (<f64>words * 0.5) / allWords);
  }
}

function rowFlag(k: i32): i32 {
  return load<i32>(ROW_FLAGS + ((<usize>k) << 2));
}

/** Writes the row of a block; of all blocks in their order. */
export function writeRow(into: usize, i: i32): void {
  row = into;
  const flags = flagsOf(i);
  ownGroup(i);
  put(TAG, sign(i, ITEM));
  put(TAG + 1, flags & headingFlag ? sign(i, LEVEL) : 0);
  put(TAG + 2, flags & preFlag ? 1 : 0);
  put(TAG + 3, sign(i, DEFINITION));
  put(TAG + 4, sign(i, CAPTION));
  put(TAG + 5, sign(i, GENERIC));
  placeGroup(i);
  if (flags & headingFlag) heading = i;
  if (sign(i, H1)) afterH1 = true;
  nearGroup(i);
  slopeGroup(i);
  for (let rank = 0; rank < CONTAINERS; rank++) {
    const node = containerOf(nodeAround(i), rank);
    const at = CONTAINER + <usize>(rank * (SUMS_GROUP + 1));
    sumsGroup(at, node);
    put(at + SUMS_GROUP, <f64>(i - firstOf(node)) / max<f64>(1, blocksIn(node)));
  }
  sumsGroup(TAG_PATH, groupOf(tagPaths, i));
  sumsGroup(CLASS_PATH, groupOf(classPaths, i));
  for (let k = 0; k < OF_BLOCK; k++) put(SEMANTIC + k, flags & rowFlag(SHARED + k) ? 1 : 0);
  const near: u32 = load<u32>(blocks + <usize>i * BLOCK_BYTES, 52);
  for (let k = 0; k < NEAR_HINTS; k++) put(SEMANTIC + OF_BLOCK + k, (near >>> (3 * k)) & 7);
}

function ownGroup(i: i32): void {
  const block = blocks + <usize>i * BLOCK_BYTES;
  const words = wordsOf(i);
  const chars = <f64>max<i32>(1, endOf(i) - startOf(i));
  const some = max<f64>(0.5, words);
  put(OWN, words);
  put(OWN + 1, min<f64>(5, <f64>inlineTagsOf(i) / some));
  put(OWN + 2, <f64>load<i32>(block, 56) / chars);
  put(OWN + 3, <f64>load<i32>(block, 60) / chars);
  put(OWN + 4, chars / some);
  put(OWN + 5, isStop(unitAt(endOf(i) - 1)) ? 1 : 0);
  put(OWN + 6, min<f64>(10, blocksIn(groupOf(copies, i))));
}

function isStop(unit: u32): bool {
  return unit === 0x2e || unit === 0x21 || unit === 0x3f || unit === 0x2026 || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f;
}

function placeGroup(i: i32): void {
  put(PLACE, wordsBefore(i) / allWords);
  put(PLACE + 1, load<i32>(blocks + <usize>i * BLOCK_BYTES, 40));
  put(PLACE + 2, heading < 0 ? 50 : min(50, i - heading));
  put(PLACE + 3, heading < 0 ? 0 : wordsBefore(i) - wordsBefore(heading));
  put(PLACE + 4, afterH1 ? 1 : 0);
  put(PLACE + 5, shareOfTitle(i));
}

function nearGroup(i: i32): void {
  const first = max(0, i - WINDOW);
  const end = min(blockCount, i + WINDOW + 1);
  const words = <f64>(halfBefore(end, 0) - halfBefore(first, 0)) * 0.5;
  const plain = <f64>(halfBefore(end, 1) - halfBefore(first, 1)) * 0.5;
  const tags = <f64>(halfBefore(end, 2) - halfBefore(first, 2)) * 0.25;
  const after = i + 1;
  const has = after < blockCount;
  put(NEAR, has ? wordsOf(after) : -1);
  put(NEAR + 1, has ? linkedOf(after) / max<f64>(0.5, wordsOf(after)) : -1);
  put(NEAR + 2, has ? min(10, sentencesOf(after)) : 0);
  put(NEAR + 3, has ? min(30, blockTagsOf(after)) : 0);
  put(NEAR + 4, plain / max<f64>(1, words + tags));
}

function slopeGroup(i: i32): void {
  const border = i < bestStart ? i - bestStart : i >= bestEnd ? bestEnd - 1 - i : min(i - bestStart, bestEnd - 1 - i) + 1;
  put(SLOPE, max<f64>(-60, min<f64>(60, double(scores, i))));
  put(SLOPE + 1, max(-50, min(50, border)));
  put(SLOPE + 2, load<u8>(slopeRoles + i));
}

function sumsGroup(at: usize, sums: usize): void {
  const blocks = blocksIn(sums);
  const words = wordsIn(sums);
  const plain = plainIn(sums);
  put(at, blocks);
  put(at + 1, plain / allPlain);
  put(at + 2, 1 - plain / max<f64>(0.5, words));
  put(at + 3, words / max<f64>(1, blocks));
  put(at + 4, sentencesIn(sums) / max<f64>(1, blocks));
}
