/** Results as Markdown tables: a row for each strategy. */

import { grouped } from '../../base/core/grouped.ts';
import { numberTable } from '../../base/text/markdown.ts';
import { bootstrapMean, mean } from './bootstrap.ts';
import { FINAL_STATES, type FinalStates } from './final-states.ts';
import { SHARES } from './measures.ts';
import type { TrialResult } from './trial.ts';

/** The result of one seed. Seeds are draws of a topic: see `bootstrapMean`. */
export interface SeedResult extends TrialResult {
  readonly topic: string;
  readonly seed: number;
}

export interface MarkdownColumn {
  readonly head: string;
  readonly cell: (strategy: string) => string;
}

/** @param rowName head of the column before the cells of a strategy */
export function strategyTable(
  strategies: readonly string[],
  columns: readonly MarkdownColumn[],
  rowName: readonly [head: string, of: (strategy: string) => string] = ['strategy', (strategy) => strategy],
): string {
  const [head, of] = rowName;
  return numberTable(
    [head, ...columns.map((column) => column.head)],
    strategies.map((strategy) => [of(strategy), ...columns.map(({ cell }) => cell(strategy))]),
  );
}

/** Area under the recall curve. */
export function aucColumn(head: string, results: readonly SeedResult[]): MarkdownColumn {
  return { head, cell: (strategy) => fixed(topicMean(resultsOf(strategy, results), auc)) };
}

/**
 * Harvest rate and recall at `SHARES` of the budget, the share of kept pages that is on topic, and the share of found pages that were found through
 * off-topic pages.
 */
export function shareColumns(results: readonly SeedResult[]): MarkdownColumn[] {
  const column = (head: string, pick: (result: SeedResult) => number): MarkdownColumn => ({
    head,
    cell: (strategy) => fixed(topicMean(resultsOf(strategy, results), pick)),
  });
  const at = (head: string, pick: (result: SeedResult, share: number) => number | undefined) =>
    SHARES.map((share, i) => column(`${head} ${100 * share} %`, (result) => pick(result, i) ?? 0));
  return [
    ...at('harvest', ({ measures }, i) => measures.harvestRate[i]),
    ...at('recall', ({ measures }, i) => measures.recall[i]),
    column('kept pages on topic', ({ kept, keptOnTopic }) => keptOnTopic / Math.max(1, kept)),
    column('found through off-topic pages', ({ tunnelled, found }) => tunnelled / Math.max(1, found)),
  ];
}

/** Number of answers that were given; no column without any. */
export function answersColumn(results: readonly SeedResult[]): MarkdownColumn[] {
  if (results.every(({ answers }) => answers === 0)) return [];
  return [{ head: 'answers', cell: (strategy) => rounded(topicMean(resultsOf(strategy, results), ({ answers }) => answers)) }];
}

/** Table of the final states of all on-topic pages, in pages; a strategy without visits has no row. */
export function whereaboutsTable(strategies: readonly string[], results: readonly SeedResult[]): string {
  const visiting = results.filter(({ whereabouts }) => whereabouts !== null);
  const column = (head: string, pick: (whereabouts: FinalStates) => number): MarkdownColumn => ({
    head,
    cell: (strategy) =>
      rounded(topicMean(resultsOf(strategy, visiting), ({ whereabouts }) => (whereabouts === null ? 0 : pick(whereabouts)))),
  });
  const reasons = [...new Set(visiting.flatMap(({ whereabouts }) => Object.keys(whereabouts?.refusals ?? {})))].sort();
  return strategyTable(
    strategies.filter((strategy) => resultsOf(strategy, visiting).length > 0),
    [
      column('on topic', ({ onTopic }) => onTopic),
      ...FINAL_STATES.flatMap((end) =>
        end === 'refused'
          ? reasons.map((reason) => column(`refused: ${reason}`, ({ refusals }) => refusals[reason] ?? 0))
          : [column(end === 'judgedOff' ? 'off-topic' : end, (whereabouts) => whereabouts[end])],
      ),
    ],
  );
}

/** Area under the recall curve of `ours` minus the other's, on the same draws: mean and interval. A single draw has no interval. */
export function differenceColumn(head: string, results: readonly SeedResult[], ours: string): MarkdownColumn {
  const key = ({ topic, seed }: SeedResult) => `${topic}/${seed}`;
  const own = new Map(resultsOf(ours, results).map((result) => [key(result), auc(result)]));
  const cell = (strategy: string) => {
    if (strategy === ours) return '';
    const differences = resultsOf(strategy, results).map((result) => ({
      topic: result.topic,
      draw: result.seed,
      difference: (own.get(key(result)) ?? Number.NaN) - auc(result),
    }));
    const { mean: middle, low, high } = bootstrapMean(differences);
    return differences.length === 1 ? signed(middle) : `${signed(middle)} [${signed(low)}, ${signed(high)}]`;
  };
  return { head, cell };
}

export const auc = ({ measures }: TrialResult) => measures.recallAuc;

export function resultsOf<T extends TrialResult>(strategy: string, results: readonly T[]): T[] {
  return results.filter((result) => result.strategy === strategy);
}

/** Mean over the seeds of a topic, then over topics. */
function topicMean(results: readonly SeedResult[], pick: (result: SeedResult) => number): number {
  return mean([...grouped(results, ({ topic }) => topic).values()].map((own) => mean(own.map(pick))));
}

/** Rounds a number of pages to one decimal. */
function rounded(number: number): string {
  return String(Number(number.toFixed(1)));
}

export function fixed(number: number): string {
  return number.toFixed(3);
}

function signed(number: number): string {
  return `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`;
}
