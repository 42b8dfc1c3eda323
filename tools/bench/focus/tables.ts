/** The tables of the bench, as Markdown. */

import { grouped } from '../../../src/base/core/grouped.ts';
import { numberTable } from '../../../src/base/text/markdown.ts';
import { mean } from '../../../src/study/eval/bootstrap.ts';
import {
  answersColumn,
  auc,
  aucColumn,
  differenceColumn,
  fixed,
  resultsOf,
  shareColumns,
  strategyTable,
  whereaboutsTable,
} from '../../../src/study/eval/tables.ts';
import type { FocusResult } from '../focus.ts';

export function tablesOf(results: readonly FocusResult[], strategies: readonly string[]): string {
  const [ours = '', ...others] = strategies;
  const kinds = [...grouped(results, ({ kind }) => kind), ['all', results] as const];
  return [
    `**Area under the recall curve by kind of web, each topic counting once**\n\n${strategyTable(
      strategies,
      kinds.map(([kind, own]) => aucColumn(kind, own)),
    )}`,
    `**Harvest rate and recall at shares of the budget, each topic counting once**\n\n${strategyTable(strategies, [...shareColumns(results), ...answersColumn(results)])}`,
    `**Where all pages on topic are in the end, each topic counting once**\n\n${whereaboutsTable(strategies, results)}`,
    `**Area under the recall curve: ${ours} less the other, mean and 95 of 100 bootstrap samples of topics and seeds**\n\n${strategyTable(
      others,
      kinds.map(([kind, own]) => differenceColumn(kind, own, ours)),
      ['difference', (other) => `${ours} − ${other}`],
    )}`,
    `**Area under the recall curve by topic, mean of the seeds**\n\n${topicTable(results, strategies)}`,
  ].join('\n\n');
}

function topicTable(results: readonly FocusResult[], strategies: readonly string[]): string {
  const rows = [...grouped(results, ({ topic }) => topic)].map(([topic, own]) => {
    const whole = (pick: (result: FocusResult) => number) => mean(own.map(pick)).toFixed(0);
    const cells = strategies.map((strategy) => fixed(mean(resultsOf(strategy, own).map(auc))));
    return [topic, whole(({ total }) => total), whole(({ budget }) => budget), ...cells];
  });
  return numberTable(['topic', 'to find', 'budget', ...strategies], rows);
}
