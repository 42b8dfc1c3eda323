/** Actions of a person on a running crawl, by page, command line or signal. */
import type { ActionName, ActionOrigin, CrawlEvent, Emit } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs } from '../../base/core/types.ts';

/** A pasted list of seeds must not fill the log. */
const SUBJECTS = 20;

export interface Steering {
  /**
   * Adds seeds, with the rules for those of a new run. They are stored in `crawl.json` at once, and wait in the crawl from the next commit.
   * @throws UsageError for a text that is no URL, for a crawl that says nothing about who runs it, and while a retraining takes effect or the crawl ends;
   * StoreError
   */
  readonly addSeeds: (urls: readonly string[]) => void;
  /** Reports an action to the log and to `onEvent`. @param subjects its patterns, hosts or URLs */
  readonly acted: (action: ActionName, origin: ActionOrigin, subjects?: readonly string[]) => void;
}

/** @param now the time of the crawl's events */
export function reporter(emit: Emit, now: () => EpochMs): Steering['acted'] {
  return (action, origin, subjects = []) => {
    const event: CrawlEvent = { type: 'action', at: now(), action, origin, count: subjects.length, subjects: subjects.slice(0, SUBJECTS) };
    emit(event);
  };
}
