/** The lanes of a queue: kept pages that are due for a revisit come before all waiting URLs, regardless of priority. */
import type { Unit } from '../../base/core/types.ts';

export type Lane = 'waiting' | 'revisit';

/** Key above all priorities. Due pages have no order except that of discovery. */
const REVISIT = 2;

/** The key of a URL in a heap. */
export function keyIn(lane: Lane, priority: Unit): number {
  return lane === 'revisit' ? REVISIT : priority;
}

export function laneOf(key: number): Lane {
  return key < REVISIT ? 'waiting' : 'revisit';
}
