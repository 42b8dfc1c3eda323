/** The interface of a training method: one object in one file of `methods/`. `training-methods.ts` lists them. */
import type { KernelFit, KernelProblem } from './train-model.ts';
import type { TrainingRow } from './training-set.ts';

export interface Fitted {
  readonly fits: readonly KernelFit[];
  /** Computed by this TF.js backend, or `none`. */
  readonly backend: string;
}

interface Named<Name extends string> {
  /** Name in `--method` and on model cards. */
  readonly name: Name;
  /** Input of the method, in one line. */
  readonly help: string;
}

/** Makes a model from a query, without any page of the topic. */
export interface QueryMethod<Name extends string = string> extends Named<Name> {
  readonly learnsFrom: 'query';
}

/** Learns from pages. */
export interface PageMethod<Name extends string = string> extends Named<Name> {
  readonly learnsFrom: 'pages';
  /** Description of the method, for the model card. */
  readonly described: string;
  /** Is it the default for these rows? Exactly one method is. */
  suits(rows: readonly TrainingRow[]): boolean;
  /** Names the missing input, as an error names it; null if nothing is missing. */
  lacks(rows: readonly TrainingRow[]): string | null;
  /** All fits of a problem. */
  fit(problem: KernelProblem): Promise<Fitted>;
}

export type TrainingMethod<Name extends string = string> = QueryMethod<Name> | PageMethod<Name>;

/** Rows of a role. */
export function countOf(rows: readonly TrainingRow[], role: TrainingRow['role']): number {
  return rows.filter((row) => row.role === role).length;
}
