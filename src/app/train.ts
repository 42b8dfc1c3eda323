import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { DEFAULT_MAIN_TEXT_METHOD, type MainTextMethod, PageExtractor } from '../extract/extractor.ts';
import type { ModelCard } from '../topic/card.ts';
import { saveModel } from '../topic/files.ts';
import { type TrainingPage, type TrainingStep, trainTopic } from '../topic/train-topic.ts';
import { makeRoomFor, refuseFileInPath } from './directories.ts';
import { type InputOptions, readInput } from './inputs.ts';
import { extractPage } from './read.ts';
import { PRODUCT_TOKEN, VERSION } from './version.ts';

export interface TrainOptions extends InputOptions {
  /** Folders, files, URLs: see `readInput`. */
  readonly examples: readonly string[];
  /** Folder of the model; its last name is the topic's. */
  readonly out: string;
  /** Pages of what is not wanted; default none. */
  readonly irrelevant?: readonly string[];
  /** How main text is found in these pages, and later in all pages read for the model. Default `DEFAULT_MAIN_TEXT_METHOD`. */
  readonly extractor?: MainTextMethod;
  /** Replace a model at `out`. Default false. */
  readonly force?: boolean;
  /** Seed of chance: folds. Default 1. */
  readonly rngSeed?: number;
  readonly onProgress?: (step: 'reading' | TrainingStep, pages: number) => void;
}

export interface TrainReport {
  readonly out: string;
  readonly card: ModelCard;
}

/**
 * Train a topic model from example pages and save it.
 * @throws UsageError, DataError naming the input that cannot be used; StoreError when the model cannot be saved.
 */
export async function train(options: TrainOptions): Promise<TrainReport> {
  refuseFileInPath(options.out);
  if (existsSync(options.out)) refuseExisting(options.out, options.force ?? false);
  const extractor = options.extractor ?? DEFAULT_MAIN_TEXT_METHOD;
  const examples = await pagesOf(options.examples, extractor, options);
  const irrelevant = await pagesOf(options.irrelevant ?? [], extractor, options);
  const { model, card } = await trainTopic(examples, {
    name: basename(options.out),
    irrelevant,
    extractor,
    seed: options.rngSeed ?? 1,
    now: Date.now(),
    software: `forager/${VERSION}`,
    onProgress: (step) => options.onProgress?.(step, examples.length + irrelevant.length),
  });
  makeRoomFor(options.out);
  await saveModel(options.out, model, card, { force: options.force ?? false });
  return { out: options.out, card };
}

/** Said before the work, not after it; `saveModel` checks again. */
function refuseExisting(out: string, force: boolean): void {
  const entries = readdirSync(out);
  if (entries.length === 0) return;
  if (!entries.includes('model.json')) throw new UsageError(`${out}: holds something other than a model; give another --out`);
  if (!force) throw new UsageError(`${out}: holds a model already; give another --out, or --force to replace it`);
}

async function pagesOf(inputs: readonly string[], method: MainTextMethod, options: TrainOptions): Promise<TrainingPage[]> {
  const extractor = new PageExtractor({ productToken: PRODUCT_TOKEN, extractor: method });
  const pages: TrainingPage[] = [];
  for (const input of inputs) {
    for await (const page of readInput(input, options)) {
      const { id, url, extraction } = extractPage(page, extractor);
      const { title, text, metadata } = extraction;
      pages.push({ id, url: url ?? metadata.canonical, title, text });
      options.onProgress?.('reading', pages.length);
    }
  }
  return pages;
}
