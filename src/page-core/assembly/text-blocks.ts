/** The visible text of a page, cut into blocks as it arrives: text-buffer.ts and block-writer.ts. */
import { FNV_PRIME, KINDS, release, take } from './arena';
import { endsInSpace, endsInStop, readEight, sentenceSpaces, wordStarts } from './eight-units';
import { classPath, depthHere, forgetPlace, locate, near, node, tagHere, tagPath } from './open-elements';

// Character classes, as in text-buffer.ts.
const LETTER: u32 = 0;
const SPACE: u32 = 2;
const DROP: u32 = 3;
export const HALF: u32 = 4;
const STOP: u32 = 5;
const WIDE_MARK: u32 = 6;
const WIDE_STOP: u32 = 7;

/** Kinds of tags, as in tags.ts. */
export const INLINE: u32 = 0;
export const BLOCK: u32 = 1;
export const CELL: u32 = 2;
export const BREAK: u32 = 3;

const MAX_BLOCKS: i32 = 50000;
const SHORT_CELL: i32 = 16;
/** Units at either end of a block that go into its hash. */
const HASHED: i32 = 32;
export const BLOCK_BYTES: usize = 72;

export let text: usize = 0;
export let blocks: usize = 0;
export let blockCount: i32 = 0;
export let isFull: bool = false;
/** All bits of all units. */
export let allBits: u32 = 0;

let out: usize = 0;
let blockFrom: usize = 0;
let halfWords: i32 = 0;
let sentenceEnds: i32 = 0;
let pendingSpace: bool = false;
let inWord: bool = false;
let lastStop: bool = false;

let flags: i32 = 0;
let linkHalfWords: i32 = 0;
let blockTags: i32 = 0;
let inlineTags: i32 = 0;
let breakAt: usize = 0;

/** Starts a page of `length` units. */
export function startText(length: i32): void {
  text = take((<usize>length + 64) << 1);
  blocks = take(<usize>min(MAX_BLOCKS, length / 2 + 2) * BLOCK_BYTES);
  out = text;
  blockCount = 0;
  isFull = false;
  allBits = 0;
  flags = linkHalfWords = blockTags = inlineTags = 0;
  breakAt = 0;
  forgetPlace();
  blockFrom = text;
  resetBlock();
}

/** Starts a page of plain text, which is one block. @returns where to write its units */
export function takePlain(length: i32): usize {
  release();
  startText(length);
  out = text + ((<usize>length) << 1);
  if (length > 0) {
    store<i32>(blocks, 0);
    store<i32>(blocks, length, 4);
    blockCount = 1;
  }
  return text;
}

export function textLength(): i32 {
  return <i32>(out - text) >> 1;
}

export function unitAt(at: i32): u32 {
  return load<u16>(text + ((<usize>at) << 1));
}

/** The text in one byte a unit, if no unit needs more. @returns its address */
export function narrowText(): usize {
  const bytes = take(<usize>textLength() + 16);
  let to = bytes;
  for (let at = text; at < out; at += 32, to += 16) v128.store(to, i8x16.narrow_i16x8_u(v128.load(at), v128.load(at, 16)));
  return bytes;
}

function resetBlock(): void {
  halfWords = sentenceEnds = 0;
  pendingSpace = inWord = lastStop = false;
}

/** Text at the current place of the stack. A block has the flags and the place at the start of its text. */
export function write(from: usize, end: usize, stackFlags: i32, inLink: bool): void {
  const before = halfWords;
  const hadText = out > blockFrom;
  append(from, end);
  if (!hadText && out > blockFrom) {
    flags = stackFlags;
    locate();
  }
  if (inLink) linkHalfWords += halfWords - before;
}

function append(from: usize, end: usize): void {
  let p = from;
  let o = out;
  let pending = pendingSpace;
  let word = inWord;
  let stop = lastStop;
  let half = 0;
  let bits: u32 = 0;
  /** Until here, units are read one at a time: eight together were not plain. */
  let slowEnd = p;
  while (p < end) {
    if (p >= slowEnd && p + 16 <= end) {
      const isSpaced = pending && o > blockFrom;
      if (readEight(p, word && !pending, stop && !pending, pending || o === blockFrom)) {
        if (isSpaced) {
          store<u16>(o, 32);
          o += 2;
          if (stop) sentenceEnds++;
        }
        v128.store(o, v128.load(p));
        pending = endsInSpace;
        o += pending ? 14 : 16;
        p += 16;
        half += 2 * wordStarts;
        sentenceEnds += sentenceSpaces;
        word = true;
        stop = endsInStop;
        bits |= 127;
        continue;
      }
      slowEnd = p + 16;
    }
    let code: u32 = load<u16>(p);
    const kind: u32 = load<u8>(KINDS + code);
    p += 2;
    if (kind === SPACE) {
      pending = true;
      continue;
    }
    if (kind === DROP) continue;
    if (pending) {
      pending = false;
      word = false;
      if (o > blockFrom) {
        store<u16>(o, 32);
        o += 2;
        if (stop) sentenceEnds++;
        stop = false;
      }
    }
    if (kind === LETTER) {
      stop = false;
      if (!word) half += 2;
      word = true;
      for (;;) {
        store<u16>(o, <u16>code);
        o += 2;
        bits |= code;
        if (p >= end) break;
        code = load<u16>(p);
        if (load<u8>(KINDS + code) !== LETTER) break;
        p += 2;
      }
      continue;
    }
    store<u16>(o, <u16>code);
    o += 2;
    bits |= code;
    if (kind === HALF) {
      stop = false;
      word = false;
      half++;
    } else if (kind === STOP) stop = true;
    else if (kind === WIDE_MARK) word = false;
    else if (kind === WIDE_STOP) {
      sentenceEnds++;
      word = false;
    }
  }
  out = o;
  pendingSpace = pending;
  inWord = word;
  lastStop = stop;
  halfWords += half;
  allBits |= bits;
}

/** A start or end tag: cuts by its kind, then counts. */
export function cutAndCount(kind: u32): void {
  if (kind === BLOCK) endBlock();
  else if (kind === CELL) cellEdge();
  countTag(kind);
}

export function countTag(kind: u32): void {
  if (kind === BLOCK || kind === CELL) blockTags++;
  else inlineTags++;
}

export function cellEdge(): void {
  if (halfWords > SHORT_CELL || breakAt >= blockFrom) endBlock();
  else pendingSpace = true;
}

export function lineBreak(): void {
  inlineTags++;
  if (breakAt === out) endBlock();
  else pendingSpace = true;
  breakAt = out;
}

export function endBlock(): void {
  if (out === blockFrom) return;
  if (blockCount < MAX_BLOCKS - 1) push();
  else {
    isFull = true;
    pendingSpace = true;
  }
}

export function finishText(): void {
  if (out > blockFrom) push();
}

function push(): void {
  const block = blocks + <usize>blockCount * BLOCK_BYTES;
  store<i32>(block, <i32>(blockFrom - text) >> 1);
  store<i32>(block, textLength(), 4);
  store<i32>(block, halfWords, 8);
  store<i32>(block, linkHalfWords, 12);
  store<i32>(block, blockTags, 16);
  store<i32>(block, inlineTags, 20);
  store<i32>(block, sentenceEnds + (lastStop ? 1 : 0), 24);
  store<i32>(block, flags, 28);
  store<i32>(block, tagHere, 32);
  store<i32>(block, node, 36);
  store<i32>(block, depthHere, 40);
  store<i32>(block, tagPath, 44);
  store<i32>(block, classPath, 48);
  store<i32>(block, near, 52);
  lookAtBlock(block);
  blockCount++;
  store<u16>(out, 10);
  out += 2;
  blockFrom = out;
  resetBlock();
  linkHalfWords = blockTags = inlineTags = 0;
  breakAt = 0;
}

let capitals: i32 = 0;
let marks: i32 = 0;

/** Kinds of characters in the block, and a hash of its length, start and end. */
function lookAtBlock(block: usize): void {
  countSigns(blockFrom, out);
  const length = <i32>(out - blockFrom) >> 1;
  let hash: u32 = <u32>length;
  const headEnd = min(out, blockFrom + ((<usize>HASHED) << 1));
  for (let p = blockFrom; p < headEnd; p += 2) hash = (hash ^ load<u16>(p)) * FNV_PRIME;
  const tail = <isize>out - ((<isize>HASHED) << 1);
  for (let p = <isize>headEnd > tail ? headEnd : <usize>tail; p < out; p += 2) hash = (hash ^ load<u16>(p)) * FNV_PRIME;
  store<i32>(block, capitals, 56);
  store<i32>(block, marks, 60);
  store<u32>(block, hash, 64);
}

/** Counts capitals and marks: eight ASCII characters at a time, others each by its class. */
function countSigns(from: usize, end: usize): void {
  capitals = marks = 0;
  let p = from;
  for (; p + 16 <= end; p += 16) {
    const units = v128.load(p);
    if (v128.any_true(i16x8.gt_u(units, i16x8.splat(127)))) {
      countEach(p, p + 16);
      continue;
    }
    const upper = i16x8.lt_u(i16x8.sub(units, i16x8.splat(65)), i16x8.splat(26));
    const letter = i16x8.lt_u(i16x8.sub(v128.or(units, i16x8.splat(32)), i16x8.splat(97)), i16x8.splat(26));
    const digit = i16x8.lt_u(i16x8.sub(units, i16x8.splat(48)), i16x8.splat(10));
    const plain = v128.or(v128.or(letter, digit), i16x8.eq(units, i16x8.splat(32)));
    capitals += popcnt(i16x8.bitmask(upper));
    marks += 8 - popcnt(i16x8.bitmask(plain));
  }
  countEach(p, end);
}

function countEach(from: usize, end: usize): void {
  for (let p = from; p < end; p += 2) {
    const code: u32 = load<u16>(p);
    const kind: u32 = load<u8>(KINDS + code);
    const isCapital = code - 65 < 26;
    capitals += isCapital ? 1 : 0;
    marks += !isCapital && code !== 32 && kind !== LETTER && kind !== HALF ? 1 : 0;
  }
}
