/** What a way of learning a topic is: one object in one file of `methods/`. `training-methods.ts` has the list of them. */
import type { KernelFit, KernelProblem } from './train-model.ts';
import type { TrainingRow } from './training-set.ts';

export interface Fitted {
  readonly fits: readonly KernelFit[];
  /** What computed it: a TF.js backend, or `none`. */
  readonly backend: string;
}

interface Named<Name extends string> {
  /** As `--method` and model cards have it. */
  readonly name: Name;
  /** What it learns from, in one line. */
  readonly help: string;
}

/** Makes a model of a query: it sees no page of the topic. */
export interface QueryMethod<Name extends string = string> extends Named<Name> {
  readonly learnsFrom: 'query';
}

/** Learns from pages. */
export interface PageMethod<Name extends string = string> extends Named<Name> {
  readonly learnsFrom: 'pages';
  /** What it does, for the model card. */
  readonly described: string;
  /** Is it the one for these rows, where none is asked for? One method is. */
  suits(rows: readonly TrainingRow[]): boolean;
  /** What is missing for it, as an error says it; null where nothing is. */
  lacks(rows: readonly TrainingRow[]): string | null;
  /** All fits of a problem. */
  fit(problem: KernelProblem): Promise<Fitted>;
}

export type TrainingMethod<Name extends string = string> = QueryMethod<Name> | PageMethod<Name>;

/** Rows of a role. */
export function countOf(rows: readonly TrainingRow[], role: TrainingRow['role']): number {
  return rows.filter((row) => row.role === role).length;
}
