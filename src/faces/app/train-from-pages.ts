import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { ModelError, UsageError } from '../../base/core/errors.ts';
import { PRODUCT_TOKEN, VERSION } from '../../base/core/version.ts';
import { withOutput } from '../../base/disk/output.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { languageDetector } from '../../base/text/language.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { wordsOf } from '../../base/text/tokens.ts';
import { isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { INPUT, type InputOptions, pagesOfAll } from '../../crawling/input/inputs.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS, type LIST_RENDERING, type NETWORK } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { DEFAULT_MAIN_TEXT_METHOD, type MainTextMethod } from '../../reading/extract/text-method-names.ts';
import { adviceLine, refusedBy } from '../../reading/topic/advice.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { refuseFewWords } from '../../reading/topic/enough-examples.ts';
import { MODEL_OUTPUT, publishModel } from '../../reading/topic/files.ts';
import { parseRule, type Rule } from '../../reading/topic/rule.ts';
import { trainKeywords } from '../../reading/topic/train-keywords.ts';
import { type TrainedTopic, type TrainingPage, type TrainingStep, trainTopic } from '../../reading/topic/train-topic.ts';
import { storedTraining } from '../../reading/topic/training-file.ts';
import type { TrainingRow } from '../../reading/topic/training-set.ts';
import { DEFAULT_WORD_VECTORS, openWordVectors, type WordVectorSource } from '../../reading/topic/word-vector-source.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { extractPage } from './page-in-memory.ts';
import { crawledBackground, crawledPool } from './train-background.ts';

type Settings = Omit<
  OptionsOf<typeof COMMANDS.train>,
  'json' | 'checkSite' | 'examples' | keyof typeof NETWORK | keyof typeof LIST_RENDERING
>;

export interface TrainOptions extends Settings, InputOptions {
  /** Folders, files, URLs: see `readInput`. Empty with `keywords`. */
  readonly examples: readonly string[];
  readonly onProgress?: (step: 'reading' | TrainingStep, pages: number) => void;
}

export const TRAIN: OptionTable<TrainOptions> = {
  ...without(
    checksOf(COMMANDS.train),
    ...(['json', 'checkSite', 'delay', 'userAgent', 'contact', 'proxy', 'allowPrivate', 'render', 'browser', 'sandbox'] as const),
  ),
  ...INPUT,
  onProgress: call,
};

export interface TrainReport {
  readonly out: string;
  readonly card: ModelCard;
}

/** See `train` of the library. */
export async function train(options: TrainOptions): Promise<TrainReport> {
  checkOptions('train', TRAIN, options, 'examples', 'out');
  const { out, force, signal, warn } = options;
  // Before the work, not after it.
  return withOutput(out, MODEL_OUTPUT, { force, ...(signal && { signal }), ...(warn && { warn }) }, async (output) => {
    const { model, card: made, rows, wordVectors } = await trained(options);
    const card = options.subject === undefined ? made : { ...made, subject: options.subject };
    const training = storedTraining(rows, model.settings.template, options.precision ?? null, wordVectors);
    const refused = options.strict === true ? refusedBy(card.advice) : [];
    if (refused.length > 0) throw new ModelError(`${out}: not saved because of --strict: ${refused.map(adviceLine).join('; ')}`);
    await publishModel(output, { model, card, training });
    return { out, card };
  });
}

interface Trained extends TrainedTopic {
  readonly rows: readonly TrainingRow[];
  /** Choice for later trainings. */
  readonly wordVectors: WordVectorSource;
}

async function trained(options: TrainOptions): Promise<Trained> {
  const extractor = options.extractor ?? DEFAULT_MAIN_TEXT_METHOD;
  const common = {
    name: basename(options.out),
    extractor,
    seed: options.rngSeed ?? 1,
    now: Date.now(),
    software: `forager/${VERSION}`,
    ...(options.rule === undefined ? {} : { rule: parseRule(options.rule) }),
  };
  const keywords = queryOf(options);
  // Before the pages are read, which may take an hour.
  const { source, vectors, notes: vectorNotes } = await openWordVectors(options.wordVectors ?? DEFAULT_WORD_VECTORS);
  if (keywords !== null) return { ...(await trainKeywords({ ...common, keywords })), rows: [], wordVectors: source };
  const examples = await pagesOf(options.examples, extractor, options);
  refuseFewWords(examples.length, sumOf(examples.map(({ title, text, otherText }) => wordsOf(`${title}\n${text}\n${otherText}`).length)));
  const irrelevant = await pagesOf(options.irrelevant ?? [], extractor, options);
  const { pages: extraBackground, notes } = await crawledBackground(
    options.background ?? [],
    common.seed,
    options.warn ?? (() => undefined),
  );
  const unlabelled = [...extraBackground, ...(await poolOf(options.pool ?? [], extractor, options, common.seed))];
  const { method } = options;
  const trained = await trainTopic(examples, {
    ...common,
    irrelevant,
    extraBackground: unlabelled,
    learningCurve: true,
    ...(vectors && { wordVectors: vectors }),
    ...(method === undefined || method === 'keywords' ? {} : { method }),
    ...(options.precision === undefined ? {} : { precision: options.precision }),
    onProgress: (step) => {
      options.signal?.throwIfAborted();
      options.onProgress?.(step, examples.length + irrelevant.length + unlabelled.length);
    },
  });
  const card = { ...trained.card, warnings: [...vectorNotes, ...notes, ...trained.card.warnings] };
  // Vectors of other languages than the examples are as none, now and later.
  return { ...trained, card, wordVectors: card.wordVectors === undefined ? 'none' : source };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** null for a topic from examples. */
function queryOf(options: TrainOptions): Rule | null {
  const { examples, keywords, method } = options;
  if (keywords === undefined) {
    if (method === 'keywords') throw new UsageError('--method keywords: needs --keywords "peat bog, sphagnum"');
    if (examples.length === 0) throw new UsageError(`no examples: give a folder or files of good pages, or --keywords${taken(options)}`);
    return null;
  }
  if (keywords.trim() === '') throw new UsageError('--keywords: the query is empty; write e.g. --keywords "peat bog, sphagnum"');
  if (examples.length > 0)
    throw new UsageError('examples and --keywords: give one of the two; to require words in addition to examples, use --rule');
  if (method !== undefined && method !== 'keywords') throw new UsageError(`--method ${method}: needs examples; --keywords gives none`);
  const unused = [options.irrelevant, options.pool, options.background].some((given) => given !== undefined && given.length > 0);
  if (unused || options.precision !== undefined)
    throw new UsageError(
      '--keywords: uses no pages, so --irrelevant, --pool, --background and --precision have no effect; omit them, or give examples',
    );
  return parseRule(keywords);
}

/** Says which option may have taken the examples. */
function taken(options: TrainOptions): string {
  const taker = (['irrelevant', 'pool', 'background'] as const).find((name) => (options[name]?.length ?? 0) > 1);
  if (taker === undefined) return '';
  return ` (--${taker} takes every word up to the next option: write ${foragerCommand('train', new Blank('examples..'), `--${taker}`)} …)`;
}

/** @throws UsageError, DataError, StoreError */
async function poolOf(inputs: readonly string[], method: MainTextMethod, options: TrainOptions, seed: number): Promise<TrainingPage[]> {
  const pages: TrainingPage[] = [];
  for (const input of inputs) pages.push(...(isCrawl(input) ? await crawledPool(input, seed) : await pagesOf([input], method, options)));
  return pages;
}

/** True for a crawl directory. The check for a folder comes first: nothing can be below a file. */
function isCrawl(input: string): boolean {
  return statSync(input, { throwIfNoEntry: false })?.isDirectory() === true && isCrawlIn(input);
}

async function pagesOf(inputs: readonly string[], method: MainTextMethod, options: TrainOptions): Promise<TrainingPage[]> {
  if (inputs.length === 0) return [];
  const extractor = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: method });
  const detect = await languageDetector();
  const pages: TrainingPage[] = [];
  for await (const page of pagesOfAll(inputs, options)) {
    const { id, url, extraction } = extractPage(page, extractor);
    const { title, text, otherText, metadata, document } = extraction;
    pages.push({ id, url: url ?? metadata.canonical, title, text, otherText, language: detect(text), ...(document && { document }) });
    options.onProgress?.('reading', pages.length);
  }
  return pages;
}
