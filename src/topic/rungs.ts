/** The ways of learning a topic, from little to much. */
import { UsageError } from '../core/errors.ts';
import type { TrainingRow } from './training-set.ts';

/**
 * `keywords`: words alone. `prototype`: the mean of the examples less the mean of the others (Rocchio 1971). `positive-unlabelled`: examples
 * that hide among the unlabelled pages are dropped, then logistic regression. `supervised`: logistic regression with irrelevant pages.
 */
export const RUNGS = ['keywords', 'prototype', 'positive-unlabelled', 'supervised'] as const;
export type Rung = (typeof RUNGS)[number];
/** Those that learn from pages. */
export type LearningRung = Exclude<Rung, 'keywords'>;

/**
 * From two examples on, logistic regression ranks held-out pages at least as well as the prototype. On 40 sub-topics inside hosts of the Debian web, examples
 * alone and with unlabelled pages: .627 against .621 and .666 against .652 of 2 examples, .797 against .799 and .845 against .814 of 5, .879 against .871
 * and .967 against .914 of 10. `npm run bench -- topic --methods forager,forager.prototype` compares them on its topics.
 */
const PROTOTYPE_BELOW = 2;

/** The rung for these rows, or the one that is asked for. @throws UsageError when the rows do not bear it. */
export function chooseRung(rows: readonly TrainingRow[], asked: LearningRung | null): LearningRung {
  const count = (role: TrainingRow['role']) => rows.filter((row) => row.role === role).length;
  if (asked === 'supervised' && count('irrelevant') === 0)
    throw new UsageError('rung supervised: needs pages of what is not wanted; give some with --irrelevant, or leave the rung to the data');
  if (asked !== null) return asked;
  if (count('irrelevant') > 0) return 'supervised';
  return count('example') < PROTOTYPE_BELOW ? 'prototype' : 'positive-unlabelled';
}
