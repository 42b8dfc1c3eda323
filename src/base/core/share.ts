import type { Unit } from './types.ts';

/** Every rate that Forager reports: a part of a total; 0 if the total is 0. */
export function shareOf(part: number, all: number): Unit {
  return all === 0 ? 0 : part / all;
}
