/**
 * The memory of the core: tables that the host fills once, then the models, then the arena of the current page. Addresses are in bytes; texts are
 * UTF-16 units; positions in texts that leave the core are in units.
 */

/** `CLASSES` of text-buffer.ts, a byte for each unit. */
export const KINDS: usize = memory.data(65536);
/** `LETTERS` of letters.ts, two bytes for each unit. */
export const LETTERS: usize = memory.data(131072);
/** Characters that end a tag name, an attribute name, an unquoted value: bits for the codes under 64. */
export const ENDS: usize = memory.data(64);

/** First byte of the current page; everything below it is kept. */
let base: usize = (__heap_base + 15) & ~15;
let top: usize = base;

/** Reserves memory that is kept for all pages. */
export function keep(bytes: usize): usize {
  const at = base;
  base = (base + bytes + 15) & ~15;
  top = base;
  grow();
  return at;
}

/** Reserves memory of the current page. */
export function take(bytes: usize): usize {
  const at = top;
  top = (top + bytes + 15) & ~15;
  grow();
  return at;
}

/** Extends the memory that was taken last up to an address, or cuts it there. */
export function takeUntil(end: usize): void {
  top = (end + 15) & ~15;
  grow();
}

/** Frees the memory of the page before. */
export function release(): void {
  top = base;
}

/** Least growth, in pages of 64 KB: 32 MB, most of which no page touches. */
const LEAST_GROWTH: i32 = 512;

/**
 * Makes the reserved memory usable, and some bytes after it, which vectors read. To V8, each growth is a new buffer of the whole size: by small steps,
 * they brought a collection of all garbage every 20 pages of the Debian web.
 */
function grow(): void {
  const missing = <i32>((<isize>top + 64 - ((<isize>memory.size()) << 16) + 65535) >> 16);
  if (missing > 0 && memory.grow(max(missing, LEAST_GROWTH)) < 0 && memory.grow(missing) < 0) unreachable();
}

export const FNV_OFFSET: u32 = 0x811c9dc5;
export const FNV_PRIME: u32 = 0x01000193;

/** FNV-1a of units as they are: hash-text.ts. */
export function plainHash(from: usize, end: usize): u32 {
  let hash: u32 = FNV_OFFSET;
  for (let at = from; at < end; at += 2) hash = (hash ^ load<u16>(at)) * FNV_PRIME;
  return hash;
}

/** The first unit `unit` in `[from, end)`; `end` if there is none. Reads up to 14 bytes beyond. */
export function find(from: usize, end: usize, unit: u16): usize {
  if (ASC_FEATURE_SIMD) {
    const wanted = i16x8.splat(<i16>unit);
    for (let at = from; at < end; at += 16) {
      const found = i16x8.bitmask(i16x8.eq(v128.load(at), wanted));
      if (found !== 0) {
        const place = at + ((<usize>ctz(found)) << 1);
        return place < end ? place : end;
      }
    }
    return end;
  }
  let at = from;
  while (at < end && load<u16>(at) !== unit) at += 2;
  return at < end ? at : end;
}
