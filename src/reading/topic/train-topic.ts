import { type RowTrainingOptions, type TrainedTopic, trainOnRows } from './train-on-rows.ts';
import { type TrainingPage, type TrainingPages, type TrainingRow, trainingSet } from './training-set.ts';

export type { TrainedTopic, TrainingStep } from './train-on-rows.ts';
export type { TrainingPage } from './training-set.ts';

export interface TrainingOptions extends Omit<RowTrainingOptions, 'notes' | 'template'> {
  /** Pages of the unwanted kind. With some, the model is supervised. */
  readonly irrelevant?: readonly TrainingPage[];
  /** Unlabelled pages, e.g. of an earlier crawl, which join the bundled background. */
  readonly extraBackground?: readonly TrainingPage[];
}

/** A model, with its training rows except those of the bundled background. */
export interface TrainedFromPages extends TrainedTopic {
  readonly rows: readonly TrainingRow[];
}

/**
 * Trains a topic from examples, alone (against the background) or with irrelevant pages: see `trainOnRows`. Same input, same model.
 * @throws DataError if no example has words, if all have the same text, or if a page is both example and irrelevant; otherwise as `trainOnRows`
 */
export async function trainTopic(examples: readonly TrainingPage[], options: TrainingOptions): Promise<TrainedFromPages> {
  const { irrelevant = [], extraBackground = [], ...rest } = options;
  options.onProgress?.('counting');
  const pages: TrainingPages = { examples, irrelevant, extraBackground };
  const { rows, template, ...notes } = trainingSet(pages, options.seed);
  return { ...(await trainOnRows(rows, { ...rest, template, notes })), rows };
}
