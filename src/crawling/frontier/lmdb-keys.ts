/** Are the keys of a page of LMDB where a search looks for them? A misplaced key is never found again, although it is counted. */
import type { KeyOrder } from './lmdb-meta.ts';

/** The range that the branches above a page allow for its keys: from `from` up to, but without, `to`. null means no bound. */
export interface KeyBounds {
  /** null if the order is unknown: then nothing is checked. */
  readonly order: KeyOrder | null;
  readonly from: Buffer | null;
  readonly to: Buffer | null;
}

/** Sizes of a number that is a key: one of our tables, or LMDB's own list of free pages. */
const NUMBER_SIZES: ReadonlySet<number> = new Set([4, 8]);

/** True if each key is greater than the one before and all are within the bounds. O(keys). */
export function keysFit(keys: readonly Buffer[], { order, from, to }: KeyBounds): boolean {
  if (order === null) return true;
  const compare = order === 'bytes' ? Buffer.compare : compareNumbers;
  if (order === 'number' && !keys.every(({ length }) => NUMBER_SIZES.has(length))) return false;
  const [first] = keys;
  const last = keys.at(-1);
  if (first && from && compare(from, first) > 0) return false;
  if (last && to && compare(last, to) >= 0) return false;
  return keys.every((key, i) => {
    const before = keys[i - 1];
    return before === undefined || compare(before, key) < 0;
  });
}

/** Unsigned, little-endian. */
function compareNumbers(a: Buffer, b: Buffer): number {
  if (a.length !== b.length) return a.length - b.length;
  const upper = a.length === 4 ? 0 : a.readUInt32LE(4) - b.readUInt32LE(4);
  return upper === 0 ? a.readUInt32LE(0) - b.readUInt32LE(0) : upper;
}
