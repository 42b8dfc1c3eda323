import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { rowCosts } from './costs.ts';
import { averagePrecision } from './evaluate.ts';
import type { Folds } from './folds.ts';
import { kernelOf } from './gram.ts';
import { LAMBDA } from './regression.ts';
import type { PageMethod } from './training-method.ts';
import type { TrainingRow } from './training-set.ts';

/** Held-out average precision of models trained on that many examples. */
export interface LearningPoint {
  readonly examples: number;
  readonly averagePrecision: Unit;
}

/** Rows that are fitted, and how. */
export interface Compared {
  readonly rows: readonly TrainingRow[];
  /** Shape [rows, rows]. */
  readonly kernel: Float32Array;
  readonly folds: Folds;
  readonly hidden: ReadonlySet<number>;
  readonly seed: number;
  readonly method: PageMethod;
}

/** Numbers of examples that are tried, and all there are. */
const SIZES = [3, 5, 10, 20, 40, 80, 160];
/** Number of rows of each side that take part: the curve is a guide, and its cost grows with the square. */
const MAX_SIDE = 300;

/**
 * The quality of the model's ranking of held-out pages with fewer examples. For each size, it fits a model per fold on that many examples, drawn from
 * the other folds; the held-out pages are the same at each size. Empty if nothing could be held out. One fit a size and fold.
 */
export async function learningCurve(compared: Compared): Promise<LearningPoint[]> {
  const { folds, method } = compared;
  if (folds.kind === 'none') return [];
  const rng = seededRng(compared.seed);
  const order = shuffled(
    [...compared.rows.keys()].filter((i) => !compared.hidden.has(i)),
    rng,
  );
  const isExample = (i: number) => compared.rows[i]?.role === 'example';
  const examples = order.filter(isExample).slice(0, MAX_SIDE);
  const chosen = [...examples, ...order.filter((i) => !isExample(i)).slice(0, MAX_SIDE)];
  const rows = chosen.map((i) => compared.rows[i] as TrainingRow);
  const foldOf = chosen.map((i) => folds.of[i]);
  const smallest = Math.min(...Array.from({ length: folds.count }, (_, fold) => examples.filter((_, at) => foldOf[at] !== fold).length));
  const sizes = [...SIZES.filter((size) => size < smallest), smallest].filter((size) => size > 0);
  const fitted = sizes.flatMap((size) => Array.from({ length: folds.count }, (_, fold) => ({ size, fold })));
  const { fits } = await method.fit({
    kernel: kernelOf(compared.kernel, compared.rows.length, chosen),
    targets: Float32Array.from(rows, ({ role }) => (role === 'example' ? 1 : 0)),
    costs: fitted.map(({ size, fold }) => {
      const used = new Set(examples.flatMap((_, at) => (foldOf[at] === fold ? [] : [at])).slice(0, size));
      return rowCosts(rows, (i) => Number(rows[i]?.role === 'example' ? used.has(i) : foldOf[i] !== fold));
    }),
    lambda: LAMBDA,
  });
  return sizes.map((size) => {
    const fitOf = (i: number) => fits[fitted.findIndex((each) => each.size === size && each.fold === foldOf[i])];
    const held = rows.map(({ role }, i) => ({ score: fitOf(i)?.logits[i] ?? 0, onTopic: role === 'example' }));
    return { examples: size, averagePrecision: averagePrecision(held.filter((_, i) => rows[i]?.role !== 'extra')) };
  });
}
