/** What the bench writes, and its tables. */

import { grouped } from '../../../src/base/core/grouped.ts';
import { bootstrapMean, bootstrapMeanOfKinds, type MeanInterval, mean, type Observation } from '../../../src/study/eval/bootstrap.ts';
import type { Calibration } from './calibration.ts';
import { OURS } from './methods.ts';
import type { Size } from './splits.ts';

/** One method on one training problem. */
export interface Result {
  readonly set: string;
  readonly topic: string;
  readonly draw: number;
  readonly size: Size;
  readonly method: string;
  /** Examples the size came to: `all` differs. */
  readonly examples: number;
  readonly others: number;
  readonly test: number;
  readonly testOnTopic: number;
  /** null when the method gave up. */
  readonly averagePrecision: number | null;
  /** null for methods whose scores are no log-odds. */
  readonly calibration: Calibration | null;
  readonly seconds: number;
}

type Known = Result & { readonly averagePrecision: number };

/** Every table of a run, as Markdown. `methods` and `sizes` give the order of rows and columns. */
export function tablesOf(results: readonly Result[], methods: readonly string[], sizes: readonly Size[]): string {
  const known = results.filter((result): result is Known => result.averagePrecision !== null);
  const sets = [...new Set(known.map(({ set }) => set))];
  const run = methods.filter((method) => known.some((result) => result.method === method));
  const parts = [
    ['Average precision by number of examples, each set counting once, and each of its topics with as many', bySize(known, run, sizes)],
    ['Average precision by set, each topic counting once, and each of its numbers of examples', bySet(known, run, sets)],
    [
      `${OURS} less the other, on the problems both solved: mean, 95 of 100 bootstrap samples of topics and draws, topics on which the first is ahead`,
      differences(known, run, sets),
    ],
    ['The same by set, language and number of examples', differencesBySize(known, run, sizes)],
    ['Expected calibration error by number of examples, each problem counting once', calibrationBySize(known, run, sets, sizes)],
    [
      'Expected calibration error and Brier score on the texts judged, before and after correction of the prior by EM; and on how many problems it was trusted',
      calibration(known, run, sets),
    ],
    ['Average precision by topic and number of examples, mean of the draws', byTopic(known, run, sizes)],
  ];
  return parts.map(([title, table]) => `**${title}**\n\n${table}\n`).join('\n');
}

function bySize(results: readonly Known[], methods: readonly string[], sizes: readonly Size[]): string {
  const rows = methods.map((method) => {
    const own = results.filter((result) => result.method === method);
    const cells = sizes.map((size) => number(overSets(own.filter((result) => result.size === size))));
    return [method, ...cells, number(overSets(own)), seconds(own)];
  });
  return table(['method', ...sizes.map(String), 'mean', 'seconds a problem'], rows);
}

function bySet(results: readonly Known[], methods: readonly string[], sets: readonly string[]): string {
  const rows = methods.map((method) => {
    const own = results.filter((result) => result.method === method);
    return [method, ...sets.map((set) => number(overTopics(own.filter((result) => result.set === set)))), number(overSets(own))];
  });
  return table(['method', ...sets, 'mean of sets'], rows);
}

function byTopic(results: readonly Known[], methods: readonly string[], sizes: readonly Size[]): string {
  const topics = [...grouped(results, topicKey)];
  const rows = topics.flatMap(([, own]) =>
    sizes.flatMap((size) => {
      const sized = own.filter((result) => result.size === size);
      const [first] = sized;
      if (first === undefined) return [];
      const share = mean(sized.map(({ test, testOnTopic }) => testOnTopic / test));
      const name = size === 'all' ? `all (${Math.round(mean(sized.map(({ examples }) => examples)))})` : String(size);
      const cells = methods.map((method) => number(overTopics(sized.filter((result) => result.method === method))));
      return [[first.set, first.topic, name, number(share), ...cells]];
    }),
  );
  return table(['set', 'topic', 'examples', 'share on topic', ...methods], rows);
}

function calibration(results: readonly Known[], methods: readonly string[], sets: readonly string[]): string {
  const rows = methods.flatMap((method) =>
    [...sets.map((set) => [set, results.filter((result) => result.set === set)] as const), ['all', results] as const].flatMap(
      ([name, some]) => {
        const own = some.flatMap((result) => (result.method === method && result.calibration !== null ? [result.calibration] : []));
        if (own.length === 0) return [];
        const of = (field: 'error' | 'correctedError' | 'brier' | 'correctedBrier') => number(mean(own.map((each) => each[field])));
        const trusted = `${own.filter((each) => each.trusted).length} of ${own.length}`;
        return [[method, name, of('error'), of('correctedError'), of('brier'), of('correctedBrier'), trusted]];
      },
    ),
  );
  return table(['method', 'set', 'ECE', 'ECE corrected', 'Brier', 'Brier corrected', 'trusted'], rows);
}

/** Each method beside ours in the same setting, and those that are given the pool beside ours with examples alone as well. */
function differences(results: readonly Known[], methods: readonly string[], sets: readonly string[]): string {
  const rows = methods.flatMap((method) =>
    referencesOf(method)
      .filter((reference) => reference !== method && methods.includes(reference))
      .map((reference) => differenceRow(results, reference, method, sets)),
  );
  return table(['difference', ...sets, 'mean of sets', 'ahead'], rows);
}

function referencesOf(method: string): string[] {
  if (method.endsWith('-labelled')) return [`${OURS}-labelled`, ...(method === `${OURS}-labelled` ? [`${OURS}-pool`] : [])];
  if (method === `${OURS}-alone`) return [];
  return method.endsWith('-alone') ? [`${OURS}-alone`] : [`${OURS}-pool`, `${OURS}-alone`];
}

/** In the same setting only, and ours with a pool less ours with labels. A topic `de:music` is of the set's German part. */
function differencesBySize(results: readonly Known[], methods: readonly string[], sizes: readonly Size[]): string {
  const parts = [...grouped(results, partOf).keys()];
  const rows = methods.flatMap((method) => {
    const [reference] = referencesOf(method).filter((name) => name !== method && methods.includes(name));
    if (reference === undefined) return [];
    const pairs = paired(results, reference, method);
    return sizes.map((size) => {
      const sized = pairs.filter((pair) => pair.size === size);
      const cells = parts.map((part) => interval(bootstrapMean(sized.filter((pair) => partOf(pair) === part))));
      return [`${reference} − ${method}`, String(size), ...cells, ofSets(sized)];
    });
  });
  return table(['difference', 'examples', ...parts, 'mean of sets'], rows);
}

function partOf({ set, topic }: Known): string {
  const [, language] = /^(?:[^/]*\/)?([a-z]{2}):/.exec(topic) ?? [];
  return language === undefined ? set : `${set} ${language}`;
}

function calibrationBySize(results: readonly Known[], methods: readonly string[], sets: readonly string[], sizes: readonly Size[]): string {
  const rows = methods.flatMap((method) => {
    const own = results.filter((result) => result.method === method && result.calibration !== null);
    if (own.length === 0) return [];
    return [...sets.map((set) => [set, own.filter((result) => result.set === set)] as const), ['all', own] as const].map(([name, some]) => {
      const cells = sizes.map((size) => some.filter((result) => result.size === size));
      return [method, name, ...cells.map((each) => number(mean(each.map(({ calibration: at }) => at?.error ?? Number.NaN))))];
    });
  });
  return table(['method', 'set', ...sizes.map(String)], rows);
}

function differenceRow(results: readonly Known[], reference: string, method: string, sets: readonly string[]): string[] {
  const pairs = paired(results, reference, method);
  const topics = [...grouped(pairs, ({ topic }) => topic).values()].map((own) => mean(own.map(({ difference }) => difference)));
  const ahead = `${topics.filter((difference) => difference > 0).length} of ${topics.length}`;
  const cells = sets.map((set) => interval(bootstrapMean(pairs.filter((pair) => pair.set === set))));
  return [`${reference} − ${method}`, ...cells, ofSets(pairs), ahead];
}

function ofSets(pairs: readonly Pair[]): string {
  return interval(bootstrapMeanOfKinds([...grouped(pairs, ({ set }) => set).values()]));
}

type Pair = Known & Observation;

function paired(results: readonly Known[], ours: string, theirs: string): Pair[] {
  const problem = ({ set, topic, draw, size }: Known) => [set, topic, draw, size].join('/');
  const reference = new Map(results.filter(({ method }) => method === ours).map((result) => [problem(result), result.averagePrecision]));
  return results
    .filter(({ method }) => method === theirs)
    .flatMap((result) => {
      const base = reference.get(problem(result));
      return base === undefined ? [] : [{ ...result, topic: topicKey(result), difference: base - result.averagePrecision }];
    });
}

function topicKey({ set, topic }: Known): string {
  return `${set}/${topic}`;
}

function overTopics(results: readonly Known[]): number {
  const topics = [...grouped(results, topicKey).values()];
  return mean(topics.map((own) => mean(own.map(({ averagePrecision }) => averagePrecision))));
}

/** Each set counts once for any number of topics. */
function overSets(results: readonly Known[]): number {
  return mean([...grouped(results, ({ set }) => set).values()].map(overTopics));
}

function seconds(results: readonly Known[]): string {
  return mean(results.map((result) => result.seconds)).toFixed(1);
}

function number(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3);
}

function interval({ mean: middle, low, high }: MeanInterval): string {
  return Number.isNaN(middle) ? '–' : `${signed(middle)} [${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map((_, at) => (at === 0 ? ' --- |' : ' ---: |')).join('')}`, ...rows.map(line)].join('\n');
}
