/** The agreement of several runs of one crawl: the pages they keep, and the words and hosts of these. Pure. */
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { rankCorrelation } from './rank-correlation.ts';

/** One run. */
export interface StableRun {
  readonly kept: ReadonlySet<CanonicalUrl>;
  /** Number of kept pages with each word, and of each host. */
  readonly terms: ReadonlyMap<string, number>;
  readonly hosts: ReadonlyMap<string, number>;
}

export interface Stability {
  readonly runs: number;
  /** Pages that any run keeps, by the number of runs that do: all, more than half but not all, and the rest. */
  readonly kept: { readonly inAll: number; readonly inMost: number; readonly inSome: number };
  /** Mean over all pairs of runs: pages that both keep, as a share of those that either keeps; 1 if neither keeps any. */
  readonly overlap: Unit;
  /** Mean rank correlation (Spearman) over all pairs, of the 100 most frequent words and hosts of either run; 1 for equal runs. */
  readonly terms: number;
  readonly hosts: number;
}

/** Words and hosts of a run that are compared: rarer ones change places by single pages. */
const TOP = 100;

/** @param runs two or more */
export function stabilityOf(runs: readonly StableRun[]): Stability {
  const times = [...keptInRuns(runs).values()];
  const inAll = times.filter((count) => count === runs.length).length;
  const inMost = times.filter((count) => count < runs.length && 2 * count > runs.length).length;
  return {
    runs: runs.length,
    kept: { inAll, inMost, inSome: times.length - inAll - inMost },
    overlap: overPairs(runs, (a, b) => overlapOf(a.kept, b.kept)),
    terms: overPairs(runs, (a, b) => agreementOf(a.terms, b.terms)),
    hosts: overPairs(runs, (a, b) => agreementOf(a.hosts, b.hosts)),
  };
}

/** Number of runs that keep each page. */
export function keptInRuns(runs: readonly Pick<StableRun, 'kept'>[]): ReadonlyMap<CanonicalUrl, number> {
  const times = new Map<CanonicalUrl, number>();
  for (const { kept } of runs) for (const url of kept) times.set(url, (times.get(url) ?? 0) + 1);
  return times;
}

function overPairs(runs: readonly StableRun[], compare: (a: StableRun, b: StableRun) => number): number {
  const values = runs.flatMap((a, i) => runs.slice(i + 1).map((b) => compare(a, b)));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): Unit {
  const both = [...a].filter((one) => b.has(one)).length;
  const either = a.size + b.size - both;
  return either === 0 ? 1 : both / either;
}

/** Lists without an order, such as of one host, agree if they are equal. */
function agreementOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const names = [...new Set([...topOf(a), ...topOf(b)])];
  const [x, y] = [a, b].map((counts) => names.map((name) => counts.get(name) ?? 0)) as [number[], number[]];
  if (x.every((count, i) => count === y[i])) return 1;
  const found = rankCorrelation(x, y);
  return Number.isNaN(found) ? 0 : found;
}

function topOf(counts: ReadonlyMap<string, number>): string[] {
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return ranked.slice(0, TOP).map(([name]) => name);
}
