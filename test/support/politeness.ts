import type { Ms } from '../../src/base/core/types.ts';

/** A request as the server saw it. */
export interface Asked {
  readonly host: string;
  readonly start: Ms;
  readonly end: Ms;
}

/** What one host's requests, in order of their start, say. */
export interface HostPoliteness {
  readonly host: string;
  readonly requests: number;
  /** Pairs of which the second began before the first had ended. */
  readonly overlaps: number;
  /** Least time from the end of one request to the start of the next; Infinity for a single request. */
  readonly leastGap: Ms;
  /** Gaps under the delay of the host. */
  readonly short: number;
}

/** How each host of a log was treated. No tolerance: a gap is at least the delay, to the microsecond of the server's clock. */
export function politenessOf(log: readonly Asked[], delayOf: (host: string) => Ms): HostPoliteness[] {
  const byHost = new Map<string, Asked[]>();
  for (const line of log) {
    const lines = byHost.get(line.host);
    if (lines) lines.push(line);
    else byHost.set(line.host, [line]);
  }
  return [...byHost].map(([host, lines]) => {
    const inOrder = lines.sort((a, b) => a.start - b.start);
    const gaps = inOrder.slice(1).map(({ start }, i) => start - (inOrder[i]?.end ?? Number.NaN));
    const delay = delayOf(host);
    return {
      host,
      requests: lines.length,
      overlaps: gaps.filter((gap) => !(gap >= 0)).length,
      leastGap: gaps.reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY),
      short: gaps.filter((gap) => !(gap >= delay)).length,
    };
  });
}

/** Of all hosts together. */
export function summed(politeness: readonly HostPoliteness[]): Omit<HostPoliteness, 'host'> {
  return {
    requests: politeness.reduce((sum, host) => sum + host.requests, 0),
    overlaps: politeness.reduce((sum, host) => sum + host.overlaps, 0),
    short: politeness.reduce((sum, host) => sum + host.short, 0),
    leastGap: politeness.reduce((least, host) => Math.min(least, host.leastGap), Number.POSITIVE_INFINITY),
  };
}
