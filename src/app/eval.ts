/** Strategies compared on a frozen web: what each finds for the requests it would make. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../eval/contestants.ts';
import { curvesSvg } from '../eval/curves-svg.ts';
import { type Evaluation, reportOf } from '../eval/report.ts';
import { checkOptions } from './check-options.ts';
import { makeDirectory, makeRoomFor, refuseFileInPath } from './directories.ts';
import { openModel, type ReadJudge, readJudge } from './eval-judge.ts';
import { type EvalStep, evaluated, type GuideBy } from './eval-runs.ts';
import { isProxy, openWeb, type WebOptions } from './eval-web.ts';
import { EVALUATE } from './option-tables.ts';
import { readSeeds } from './seeds.ts';

export interface EvalOptions extends Omit<WebOptions, 'starts'> {
  /** A file of labels (`url,on_topic`), or `model:` and the folder of another model than `topic`; the same one only when that is meant. */
  readonly judge: string;
  /** `labels`: the judge's labels tell strategies whether a page they read is on topic, so that links alone are compared; `topic` reads links' words. Default model. */
  readonly guide?: GuideBy;
  /** Names of strategies, `one-step` and `distance`; the first is compared to the others. Default all but dfs, opic, pagerank, hub and authority. */
  readonly strategies?: readonly string[];
  /** URLs each may visit. Default twice as many as there are pages to find, from 100 to 2,000. */
  readonly budget?: number;
  /** Repetitions, each with starts of its own. Default 5; 1 where `starts` are given. */
  readonly seeds?: number;
  /** URLs, or files with one URL a line. Default: three pages on topic, drawn anew for each seed. */
  readonly starts?: readonly string[];
  /** URLs that the topic was trained on, or files of them: finding them is no merit. */
  readonly examples?: readonly string[];
  /** Off-topic pages in a row that are passed through by strategies that look at the topic. Default 4. */
  readonly tunnel?: number;
  /** Folder for `results.json`, `report.md` and `curves.svg`. */
  readonly out?: string;
  /** Replace an evaluation at `out`. Default false. */
  readonly force?: boolean;
  readonly onProgress?: (step: EvalStep, done: number, of: number) => void;
}

export interface EvalReport {
  readonly evaluation: Evaluation;
  /** The evaluation as Markdown. */
  readonly markdown: string;
  /** Written to `out`. */
  readonly files: readonly string[];
}

/** The default of a crawl. */
const TUNNEL = 4;
const RESULTS = 'results.json';
/** A web that was frozen for the evaluation. */
const WEB = 'web.jsonl.gz';

/**
 * Run strategies on a frozen web, from the same starts and with the same budget. Deterministic: the same web, models and options give the
 * same orders of visits.
 * @throws UsageError, ModelError, DataError, StoreError; what `signal` was aborted with
 */
export async function evaluate(options: EvalOptions): Promise<EvalReport> {
  checkOptions('evaluate', EVALUATE, options, 'web', 'topic', 'judge');
  const { strategies: named = DEFAULT_CONTESTANTS, tunnel = TUNNEL, out, onProgress = () => undefined } = options;
  for (const name of named) contestantNamed(name);
  const strategies = [...new Set(named)];
  if (strategies.length === 0) throw new UsageError('--strategies: none is named; name some, or leave it out');
  refuseUnused(options);
  if (out !== undefined) refuseOut(out, options.force ?? false);
  const guide = await openModel(options.topic);
  const judge = await readJudge(options.judge);
  const guideBy = guideByOf(options, judge);
  const starts = readSeeds(options.starts ?? []);
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
    throw new UsageError(`--guide labels: --judge ${judge} has no labels; give a file of them as --judge, or leave --guide out`);
  return guide;
}

function refuseUnused({ web, pages, delay, contact }: EvalOptions): void {
  if (isProxy(web) || [pages, delay, contact].every((option) => option === undefined)) return;
  throw new UsageError(`--web ${web}: nothing is fetched, so --pages, --delay and --contact mean nothing; leave them out`);
}

function refuseOut(out: string, force: boolean): void {
  refuseFileInPath(out);
  if (existsSync(join(out, RESULTS)) && !force)
    throw new UsageError(`${out}: holds an evaluation already; give another --out, or see in forager eval --help how to replace it`);
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

/** Whole, or not at all. @returns its path */
function written(path: string, content: string): string {
  try {
    writeFileSync(`${path}.tmp`, content);
    renameSync(`${path}.tmp`, path);
    return path;
  } catch (error) {
    throw storeErrorFrom(error, 'writing the evaluation', path);
  }
}
