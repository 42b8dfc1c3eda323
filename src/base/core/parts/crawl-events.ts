/** The events that a crawl reports while it runs. */

import type { Bytes, CanonicalUrl, EpochMs, Extraction, Fate, FetchedPage, FetchOutcome, Lease, Ms, Unit } from '../types.ts';
import type { Settlement } from './queueing.ts';
import type { ReadLink } from './reading.ts';

/** A page as the crawl fetched and read it. */
export interface VisitedPage {
  readonly response: FetchedPage;
  readonly extraction: Omit<Extraction, 'outlinks'>;
  readonly links: readonly ReadLink[];
}

export type CrawlEvent =
  | { readonly type: 'leased'; readonly at: EpochMs; readonly url: CanonicalUrl; readonly priority: Unit }
  /** The crawl requested the robots.txt of the URL's host. */
  | { readonly type: 'robots'; readonly at: EpochMs; readonly url: CanonicalUrl; readonly ms: Ms }
  /** `bytes` of the payload as it came over the wire; 0 if no page came. */
  | {
      readonly type: 'fetched';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly outcome: FetchOutcome['kind'];
      readonly bytes: Bytes;
      readonly ms: Ms;
    }
  /** `ms` is the time to read the page, including the wait for a worker. */
  | {
      readonly type: 'judged';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly relevance: Unit;
      readonly onTopic: boolean;
      readonly ms: Ms;
      /** The page itself. It is a function, so that a stored or sent event does not carry the page. */
      readonly page: () => VisitedPage;
    }
  | {
      readonly type: 'settled';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly settlement: Settlement['kind'];
      readonly fate: Fate['state'] | null;
      readonly reason: string;
      /** HTTP status; null without a response, or if the URL still waits. */
      readonly status: number | null;
      /** null if the page was not judged. */
      readonly relevance: Unit | null;
    }
  | { readonly type: 'committed'; readonly at: EpochMs; readonly settlements: number; readonly ms: Ms }
  /**
   * A seed, or the target of its redirect, returned no page. `until` is the time of the next try, and `givenUp` the earliest time at which the crawl
   * gives it up. Both are null if there is no further try.
   */
  | {
      readonly type: 'seed-failed';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly reason: string;
      /** HTTP status; null without a response, or if there is a next try. */
      readonly status: number | null;
      readonly until: EpochMs | null;
      readonly givenUp: EpochMs | null;
    }
  /** The crawl reads its archive for the first time. `captures`: number of them so far. */
  | { readonly type: 'indexed'; readonly at: EpochMs; readonly file: string; readonly captures: number }
  /** The crawl asks about some of its pages, at its number of visits: see `--ask`. */
  | { readonly type: 'asked'; readonly at: EpochMs; readonly visits: number; readonly questions: number }
  /**
   * The crawl trained its topic again, with labels or with the pages of its warm-up. `active`: the new model judges from now on; otherwise it is only
   * stored, since held-out labels say that it is worse, since most pages of the warm-up look on topic, or since it equals the old one. `held` has the
   * average precision on held-out labels, before and after; null if nothing could be held out. `ms` is the time for which the crawl paused to judge everything again.
   */
  | {
      readonly type: 'retrained';
      /** The one of several topics that was trained; absent in a crawl of one. */
      readonly topic?: string;
      readonly at: EpochMs;
      readonly from: string;
      readonly to: string;
      readonly active: boolean;
      readonly yes: number;
      readonly no: number;
      /** Answers of a language model that taught it too. */
      readonly modelAnswers: number;
      /** Unlabelled pages of the warm-up that taught it too. */
      readonly pool: number;
      readonly held: { readonly before: Unit; readonly after: Unit; readonly compared: boolean } | null;
      readonly ms: Ms;
    }
  /** Somebody steered the crawl or taught it. `subjects`: patterns, hosts or URLs, the first 20 of `count`. */
  | {
      readonly type: 'action';
      readonly at: EpochMs;
      readonly action: ActionName;
      readonly origin: ActionOrigin;
      readonly count: number;
      readonly subjects: readonly string[];
    }
  /** Something that needs a person's attention; the crawl continues. */
  | { readonly type: 'warning'; readonly at: EpochMs; readonly message: string };

export type ActionName = 'pause' | 'resume' | 'stop' | 'unpark' | 'opt-out' | 'seeds' | 'label' | 'train';

/** `command`: an option of the command line. `signal`: Ctrl-C, or a signal of the system. */
export type ActionOrigin = 'page' | 'command' | 'signal';

/** Synchronous, never throws, never awaited by the loop. */
export type Emit = (event: CrawlEvent) => void;

/** The current step of a visit. `address`: the crawl looks up the address of its host. Settling is no step: it takes no visible time. */
export type VisitStep = 'address' | 'robots' | 'fetch' | 'read' | 'list';

/** A visit in progress. */
export interface RunningVisit {
  readonly lease: Lease;
  readonly step: VisitStep;
  /** Start of that step. */
  readonly since: EpochMs;
}
