/** One topic on one frozen web from one set of starts, by one strategy after another. */
import { UsageError } from '../../base/core/errors.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import type { ExplorationOptions } from '../../crawling/frontier/exploration.ts';
import { type Errand, mostFound } from './best-orders.ts';
import type { QuestionRound } from './contestant-suffix.ts';
import { type FinalStates, finalStatesOf } from './final-states.ts';
import type { WebGraph } from './graph.ts';
import type { Guide } from './guide.ts';
import { type Measures, measure, Targets } from './measures.ts';
import type { Judge } from './page-judges.ts';
import { type SimulatedRun, simulate } from './simulate.ts';
import { simulateAsking } from './simulate-asking.ts';
import type { SimulatedPerson } from './simulated-labelling.ts';

export interface Trial {
  readonly web: FrozenWeb;
  readonly graph: WebGraph;
  readonly guide: Guide;
  readonly judge: Judge;
  /** The model of the guide, to train it again with answers. Absent: no contestant can ask. */
  readonly pupil?: SimulatedPerson;
  readonly starts: readonly CanonicalUrl[];
  /** Number of URLs to visit; null for twice the number of pages to find, within `BUDGETS`. */
  readonly budget: number | null;
  /** Ends a run early. */
  readonly signal?: AbortSignal;
}

/** A competing strategy or oracle. */
export interface Contestant {
  readonly name: string;
  /** The guide of the trial, or one that knows more. */
  readonly guide: Guide;
  /** A fresh scorer for each run and each model. */
  readonly scorer: (threshold: Unit) => LinkScorer;
  /** Moments at which the run asks questions. Empty: it asks none. */
  readonly asks: readonly QuestionRound[];
  /** Random visits of its warm-up; 0 for none. They count. */
  readonly warmUp: number;
  /** Does each host have a sitemap of its pages? */
  readonly listed: boolean;
  /** Seed of the choice of questions. */
  readonly seed: number;
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
  /** Number of kept URLs, by the model at the end; 0 for the bound, which visits nothing. */
  readonly kept: number;
  /** Number of these that the judge finds on topic; examples count. */
  readonly keptOnTopic: number;
  readonly visits: number;
  /** Number of found pages whose path contained an off-topic page, by the guide. */
  readonly tunnelled: number;
  readonly orderSha256: string;
  /** Number of answers it was given. They cost no visit. */
  readonly answers: number;
  /** Final states of all on-topic pages; null for the bound, which visits nothing. */
  readonly whereabouts: FinalStates | null;
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
  return new Targets(web, graph, judge, startsOf({ web, starts }));
}

/** Indices of the starts that are in the web. */
function startsOf({ web, starts }: Pick<Trial, 'web' | 'starts'>): number[] {
  return starts.map((url) => web.indexOf(url)).filter((index) => index >= 0);
}

export function errandOf(trial: Omit<Trial, 'budget'>): Errand {
  return { links: trial.graph.targets, pageOf: targetsOf(trial).pageOf, starts: startsOf(trial) };
}

/** The name of `boundOn` in tables of strategies. */
export const BOUND = 'bound';

/** The upper bound for every order of visits: see `mostFound`. */
export function boundOn(trial: Trial): TrialResult {
  const { targets, budget } = stakesOf(trial);
  const found = mostFound(errandOf(trial), budget);
  const sum = { strategy: BOUND, tunnelled: 0, kept: 0, keptOnTopic: 0, visits: budget, orderSha256: '', answers: 0, whereabouts: null };
  return { ...sum, ...foundIn(found, targets.total, budget) };
}

function foundIn(found: Int32Array, total: number, budget: number): Pick<TrialResult, 'measures' | 'curve' | 'budget' | 'total' | 'found'> {
  const at = (visits: number) => (total === 0 ? 0 : (found[Math.min(visits, found.length) - 1] ?? 0) / total);
  const curve = Array.from({ length: CURVE_POINTS }, (_, i) => at(Math.max(1, Math.round(((i + 1) * budget) / CURVE_POINTS))));
  return { measures: measure(found, total, budget), curve, budget, total, found: found.at(-1) ?? 0 };
}

/** Runs one contestant. Some milliseconds a visit. @throws UsageError if it trains and there is nothing to train */
export async function runTrial(trial: Trial, contestant: Contestant): Promise<TrialResult> {
  const { targets, budget } = stakesOf(trial);
  const { run, answers } = await runOf({ ...trial, budget }, contestant);
  const found = targets.found(run.order);
  const kept = run.ledger.filter(({ state }) => state === 'kept').map(({ url }) => trial.web.indexOf(url));
  const isNew = (i: number) => (found[i] ?? 0) > (found[i - 1] ?? 0);
  return {
    strategy: contestant.name,
    ...foundIn(found, targets.total, budget),
    kept: kept.length,
    keptOnTopic: kept.filter((index) => trial.judge.relevant[index] === 1).length,
    visits: run.order.length,
    tunnelled: run.tunnelled.filter((tunnelled, i) => tunnelled && isNew(i)).length,
    orderSha256: run.orderSha256,
    answers,
    whereabouts: finalStatesOf({ ...trial, pageOf: targets.pageOf, starts: startsOf(trial) }, run.ledger),
  };
}

async function runOf(trial: Trial & { readonly budget: number }, contestant: Contestant): Promise<{ run: SimulatedRun; answers: number }> {
  const { guide, scorer, asks, warmUp, listed, seed, tunnel, explore, tie } = contestant;
  const common = { ...trial, guide, listed, tunnel, explore, tie };
  if (asks.length === 0 && warmUp === 0) return { run: await simulate({ ...common, scorer: scorer(guide.model.threshold) }), answers: 0 };
  const { pupil, judge } = trial;
  if (pupil === undefined)
    throw new UsageError(
      `--strategies ${contestant.name}: the guide cannot be trained again, because its training pages are not stored or labels replace it; omit this name, or train the topic again`,
    );
  const run = await simulateAsking({ ...common, scorer, asks, warmUp, seed, pupil, relevant: judge.relevant });
  return { run, answers: run.answers };
}
