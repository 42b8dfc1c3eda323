/** The elements of a page: those that tags.ts knows, and others, which are inline. */

import { FNV_OFFSET, FNV_PRIME } from './arena';
import { lowerCase } from './host-functions';
import { addHashed, hashOf, keepNames, lowered, releaseNames, TAG, valueOfHash } from './name-table';
import { INLINE } from './text-blocks';

/** Most unknown names on a page, and the most units of one. */
const MAX_UNKNOWN: i32 = 2000;
const MAX_NAME: i32 = 64;
const MAX_KNOWN: i32 = 256;

/** A tag: kind, isVoid, reader, content, isScope, isTablePart, special, closes any; flags; hash; open; name; units of it; edge; keeps; the tags it closes, a bit each. */
const TAG_BYTES: usize = 64;
const tags: usize = memory.data((256 + 2000) * 64);
/** Lower-case names of the unknown tags of the page. */
const unknownNames: usize = memory.data(2000 * 64 * 2);
let known: i32 = 0;
let unknown: i32 = 0;

/** Values of `special`. */
export const H1: u32 = 1;
export const TITLE: u32 = 2;
export const WHOLE: u32 = 3;
export const BUTTON: u32 = 4;
/** Elements that a button may fill, and those of sentences. */
export const LABEL: u32 = 5;
export const PROSE: u32 = 6;

/** The tag `div`, from the host. */
export let divTag: i32 = -1;

export function setDiv(tag: i32): void {
  divTag = tag;
}

export function tagAt(tag: i32): usize {
  return tags + <usize>tag * TAG_BYTES;
}
export function kindOf(tag: i32): u32 {
  return load<u8>(tagAt(tag));
}
export function isVoid(tag: i32): bool {
  return load<u8>(tagAt(tag), 1) !== 0;
}
export function readerOf(tag: i32): u32 {
  return load<u8>(tagAt(tag), 2);
}
export function contentOf(tag: i32): u32 {
  return load<u8>(tagAt(tag), 3);
}
export function isScope(tag: i32): bool {
  return load<u8>(tagAt(tag), 4) !== 0;
}
export function isTablePart(tag: i32): bool {
  return load<u8>(tagAt(tag), 5) !== 0;
}
export function specialOf(tag: i32): u32 {
  return load<u8>(tagAt(tag), 6);
}
export function closesAny(tag: i32): bool {
  return load<u8>(tagAt(tag), 7) !== 0;
}
export function flagsOf(tag: i32): i32 {
  return load<i32>(tagAt(tag), 8);
}
export function hashOfTag(tag: i32): u32 {
  return load<u32>(tagAt(tag), 12);
}
export function openOf(tag: i32): i32 {
  return load<i32>(tagAt(tag), 16);
}
/** The name of a custom element has a hyphen. */
export function isCustom(tag: i32): bool {
  const name = <usize>load<u32>(tagAt(tag), 20);
  const end = name + ((<usize>load<u32>(tagAt(tag), 24)) << 1);
  for (let at = name; at < end; at += 2) if (load<u16>(at) === 45) return true;
  return false;
}
export function edgeOfTag(tag: i32): u32 {
  return load<u8>(tagAt(tag), 28);
}
/** The white space that the element keeps. */
export function keepsOfTag(tag: i32): u32 {
  return load<u8>(tagAt(tag), 29);
}
export function addOpen(tag: i32, more: i32): void {
  store<i32>(tagAt(tag), openOf(tag) + more, 16);
}
export function closes(tag: i32, other: i32): bool {
  return other < MAX_KNOWN && ((load<u8>(tagAt(tag) + 32 + (<usize>other >> 3)) >>> (<u8>other & 7)) & 1) !== 0;
}

/** Adds a known tag, whose name is kept; the host fills its fields. @returns its address */
export function addTag(from: usize, end: usize): usize {
  if (known === MAX_KNOWN) unreachable();
  const hash = hashOf(TAG, from, end);
  name(known, hash, from, end);
  known++;
  return tagAt(known - 1);
}

/** All known tags are added. */
export function endTags(): void {
  keepNames();
}

function name(tag: i32, hash: u32, from: usize, end: usize): void {
  store<u32>(tagAt(tag), hash, 12);
  store<u32>(tagAt(tag), <u32>from, 20);
  store<u32>(tagAt(tag), <u32>(end - from) >> 1, 24);
  addHashed(hash, from, end, tag);
}

export function startTags(): void {
  unknown = 0;
  releaseNames();
}

/** The tag of the name `[from, end)` of the page; -1 if its name is too long, or one name too many. */
export function tagNamed(from: usize, end: usize): i32 {
  let hash: u32 = FNV_OFFSET;
  let all: u32 = 0;
  for (let at = from; at < end; at += 2) {
    const unit: u32 = load<u16>(at);
    all |= unit;
    hash = (hash ^ lowered(unit)) * FNV_PRIME;
  }
  if (all < 128) return tagHashed(hash, from, end);
  // The lower case of other letters may be an ASCII letter, or several units.
  const lower = lowerCase(from, end);
  const lowerEnd = lower + ((<usize>load<u32>(lower - 4)) << 1);
  return tagHashed(hashOf(TAG, lower, lowerEnd), lower, lowerEnd);
}

function tagHashed(hash: u32, from: usize, end: usize): i32 {
  const found = valueOfHash(hash, from, end);
  if (found >= 0) return found;
  const length = <i32>(end - from) >> 1;
  if (unknown === MAX_UNKNOWN || length > MAX_NAME) return -1;
  const copy = unknownNames + <usize>unknown * MAX_NAME * 2;
  for (let i = 0; i < length; i++) {
    store<u16>(copy + ((<usize>i) << 1), <u16>lowered(load<u16>(from + ((<usize>i) << 1))));
  }
  const tag = MAX_KNOWN + unknown;
  unknown++;
  memory.fill(tagAt(tag), 0, TAG_BYTES);
  store<u8>(tagAt(tag), <u8>INLINE);
  name(tag, hash, copy, copy + ((<usize>length) << 1));
  return tag;
}

export function tagsAt(): usize {
  return tags;
}
