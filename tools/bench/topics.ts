/**
 * Wishes about subtopics, against the crawl without them from the same state, on labelled webs. True labels count, never the model.
 *
 *   npm run bench -- topics [--web .cache/debian-web] [--cache .cache/frozen] [--split report] [--topics words] [--seeds 3] [--ways more,none]
 *
 * A polite crawl of a broad subject makes 400 visits, and the tool groups its kept pages. The label of a group is that of most of its pages. Each group is
 * steered by itself, for 500 visits in the loop of a crawl, if a person could ask for it: ten pages or more, half of them of the label, a label with at most
 * half of the on-topic visits so far, and with a hundred pages that were not visited. All of that is known before the wish. `--split dev` has the webs on
 * which the weight of the wish was chosen. `--ways names` gives the groups and their names alone, and
 * `--mixture music,graphics` takes other subjects of hosts.tsv.
 */
import { parseArgs } from 'node:util';
import { grouped } from '../../src/base/core/grouped.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import { WebGraph } from '../../src/study/eval/graph.ts';
import { portalHosts } from './focus/topics.ts';
import { foldersOf, openWeb } from './focus/webs.ts';
import { type Group, STEERED, type State, stateOf, steered } from './topics/steered-crawls.ts';
import { groupedTopics, mixture } from './topics/webs.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    cache: { type: 'string', default: '.cache/frozen' },
    split: { type: 'string', default: 'report' },
    topics: { type: 'string', default: '' },
    seeds: { type: 'string', default: '3' },
    ways: { type: 'string', default: 'more,none' },
    mixture: { type: 'string' },
  },
});
const LEAST_PAGES = 10;
const LEAST_SHARE = 0.5;
const MOST_OF_PAST = 0.5;
const LEAST_LEFT = 100;
const RESAMPLES = 2000;

/** Visits of one wish and of the crawl without it. */
interface Outcome {
  readonly crawl: string;
  readonly way: string;
  /** Of the label of the group. */
  readonly before: number;
  readonly after: number;
  /** On topic, of other labels. */
  readonly othersBefore: number;
  readonly othersAfter: number;
}

function isChosen({ trial: { web }, topic, past }: State, { label, pages, share }: Group): boolean {
  const visited = new Set(past);
  const onTopic = past.filter((index) => topic.isOnTopic(web.urls[index] ?? '')).length;
  const left = web.urls.filter(
    (url, index) => topic.labelOf(url) === label && !visited.has(index) && web.visit(index).kind === 'page',
  ).length;
  const ofPast = past.filter((index) => topic.labelOf(web.urls[index] ?? '') === label).length / Math.max(1, onTopic);
  return pages >= LEAST_PAGES && share >= LEAST_SHARE && ofPast <= MOST_OF_PAST && left >= LEAST_LEFT && label !== 'off topic';
}

async function outcomeOf(state: State, group: Group, way: 'more' | 'none'): Promise<Outcome> {
  const { topic, seed, trial, unsteered } = state;
  const after = await steered(state, group, way);
  const labelAt = (index: number) => topic.labelOf(trial.web.urls[index] ?? '');
  const own = (order: readonly number[]) => order.filter((index) => labelAt(index) === group.label).length;
  const others = (order: readonly number[]) => order.filter((index) => labelAt(index) !== null).length - own(order);
  const counts = { before: own(unsteered), after: own(after), othersBefore: others(unsteered), othersAfter: others(after) };
  return { crawl: `${topic.name} ${seed}`, way, ...counts };
}

/** One page more on both sides: a crawl without a page of the label has a ratio too. */
function ratio(after: number, before: number): number {
  return (after + 1) / (before + 1);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The median, and its range in 95 of 100 resamples of the crawls: wishes of one crawl share its past. */
function medianText(outcomes: readonly Outcome[], of: (outcome: Outcome) => number, rng: Rng = seededRng(1)): string {
  const crawls = [...grouped(outcomes, ({ crawl }) => crawl).values()];
  const drawn = Array.from({ length: RESAMPLES }, () =>
    median(crawls.flatMap(() => crawls[Math.floor(rng() * crawls.length)]?.map(of) ?? [])),
  ).sort((a, b) => a - b);
  const [low = 0, high = 0] = [drawn[Math.floor(0.025 * RESAMPLES)], drawn[Math.floor(0.975 * RESAMPLES)]];
  return `${median(outcomes.map(of)).toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

function* report(outcomes: readonly Outcome[]): Generator<string> {
  for (const [way, own] of grouped(outcomes, (outcome) => outcome.way)) {
    const text = (of: (outcome: Outcome) => number) => medianText(own, of);
    yield `\n${way}: ${own.length} wishes in ${new Set(own.map(({ crawl }) => crawl)).size} crawls, ${STEERED} visits each`;
    yield `  visits of the label, with the wish / without, median: ${text(({ after, before }) => ratio(after, before))}`;
    yield `  other on-topic visits, with the wish / without, median: ${text(({ othersAfter, othersBefore }) => ratio(othersAfter, othersBefore))}`;
    yield `  on-topic visits of all, with the wish / without, median: ${text((one) => ratio(one.after + one.othersAfter, one.before + one.othersBefore))}`;
    const counts = [own.filter((one) => ratio(one.after, one.before) >= 1.5).length, own.filter((one) => one.after < one.before).length];
    yield `  wishes with 1.5 times the visits of the label or more: ${counts[0]} of ${own.length}; with fewer than without: ${counts[1]}`;
  }
}

const folders = foldersOf(values.web);
const words = values.topics.split(',').filter(Boolean);
const ways = (['more', 'none'] as const).filter((way) => values.ways.split(',').includes(way));
const hosts = portalHosts(values.web);
const others = values.mixture === undefined ? null : [mixture(hosts, 'report', values.mixture.split(','))];
const topics = (others ?? groupedTopics(hosts)).filter(
  ({ name, split }) => split === values.split && (words.length === 0 || words.some((word) => name.includes(word))),
);
const outcomes: Outcome[] = [];
console.log('| crawl | subtopic | pages | label of most | share | way | of the label without, with | others without, with |');
console.log('| --- | --- | ---: | --- | ---: | --- | --- | --- |');
for (const topic of topics) {
  const web = await openWeb(topic.web, folders, values.cache);
  const graph = await WebGraph.of(web);
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
    const state = await stateOf(topic, web, graph, seed);
    for (const group of state.groups) {
      const row = `| ${topic.name} ${seed} | ${group.name} | ${group.pages} | ${group.label} | ${group.share.toFixed(2)} |`;
      if (ways.length === 0 || !isChosen(state, group)) console.log(`${row} | | |`);
      else
        for (const way of ways) {
          const outcome = await outcomeOf(state, group, way);
          outcomes.push(outcome);
          const { before, after, othersBefore, othersAfter } = outcome;
          console.log(`${row} ${way} | ${before}, ${after} | ${othersBefore}, ${othersAfter} |`);
        }
    }
  }
  web.close();
}
for (const line of report(outcomes)) console.log(line);
