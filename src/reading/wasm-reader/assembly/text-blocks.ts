/** The visible text of a page, cut into blocks as it arrives: text-buffer.ts and block-writer.ts. */
import { FNV_PRIME, KINDS, release, take } from './arena';
import { preFlag, unveil } from './block-veils';
import { classPath, depthHere, forgetPlace, locate, near, node, tagHere, tagPath } from './open-elements';
import {
  capitalsOf,
  copySixteen,
  countOf,
  endsInSpace,
  endsInStop,
  marksOf,
  readPlain,
  sentenceSpacesOf,
  wordStartsOf,
} from './plain-units';
import { afterNoBreak, isMarked, markBreak, markCell, markEdge, markSpace, noteBlock, noteSpace, startNotes } from './text-lines';

// Character classes, as in text-buffer.ts.
export const LETTER: u32 = 0;
const SPACE: u32 = 2;
const DROP: u32 = 3;
export const HALF: u32 = 4;
const STOP: u32 = 5;
const WIDE_MARK: u32 = 6;
const WIDE_STOP: u32 = 7;
const JOINER: u32 = 8;

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
/** Capitals of ASCII, and characters that are no letters, digits or white space. */
let capitals: i32 = 0;
let marks: i32 = 0;
let pendingSpace: bool = false;
let inWord: bool = false;
let lastStop: bool = false;
/** Line ends in the white space that is pending. */
let lineEnds: i32 = 0;

let flags: i32 = 0;
let linkHalfWords: i32 = 0;
let blockTags: i32 = 0;
let inlineTags: i32 = 0;
let breakAt: usize = 0;

/** Starts a page of `length` units. */
export function startText(length: i32): void {
  const most = min(MAX_BLOCKS, length / 2 + 2);
  text = take((<usize>length + 64) << 1);
  blocks = take(<usize>most * BLOCK_BYTES);
  startNotes(length, most);
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

function place(at: usize): i32 {
  return <i32>(at - text) >> 1;
}

export function unitAt(at: i32): u32 {
  return load<u16>(text + ((<usize>at) << 1));
}

/** The text in one byte a unit, if no unit needs more. @returns its address */
export function narrowText(): usize {
  const bytes = take(<usize>textLength() + 16);
  let to = bytes;
  if (ASC_FEATURE_SIMD)
    for (let at = text; at < out; at += 32, to += 16) v128.store(to, i8x16.narrow_i16x8_u(v128.load(at), v128.load(at, 16)));
  else for (let at = text; at < out; at += 2, to++) store<u8>(to, load<u16>(at));
  return bytes;
}

function resetBlock(): void {
  halfWords = sentenceEnds = capitals = marks = 0;
  pendingSpace = inWord = lastStop = false;
  lineEnds = 0;
}

/**
 * Text at the current place of the stack. A block has the flags and the place at the start of its text.
 * @param keeps the white space that its element keeps
 */
export function write(from: usize, end: usize, stackFlags: i32, keeps: u32, inLink: bool): void {
  const before = halfWords;
  const hadText = out > blockFrom;
  append(from, end, (stackFlags & preFlag) !== 0, keeps);
  if (!hadText && out > blockFrom) {
    flags = stackFlags;
    locate();
  }
  if (inLink) linkHalfWords += halfWords - before;
}

function append(from: usize, end: usize, inPre: bool, keeps: u32): void {
  let p = from;
  let o = out;
  let pending = pendingSpace;
  let word = inWord;
  let stop = lastStop;
  let half = 0;
  let bits: u32 = 0;
  let upper = 0;
  let signs = 0;
  /** Place until which units are read one at a time, because they are not plain. */
  let slowEnd = p;
  while (p < end) {
    if (p >= slowEnd) {
      const read = readPlain(p, end - p, word && !pending, stop && !pending, pending || o === blockFrom);
      const count = countOf(read);
      if (count > 0) {
        if (pending && o > blockFrom) {
          if (isMarked) noteSpace(place(o), keeps);
          store<u16>(o, inPre && lineEnds > 1 ? 10 : 32);
          o += 2;
          if (stop) sentenceEnds++;
        } else if (o === blockFrom) noteBlock(blockCount, place(o), keeps);
        lineEnds = 0;
        copySixteen(o, p);
        pending = endsInSpace(read);
        if (pending && keeps !== 0) markSpace(32, 0, keeps);
        const size = (<usize>count) << 1;
        o += pending ? size - 2 : size;
        p += size;
        half += 2 * wordStartsOf(read);
        sentenceEnds += sentenceSpacesOf(read);
        upper += capitalsOf(read);
        signs += marksOf(read);
        word = true;
        stop = endsInStop(read);
        bits |= 127;
        slowEnd = count === 16 ? p : p + 2;
        continue;
      }
      slowEnd = p + 16;
    }
    let code: u32 = load<u16>(p);
    const kind: u32 = load<u8>(KINDS + code);
    p += 2;
    if (kind === SPACE) {
      pending = true;
      if (keeps !== 0 || code === 160 || afterNoBreak) markSpace(code, p < end ? load<u16>(p) : 0, keeps);
      if (code === 10 || (code === 13 && (p >= end || load<u16>(p) !== 10))) lineEnds++;
      continue;
    }
    if (kind === DROP) continue;
    if (kind === JOINER) {
      if (pending || o === blockFrom || !takesJoiner(load<u16>(o - 2))) continue;
      store<u16>(o, <u16>code);
      o += 2;
      bits |= code;
      continue;
    }
    if (pending) {
      pending = false;
      word = false;
      if (o > blockFrom) {
        if (isMarked) noteSpace(place(o), keeps);
        store<u16>(o, inPre && lineEnds > 1 ? 10 : 32);
        o += 2;
        if (stop) sentenceEnds++;
        stop = false;
      }
      lineEnds = 0;
    }
    if (o === blockFrom) noteBlock(blockCount, place(o), keeps);
    if (kind === LETTER) {
      stop = false;
      if (!word) half += 2;
      word = true;
      for (;;) {
        store<u16>(o, <u16>code);
        o += 2;
        bits |= code;
        upper += code - 65 < 26 ? 1 : 0;
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
      continue;
    }
    signs++;
    if (kind === STOP) stop = true;
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
  capitals += upper;
  marks += signs;
  allBits |= bits;
}

/** Does a joiner after this unit belong to the spelling? See joiners.ts. */
function takesJoiner(code: u32): bool {
  if (code < 0x600) return false;
  if (code < 0x2190) return code < 0xe00 || (code >= 0xf00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1d00);
  return code < 0x2c00 || (code >= 0xa800 && code < 0xac00) || (code >= 0xd800 && code < 0xe000) || (code >= 0xfb50 && code < 0xfeff);
}

export function blockLength(): i32 {
  return <i32>(out - blockFrom) >> 1;
}

/** Is the last word of the current block followed by no stop? */
export function isInSentence(): bool {
  if (out === blockFrom) return false;
  const kind: u32 = load<u8>(KINDS + load<u16>(out - 2));
  return kind !== STOP && kind !== WIDE_STOP;
}

/** The looks of a text that is not read aloud. */
export const WORDS: i32 = 0;
export const BLANK: i32 = 1;
export const ORNAMENT: i32 = 2;

export function looksOf(from: usize, end: usize): i32 {
  let looks = BLANK;
  for (let p = from; p < end; p += 2) {
    const code: u32 = load<u16>(p);
    if (isLetter(code)) return WORDS;
    const kind: u32 = load<u8>(KINDS + code);
    if (kind !== SPACE && kind !== DROP) looks = ORNAMENT;
  }
  return looks;
}

/**
 * Whether a code unit is a letter or a sign of a currency; not the signs for multiplication and division, symbols, the private use area,
 * and halves of emoji.
 */
function isLetter(code: u32): bool {
  if (code === 0x24 || code - 0xa2 < 4 || code - 0x20a0 < 0x30) return true;
  const kind: u32 = load<u8>(KINDS + code);
  if (kind !== LETTER && kind !== HALF) return false;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7;
  return code >= 0x2c00 && (code < 0xd83c || code > 0xf8ff || (code > 0xd83e && code < 0xdc00));
}

/** A start or end tag: cuts by its kind, then counts. @param edge of its element @param isEnd whether it is an end tag */
export function cutAndCount(kind: u32, edge: u32, isEnd: bool): void {
  cut(kind, edge, isEnd);
  countTag(kind);
}

export function cut(kind: u32, edge: u32, isEnd: bool): void {
  if (kind === BLOCK) {
    endBlock();
    markEdge(edge, isEnd);
  } else if (kind === CELL) cellEdge(edge, isEnd);
}

export function countTag(kind: u32): void {
  if (kind === BLOCK || kind === CELL) blockTags++;
  else inlineTags++;
}

function cellEdge(edge: u32, isEnd: bool): void {
  if (halfWords > SHORT_CELL || breakAt >= blockFrom) endBlock();
  else pendingSpace = true;
  if (out === blockFrom) markEdge(edge, isEnd);
  else markCell();
}

export function lineBreak(): void {
  inlineTags++;
  if (breakAt === out) endBlock();
  else pendingSpace = true;
  breakAt = out;
  markBreak();
}

function endBlock(): void {
  if (out === blockFrom) return;
  if (blockCount < MAX_BLOCKS - 1) push();
  else {
    isFull = true;
    pendingSpace = true;
  }
}

export function finishText(): void {
  if (out > blockFrom) push();
  unveil();
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
  store<i32>(block, capitals, 56);
  store<i32>(block, marks, 60);
  store<u32>(block, hashOfBlock(), 64);
  blockCount++;
  store<u16>(out, 10);
  out += 2;
  blockFrom = out;
  resetBlock();
  linkHalfWords = blockTags = inlineTags = 0;
  breakAt = 0;
}

/** A hash of the block's length, start and end. */
function hashOfBlock(): u32 {
  let hash: u32 = <u32>blockLength();
  const headEnd = min(out, blockFrom + ((<usize>HASHED) << 1));
  for (let p = blockFrom; p < headEnd; p += 2) hash = (hash ^ load<u16>(p)) * FNV_PRIME;
  const tail = <isize>out - ((<isize>HASHED) << 1);
  for (let p = <isize>headEnd > tail ? headEnd : <usize>tail; p < out; p += 2) hash = (hash ^ load<u16>(p)) * FNV_PRIME;
  return hash;
}
