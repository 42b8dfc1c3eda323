/** The runs of an evaluation: draws the starts, runs one strategy after another, and collects notes. */
import { DataError, UsageError } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { VERSION } from '../../base/core/version.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { contestantOf } from './contestants.ts';
import { type OpenModel, otherExtractor, type ReadJudge } from './eval-judge.ts';
import { WebGraph } from './graph.ts';
import type { Judge } from './page-judges.ts';
import { drainedNotes, type Evaluation } from './report.ts';
import type { SeedResult } from './tables.ts';
import { BOUND, boundOn, runTrial, stakesOf, type Trial } from './trial.ts';

/** The model, or the labels of the judge. */
export type GuideBy = 'model' | 'labels';

export type EvalStep = 'freezing' | 'reading' | 'judging' | 'running';

/** An evaluation with all its data loaded. */
export interface Evaluating {
  readonly web: FrozenWeb;
  /** The web as the user named it. */
  readonly from: string;
  readonly guide: OpenModel;
  /** Decides for the strategies whether a page is on topic. */
  readonly guideBy: GuideBy;
  readonly judge: ReadJudge;
  readonly strategies: readonly string[];
  /** Empty if starts are drawn. */
  readonly starts: readonly CanonicalUrl[];
  readonly examples: readonly CanonicalUrl[];
  readonly tunnel: number;
  readonly budget?: number;
  readonly repeats?: number;
  readonly signal?: AbortSignal;
  readonly onProgress: (step: EvalStep, done: number, of: number) => void;
}

interface SeedTrial {
  readonly seed: number;
  readonly trial: Trial;
}

const REPEATS = 5;
/** Number of pages that a seed starts from. */
const STARTS = 3;

/** @throws UsageError, DataError if there are no starts or no pages to find; the reason of `signal` */
export async function evaluated(evaluating: Evaluating): Promise<Evaluation> {
  const { web, from, guide: opened, strategies, starts: given, tunnel, budget = null, signal } = evaluating;
  const labels = evaluating.guideBy === 'labels' ? evaluating.judge.labels : null;
  const guide = await opened.on(web, labels);
  const { judge, isGuide, notes } = await evaluating.judge.open({
    web,
    guide,
    examples: new Set(evaluating.examples),
    ask: asker(evaluating),
  });
  const starts = startsOf(judge, evaluating);
  const graph = await WebGraph.of(web);
  const pupil = labels === null ? opened.pupil : null;
  const common = { web, graph, guide, judge, budget, ...(pupil && { pupil }), ...(signal ? { signal } : {}) };
  const results = await runs(
    starts.map(({ seed, urls }) => ({ seed, trial: { ...common, starts: urls } })),
    evaluating,
  );
  const { name, id, threshold } = opened.model;
  return {
    software: `forager/${VERSION}`,
    web: { path: from, urls: web.size, pages: web.pages },
    guide: { name, id, threshold, pages: labels ? 'labels' : 'model' },
    judge: { name: judge.name, isGuide, onTopic: judge.onTopic.filter((one) => one === 1).length },
    strategies: [...strategies, BOUND],
    tunnel,
    starts,
    startsGiven: given.length > 0,
    notes: [
      ...notes,
      ...(labels ? [] : otherExtractor('guide', opened, web)),
      ...notesOn(evaluating),
      ...drainedNotes(results, strategies),
    ],
    results,
  };
}

function asker({ web, signal, onProgress }: Evaluating): (done: number) => Promise<void> {
  const turns = new EventLoopYielder();
  return async (done) => {
    onProgress('judging', done, web.size);
    await turns.take();
    signal?.throwIfAborted();
  };
}

/** The given starts that are in the web, for every seed; otherwise on-topic pages, drawn for each seed. */
function startsOf(judge: Judge, { web, from, starts: given, repeats = given.length > 0 ? 1 : REPEATS }: Evaluating): Evaluation['starts'] {
  const known = given.filter((url) => web.indexOf(url) >= 0);
  if (given.length > 0 && known.length === 0) throw new UsageError(`--seeds: none of ${given.length} URLs is in ${from}; give others`);
  const onTopic = web.urls.filter((_, i) => judge.onTopic[i] === 1).sort();
  if (given.length === 0 && onTopic.length <= STARTS)
    throw new DataError(
      `${from}: ${onTopic.length} pages are on topic by ${judge.name}, too few to start from ${STARTS} and find others; give --seeds, or another judge`,
    );
  const drawn = (seed: number) => shuffled(onTopic, seededRng(seed)).slice(0, STARTS);
  return Array.from({ length: repeats }, (_, i) => ({ seed: i + 1, urls: known.length > 0 ? known : drawn(i + 1) }));
}

async function runs(
  trials: readonly SeedTrial[],
  { from, guide, strategies, tunnel, signal, onProgress }: Evaluating,
): Promise<SeedResult[]> {
  if (trials.every(({ trial }) => stakesOf(trial).targets.total === 0))
    throw new DataError(`${from}: no page that the judge finds on topic can be reached from the starts; give others with --seeds`);
  const results: SeedResult[] = [];
  for (const { seed, trial } of trials) {
    for (const name of strategies) {
      onProgress('running', results.length, trials.length * strategies.length);
      results.push({ topic: guide.model.name, seed, ...(await runTrial(trial, contestantOf(name, trial, tunnel, seed))) });
      signal?.throwIfAborted();
    }
    results.push({ topic: guide.model.name, seed, ...boundOn(trial) });
  }
  return results;
}

function notesOn({ web, starts, examples }: Evaluating): string[] {
  const unknown = starts.filter((url) => web.indexOf(url) < 0).length;
  const known = examples.filter((url) => web.indexOf(url) >= 0).length;
  return [
    ...(unknown === 0 ? [] : [`${unknown} of ${starts.length} starts are not in this web`]),
    examples.length === 0
      ? 'No --examples: pages that the guide was trained on count as found if they are in this web'
      : `Of ${examples.length} pages that the guide was trained on ${known} are in this web: they never count as found`,
  ];
}
