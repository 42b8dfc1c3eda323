import type { Unit } from './types.ts';

/** Every rate that is told: a part of all there were; 0 where there were none. */
export function shareOf(part: number, all: number): Unit {
  return all === 0 ? 0 : part / all;
}
