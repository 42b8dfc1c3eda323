/** Choice of the occurrence of an address that is its link, its zone, and its places in the page's text: links.ts. */
import { KINDS, take } from './arena';
import { ADDRESS_BYTES, addresses, distinctCount, linkEnd } from './link-addresses';
import { links, LINK_BYTES as SIGHTING_BYTES } from './page-parse';
import { BLOCK_BYTES, blockCount, blocks, HALF, text, textLength, unitAt } from './text-blocks';

const MAX_ANCHOR_CHARS: i32 = 200;
const CONTEXT_HALF_WORDS: i32 = 20;
const MAX_CONTEXT_CHARS: i32 = 300;
const SPACE: u16 = 32;
const NEWLINE: u16 = 10;

// Zones, as in the host's order.
const CONTENT: i32 = 0;
const NAVIGATION: i32 = 1;
const FOOTER: i32 = 2;
const OTHER: i32 = 3;

let navigationFlags: i32 = 0;
let footerFlag: i32 = 0;

export function setZoneFlags(navigation: i32, footer: i32): void {
  navigationFlags = navigation;
  footerFlag = footer;
}

/** Numbers of the link of an address: the occurrence, -1 for none; its zone; start and end of its anchor text. */
export const CHOICE_BYTES: usize = 16;
export let choices: usize = 0;

/** Room for a choice for each distinct address; the host writes -2 for those that are unwanted. */
export function takeChoices(): usize {
  choices = take(<usize>distinctCount * CHOICE_BYTES);
  memory.fill(choices, 0xff, <usize>distinctCount * CHOICE_BYTES);
  return choices;
}

/** Chooses an occurrence of each wanted address: one in the main segment, then the longer anchor text. @param roles a byte for each block, 0 outside the main segment */
export function chooseLinks(roles: usize): void {
  for (let i = 0; i < linkEnd; i++) {
    const address = load<i32>(addresses + <usize>i * ADDRESS_BYTES, 16);
    if (address < 0) continue;
    const choice = choices + <usize>address * CHOICE_BYTES;
    const known = load<i32>(choice);
    if (known < -1) continue;
    const sighting = links + <usize>i * SIGHTING_BYTES;
    let start = load<i32>(sighting, 8);
    const end = load<i32>(sighting, 12);
    while (start < end && isBreak(unitAt(start))) start++;
    const zone = zoneOf(sighting, start, roles);
    let anchorEnd = cutAnchor(start, end);
    while (anchorEnd > start && isBreak(unitAt(anchorEnd - 1))) anchorEnd--;
    if (known >= 0 && !isBetter(zone, anchorEnd - start, choice)) continue;
    store<i32>(choice, i);
    store<i32>(choice, zone, 4);
    store<i32>(choice, start, 8);
    store<i32>(choice, anchorEnd, 12);
  }
}

function isBetter(zone: i32, length: i32, choice: usize): bool {
  const isMain = zone === CONTENT;
  if (isMain !== (load<i32>(choice, 4) === CONTENT)) return isMain;
  return length > load<i32>(choice, 12) - load<i32>(choice, 8);
}

function zoneOf(sighting: usize, start: i32, roles: usize): i32 {
  const flags = load<i32>(sighting, 20);
  if (flags & navigationFlags) return NAVIGATION;
  if (flags & footerFlag) return FOOTER;
  let block = load<i32>(sighting, 16);
  while (block + 1 < blockCount && load<i32>(blocks + <usize>block * BLOCK_BYTES, 4) < start) block++;
  return block < blockCount && load<u8>(roles + block) !== 0 ? CONTENT : OTHER;
}

/** End of an anchor's text: at most so many units, without splitting a surrogate pair. */
function cutAnchor(start: i32, end: i32): i32 {
  if (end - start <= MAX_ANCHOR_CHARS) return end;
  const cut = start + MAX_ANCHOR_CHARS;
  return (unitAt(cut - 1) & 0xfc00) === 0xd800 ? cut - 1 : cut;
}

/** Writes the places of the chosen links: start and end of the anchor, of the text before it, of the text after it. @returns number of links */
export function placeLinks(at: usize): i32 {
  let place = at;
  for (let i = 0; i < distinctCount; i++) {
    const choice = choices + <usize>i * CHOICE_BYTES;
    const chosen = load<i32>(choice);
    if (chosen < 0) continue;
    const start = load<i32>(choice, 8);
    const end = load<i32>(links + <usize>chosen * SIGHTING_BYTES, 12);
    // A link that closes with its last block ends after the line break.
    const endsBlock = end > start && unitAt(end - 1) === NEWLINE;
    store<i32>(place, start);
    store<i32>(place, cutAnchor(start, end), 4);
    store<i32>(place, contextStart(start), 8);
    store<i32>(place, start, 12);
    store<i32>(place, end, 16);
    store<i32>(place, endsBlock ? end : contextEnd(end), 20);
    place += 24;
  }
  return <i32>(place - at) / 24;
}

/** The start of up to ten words of the same block. */
function contextStart(from: i32): i32 {
  const stop = max(0, from - MAX_CONTEXT_CHARS);
  let budget = CONTEXT_HALF_WORDS;
  let inWord = false;
  let at = from;
  if (ASC_FEATURE_SIMD)
    for (; at - 8 >= stop && readEight(at - 8); at -= 8) {
      for (let left = breaks; left !== 0; ) {
        const i = 31 - clz(left);
        if ((newlines >>> i) & 1) return at - 7 + i;
        if (i === 7 ? inWord : ((breaks >>> (i + 1)) & 1) === 0) budget -= 2;
        if (budget <= 0) return at - 7 + i;
        left ^= 1 << i;
      }
      inWord = (breaks & 1) === 0;
    }
  for (; at !== stop; at--) {
    const code = unitAt(at - 1);
    if (code === NEWLINE) return at;
    const unspaced = load<u8>(KINDS + code) === HALF;
    if (code === SPACE || unspaced) {
      if (inWord) budget -= 2;
      inWord = false;
      if (budget <= 0) return at;
      if (unspaced) budget--;
    } else inWord = true;
  }
  return isSplit(stop) ? stop + 1 : stop;
}

/** The end of up to ten words of the same block. */
function contextEnd(from: i32): i32 {
  const stop = min(textLength(), from + MAX_CONTEXT_CHARS);
  let budget = CONTEXT_HALF_WORDS;
  let inWord = false;
  let at = from;
  if (ASC_FEATURE_SIMD)
    for (; at + 8 <= stop && readEight(at); at += 8) {
      for (let left = breaks; left !== 0; left &= left - 1) {
        const i = ctz(left);
        if ((newlines >>> i) & 1) return at + i;
        if (i === 0 ? inWord : ((breaks >>> (i - 1)) & 1) === 0) budget -= 2;
        if (budget <= 0) return at + i;
      }
      inWord = breaks >>> 7 === 0;
    }
  for (; at !== stop; at++) {
    const code = unitAt(at);
    if (code === NEWLINE) return at;
    const unspaced = load<u8>(KINDS + code) === HALF;
    if (code === SPACE || unspaced) {
      if (inWord) budget -= 2;
      inWord = false;
      if (budget <= 0) return at;
      if (unspaced) budget--;
    } else inWord = true;
  }
  return isSplit(stop) ? stop - 1 : stop;
}

/** Spaces and line ends among eight units, and line ends alone, a bit each. */
let breaks: i32 = 0;
let newlines: i32 = 0;

/** Looks for spaces and line ends. @returns false for units that are not ASCII: some of them are words by themselves */
function readEight(at: i32): bool {
  const units = v128.load(text + ((<usize>at) << 1));
  if (v128.any_true(v128.and(units, i16x8.splat(-128)))) return false;
  const ends = i16x8.eq(units, i16x8.splat(NEWLINE));
  newlines = i16x8.bitmask(ends);
  breaks = i16x8.bitmask(v128.or(ends, i16x8.eq(units, i16x8.splat(SPACE))));
  return true;
}

/** Is this place inside a surrogate pair? */
function isSplit(at: i32): bool {
  return at > 0 && at < textLength() && (unitAt(at - 1) & 0xfc00) === 0xd800 && (unitAt(at) & 0xfc00) === 0xdc00;
}

function isBreak(code: u32): bool {
  return code === SPACE || code === NEWLINE;
}
