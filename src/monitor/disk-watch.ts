import type { Bytes, EpochMs } from '../core/types.ts';
import { type DiskLimits, SPACE_PATIENCE } from '../settings/crawl-kinds.ts';

/** How much of a disk is left. */
export interface DiskSpace {
  readonly free: Bytes;
  readonly size: Bytes;
}

/** A reserve this large holds what visits in flight bring, at some MB each, and what a person needs to mend things. */
const MIN_FREE: Bytes = 200_000_000;
/** A disk so small that this would be much of it keeps a twentieth free, as ext4 does for root (mke2fs(8), `-m`). */
const SHARE_OF_SMALL = 1 / 20;
/** What was written since the last look fits into the reserve so many times: the crawl stops in time however fast it writes. */
const LOOKS_AHEAD = 10;
/** Space is there again when there is a tenth more than the reserve: otherwise it would hold and go on with every look. */
const AGAIN = 1 / 10;

/** What a disk of that size keeps free, unless it is said. */
export function defaultLimits({ size }: DiskSpace): DiskLimits {
  return { minFree: Math.min(MIN_FREE, size * SHARE_OF_SMALL), patience: SPACE_PATIENCE };
}

/** A verdict on the disk after a look at it. */
export type DiskVerdict =
  | { readonly kind: 'go' }
  /** Since when there was too little, and how much is wanted. */
  | { readonly kind: 'hold' | 'disk-full'; readonly since: EpochMs; readonly wanted: Bytes };

/** @param written since the look before */
export function judgeDisk(before: DiskVerdict, free: Bytes, written: Bytes, limits: DiskLimits, now: EpochMs): DiskVerdict {
  const { minFree, patience } = limits;
  if (minFree === 0) return { kind: 'go' };
  if (before.kind === 'go') {
    const wanted = Math.max(minFree, LOOKS_AHEAD * written);
    return free < wanted ? { kind: 'hold', since: now, wanted } : before;
  }
  if (free >= before.wanted + before.wanted * AGAIN) return { kind: 'go' };
  if (now - before.since >= patience) return { ...before, kind: 'disk-full' };
  // Nothing is written meanwhile: what a burst made it ask for is asked for no longer.
  return { ...before, wanted: Math.max(minFree, before.wanted / 2) };
}
