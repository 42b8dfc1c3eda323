/** Names in one table: of tags, attributes, words of class names, roles. */
import { FNV_OFFSET, FNV_PRIME } from './arena';

const MAX_NAMES: i32 = 4096;
const SLOTS: u32 = 8192;
const ENTRY: usize = 16;
/** Hash, address, number of units, value. */
const entries: usize = memory.data(4096 * 16);
/** Number of an entry plus one, 0 for none; open addressing. */
const slots: usize = memory.data(8192 * 2);
let count: i32 = 0;
let kept: i32 = 0;

/** Spaces of names: tags have the plain FNV-1a of their name. */
export const TAG: u32 = 0;
export const ATTRIBUTE: u32 = 1;
export const WORD: u32 = 2;
export const ROLE: u32 = 3;
export const STYLE_PROPERTY: u32 = 4;
export const STYLE_VALUE: u32 = 5;
export const WORD_TAG: u32 = 6;

export function lowered(unit: u32): u32 {
  return unit - 65 < 26 ? unit | 32 : unit;
}

/** FNV-1a of the units, ASCII letters in lower case. */
export function hashOf(space: u32, from: usize, end: usize): u32 {
  let hash: u32 = FNV_OFFSET ^ space;
  for (let at = from; at < end; at += 2) hash = (hash ^ lowered(load<u16>(at))) * FNV_PRIME;
  return hash;
}

/** The value of a name; -1 if it is unknown. ASCII letters in any case. */
export function valueNamed(space: u32, from: usize, end: usize): i32 {
  return valueOfHash(hashOf(space, from, end), from, end);
}

export function valueOfHash(hash: u32, from: usize, end: usize): i32 {
  let slot = hash & (SLOTS - 1);
  let number = load<u16>(slots + ((<usize>slot) << 1));
  while (number !== 0) {
    const entry = entries + <usize>(number - 1) * ENTRY;
    if (load<u32>(entry) === hash && isName(entry, from, end)) return load<i32>(entry, 12);
    slot = (slot + 1) & (SLOTS - 1);
    number = load<u16>(slots + ((<usize>slot) << 1));
  }
  return -1;
}

function isName(entry: usize, from: usize, end: usize): bool {
  if (load<u32>(entry, 8) !== <u32>(end - from) >> 1) return false;
  let name = <usize>load<u32>(entry, 4);
  for (let at = from; at < end; at += 2, name += 2) if (load<u16>(name) !== lowered(load<u16>(at))) return false;
  return true;
}

/** Adds a name of lower-case units; they stay where they are. */
export function addName(space: u32, from: usize, end: usize, value: i32): void {
  addHashed(hashOf(space, from, end), from, end, value);
}

export function addHashed(hash: u32, from: usize, end: usize, value: i32): void {
  if (count === MAX_NAMES) unreachable();
  const entry = entries + <usize>count * ENTRY;
  store<u32>(entry, hash);
  store<u32>(entry, <u32>from, 4);
  store<u32>(entry, <u32>(end - from) >> 1, 8);
  store<i32>(entry, value, 12);
  count++;
  place(hash, count);
}

function place(hash: u32, number: i32): void {
  let slot = hash & (SLOTS - 1);
  while (load<u16>(slots + ((<usize>slot) << 1)) !== 0) slot = (slot + 1) & (SLOTS - 1);
  store<u16>(slots + ((<usize>slot) << 1), <u16>number);
}

/** The names so far are kept for all pages. */
export function keepNames(): void {
  kept = count;
}

/** Forgets the names of the page before. */
export function releaseNames(): void {
  if (count === kept) return;
  memory.fill(slots, 0, (<usize>SLOTS) << 1);
  count = kept;
  for (let i = 0; i < count; i++) place(load<u32>(entries + <usize>i * ENTRY), i + 1);
}
