/** The lanes of a queue: kept pages that are due to be asked for again come before all that waits, whatever its priority. */
import type { Unit } from '../core/types.ts';

export type Lane = 'waiting' | 'revisit';

/** Above all priorities. What is due has no order but that of discovery. */
const REVISIT = 2;

/** Where a URL stands in a heap. */
export function keyIn(lane: Lane, priority: Unit): number {
  return lane === 'revisit' ? REVISIT : priority;
}

export function laneOf(key: number): Lane {
  return key < REVISIT ? 'waiting' : 'revisit';
}
