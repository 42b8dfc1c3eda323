import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { foragerCommand } from '../../../base/text/forager-command.ts';
import { counted, countText, percentText } from '../../../base/text/number-text.ts';
import { Blank } from '../../../base/text/shell-line.ts';
import { adviceLine } from '../../../reading/topic/advice.ts';
import { type ModelCard, UNKNOWN_HOST } from '../../../reading/topic/card.ts';
import { hostDoubt } from '../../../reading/topic/doubts.ts';
import { loadCard } from '../../../reading/topic/files.ts';
import { vectorsText } from '../../../reading/topic/vectors-text.ts';
import { doubtText } from '../../../study/inspect/grounds-words.ts';
import type { TrainReport } from '../../app/train-from-pages.ts';
import { networkOf, print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { clockText, fetchingText, MOMENT, Progress, thresholdText } from '../progress.ts';

/** Hosts and terms shown. */
const SHOWN = 12;

export async function runTrain({ checkSite = false, ...options }: CommandOptions<'train'>): Promise<number> {
  refuseUnmeetable(options.precision);
  if (checkSite) return trainChecked(options);
  tell(await trained(options), options);
  return EXIT.done;
}

/** Trains, unless an earlier run has done it, and lets the user correct the model on pages of the examples' sites. */
async function trainChecked(options: Options): Promise<number> {
  const { out, json, force = false, keywords, examples = [] } = options;
  if (keywords !== undefined) throw new UsageError('--check-site: needs examples with URLs, to know their sites; --keywords names no site');
  const { isCheckStarted } = await import('../../app/check-site.ts');
  const isTrained = !force && (examples.length === 0 || (await isCheckStarted(out)));
  const report = isTrained ? null : await trained(options);
  if (report !== null && !json) describe(report);
  const { checkSites } = await import('../site-check.ts');
  const { exitCode, card } = await checkSites(options);
  if (exitCode === EXIT.done) tell({ out, card: card ?? (await loadCard(out)) }, options);
  return exitCode;
}

function tell(report: TrainReport, { json = false }: Pick<Options, 'json'>): void {
  if (json) printJson(report.card);
  else describe(report);
}

type Options = Omit<CommandOptions<'train'>, 'checkSite'>;

/** Trains, with progress. */
async function trained({ json: _, ...all }: Options): Promise<TrainReport> {
  const { delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox, ...options } = all;
  const { train } = await import('../../app/train-from-pages.ts');
  const startedAt = Date.now();
  let at = 'reading examples';
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`, MOMENT);
  const onProgress = (done: number, total: number) => {
    at = fetchingText(done, total);
  };
  try {
    return await train({
      examples: [],
      ...options,
      fetch: { ...networkOf({ delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox }), onProgress },
      warn,
      onProgress: (step, pages) => {
        at = `${step}, ${counted(pages, 'page')}`;
      },
    });
  } finally {
    progress.close();
  }
}

/** Every threshold reaches precision 0, and no lower bound reaches 1. @throws UsageError */
function refuseUnmeetable(precision: number | undefined): void {
  if (precision === 0 || precision === 1) throw new UsageError(`--precision ${precision}: not between 0 and 1; write e.g. 0.9`);
}

function describe({ out, card }: TrainReport): void {
  print(
    `${out}: topic ${card.name}, model ${card.modelId}, training method ${card.method}${card.backend === 'none' ? '' : `, trained with TF.js (${card.backend})`}`,
  );
  if (card.method === 'keywords') print(`the query as Forager reads it: ${card.query ?? ''}; terms: ${termsText(card.termsFor)}`);
  else describePages(card);
  const vectors = vectorsText(card);
  if (vectors !== null) print(vectors);
  describeValidation(card);
  if (card.method !== 'keywords') {
    print(`strongest terms for:     ${termsText(card.termsFor)}`);
    print(`strongest terms against: ${termsText(card.termsAgainst)}`);
  }
  for (const left of card.warnings) warn(`note: ${left}`);
  for (const advice of card.advice) warn(`${advice.severity}: ${adviceLine(advice)}`);
}

function describePages({ counts, examplesByHost, extractor }: ModelCard): void {
  print(
    `examples ${counts.examples} (${counts.duplicates} duplicates and ${counts.empty} empty omitted), irrelevant ${counts.irrelevant}, unlabelled ${counts.extraBackground}, background ${counts.background}; main text by ${extractor}`,
  );
  for (const { host, examples } of examplesByHost.slice(0, SHOWN))
    print(`  ${String(examples).padStart(5)}  ${host === UNKNOWN_HOST ? 'without a URL' : host}`);
  if (examplesByHost.length > SHOWN) print(`         and ${examplesByHost.length - SHOWN} more hosts`);
}

/** The bundled background alone gives no figures: its pages are of other kinds than those of a crawl, and any model passes that test. */
function describeValidation(card: ModelCard): void {
  const { method, validation, threshold, thresholdRule } = card;
  const doubt = hostDoubt(card);
  const against = validation.against === 'pages' ? 'the pages given as irrelevant and the bundled background' : null;
  if (against !== null && validation.folds !== 'none') describeFigures(validation, against);
  if (validation.unlabelled !== null) describeUnlabelled(validation.unlabelled);
  if (doubt !== null && validation.folds !== 'none') print(`these examples give no figures of a crawl: ${doubtText([doubt])}`);
  const recall = validation.recall === null ? '' : `recall ${percentText(validation.recall)} of held-out examples, `;
  const precision =
    validation.precision === null || against === null
      ? 'precision not measured'
      : `precision ${percentText(validation.precision)} against ${against}`;
  print(`at threshold ${thresholdText(threshold)}: ${recall}${precision}  (${thresholdRule})`);
  print(`  precision on pages of a crawl: not measured; after a crawl, ${foragerCommand('label', new Blank('dir'))} measures it`);
  if (method === 'keywords') return;
  if (against === null && validation.unlabelled === null && validation.folds !== 'none')
    print(
      '  not tested on the sites to crawl: pages of them, given with --pool (unlabelled) or --irrelevant (off topic), test and improve the model',
    );
  print('  relevance assumes that one page in ten is on topic, so thresholds below 0.5 are normal');
}

function describeUnlabelled({ pages, onTopic, averagePrecision }: NonNullable<ModelCard['validation']['unlabelled']>): void {
  print(
    `held-out examples against ${counted(pages, 'unlabelled page')}: average precision at least ${figure(averagePrecision)} (wanted pages among them count as errors)`,
  );
  print(`  ${countText(onTopic)} of these (${percentText(onTopic / pages)}) reach the threshold, by the model; look at some of them`);
}

function describeFigures(
  { count, folds, averagePrecision, rocAuc, brier, calibrationError, learningCurve }: ModelCard['validation'],
  against: string,
): void {
  print(
    `cross-validated against ${against} (${count} folds, ${folds}): average precision ${figure(averagePrecision)}, ROC-AUC ${figure(rocAuc)}, Brier ${figure(brier)}, calibration error ${figure(calibrationError)}`,
  );
  const curve = learningCurve.map(({ examples, averagePrecision: at }) => `${examples}: ${figure(at)}`);
  if (curve.length > 1) print(`average precision against ${against} by number of examples: ${curve.join(', ')}`);
}

function figure(value: number | null): string {
  return value === null ? 'not measurable' : value.toFixed(3);
}

function termsText(terms: readonly { readonly feature: string; readonly contribution: number }[]): string {
  return (
    terms
      .slice(0, SHOWN)
      .map(({ feature }) => feature)
      .join(', ') || 'none'
  );
}
