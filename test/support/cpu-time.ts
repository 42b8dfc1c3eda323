/** Bounds on time that hold on any machine: in CPU time, which other work hardly lengthens, or so long that only what hangs is over them. */
import { expect } from 'vitest';
import type { Ms } from '../../src/base/core/types.ts';

/** For wall time: what ends at all has ended by then, beside whatever else the machine does. */
export const HANGS: Ms = 120_000;

/** CPU time that this process takes for `work`. */
export function cpuMs(work: () => unknown): Ms {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Expects `work` to take less than `bound` of CPU time in one of three runs: a collection of garbage, or a machine whose other thread is busy,
 * makes one run slow, and hardly three; work that grows with the square of its input is slow in all.
 */
export function expectWithin(bound: Ms, work: () => unknown, of?: string): void {
  let least = Infinity;
  for (let run = 0; run < 3 && least >= bound; run += 1) least = Math.min(least, cpuMs(work));
  expect(least, of).toBeLessThan(bound);
}
