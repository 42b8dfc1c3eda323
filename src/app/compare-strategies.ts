/** Compares strategies on a frozen web: the pages that each finds with the same number of requests. */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import { isThere } from '../core/on-disk.ts';
import { makeDirectory, makeRoomFor, refuseFileInPath } from '../crawl-dir/directories.ts';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../eval/contestants.ts';
import { curvesSvg } from '../eval/curves-svg.ts';
import { openModel, type ReadJudge, readJudge } from '../eval/eval-judge.ts';
import { type EvalStep, evaluated, type GuideBy } from '../eval/eval-runs.ts';
import { type Evaluation, reportOf } from '../eval/report.ts';
import { readSeeds } from '../input/url-file.ts';
import { checkOptions, type OptionTable, without } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { call, signal, texts } from '../settings/kinds.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { isProxy, openWeb } from './eval-web.ts';

/** Options of an evaluation. */
export interface EvalOptions extends Omit<OptionsOf<typeof COMMANDS.eval>, 'json'> {
  readonly onProgress?: (step: EvalStep, done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export const EVALUATE: OptionTable<EvalOptions> = {
  ...without(checksOf(COMMANDS.eval), 'json'),
  strategies: texts().check,
  signal,
  onProgress: call,
};

export interface EvalReport {
  readonly evaluation: Evaluation;
  /** The evaluation as Markdown. */
  readonly markdown: string;
  /** Files written to `out`. */
  readonly files: readonly string[];
}

/** The default of a crawl. */
const TUNNEL = 4;
const RESULTS = 'results.json';
/** A web that was recorded for the evaluation. */
const WEB = 'web.jsonl.gz';

/** See `evaluate` of the library. */
export async function evaluate(options: EvalOptions): Promise<EvalReport> {
  checkOptions('evaluate', EVALUATE, options, 'web', 'topic', 'judge');
  const { strategies: named = DEFAULT_CONTESTANTS, tunnel = TUNNEL, out, onProgress = () => undefined } = options;
  for (const name of named) contestantNamed(name);
  const strategies = [...new Set(named)];
  if (strategies.length === 0) throw new UsageError('--strategies: none is named; name some, or omit the option');
  refuseUnused(options);
  if (out !== undefined) refuseOut(out, options.force ?? false);
  const guide = await openModel(options.topic);
  const judge = await readJudge(options.judge);
  const guideBy = guideByOf(options, judge);
  const starts = readSeeds(options.seeds ?? []);
  const examples = readSeeds(options.examples ?? []);
  onProgress('reading', 0, 0);
  const source = await openWeb({ ...options, starts }, (done, of) => onProgress('freezing', done, of));
  try {
    const evaluation = await evaluated({
      ...options,
      from: options.web,
      web: source.web,
      guide,
      guideBy,
      judge,
      strategies,
      starts,
      examples,
      tunnel,
      onProgress,
    });
    const markdown = reportOf(evaluation);
    const files = out === undefined ? [] : writeOut(out, evaluation, markdown);
    if (out !== undefined && source.keep(join(out, WEB))) files.push(join(out, WEB));
    return { evaluation, markdown, files };
  } finally {
    source.close();
  }
}

/** @throws UsageError */
function guideByOf({ guide = 'model', judge }: EvalOptions, { labels }: ReadJudge): GuideBy {
  if (guide === 'labels' && labels === null)
    throw new UsageError(`--guide labels: --judge ${judge} has no labels; give a file of labels as --judge, or omit --guide`);
  return guide;
}

function refuseUnused({ web, maxPages, delay, contact }: EvalOptions): void {
  if (isProxy(web) || [maxPages, delay, contact].every((option) => option === undefined)) return;
  throw new UsageError(`--web ${web}: nothing is fetched, so --max-pages, --delay and --contact have no effect; omit them`);
}

function refuseOut(out: string, force: boolean): void {
  refuseFileInPath(out);
  if (isThere(join(out, RESULTS)) && !force)
    throw new UsageError(`${out}: already holds an evaluation; give another --out, or see in forager eval --help how to replace it`);
  makeRoomFor(out);
}

/** @returns the paths */
function writeOut(out: string, evaluation: Evaluation, markdown: string): string[] {
  makeDirectory(out);
  const contents = [
    ['report.md', markdown],
    ['curves.svg', curvesSvg(evaluation)],
    [RESULTS, `${JSON.stringify(evaluation)}\n`],
  ] as const;
  return contents.map(([name, content]) => written(join(out, name), content));
}

/** Writes the whole file or none. @returns its path */
function written(path: string, content: string): string {
  try {
    writeFileSync(`${path}.tmp`, content);
    renameSync(`${path}.tmp`, path);
    return path;
  } catch (error) {
    throw storeErrorFrom(error, 'writing the evaluation', path);
  }
}
