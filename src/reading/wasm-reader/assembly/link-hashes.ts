/** Hashed words and addresses of links, as a link scorer reads them: link-features.ts. */
import { FNV_OFFSET, FNV_PRIME, find, LETTERS, plainHash, take, takeUntil } from './arena';
import { LINK_BYTES } from './page-judgement';
import { combine, finish, hashAt, isWord, LAST_CLASS, MAX_WORD_CHARS } from './text-words';

const MAX_FEATURES: i32 = 192;
const MAX_PATH_DEPTH: i32 = 8;
/** Bytes of the features and places of a link, at most. */
const LINK_MOST: usize = (192 + 9) << 2;

/** A number for each kind of feature, in this order, from the host. */
export const SALTS: usize = memory.data(8 * 4);
const ANCHOR: u32 = 0;
const ANCHOR_PAIR: u32 = 1;
const CONTEXT: u32 = 2;
const URL: u32 = 3;
const DIRECTORY: u32 = 4;
const EXTENSION: u32 = 5;
const HOST: u32 = 6;
let mask: u32 = 0;

export let hashes: usize = 0;
/** Start and end of each link's places, in numbers; both 0 for a link that is left to JavaScript. */
export let hashEnds: usize = 0;

let out: usize = 0;
let limit: usize = 0;
const places: usize = memory.data(9 * 4);
let placeCount: i32 = 0;

export function setFeatureMask(bits: u32): void {
  mask = bits;
}

/**
 * Hashes each link, after `findWords`. Its features come first, then its places: the host, and each directory from the root down.
 * @param at the links, as for `judgeLinks`
 * @param urls their URLs, one a line
 */
export function hashLinks(at: usize, count: i32, urls: usize, length: i32): void {
  hashEnds = take((<usize>count) << 3);
  hashes = take(0);
  out = hashes;
  const end = urls + ((<usize>length) << 1);
  let url = urls;
  for (let i = 0; i < count; i++) {
    const urlEnd = find(url, end, 10);
    const before = out;
    // Few links have so many; the rest is given back below.
    takeUntil(out + LINK_MOST);
    limit = out + ((<usize>MAX_FEATURES) << 2);
    placeCount = 0;
    const ends = hashEnds + ((<usize>i) << 3);
    if (hashWords(at + <usize>i * LINK_BYTES) && hashUrl(url, urlEnd)) {
      store<u32>(ends, <u32>(out - hashes) >> 2);
      memory.copy(out, places, (<usize>placeCount) << 2);
      out += (<usize>placeCount) << 2;
      store<u32>(ends, <u32>(out - hashes) >> 2, 4);
    } else {
      out = before;
      store<u64>(ends, 0);
    }
    url = urlEnd + 2;
  }
  takeUntil(out);
}

function add(kind: u32, hash: u32): void {
  if (out === limit) return;
  store<u32>(out, combine(load<u32>(SALTS + ((<usize>kind) << 2)), hash) & mask);
  out += 4;
}

/** Words of the anchor with their pairs, then those around it. @returns false for a link whose words are unknown */
function hashWords(link: usize): bool {
  if (load<i32>(link) < 0) return false;
  let previous: u32 = 0;
  const last = load<i32>(link, 4);
  for (let word = load<i32>(link); word < last; word++) {
    if (!isWord(word)) continue;
    const hash = hashAt(word);
    add(ANCHOR, hash);
    if (previous !== 0) add(ANCHOR_PAIR, combine(previous, hash));
    previous = hash;
  }
  hashContext(load<i32>(link, 8), load<i32>(link, 12));
  hashContext(load<i32>(link, 16), load<i32>(link, 20));
  return true;
}

function hashContext(from: i32, to: i32): void {
  for (let word = from; word < to; word++) if (isWord(word)) add(CONTEXT, hashAt(word));
}

/** Host, each directory of the path from the root down, the words of path and query, and the extension. */
function hashUrl(from: usize, end: usize): bool {
  const hostEnd = find(schemeEnd(from, end), end, 47);
  addPlace(HOST, from, hostEnd);
  const pathEnd = find(hostEnd, end, 63);
  let slash = find(hostEnd + 2, end, 47);
  for (let depth = 0; slash < pathEnd && depth < MAX_PATH_DEPTH; depth++) {
    addPlace(DIRECTORY, from, slash + 2);
    slash = find(slash + 2, end, 47);
  }
  if (!hashUrlWords(hostEnd, end)) return false;
  const dot = lastBefore(from, min(pathEnd + 2, end), 46);
  if (dot !== 0 && dot > lastBefore(from, min(pathEnd + 2, end), 47)) add(EXTENSION, plainHash(dot, pathEnd));
  else add(EXTENSION, 0);
  return true;
}

/** Place behind the first `://`. */
function schemeEnd(from: usize, end: usize): usize {
  let at = find(from, end, 58);
  while (at < end && !(load<u16>(at, 2) === 47 && load<u16>(at, 4) === 47)) at = find(at + 2, end, 58);
  return min(at + 6, end);
}

function addPlace(kind: u32, from: usize, end: usize): void {
  const hash = plainHash(from, end);
  store<u32>(places + ((<usize>placeCount) << 2), combine(load<u32>(SALTS + ((<usize>kind) << 2)), hash) & mask);
  placeCount++;
  add(kind, hash);
}

/** The last unit of this kind; 0 if there is none. */
function lastBefore(from: usize, end: usize, unit: u16): usize {
  for (let at = end; at > from; at -= 2) if (load<u16>(at - 2) === unit) return at - 2;
  return 0;
}

/** @returns false for a character that is no plain letter: canonical URLs are ASCII */
function hashUrlWords(from: usize, end: usize): bool {
  let at = from;
  while (at < end) {
    let hash = FNV_OFFSET;
    const start = at;
    let letter: u32 = load<u16>(LETTERS + ((<usize>load<u16>(at)) << 1));
    while (letter > LAST_CLASS && at < end) {
      hash = (hash ^ letter) * FNV_PRIME;
      at += 2;
      letter = load<u16>(LETTERS + ((<usize>load<u16>(at)) << 1));
    }
    if (at < end && letter !== 0) return false;
    const size = <i32>(at - start) >> 1;
    if (size > 0 && size <= MAX_WORD_CHARS) add(URL, finish(hash));
    at += 2;
  }
  return true;
}
