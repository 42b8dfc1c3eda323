/** One topic on one frozen web from one set of starts, by one strategy after another. */
import type { LinkScorer } from '../core/parts/scoring.ts';
import type { CanonicalUrl } from '../core/types.ts';
import type { FrozenWeb } from '../corpus/frozen-web.ts';
import type { ExplorationOptions } from '../frontier/exploration.ts';
import { type Errand, mostFound } from './best-orders.ts';
import type { WebGraph } from './graph.ts';
import type { Guide } from './guide.ts';
import { type Measures, measure, Targets } from './measures.ts';
import type { Judge } from './page-judges.ts';
import { simulate } from './simulate.ts';

export interface Trial {
  readonly web: FrozenWeb;
  readonly graph: WebGraph;
  readonly guide: Guide;
  readonly judge: Judge;
  readonly starts: readonly CanonicalUrl[];
  /** Number of URLs to visit; null for twice the number of pages to find, within `BUDGETS`. */
  readonly budget: number | null;
  /** Ends a run early. */
  readonly signal?: AbortSignal;
}

/** A competing strategy or oracle. */
export interface Contestant {
  readonly name: string;
  /** A fresh scorer for each run. */
  readonly scorer: () => LinkScorer;
  readonly tunnel: number;
  /** Random visits; null for none. */
  readonly explore: ExplorationOptions | null;
  /** The first of two URLs with the same priority. */
  readonly tie: 'newest' | 'oldest';
}

export interface TrialResult {
  readonly strategy: string;
  readonly measures: Measures;
  /** Recall at each hundredth of the budget, from 1 to 100. */
  readonly curve: readonly number[];
  readonly budget: number;
  /** Number of pages to find. */
  readonly total: number;
  readonly found: number;
  readonly visits: number;
  /** Number of found pages whose path contained an off-topic page, by the guide. */
  readonly tunnelled: number;
  readonly orderSha256: string;
}

/** A perfect crawl spends half of such a budget on other pages. Fewer visits than `least` say little about a strategy; more than `most` take long. */
const BUDGETS = { least: 100, most: 2000 } as const;
const CURVE_POINTS = 100;

/** The pages to find from the starts of a trial, and its budget. */
export function stakesOf(trial: Trial): { readonly targets: Targets; readonly budget: number } {
  const targets = targetsOf(trial);
  const { budget } = trial;
  return { targets, budget: budget ?? Math.max(BUDGETS.least, Math.min(BUDGETS.most, 2 * targets.total)) };
}

function targetsOf({ web, graph, judge, starts }: Omit<Trial, 'budget'>): Targets {
  return new Targets(
    web,
    graph,
    judge,
    starts.map((url) => web.indexOf(url)),
  );
}

export function errandOf(trial: Omit<Trial, 'budget'>): Errand {
  const starts = trial.starts.map((url) => trial.web.indexOf(url)).filter((index) => index >= 0);
  return { links: trial.graph.targets, pageOf: targetsOf(trial).pageOf, starts };
}

/** The name of `boundOn` in tables of strategies. */
export const BOUND = 'bound';

/** The upper bound for every order of visits: see `mostFound`. */
export function boundOn(trial: Trial): TrialResult {
  const { targets, budget } = stakesOf(trial);
  const found = mostFound(errandOf(trial), budget);
  const sum = { strategy: BOUND, tunnelled: 0, visits: budget, orderSha256: '' };
  return { ...sum, ...foundIn(found, targets.total, budget) };
}

function foundIn(found: Int32Array, total: number, budget: number): Pick<TrialResult, 'measures' | 'curve' | 'budget' | 'total' | 'found'> {
  const at = (visits: number) => (total === 0 ? 0 : (found[Math.min(visits, found.length) - 1] ?? 0) / total);
  const curve = Array.from({ length: CURVE_POINTS }, (_, i) => at(Math.max(1, Math.round(((i + 1) * budget) / CURVE_POINTS))));
  return { measures: measure(found, total, budget), curve, budget, total, found: found.at(-1) ?? 0 };
}

/** Runs one contestant. Some milliseconds a visit. */
export async function runTrial(trial: Trial, contestant: Contestant): Promise<TrialResult> {
  const { targets, budget } = stakesOf(trial);
  const { scorer, tunnel, explore, tie } = contestant;
  const run = await simulate({ ...trial, budget, scorer: scorer(), tunnel, explore, tie });
  const found = targets.found(run.order);
  const isNew = (i: number) => (found[i] ?? 0) > (found[i - 1] ?? 0);
  return {
    strategy: contestant.name,
    ...foundIn(found, targets.total, budget),
    visits: run.order.length,
    tunnelled: run.tunnelled.filter((tunnelled, i) => tunnelled && isNew(i)).length,
    orderSha256: run.orderSha256,
  };
}
