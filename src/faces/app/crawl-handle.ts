/** A running crawl in the hands of its caller: its state, and the actions of a person on it, by page, command line or signal. */
import type { ActionName, ActionOrigin, CrawlEvent, Emit, RunningVisit } from '../../base/core/parts/crawl-events.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { EpochMs } from '../../base/core/types.ts';
import type { LastJudged } from '../../study/inspect/saturation.ts';

/** A pasted list of seeds must not fill the log. */
const SUBJECTS = 20;

/** A running crawl. Its functions may be called at any time until the crawl has ended. */
export interface CrawlHandle {
  /** Whether the directory had the crawl before. */
  readonly resumed: boolean;
  readonly counts: () => FrontierCounts;
  /** The visits in flight, oldest first. */
  readonly visits: () => Iterable<RunningVisit>;
  readonly needs: () => CrawlNeeds;
  /**
   * Releases a parked pattern, or `all`. Durable with the next commit.
   * @returns the released patterns; none if no such pattern is parked, and while a retraining takes effect
   */
  readonly unpark: (pattern: string) => readonly string[];
  /**
   * Adds seeds, with the rules for those of a new run. They are stored in `crawl.json` at once, and wait in the crawl from the next commit.
   * @throws UsageError for a text that is no URL, for a crawl that says nothing about who runs it, and while a retraining takes effect or the crawl ends;
   * StoreError
   */
  readonly addSeeds: (urls: readonly string[]) => void;
  /** Reports an action to the log and to `onEvent`. @param subjects its patterns, hosts or URLs */
  readonly acted: (action: ActionName, origin: ActionOrigin, subjects?: readonly string[]) => void;
}

/** Reasons to label the crawl while it runs. */
export interface CrawlNeeds {
  /**
   * The last 200 pages that this run judged, if the model finds more than 85 % of them on topic. null otherwise, if labels measure the precision, and for
   * several topics.
   */
  readonly saturated: LastJudged | null;
  /** Questions of `--ask` without an answer. */
  readonly questions: number;
  /** Whether these are of several topics. Then the command that answers names one. */
  readonly several?: true;
}

/** The option `onOpen` of 0.2: the members of the handle one by one. */
export type OnOpen = (
  counts: CrawlHandle['counts'],
  resumed: boolean,
  visits: CrawlHandle['visits'],
  needs: CrawlHandle['needs'],
  unpark: CrawlHandle['unpark'],
  steering: Pick<CrawlHandle, 'acted' | 'addSeeds'>,
) => void;

/** Hands a crawl to its caller. */
export function handOver(
  crawl: CrawlHandle,
  { onStart, onOpen }: { readonly onStart?: (crawl: CrawlHandle) => void; readonly onOpen?: OnOpen },
): void {
  onStart?.(crawl);
  onOpen?.(crawl.counts, crawl.resumed, crawl.visits, crawl.needs, crawl.unpark, crawl);
}

/** @param now the time of the crawl's events */
export function reporter(emit: Emit, now: () => EpochMs): CrawlHandle['acted'] {
  return (action, origin, subjects = []) => {
    const event: CrawlEvent = { type: 'action', at: now(), action, origin, count: subjects.length, subjects: subjects.slice(0, SUBJECTS) };
    emit(event);
  };
}
