/** How the block model is trained and cross-validated: for the model that comes with the package, and for ablations of it. */
import { BLOCK_FEATURES } from '../../src/reading/extract/block-features.ts';
import type { BlockModelFile } from '../../src/reading/extract/block-model.ts';
import { type BoostingOptions, boost } from './boosting.ts';
import { type LabelledPage, rowsOf, withoutHints } from './pages.ts';

/** Share of the pages, by domain, that are also learned from without their class names and semantic elements. */
const WITHOUT_HINTS = 0.3;
/** On the tuning pages .60 gives the seven types .001 more, and news less; .70 the other way round: see `BlockModel.thresholdFor`. */
const THRESHOLD = 0.65;

/** As the bundled model is trained. */
export const BOOSTING: BoostingOptions = { trees: 40, leaves: 15, rate: 0.2, penalty: 1, minWeight: 1 };
export const FOLDS = 3;

/** Pages to learn from. */
export interface TrainingPages {
  readonly pages: readonly LabelledPage[];
  /** Each of them once more, with nothing left of its markup: see `withoutHints`. */
  readonly bare: readonly LabelledPage[];
}

/** What the model may be made of. */
export interface Recipe {
  readonly boosting: BoostingOptions;
  /** Features by index that may not be used. */
  readonly skip: ReadonlySet<number>;
}

/** The fold that a page is held out in, from 0. Pages of one domain belong to one fold. */
export type FoldOf = (page: LabelledPage) => number;

export function trainingPages(pages: readonly LabelledPage[]): TrainingPages {
  return { pages, bare: withoutHints(pages) };
}

/** Indices of the features whose `group.name` is asked for. */
export function featuresWhere(isAsked: (name: string, group: string) => boolean): ReadonlySet<number> {
  return new Set(BLOCK_FEATURES.flatMap((name, i) => (isAsked(name, name.split('.')[0] ?? '') ? [i] : [])));
}

/** Train on the chosen of the pages. Deterministic. */
export function trainModel(
  { pages, bare }: TrainingPages,
  { boosting, skip }: Recipe,
  isChosen: (page: LabelledPage) => boolean,
): BlockModelFile {
  const few = bare.filter((page) => isChosen(page) && (page.group % 100) / 100 < WITHOUT_HINTS);
  const { bias, trees } = boost(rowsOf([...pages.filter(isChosen), ...few]), boosting, skip);
  return {
    format: 'forager-block-model',
    version: 1,
    features: [...BLOCK_FEATURES],
    bias,
    threshold: THRESHOLD,
    // Five digits are more than the leaves are sure of.
    trees: trees.map((tree) => ({ ...tree, value: tree.value.map((value) => Number(value.toPrecision(5))) })),
  };
}

/** For each fold a model trained on the others, and the indices of the fold's own pages. */
export function* heldOut(
  training: TrainingPages,
  recipe: Recipe,
  folds: number,
  foldOf: FoldOf = ({ group }) => group % folds,
): Generator<{ readonly model: BlockModelFile; readonly indices: readonly number[] }> {
  for (let fold = 0; fold < folds; fold++) {
    const model = trainModel(training, recipe, (page) => foldOf(page) !== fold);
    yield { model, indices: training.pages.flatMap((page, i) => (foldOf(page) === fold ? [i] : [])) };
  }
}
