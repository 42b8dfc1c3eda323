/** The training methods. To add one, add a file in `methods/`, its name in `training-method-names.ts`, and the object here. */
import { InvariantError, UsageError } from '../../base/core/errors.ts';
import { positiveUnlabelled } from './methods/positive-unlabelled.ts';
import { prototype } from './methods/prototype.ts';
import { keywords } from './methods/query-words.ts';
import { supervised } from './methods/supervised.ts';
import type { PageMethod, TrainingMethod } from './training-method.ts';
import { METHOD_NAMES, type MethodName } from './training-method-names.ts';
import type { TrainingRow } from './training-set.ts';

const BY_NAME = { keywords, prototype, 'positive-unlabelled': positiveUnlabelled, supervised } as const satisfies {
  readonly [Name in MethodName]: TrainingMethod<Name>;
};
type Method = (typeof BY_NAME)[MethodName];

/** Methods in the order of their names. */
export const TRAINING_METHODS: readonly Method[] = METHOD_NAMES.map((name) => BY_NAME[name]);

/** Names of the methods that learn from pages. */
export type LearningMethod = Extract<Method, PageMethod>['name'];

const PAGE_METHODS: readonly PageMethod<LearningMethod>[] = TRAINING_METHODS.filter((method) => method.learnsFrom === 'pages');

/** The method for these rows, or the requested one. @throws UsageError if the rows are not enough for it. */
export function chooseMethod(rows: readonly TrainingRow[], asked: LearningMethod | null): PageMethod<LearningMethod> {
  const found = PAGE_METHODS.find((method) => (asked === null ? method.suits(rows) : method.name === asked));
  if (found === undefined) throw new InvariantError(`${asked ?? 'rows'}: no method of training is for them`);
  const missing = found.lacks(rows);
  if (missing !== null) throw new UsageError(`training method ${found.name}: ${missing}`);
  return found;
}
