/** The tables of the bench, as Markdown. */
import { bootstrapMean, mean } from '../../../src/eval/bootstrap.ts';
import { grouped } from '../../../src/eval/grouped.ts';
import { SHARES } from '../../../src/eval/measures.ts';
import type { FocusResult } from '../focus.ts';

export function tablesOf(results: readonly FocusResult[], strategies: readonly string[]): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  return [
    `**Area under the recall curve by kind of web, each topic counting once**\n\n${aucTable(results, strategies, kinds)}`,
    `**Harvest rate and recall at shares of the budget, each topic counting once**\n\n${sharesTable(results, strategies)}`,
    `**Area under the recall curve: ${strategies[0]} less the other, mean and 95 of 100 bootstrap samples of topics and seeds**\n\n${differences(results, strategies, kinds)}`,
    `**Area under the recall curve by topic, mean of the seeds**\n\n${topicTable(results, strategies)}`,
  ].join('\n\n');
}

function aucTable(results: readonly FocusResult[], strategies: readonly string[], kinds: readonly string[]): string {
  const rows = strategies.map((strategy) => {
    const own = results.filter((result) => result.strategy === strategy);
    return [
      strategy,
      ...kinds.map((kind) =>
        fixed(
          topicMean(
            own.filter((result) => result.kind === kind),
            auc,
          ),
        ),
      ),
      fixed(topicMean(own, auc)),
    ];
  });
  return table(['strategy', ...kinds, 'all'], rows);
}

function sharesTable(results: readonly FocusResult[], strategies: readonly string[]): string {
  const rows = strategies.map((strategy) => {
    const own = results.filter((result) => result.strategy === strategy);
    const at = (of: (result: FocusResult, i: number) => number) => SHARES.map((_, i) => fixed(topicMean(own, (result) => of(result, i))));
    const tunnelled = topicMean(own, ({ tunnelled: pages, found }) => pages / Math.max(1, found));
    return [
      strategy,
      ...at(({ measures }, i) => measures.harvestRate[i] ?? 0),
      ...at(({ measures }, i) => measures.recall[i] ?? 0),
      fixed(tunnelled),
    ];
  });
  const percent = SHARES.map((share) => `${100 * share} %`);
  return table(
    ['strategy', ...percent.map((p) => `harvest ${p}`), ...percent.map((p) => `recall ${p}`), 'found through off-topic pages'],
    rows,
  );
}

function differences(results: readonly FocusResult[], [ours = '', ...others]: readonly string[], kinds: readonly string[]): string {
  const key = ({ topic, seed }: FocusResult) => `${topic}/${seed}`;
  const own = new Map(results.filter(({ strategy }) => strategy === ours).map((result) => [key(result), auc(result)]));
  const rows = others.map((other) => {
    const observed = results
      .filter(({ strategy }) => strategy === other)
      .map((result) => ({
        kind: result.kind,
        topic: result.topic,
        draw: result.seed,
        difference: (own.get(key(result)) ?? Number.NaN) - auc(result),
      }));
    const cell = (some: typeof observed) => {
      const { mean: middle, low, high } = bootstrapMean(some);
      return `${signed(middle)} [${signed(low)}, ${signed(high)}]`;
    };
    return [`${ours} − ${other}`, ...kinds.map((kind) => cell(observed.filter((one) => one.kind === kind))), cell(observed)];
  });
  return table(['difference', ...kinds, 'all'], rows);
}

function topicTable(results: readonly FocusResult[], strategies: readonly string[]): string {
  const rows = [...grouped(results, ({ topic }) => topic)].map(([topic, own]) => {
    const of = (pick: (result: FocusResult) => number) => mean(own.map(pick)).toFixed(0);
    const cells = strategies.map((strategy) => fixed(mean(own.filter((result) => result.strategy === strategy).map(auc))));
    return [topic, of(({ total }) => total), of(({ budget }) => budget), ...cells];
  });
  return table(['topic', 'to find', 'budget', ...strategies], rows);
}

const auc = ({ measures }: FocusResult) => measures.recallAuc;

/** Seeds of a topic first, then topics. */
function topicMean(results: readonly FocusResult[], of: (result: FocusResult) => number): number {
  return mean([...grouped(results, ({ topic }) => topic).values()].map((own) => mean(own.map(of))));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function fixed(number: number): string {
  return number.toFixed(3);
}

function signed(number: number): string {
  return `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`;
}
