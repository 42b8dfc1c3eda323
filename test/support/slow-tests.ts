import type { Ms } from '../../src/base/core/types.ts';

/** A test of `npm test` that takes longer has its row below, or is a `wholeTest`. On a quiet machine of two cores. */
export const SLOW: Ms = 2000;

export interface SlowTest {
  readonly file: string;
  /** Its name, with those of the groups around it. */
  readonly test: string;
  /** What `npm test` would not know without it. */
  readonly why: string;
}

export const SLOW_TESTS: readonly SlowTest[] = [];
