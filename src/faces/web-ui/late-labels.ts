/** Labels that were given on the first screen: a survey that was made before knows nothing of them, and a large running crawl is counted seldom. */
import type { EpochMs } from '../../base/core/types.ts';

/** More than the last pages that one screen shows. */
const MOST = 100;

export class LateLabels {
  readonly #at = new Map<string, EpochMs>();

  note(url: string, at: EpochMs): void {
    this.#at.delete(url);
    this.#at.set(url, at);
    for (const oldest of this.#at.keys()) {
      if (this.#at.size <= MOST) break;
      this.#at.delete(oldest);
    }
  }

  /** Was the page labelled after a survey of that moment? */
  isLaterThan(url: string, survey: EpochMs): boolean {
    return (this.#at.get(url) ?? Number.NEGATIVE_INFINITY) > survey;
  }
}
