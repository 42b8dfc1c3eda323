/** Addresses of the links of the page, their fingerprints, and which of them are distinct: link-resolver.ts, fingerprint.ts. */
import { find, take } from './arena';
import { isPlainOrigin } from './host-functions';
import { html, LINK_BYTES, linkCount, links } from './page-parse';

const MAX_URL_CHARS: i32 = 2048;
/** `http` as four units. */
const HTTP: u64 = 0x0070007400740068;
const HASH: u16 = 35;
const COLON: u16 = 58;
const SLASH: u32 = 47;
const DOT: u32 = 46;

/** A byte for each code under 128, from the host: 1 for those that every canonical path contains unchanged. */
export const PLAIN: usize = memory.data(128);

/** An address is in the folder of the page, at its origin, whole, or made by the host; or there is none. */
const IN_FOLDER: i32 = 1;
const AT_ORIGIN: i32 = 2;
const WHOLE: i32 = 3;
const BY_HOST: i32 = 4;

/** Numbers of an address: its kind; its end as written, in units of the page; the halves of its fingerprint; its number among the distinct ones, or -1. */
export const ADDRESS_BYTES: usize = 20;
export let addresses: usize = 0;
/** First link of each distinct address, in the order of the page. */
export let distinct: usize = 0;
export let distinctCount: i32 = 0;
/** Links from this one on are omitted, because there are too many distinct ones before. */
export let linkEnd: i32 = 0;

let cells: usize = 0;
let cellMask: u32 = 0;

/** Origins that are known to be canonical, by their hash: length in units, then the units. Pages link to hundreds of hosts; a place for each. */
const ORIGINS: u32 = 1024;
const MAX_ORIGIN: i32 = 62;
const ORIGIN_BYTES: usize = 128;
const origins: usize = memory.data(131072);

let h1: u32 = 0;
let h2: u32 = 0;
let originH1: u32 = 0;
let originH2: u32 = 0;
let folderH1: u32 = 0;
let folderH2: u32 = 0;

function startPrint(): void {
  h1 = 0xdeadbeef;
  h2 = 0x41c6ce57;
}

function addToPrint(from: usize, end: usize): void {
  let one = h1;
  let two = h2;
  for (let at = from; at < end; at += 2) {
    const code: u32 = load<u16>(at);
    one = (one ^ code) * 2654435761;
    two = (two ^ code) * 1597334677;
  }
  h1 = one;
  h2 = two;
}

function putPrint(at: usize): void {
  const one = ((h1 ^ (h1 >>> 16)) * 2246822507) ^ ((h2 ^ (h2 >>> 13)) * 3266489909);
  const two = ((h2 ^ (h2 >>> 16)) * 2246822507) ^ ((one ^ (one >>> 13)) * 3266489909);
  store<u32>(at, two, 8);
  store<u32>(at, one, 12);
}

/**
 * Finds the address of each link, where it is plain; the host makes the others. Units of the prefixes of plain links come one after the other.
 * @param prefixes origin and folder of the page @param origin number of units of the origin; -1 if the host makes all that is relative to it
 */
export function resolveLinks(prefixes: usize, origin: i32, folder: i32): void {
  const originEnd = prefixes + ((<usize>max(origin, 0)) << 1);
  startPrint();
  addToPrint(prefixes, originEnd);
  originH1 = h1;
  originH2 = h2;
  startPrint();
  addToPrint(originEnd, originEnd + ((<usize>max(folder, 0)) << 1));
  folderH1 = h1;
  folderH2 = h2;
  addresses = take(<usize>linkCount * ADDRESS_BYTES);
  for (let i = 0; i < linkCount; i++) {
    const link = links + <usize>i * LINK_BYTES;
    resolve(
      html + ((<usize>load<u32>(link)) << 1),
      html + ((<usize>load<u32>(link, 4)) << 1),
      addresses + <usize>i * ADDRESS_BYTES,
      origin,
      folder,
    );
  }
}

function resolve(from: usize, to: usize, at: usize, origin: i32, folder: i32): void {
  const end = find(from, to, HASH);
  let path = from;
  let length = origin;
  let kind = BY_HOST;
  if (end > from) {
    if (isWeb(from, end)) {
      path = find(from + 16, end, <u16>SLASH);
      if (path < end && isKnownOrigin(from, path)) kind = WHOLE;
      length = <i32>(path - from) >> 1;
    } else if (load<u16>(from) === <u16>SLASH) {
      if (origin >= 0) kind = AT_ORIGIN;
    } else if (folder >= 0) {
      kind = IN_FOLDER;
      length = folder;
    }
  }
  // `isKnownOrigin` starts the print of a whole address.
  if (kind !== WHOLE) {
    h1 = kind === AT_ORIGIN ? originH1 : folderH1;
    h2 = kind === AT_ORIGIN ? originH2 : folderH2;
  }
  if (kind !== BY_HOST && (length + (<i32>(end - path) >> 1) > MAX_URL_CHARS || !addPath(path, end, kind === IN_FOLDER))) kind = BY_HOST;
  store<i32>(at, kind);
  store<i32>(at, <i32>(end - html) >> 1, 4);
  if (kind !== BY_HOST) putPrint(at);
}

/** `http://` or `https://` first, and something behind it. */
function isWeb(from: usize, end: usize): bool {
  if (end - from < 18 || load<u64>(from) !== HTTP) return false;
  const at = load<u16>(from, 8) === 115 ? from + 10 : from + 8;
  return load<u16>(at) === COLON && load<u16>(at, 2) === <u16>SLASH && load<u16>(at, 4) === <u16>SLASH;
}

/** Adds a path to the print. @returns false unless it has only plain codes, no empty segment, and none that starts with a dot: it may be a dot segment. */
function addPath(from: usize, end: usize, inFolder: bool): bool {
  let before: u32 = inFolder ? SLASH : 0;
  let one = h1;
  let two = h2;
  for (let at = from; at < end; at += 2) {
    const code: u32 = load<u16>(at);
    if (code > 127 || load<u8>(PLAIN + code) === 0 || (before === SLASH && (code === DOT || code === SLASH))) return false;
    one = (one ^ code) * 2654435761;
    two = (two ^ code) * 1597334677;
    before = code;
  }
  h1 = one;
  h2 = two;
  return true;
}

/** Is this the canonical form of an origin? The host is asked once about each. The print of the origin is left in `h1` and `h2`. */
function isKnownOrigin(from: usize, end: usize): bool {
  const length = <i32>(end - from) >> 1;
  if (length > MAX_ORIGIN) return false;
  startPrint();
  addToPrint(from, end);
  const known = origins + <usize>((h1 ^ (h1 >>> 15)) & (ORIGINS - 1)) * ORIGIN_BYTES;
  if (load<i32>(known) === length && isSame(known + 4, from, end)) return true;
  if (!isPlainOrigin(from, end)) return false;
  store<i32>(known, length);
  memory.copy(known + 4, from, (<usize>length) << 1);
  return true;
}

/** Are the units `[from, end)` those at another place? Nothing else is read. */
function isSame(other: usize, from: usize, end: usize): bool {
  let at = from;
  let to = other;
  for (; at + 8 <= end; at += 8, to += 8) if (load<u64>(at) !== load<u64>(to)) return false;
  for (; at < end; at += 2, to += 2) if (load<u16>(at) !== load<u16>(to)) return false;
  return true;
}

/** Writes the fingerprint of an address that the host has made; `isNone` if there is none. */
export function putAddress(link: i32, high: u32, low: u32, isNone: bool): void {
  const at = addresses + <usize>link * ADDRESS_BYTES;
  if (isNone) store<i32>(at, 0);
  store<u32>(at, high, 8);
  store<u32>(at, low, 12);
}

/** Tells the distinct addresses, without that of the page. @param most number of them that are kept */
export function tellDistinct(pageHigh: u32, pageLow: u32, most: i32): void {
  let size: u32 = 16;
  while (size < <u32>linkCount * 2) size <<= 1;
  cellMask = size - 1;
  cells = take((<usize>size) << 2);
  memory.fill(cells, 0, (<usize>size) << 2);
  distinct = take((<usize>linkCount) << 2);
  distinctCount = 0;
  linkEnd = linkCount;
  for (let i = 0; i < linkCount; i++) {
    const at = addresses + <usize>i * ADDRESS_BYTES;
    store<i32>(at, -1, 16);
    if (load<i32>(at) === 0) continue;
    const high = load<u32>(at, 8);
    const low = load<u32>(at, 12);
    if (high === pageHigh && low === pageLow) continue;
    const cell = cellOf(high, low);
    const known = load<i32>(cell);
    if (known > 0) {
      store<i32>(at, known - 1, 16);
      continue;
    }
    if (distinctCount >= most) {
      linkEnd = i;
      return;
    }
    store<i32>(distinct + ((<usize>distinctCount) << 2), i);
    store<i32>(at, distinctCount, 16);
    store<i32>(cell, ++distinctCount);
  }
}

/** The cell of a fingerprint; it holds 0, or the number of its distinct address and 1. */
function cellOf(high: u32, low: u32): usize {
  let cell = low & cellMask;
  while (!isFreeOr(cell, high, low)) cell = (cell + 1) & cellMask;
  return cells + ((<usize>cell) << 2);
}

function isFreeOr(cell: u32, high: u32, low: u32): bool {
  const known = load<i32>(cells + ((<usize>cell) << 2));
  if (known === 0) return true;
  const other = addresses + <usize>load<i32>(distinct + ((<usize>(known - 1)) << 2)) * ADDRESS_BYTES;
  return load<u32>(other, 8) === high && load<u32>(other, 12) === low;
}

/** Has a link of the body this fingerprint? */
export function isDistinct(high: u32, low: u32): bool {
  return load<i32>(cellOf(high, low)) > 0;
}
