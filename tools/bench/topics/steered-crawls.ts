/** Crawls of a broad subject that are steered by the subtopics that the tool finds. */
import { grouped } from '../../../src/base/core/grouped.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, Unit } from '../../../src/base/core/types.ts';
import type { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import type { NamedSubtopic } from '../../../src/crawling/crawl-dir/subtopics-file.ts';
import { SteeredScorer } from '../../../src/reading/links/steered-scorer.ts';
import { FeatureCounter } from '../../../src/reading/topic/features.ts';
import { LinearTopicModel } from '../../../src/reading/topic/model.ts';
import type { SteeringWay } from '../../../src/reading/topic/steering.ts';
import { subtopicFinder } from '../../../src/reading/topic/subtopic-words.ts';
import type { WebGraph } from '../../../src/study/eval/graph.ts';
import { Guide } from '../../../src/study/eval/guide.ts';
import { simulate } from '../../../src/study/eval/simulate.ts';
import type { Contestant, Trial } from '../../../src/study/eval/trial.ts';
import type { SubtopicPage } from '../../../src/study/inspect/subtopic-pages.ts';
import { findSubtopics } from '../../../src/study/inspect/subtopics.ts';
import { drawTrial } from '../focus/draw.ts';
import { variantOf } from '../focus/variants.ts';
import { simulationOf } from '../recall/crawls.ts';
import type { GroupedTopic } from './webs.ts';

/** Visits before the wish, and after it. */
const PAST = 400;
export const STEERED = 500;
/** The default of a crawl. */
const TUNNEL = 4;
/** Seeds of each label: a person who wants the whole subject names some of each part. */
const SEEDS_OF_LABEL = 3;
/** The past is that of a polite crawl with random visits: a crawl without them stays on the first good host. */
const EXPLORED = 20;
const POLITE = { delay: 1000, latency: 200, concurrency: 16, patience: null };

/** A crawl at the moment of a wish. */
export interface State {
  readonly topic: GroupedTopic;
  readonly seed: number;
  readonly trial: Trial;
  /** Indices of the visits before the wish, and of the 500 that follow without one. */
  readonly past: readonly number[];
  readonly unsteered: readonly number[];
  readonly groups: readonly Group[];
  readonly contestant: Contestant;
}

/** A subtopic that the tool found. */
export interface Group {
  readonly place: number;
  readonly named: readonly NamedSubtopic[];
  readonly name: string;
  readonly pages: number;
  /** The true label of most of its pages, and its share of them. */
  readonly label: string;
  readonly share: Unit;
}

export async function stateOf(topic: GroupedTopic, web: FrozenWeb, graph: WebGraph, seed: number): Promise<State> {
  const drawn = await drawTrial(topic, web, graph, seed);
  const portals = drawn.starts.filter((url) => !topic.isOnTopic(url));
  const trial = { ...drawn, starts: [...portals, ...seedsOf(topic, web, drawn, seed)] };
  const contestant = variantOf('apprentice', trial, TUNNEL, seed);
  const first = variantOf(`apprentice+${EXPLORED}`, trial, TUNNEL, seed);
  const { order: past, ledger } = await simulate({ ...simulationOf(trial, first, PAST), timing: POLITE });
  const kept = new Set(ledger.flatMap(({ url, state }) => (state === 'kept' ? [web.indexOf(url)] : [])));
  const groups = await groupsOf(
    topic,
    web,
    past.filter((index) => kept.has(index)),
    seed,
  );
  const further = await simulate({ ...simulationOf(trial, contestant, past.length + STEERED), past });
  return { topic, seed, trial, past, unsteered: further.order.slice(past.length), groups, contestant };
}

function seedsOf({ labelOf }: GroupedTopic, web: FrozenWeb, { judge }: Trial, seed: number): CanonicalUrl[] {
  const free = web.urls.filter((_, i) => judge.relevant[i] === 1 && web.visit(i).kind === 'page');
  const byLabel = grouped(shuffled([...free].sort(), seededRng(seed)), labelOf);
  return [...byLabel.values()].flatMap((urls) => urls.slice(0, SEEDS_OF_LABEL));
}

async function groupsOf(topic: GroupedTopic, web: FrozenWeb, kept: readonly number[], seed: number): Promise<Group[]> {
  const counter = new FeatureCounter();
  const pages = kept.flatMap((index): SubtopicPage[] => {
    const visit = web.visit(index);
    if (visit.kind !== 'page') return [];
    const { title, text } = visit.content;
    return [{ url: visit.url, title, text, year: null, counts: counter.snapshot({ title, text }) }];
  });
  const named = await findSubtopics(pages, null, seed);
  const find = subtopicFinder(named);
  return named.map(({ name }, place) => {
    const labels = pages.filter(({ counts }) => find(counts)?.place === place).map(({ url }) => topic.labelOf(url) ?? 'off topic');
    const [[label, own] = ['', []]] = [...grouped(labels, (one) => one)].sort(([, a], [, b]) => b.length - a.length);
    return { place, named, name, pages: labels.length, label, share: own.length / Math.max(1, labels.length) };
  });
}

/** The 500 visits after a wish about a group, in the loop of a crawl. */
export async function steered(
  { trial, contestant, past }: State,
  { place, named, name }: Group,
  way: SteeringWay,
): Promise<readonly number[]> {
  const { pupil, web } = trial;
  if (pupil === undefined) throw new Error('a trial without a model');
  const steering = [{ way, id: name, name, place, subtopics: named }];
  const model = new LinearTopicModel({ ...pupil.model.settings, steering }, pupil.model.tables);
  const scorer = contestant.scorer(model.threshold);
  const steeredScorer = way === 'more' ? new SteeredScorer(scorer) : scorer;
  const simulation = simulationOf(trial, contestant, past.length + STEERED);
  const { order } = await simulate({ ...simulation, guide: new Guide(web, model), scorer: steeredScorer, past });
  return order.slice(past.length);
}
