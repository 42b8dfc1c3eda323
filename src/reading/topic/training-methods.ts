/** The only list of training methods, by the amount of input they need. To add one, add a file in `methods/` and a name here. */
import { InvariantError, UsageError } from '../../base/core/errors.ts';
import { positiveUnlabelled } from './methods/positive-unlabelled.ts';
import { prototype } from './methods/prototype.ts';
import { keywords } from './methods/query-words.ts';
import { supervised } from './methods/supervised.ts';
import type { PageMethod, TrainingMethod } from './training-method.ts';
import type { TrainingRow } from './training-set.ts';

export const TRAINING_METHODS = [keywords, prototype, positiveUnlabelled, supervised] as const satisfies readonly TrainingMethod[];

export type MethodName = (typeof TRAINING_METHODS)[number]['name'];
/** Those that learn from pages. */
export type LearningMethod = Extract<(typeof TRAINING_METHODS)[number], PageMethod>['name'];
/** Their names, in that order. */
export const METHOD_NAMES: readonly MethodName[] = TRAINING_METHODS.map(({ name }) => name);

const PAGE_METHODS: readonly PageMethod<LearningMethod>[] = TRAINING_METHODS.filter((method) => method.learnsFrom === 'pages');

/** The method for these rows, or the requested one. @throws UsageError if the rows are not enough for it. */
export function chooseMethod(rows: readonly TrainingRow[], asked: LearningMethod | null): PageMethod<LearningMethod> {
  const found = PAGE_METHODS.find((method) => (asked === null ? method.suits(rows) : method.name === asked));
  if (found === undefined) throw new InvariantError(`${asked ?? 'rows'}: no method of training is for them`);
  const missing = found.lacks(rows);
  if (missing !== null) throw new UsageError(`training method ${found.name}: ${missing}`);
  return found;
}
