import type { TrainReport } from '../../app/train.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../../extract/extractor.ts';
import {
  type Args,
  type Command,
  choiceOf,
  countOf,
  flag,
  flagOf,
  given,
  listOf,
  measure,
  NETWORK_OPTIONS,
  networkOf,
  print,
  printJson,
  requiredText,
  several,
  text,
  warn,
} from '../command.ts';
import { clockText, countText, Progress, percentText } from '../progress.ts';

/** Hosts and terms shown. */
const SHOWN = 12;
/** How a model card calls the host of pages whose URL is not known. */
const NO_HOST = '(unknown)';

export const trainCommand: Command = {
  name: 'train <examples..>',
  summary: 'train a topic model from example pages',
  options: (argv) =>
    argv
      .positional('examples', {
        type: 'string',
        array: true,
        describe: 'folder of .html/.txt/.md, a .jsonl, a .warc(.gz), or a file of URLs',
      })
      .options({
        out: text('folder for the model, e.g. models/<name>', { demandOption: true }),
        irrelevant: several('pages of what is not wanted, in the same forms'),
        extractor: text(`how main text is found: ${MAIN_TEXT_METHODS.join(', ')}; kept with the model, whose pages are all read so`, {
          defaultDescription: DEFAULT_MAIN_TEXT_METHOD,
        }),
        'seed-rng': measure('seed of chance (folds), a whole number', '1'),
        ...NETWORK_OPTIONS,
        force: flag('replace a model at --out'),
        json: flag('print the model card as JSON'),
      })
      .example('$0 train examples/moss --out models/moss', 'from good pages alone')
      .example('$0 train good/ --irrelevant bad/ --out models/moss', 'from good and bad pages'),
  run,
};

async function run(args: Args): Promise<number> {
  const options = {
    examples: listOf(args, 'examples'),
    out: requiredText(args, 'out'),
    irrelevant: listOf(args, 'irrelevant'),
    force: flagOf(args, 'force'),
    fetch: networkOf(args),
    ...given({ extractor: choiceOf(args, 'extractor', MAIN_TEXT_METHODS), rngSeed: countOf(args, 'seed-rng', 0) }),
  };
  const { train } = await import('../../app/train.ts');
  const startedAt = Date.now();
  let at = 'reading examples';
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    const report = await train({
      ...options,
      warn,
      onProgress: (step, pages) => {
        at = `${step}, ${countText(pages)} pages`;
      },
    });
    progress.close();
    if (flagOf(args, 'json')) printJson(report.card);
    else describe(report);
    return 0;
  } finally {
    progress.close();
  }
}

function describe({ out, card }: TrainReport): void {
  const { counts, validation, examplesByHost } = card;
  print(`${out}: topic ${card.name}, model ${card.modelId}, ${card.mode}, trained with TF.js (${card.backend})`);
  print(
    `examples ${counts.examples} (${counts.duplicates} duplicates and ${counts.empty} empty left out), irrelevant ${counts.irrelevant}, background ${counts.background}; main text by ${card.extractor}`,
  );
  for (const { host, examples } of examplesByHost.slice(0, SHOWN))
    print(`  ${String(examples).padStart(5)}  ${host === NO_HOST ? 'without a URL' : host}`);
  if (examplesByHost.length > SHOWN) print(`         and ${examplesByHost.length - SHOWN} more hosts`);
  print(
    `cross-validated (${validation.count} folds, ${validation.folds}): average precision ${figure(validation.averagePrecision)}, ROC-AUC ${figure(validation.rocAuc)}`,
  );
  print(
    `at threshold ${card.threshold.toFixed(3)}: precision ${percent(validation.precision)}, recall ${percent(validation.recall)}  (${card.thresholdRule})`,
  );
  print(`strongest terms for:     ${termsText(card.termsFor)}`);
  print(`strongest terms against: ${termsText(card.termsAgainst)}`);
  for (const warning of card.warnings) warn(warning);
}

function figure(value: number | null): string {
  return value === null ? 'not measurable' : value.toFixed(3);
}

function percent(value: number | null): string {
  return value === null ? 'not measurable' : percentText(value);
}

function termsText(terms: readonly { readonly feature: string; readonly contribution: number }[]): string {
  return (
    terms
      .slice(0, SHOWN)
      .map(({ feature }) => feature)
      .join(', ') || 'none'
  );
}
