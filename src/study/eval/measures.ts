/** Measures of the pages that a run found. */
import type { Unit } from '../../base/core/types.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import type { WebGraph } from './graph.ts';
import type { Judge } from './page-judges.ts';

/** The pages to find. A page under several URLs counts once. */
export class Targets {
  /** Number of on-topic pages that a path from the starts reaches. */
  readonly total: number;
  /** Number of the page behind a URL if it is on topic, else -1. Shape [URLs]. */
  readonly pageOf: Int32Array;

  constructor(web: FrozenWeb, graph: WebGraph, judge: Judge, starts: readonly number[]) {
    const numbers = new Map<string, number>();
    const reachable = graph.reachable(starts);
    const reached = new Set<number>();
    this.pageOf = Int32Array.from(judge.onTopic, (onTopic, i) => {
      if (onTopic === 0) return -1;
      const visit = web.visit(i);
      if (visit.kind !== 'page') return -1;
      const number = numbers.get(visit.content.payloadSha256) ?? numbers.size;
      numbers.set(visit.content.payloadSha256, number);
      if (reachable[i] === 1) reached.add(number);
      return number;
    });
    this.total = reached.size;
  }

  /** Pages found after each visit. Shape [visits]. */
  found(order: readonly number[]): Int32Array {
    const seen = new Set<number>();
    return Int32Array.from(order, (index) => {
      const page = this.pageOf[index] ?? -1;
      if (page >= 0) seen.add(page);
      return seen.size;
    });
  }
}

/** Shares of the budget at which harvest and recall are reported. */
export const SHARES = [0.1, 0.25, 0.5, 1] as const;

export interface Measures {
  /** Mean of recall over all visits of the budget: the area under the recall curve. */
  readonly recallAuc: Unit;
  /** Pages found / pages to find, at each of `SHARES` of the budget. */
  readonly recall: readonly Unit[];
  /** Pages found / visits, at each of `SHARES`. For a run that ended early, the visits it made. */
  readonly harvestRate: readonly Unit[];
}

/** A run that ends early keeps its found pages for the rest of the budget. O(budget). */
export function measure(found: Int32Array, total: number, budget: number): Measures {
  const at = (visits: number) => found[Math.min(visits, found.length) - 1] ?? 0;
  let area = 0;
  for (let visits = 1; visits <= budget; visits++) area += at(visits);
  const recallOf = (pages: number) => (total === 0 ? 0 : pages / total);
  const points = SHARES.map((share) => Math.max(1, Math.round(share * budget)));
  return {
    recallAuc: recallOf(area / budget),
    recall: points.map((visits) => recallOf(at(visits))),
    harvestRate: points.map((visits) => at(visits) / Math.max(1, Math.min(visits, found.length))),
  };
}
