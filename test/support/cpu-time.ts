/** Bounds on time that hold on any machine: in CPU time, which other work does not lengthen, or so long that only what hangs is over them. */
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
