/** The report of an evaluation for people: the web, the strategies, guide and judge, and the table. */
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { mean } from './bootstrap.ts';
import {
  answersColumn,
  aucColumn,
  differenceColumn,
  resultsOf,
  type SeedResult,
  shareColumns,
  strategyTable,
  whereaboutsTable,
} from './tables.ts';
import { BOUND } from './trial.ts';

/** Strategies compared on one frozen web. */
export interface Evaluation {
  /** The program that made it, e.g. `forager/0.1.0`. */
  readonly software: string;
  readonly web: { readonly path: string; readonly urls: number; readonly pages: number };
  /** The model that guides strategies. */
  readonly guide: {
    readonly name: string;
    readonly id: string;
    readonly threshold: Unit;
    /** Decided for the strategies whether a page is on topic. */
    readonly pages: 'model' | 'labels';
  };
  readonly judge: {
    /** A file of labels, or a model. */
    readonly name: string;
    /** The user let the guide judge itself. */
    readonly isGuide: boolean;
    /** On-topic pages of the web without examples; a page under two URLs is two. */
    readonly onTopic: number;
  };
  /** Strategies in the order of the table; the first is compared with the others. */
  readonly strategies: readonly string[];
  readonly tunnel: number;
  /** The URLs that the runs of each seed started from. */
  readonly starts: readonly { readonly seed: number; readonly urls: readonly CanonicalUrl[] }[];
  /** The user gave them: they are the same for all seeds. */
  readonly startsGiven: boolean;
  /** Other facts that the reader needs. */
  readonly notes: readonly string[];
  readonly results: readonly SeedResult[];
}

/** The report, as Markdown. */
export function evaluationReport(evaluation: Evaluation): string {
  const { strategies, results, guide } = evaluation;
  const [ours = ''] = strategies;
  const columns = [
    aucColumn('recall-AUC', results),
    ...shareColumns(results),
    ...answersColumn(results),
    ...(strategies.length > 1 ? [differenceColumn(`${ours} less it, recall-AUC`, results, ours)] : []),
  ];
  return `${[
    `# ${guide.name}: strategies compared`,
    factsOf(evaluation).join('\n'),
    strategyTable(strategies, columns),
    legendOf(evaluation),
    `## Where the pages on topic are in the end`,
    whereaboutsTable(strategies, results),
    WHEREABOUTS,
  ].join('\n\n')}\n`;
}

const WHEREABOUTS =
  'Pages of the web on topic by the judge, means of the seeds; the other columns add up to the first. Found and kept: visited, and the guide accepts it. Judged off topic: visited, and the guide does not; the curves count it as found. Waiting: discovered, and the budget was spent. Never discovered: links lead to it from the starts, but no visited page has one. Unreachable: no links lead to it.';

function factsOf({ web, guide, judge, tunnel, starts, startsGiven, notes, results }: Evaluation): string[] {
  return [
    `- Web: ${web.path}, ${web.urls} URLs, ${web.pages} of them pages`,
    guide.pages === 'model'
      ? `- Guide: model ${guide.name} (${guide.id}), on topic from ${guide.threshold.toFixed(3)}`
      : `- Guide: the judge's labels for pages; model ${guide.name} (${guide.id}) for the words of links. No crawl knows so much of the pages it reads`,
    `- Judge: ${judge.name}; ${judge.onTopic} pages of the web are on topic`,
    ...(judge.isGuide
      ? [
          '- **The judge is the guide**: the figures show how well links led to pages that this model accepts, not whether the model is right',
        ]
      : []),
    `- To find: ${spread(results.map(({ total }) => total))} pages on topic that the starts lead to`,
    `- Budget: ${spread(results.map(({ budget }) => budget))} visits`,
    startsGiven
      ? `- Starts: ${starts[0]?.urls.length} given; seeds of chance: ${starts.length}`
      : `- Starts: ${starts[0]?.urls.length} pages on topic, drawn for each seed of the random choices; seeds: ${starts.length}`,
    `- Off-topic pages in a row that a strategy crosses: ${tunnel}; any number for strategies without a topic, and for the oracles`,
    ...notes.map((note) => `- ${note}`),
  ];
}

function legendOf({ starts, strategies }: Evaluation): string {
  const interval =
    starts.length > 1
      ? 'Differences: mean and 95 of 100 bootstrap samples of the seeds, each paired with itself.'
      : 'One seed: differences have no interval.';
  const oracles = strategies.some((name) => name === 'one-step' || name === 'distance')
    ? ' `one-step` knows whether the page behind a link is on topic, `distance` always goes to the nearest one not found yet: they show the possible gain.'
    : '';
  const aids = [
    strategies.some((name) => name.endsWith('=truth'))
      ? " `=truth`: the judge's labels replace the model for pages, as no crawl knows them."
      : '',
    strategies.some((name) => name.includes('@ask'))
      ? " `@ask`: the judge's labels answer questions during the run, and the model is trained with them. Answers cost no visit."
      : '',
  ].join('');
  return `Means of the seeds. Harvest: pages found / visits; recall: pages found / pages to find; recall-AUC: mean recall over the budget. A page under two URLs counts once. ${interval}${oracles}${aids} \`${BOUND}\`: no order of visits can find more.`;
}

/** Notes on strategies that had no further URLs before their budget was spent. */
export function drainedNotes(results: readonly SeedResult[], strategies: readonly string[]): string[] {
  return strategies.flatMap((strategy) => {
    const own = resultsOf(strategy, results);
    const drained = own.filter(({ visits, budget }) => visits < budget);
    if (drained.length === 0) return [];
    return [
      `${strategy} ran out of URLs after ${spread(drained.map(({ visits }) => visits))} visits, ${drained.length} of ${own.length} times`,
    ];
  });
}

/** A number, or the mean of several and their bounds. */
function spread(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${mean(numbers).toFixed(0)} (${least} to ${most})`;
}
