import { EnvironmentError } from '../../base/core/errors.ts';

/** The store does not answer, or cannot serve for a moment. A request that was sent may have taken effect. */
export class StoreAwayError extends EnvironmentError {
  /** The message without the remedy. */
  readonly why: string;

  constructor(why: string, remedy: string) {
    super(`${why}; ${remedy}`);
    this.why = why;
  }
}
