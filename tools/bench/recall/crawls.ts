/** Crawls of frozen webs whose on-topic pages are known, for the benches of recall. */
import type { CanonicalUrl, Unit } from '../../../src/base/core/types.ts';
import type { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import type { WebGraph } from '../../../src/study/eval/graph.ts';
import { type SimulatedRun, simulate } from '../../../src/study/eval/simulate.ts';
import { type Contestant, stakesOf, type Trial } from '../../../src/study/eval/trial.ts';
import { drawTrial } from '../focus/draw.ts';
import type { FocusTopic } from '../focus/topics.ts';
import { variantOf } from '../focus/variants.ts';

/** The default of a crawl. */
const TUNNEL = 4;
/** Visits, as a multiple of the pages to find. */
const BUDGET = 6;
const NEVER = Number.POSITIVE_INFINITY;

/** One crawl, and the place in its order at which each page of the frame was kept. */
export interface Crawl {
  readonly topic: FocusTopic;
  readonly trial: Trial;
  readonly contestant: Contestant;
  readonly run: SimulatedRun;
  readonly budget: number;
  /** Pages on topic but examples and starts, by the visit that keeps them; infinity for those that none keeps. */
  readonly keptAt: ReadonlyMap<CanonicalUrl, number>;
  /** All pages that it keeps, on topic or not, by the visit. */
  readonly allKeptAt: ReadonlyMap<CanonicalUrl, number>;
}

/** @param strategy as in `bench -- focus`: `apprentice`, `random`, `apprentice+10` */
export async function crawlOf(topic: FocusTopic, web: FrozenWeb, graph: WebGraph, seed: number, strategy = 'apprentice'): Promise<Crawl> {
  const trial = await drawTrial(topic, web, graph, seed);
  const contestant = variantOf(strategy, trial, TUNNEL, seed);
  const budget = Math.min(web.urls.length, BUDGET * stakesOf(trial).targets.total);
  const run = await simulate(simulationOf(trial, contestant, budget));
  const order = new Map(run.order.map((index, place) => [web.urls[index], place + 1]));
  const allKeptAt = new Map<CanonicalUrl, number>();
  for (const { url, state } of run.ledger) {
    const place = order.get(url);
    if ((state === 'kept' || state === 'duplicate') && place !== undefined) allKeptAt.set(url, place);
  }
  const given = new Set(trial.starts);
  const frame = web.urls.filter((url, index) => trial.judge.relevant[index] === 1 && topic.isOnTopic(url) && !given.has(url));
  return { topic, trial, contestant, run, budget, allKeptAt, keptAt: new Map(frame.map((url) => [url, allKeptAt.get(url) ?? NEVER])) };
}

export function simulationOf(trial: Trial, { guide, scorer, listed, tunnel, explore, tie }: Contestant, budget: number) {
  return { web: trial.web, starts: trial.starts, guide, scorer: scorer(guide.model.threshold), listed, tunnel, explore, tie, budget };
}

/** The visits after which recall is first at a level; null if it never is. */
export function visitsAt({ keptAt }: Pick<Crawl, 'keptAt'>, level: Unit): number | null {
  const places = [...keptAt.values()].sort((a, b) => a - b);
  const place = places[Math.ceil(level * places.length) - 1];
  return place === undefined || place === NEVER ? null : place;
}

export function recallAfter({ keptAt }: Pick<Crawl, 'keptAt'>, visits: number): Unit {
  return [...keptAt.values()].filter((place) => place <= visits).length / keptAt.size;
}
