/** What a crawl tells of itself while it runs. */

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
  /** The robots.txt of the URL's host was asked for. */
  | { readonly type: 'robots'; readonly at: EpochMs; readonly url: CanonicalUrl; readonly ms: Ms }
  /** `bytes` of the payload as it came over the wire; 0 where no page came. */
  | {
      readonly type: 'fetched';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly outcome: FetchOutcome['kind'];
      readonly bytes: Bytes;
      readonly ms: Ms;
    }
  /** `ms` is the time it took to be read, waiting for a worker included. */
  | {
      readonly type: 'judged';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly relevance: Unit;
      readonly onTopic: boolean;
      readonly ms: Ms;
      /** The page itself: on request, so that an event that is stored or sent does not carry it. */
      readonly page: () => VisitedPage;
    }
  | {
      readonly type: 'settled';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly settlement: Settlement['kind'];
      readonly fate: Fate['state'] | null;
      readonly reason: string;
      /** HTTP status; null where there was none, or the URL waits on. */
      readonly status: number | null;
      /** null where it was not judged. */
      readonly relevance: Unit | null;
    }
  | { readonly type: 'committed'; readonly at: EpochMs; readonly settlements: number; readonly ms: Ms }
  /** A seed, or what it redirects to, gave no page. `until`: when it is tried again, and `givenUp`: when it is given up on at the earliest; null when it is not tried again. */
  | {
      readonly type: 'seed-failed';
      readonly at: EpochMs;
      readonly url: CanonicalUrl;
      readonly reason: string;
      readonly until: EpochMs | null;
      readonly givenUp: EpochMs | null;
    }
  /** Something a person should look at; the crawl goes on. */
  | { readonly type: 'warning'; readonly at: EpochMs; readonly message: string };

/** Synchronous, never throws, never awaited by the loop. */
export type Emit = (event: CrawlEvent) => void;

/** What a visit is at. `manners`: its host's address is looked up. Settling is no step: it takes no time that could be seen. */
export type VisitStep = 'manners' | 'robots' | 'fetch' | 'read' | 'list';

/** A visit under way. */
export interface RunningVisit {
  readonly lease: Lease;
  readonly step: VisitStep;
  /** When that step began. */
  readonly since: EpochMs;
}
