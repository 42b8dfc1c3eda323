import type { Bytes, EpochMs } from '../../base/core/types.ts';
import { type DiskLimits, SPACE_PATIENCE } from '../settings/crawl-kinds.ts';

/** The free space and the size of a disk. */
export interface DiskSpace {
  readonly free: Bytes;
  readonly size: Bytes;
}

/** A reserve of this size holds the data of visits in flight, a few MB each, and leaves a person room for repairs. */
const MIN_FREE: Bytes = 200_000_000;
/** Share of a small disk that stays free if the usual reserve is a larger part of it. ext4 keeps as much for root (mke2fs(8), `-m`). */
const SHARE_OF_SMALL = 1 / 20;
/** The reserve must hold this many times the bytes written since the last look: the crawl stops in time, however fast it writes. */
const LOOKS_AHEAD = 10;
/** Visits resume once the free space exceeds the reserve by a tenth: otherwise the crawl would stop and resume with every look. */
const AGAIN = 1 / 10;

/** The default reserve of a disk of that size. */
export function defaultLimits({ size }: DiskSpace): DiskLimits {
  return { minFree: Math.min(MIN_FREE, size * SHARE_OF_SMALL), patience: SPACE_PATIENCE };
}

/** A verdict on the disk after a look at it. */
export type DiskVerdict =
  | { readonly kind: 'go' }
  /** Time since which there is too little space, and the space that is needed. */
  | { readonly kind: 'hold' | 'disk-full'; readonly since: EpochMs; readonly wanted: Bytes };

/** @param written since the last look */
export function judgeDisk(before: DiskVerdict, free: Bytes, written: Bytes, limits: DiskLimits, now: EpochMs): DiskVerdict {
  const { minFree, patience } = limits;
  if (minFree === 0) return { kind: 'go' };
  if (before.kind === 'go') {
    const wanted = Math.max(minFree, LOOKS_AHEAD * written);
    return free < wanted ? { kind: 'hold', since: now, wanted } : before;
  }
  if (free >= before.wanted + before.wanted * AGAIN) return { kind: 'go' };
  if (now - before.since >= patience) return { ...before, kind: 'disk-full' };
  // Nothing is written meanwhile, so a reserve that a burst had raised shrinks again.
  return { ...before, wanted: Math.max(minFree, before.wanted / 2) };
}
