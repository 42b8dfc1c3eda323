/** The change of average precision between two rankings of the same labelled pages. */
import { seededRng } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { averagePrecision, type Scored } from './evaluate.ts';
import type { Interval } from './wilson.ts';

/** A page with its held-out scores by two models. */
export interface RankedTwice {
  readonly host: string;
  readonly onTopic: boolean;
  readonly before: number;
  readonly after: number;
}

export interface PrecisionChange {
  /** Number of pages, and of their hosts. */
  readonly pages: number;
  readonly hosts: number;
  /** Average precision by the first ranking, and by the second. */
  readonly before: Unit;
  readonly after: Unit;
  /** Interval of the change, at 95 %; `NO_INTERVAL` if the pages of a kind are all on one host of several, so that hosts cannot be resampled. */
  readonly change: Interval;
}

export const NO_INTERVAL: Interval = { low: -1, high: 1 };

/** Number of bootstrap draws: either end of a 95 % interval rests on 25 of them. */
const DRAWS = 1000;
const TAIL = 0.025;

/** Both rankings, with the interval of a bootstrap over hosts, or over pages. Deterministic for equal `seed`. */
export function precisionChange(pages: readonly RankedTwice[], byPage: boolean, seed: number): PrecisionChange {
  const byHost = new Map<string, RankedTwice[]>();
  for (const page of pages) byHost.set(page.host, [...(byHost.get(page.host) ?? []), page]);
  const groups = byPage ? pages.map((page) => [page]) : [...byHost.values()];
  const [before, after] = [precisionOf(pages, 'before'), precisionOf(pages, 'after')];
  return { pages: pages.length, hosts: byHost.size, before, after, change: changeInterval(groups, seed, after - before) };
}

function precisionOf(pages: readonly RankedTwice[], which: 'before' | 'after'): Unit {
  return averagePrecision(pages.map((page): Scored => ({ score: page[which], onTopic: page.onTopic })));
}

/** Percentiles of the change over draws of as many groups with replacement (Efron 1979); draws without a page of each kind are skipped. */
function changeInterval(groups: readonly (readonly RankedTwice[])[], seed: number, change: number): Interval {
  const of = (kind: boolean) => groups.filter((pages) => pages.some(({ onTopic }) => onTopic === kind)).length;
  if (Math.min(of(true), of(false)) < 2) return NO_INTERVAL;
  const rng = seededRng(seed);
  const changes: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const pages = groups.flatMap(() => groups[Math.floor(rng() * groups.length)] ?? []);
    if (new Set(pages.map(({ onTopic }) => onTopic)).size === 2) changes.push(precisionOf(pages, 'after') - precisionOf(pages, 'before'));
  }
  changes.sort((a, b) => a - b);
  const at = (share: number) => changes[Math.round(share * (changes.length - 1))] ?? change;
  return { low: at(TAIL), high: at(1 - TAIL) };
}
