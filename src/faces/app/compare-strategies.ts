/** Compares strategies on a frozen web: the pages that each finds with the same number of requests. */

import { UsageError } from '../../base/core/errors.ts';
import { readSeeds } from '../../crawling/input/url-file.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal, texts } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../../study/eval/contestants.ts';
import { openModel, type ReadJudge, readJudge } from '../../study/eval/eval-judge.ts';
import { type EvalStep, evaluated, type GuideBy } from '../../study/eval/eval-runs.ts';
import { type Evaluation, evaluationReport } from '../../study/eval/report.ts';
import { EvalOutputs } from './eval-outputs.ts';
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

/** See `evaluate` of the library. */
export async function evaluate(options: EvalOptions): Promise<EvalReport> {
  checkOptions('evaluate', EVALUATE, options, 'web', 'topic', 'judge');
  const { strategies: named = DEFAULT_CONTESTANTS, out } = options;
  for (const name of named) contestantNamed(name);
  const strategies = [...new Set(named)];
  if (strategies.length === 0) throw new UsageError('--strategies: none is named; name some, or omit the option');
  refuseUnused(options);
  const outputs = out === undefined ? null : await EvalOutputs.claim(out, options.force ?? false, isProxy(options.web));
  try {
    return await evaluatedTo(outputs, options, strategies);
  } finally {
    await outputs?.abandon();
  }
}

async function evaluatedTo(outputs: EvalOutputs | null, options: EvalOptions, strategies: readonly string[]): Promise<EvalReport> {
  const { tunnel = TUNNEL, onProgress = () => undefined } = options;
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
    const markdown = evaluationReport(evaluation);
    const files = (await outputs?.publish(evaluation, markdown, (path) => source.keep(path))) ?? [];
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
