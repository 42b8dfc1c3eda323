/** Are the keys of a page of LMDB's where a search would look for them? One that is not is never found again, though it is counted. */
import type { KeyOrder } from './lmdb-meta.ts';

/** What the branches above a page say of its keys: from a key on, up to another that is not among them. null for no bound. */
export interface KeyBounds {
  /** null where the order is not known: nothing is looked at. */
  readonly order: KeyOrder | null;
  readonly from: Buffer | null;
  readonly to: Buffer | null;
}

/** Bytes of a number that is a key: of ours, or of LMDB's own list of free pages. */
const NUMBER_SIZES: ReadonlySet<number> = new Set([4, 8]);

/** True where each key is above the one before, and all are within the bounds. O(keys). */
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
