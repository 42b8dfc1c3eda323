/** What is compared: families of methods, each in the settings it is measured in. */
import type { Family } from './family.ts';
import { fastText } from './fasttext.ts';
import { forager, foragerWithout } from './forager.ts';
import { bayes, logistic } from './natural.ts';
import { sklearn } from './sklearn.ts';
import type { Given, Size } from './splits.ts';

/** One family in one setting. */
export interface Method {
  /** `family-setting`. */
  readonly name: string;
  readonly family: Family;
  readonly given: Given;
}

/** The one that others are compared to, in the same setting. */
export const OURS = 'forager';

/** What is left out one at a time: `--methods forager,forager.no-bigram`. The pool is left out in `forager-alone`. */
const PARTS = ['bigram', 'character', 'title', 'url', 'frequencies', 'latent', 'vectors', 'punctuation'] as const;

export function allMethods(python: string): Method[] {
  const families = [
    forager(OURS, 'pool', null),
    forager('forager.prototype', 'pool', 'prototype'),
    forager('forager.irrelevant', 'irrelevant', null),
    ...PARTS.map(foragerWithout),
    bayes,
    logistic,
    sklearn(python),
    fastText,
  ];
  return families.flatMap((family) => family.settings.map((given) => ({ name: `${family.name}-${given}`, family, given })));
}

/** Whether a method is run at a size. */
export function runsAt({ family }: Method, size: Size): boolean {
  return family.maxSize === undefined || (size !== 'all' && size <= family.maxSize);
}
