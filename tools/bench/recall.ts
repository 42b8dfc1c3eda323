/**
 * The recall of crawls by known pages, against the truth of frozen webs: the coverage of the interval, the mean error of the estimate, and the rule that
 * stops a crawl.
 *
 *   npm run bench -- recall [--web .cache/debian-web] [--entries DIR] [--cache .cache/frozen] [--topics words] [--seeds 2] [--draws 20] [--loops 2]
 *                           [--parts known,stops,forecasts,bounds]
 *
 * Each topic is crawled once a seed, to the end. Known pages are then drawn from all pages on topic but examples and seeds, found or not. A stop looks at
 * the same order of visits, since it changes nothing before it; `--loops` of them run again through the loop, and have to end at the same visit.
 * `--known popular` draws pages by their number of links, as lists of favourites do.
 *
 * `stops`: the visits of the rule by the number of known pages, drawn from the curves. `forecasts`: the visits and the bytes of kept text that a recall of .8
 * or .9 takes, foretold from the known pages and the curve so far. A frozen web has no pace of its own, so hours are visits. `bounds`: figures that may be upper bounds of the
 * recall, by citations, by random visits, and by another crawl.
 */
import { parseArgs } from 'node:util';
import { DataError } from '../../src/base/core/errors.ts';
import { type Rng, seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { CanonicalUrl, Unit } from '../../src/base/core/types.ts';
import type { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import type { KnownPages } from '../../src/crawling/crawl-dir/known-pages.ts';
import { WebGraph } from '../../src/study/eval/graph.ts';
import { simulate } from '../../src/study/eval/simulate.ts';
import { clopperPearson, leastSuccesses } from '../../src/study/inspect/binomial.ts';
import { knownRecall, RecallWatch } from '../../src/study/inspect/known-recall.ts';
import { type FocusTopic, focusTopics, portalHosts } from './focus/topics.ts';
import { foldersOf, openWeb, webName } from './focus/webs.ts';
import { Bounds } from './recall/bounds.ts';
import { type Crawl, crawlOf, recallAfter, simulationOf, visitsAt } from './recall/crawls.ts';
import { Forecasts } from './recall/forecasts.ts';
import { StopCosts } from './recall/stop-costs.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    entries: { type: 'string' },
    cache: { type: 'string', default: '.cache/frozen' },
    topics: { type: 'string', default: 'networking,units,classifiers,Plotting,mathematics,biology,locality' },
    seeds: { type: 'string', default: '2' },
    draws: { type: 'string', default: '20' },
    loops: { type: 'string', default: '2' },
    known: { type: 'string', default: 'random' },
    parts: { type: 'string', default: 'known,stops,forecasts,bounds' },
  },
});
const KNOWN = 30;
/** Known pages for a stop. */
const SIZES = [30, 60, 100];
const TARGETS = [0.8, 0.9];
/** True recalls at which the estimate is looked at. */
const LEVELS = [0.25, 0.5, 0.75, 0.9, 0.95];
interface Estimate {
  readonly level: Unit;
  readonly truth: Unit;
  readonly share: Unit;
  readonly isCovered: boolean;
}

interface Stop {
  readonly target: Unit;
  readonly known: number;
  readonly recall: Unit;
  /** Visits, as a multiple of those of an oracle. */
  readonly cost: number;
}

function drawn(crawl: Crawl, count: number, rng: Rng): CanonicalUrl[] {
  const frame = [...crawl.keptAt.keys()];
  if (values.known === 'random') return shuffled(frame, rng).slice(0, count);
  const { graph, web } = crawl.trial;
  const cited = new Float64Array(web.size);
  for (const targets of graph.targets) for (const target of new Set(targets)) cited[target] = (cited[target] ?? 0) + 1;
  // Pages with as many links are drawn at random.
  const links = new Map(frame.map((url) => [url, (cited[web.indexOf(url)] ?? 0) + rng() / 2]));
  return frame.sort((a, b) => (links.get(b) ?? 0) - (links.get(a) ?? 0)).slice(0, count);
}

function estimatesOf(crawl: Crawl, known: readonly CanonicalUrl[]): Estimate[] {
  return LEVELS.flatMap((level) => {
    const visits = visitsAt(crawl, level);
    if (visits === null) return [];
    const kept = known.filter((url) => (crawl.keptAt.get(url) ?? 0) <= visits).length;
    const truth = recallAfter(crawl, visits);
    const { low, high } = clopperPearson(kept, known.length);
    return [{ level, truth, share: kept / known.length, isCovered: low <= truth && truth <= high }];
  });
}

/** null if the target is never shown. */
function stopOf(crawl: Crawl, known: readonly CanonicalUrl[], target: Unit): (Stop & { readonly visits: number }) | null {
  const least = leastSuccesses(known.length, target);
  const oracle = visitsAt(crawl, target);
  if (least === null || oracle === null) return null;
  const visits = known.map((url) => crawl.keptAt.get(url) ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)[least - 1];
  if (visits === undefined || visits === Number.POSITIVE_INFINITY) return null;
  return { target, known: known.length, recall: recallAfter(crawl, visits), cost: visits / oracle, visits };
}

/** The visits of a run that the loop stops by itself. */
async function visitsOfLoop({ trial, contestant, budget }: Crawl, urls: readonly CanonicalUrl[], target: Unit): Promise<number> {
  const known: KnownPages = { origin: 'independent', from: 'bench', urls };
  const run = await simulate({
    ...simulationOf(trial, contestant, budget),
    stopBy: (frontier) => new RecallWatch(known, target, frontier, () => knownRecall(known, frontier, frontier.counts().kept, () => false)),
  });
  return run.order.length;
}

const estimates: Estimate[] = [];
const stops: Stop[] = [];
const forecasts = new Forecasts();
const bounds = new Bounds();
const stopCosts = new StopCosts();
const parts = new Set(values.parts.split(','));
let crawled = 0;
let loops = 0;
let unshown = 0;
const folders = foldersOf(values.web, values.entries);
const words = values.topics.split(',');
const topics = focusTopics(portalHosts(values.web), folders).filter(({ name }) => words.some((word) => name.includes(word)));
const webs = new Set<string>();
for (const topic of topics) {
  const web = await openWeb(topic.web, folders, values.cache);
  webs.add(webName(topic.web));
  const graph = await WebGraph.of(web);
  const crawls: Crawl[] = [];
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
    const crawl = await crawlOrNone(topic, web, graph, seed);
    if (crawl === null) continue;
    crawls.push(crawl);
    crawled += 1;
    process.stderr.write(
      `${topic.name} seed ${seed}: ${crawl.keptAt.size} on topic, recall ${recallAfter(crawl, crawl.budget).toFixed(2)}\n`,
    );
    if (parts.has('stops')) stopCosts.add(crawl, seededRng(100 + seed));
    const rng = seededRng(seed);
    for (let draw = 0; draw < Number(values.draws); draw += 1) {
      if (parts.has('forecasts')) forecasts.add(crawl, seededRng(1000 * seed + draw), drawn);
      if (!parts.has('known')) continue;
      estimates.push(...estimatesOf(crawl, drawn(crawl, KNOWN, rng)));
      for (const size of SIZES.filter((count) => 2 * count <= crawl.keptAt.size)) await stopsOf(crawl, drawn(crawl, size, rng), draw);
    }
  }
  if (parts.has('bounds')) await addBounds(topic, web, graph, crawls);
  web.close();
}
report();

/** null, with a message, for a topic that has too few pages in a web that was built with a cap. */
async function crawlOrNone(topic: FocusTopic, web: FrozenWeb, graph: WebGraph, seed: number): Promise<Crawl | null> {
  try {
    return await crawlOf(topic, web, graph, seed);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    process.stderr.write(`${topic.name} seed ${seed}: skipped, ${error.message}\n`);
    return null;
  }
}

/** Each crawl with one of another seed, and with one in random order. */
async function addBounds(topic: FocusTopic, web: FrozenWeb, graph: WebGraph, crawls: readonly Crawl[]): Promise<void> {
  for (const [i, crawl] of crawls.entries()) {
    const other = crawls[(i + 1) % crawls.length];
    const random = await crawlOf(topic, web, graph, i + 1, 'random');
    bounds.add(crawl, {
      ...(other !== undefined && other !== crawl && { 'a crawl from other examples': other }),
      'a crawl in random order': random,
    });
    bounds.addRandom(await crawlOf(topic, web, graph, i + 1, 'apprentice+10'));
  }
}

async function stopsOf(crawl: Crawl, known: readonly CanonicalUrl[], draw: number): Promise<void> {
  for (const target of TARGETS) {
    const stop = stopOf(crawl, known, target);
    if (stop === null) {
      unshown += 1;
      continue;
    }
    stops.push(stop);
    if (draw >= Number(values.loops)) continue;
    const visits = await visitsOfLoop(crawl, known, target);
    if (visits !== stop.visits) throw new Error(`${crawl.topic.name}: the loop stopped after ${visits} visits, not ${stop.visits}`);
    loops += 1;
  }
}

function report(): void {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(`${topics.length} topics on ${webs.size} webs, ${crawled} crawls, ${values.draws} draws each (${values.known})\n`);
  print(`| true recall | draws | mean share of ${KNOWN} known pages | mean error | RMSE | interval of 90 % covers |`);
  print('| ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const level of LEVELS) {
    const own = estimates.filter((one) => one.level === level);
    if (own.length === 0) continue;
    const error = mean(own.map(({ share, truth }) => share - truth));
    const rmse = Math.sqrt(mean(own.map(({ share, truth }) => (share - truth) ** 2)));
    const covered = mean(own.map(({ isCovered }) => Number(isCovered)));
    print(
      `| ${level} | ${own.length} | ${mean(own.map(({ share }) => share)).toFixed(3)} | ${signed(error)} | ${rmse.toFixed(3)} | ${(100 * covered).toFixed(1)} % |`,
    );
  }
  print("\n| --stop-recall | known pages | stops | with the recall | least | median recall | median visits of an oracle's |");
  print('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const target of TARGETS)
    for (const size of SIZES) {
      const own = stops.filter((stop) => stop.target === target && stop.known === size);
      if (own.length === 0) continue;
      const right = mean(own.map(({ recall }) => Number(recall >= target)));
      const recalls = own.map(({ recall }) => recall).sort((a, b) => a - b);
      const costs = own.map(({ cost }) => cost).sort((a, b) => a - b);
      print(
        `| ${target} | ${size} | ${own.length} | ${(100 * right).toFixed(1)} % | ${recalls[0]?.toFixed(3)} | ${median(recalls).toFixed(3)} | ${median(costs).toFixed(2)} |`,
      );
    }
  if (parts.has('known'))
    print(`\n${loops} of these stops ran through the loop, and ended at the same visit. ${unshown} draws never showed the recall.`);
  if (parts.has('stops')) for (const line of stopCosts.lines()) print(line);
  if (parts.has('forecasts')) for (const line of forecasts.lines()) print(line);
  if (parts.has('bounds')) for (const line of bounds.lines()) print(line);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
