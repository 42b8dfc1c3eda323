/** The machine on one page: every moving part of a crawl; their interfaces stand in `parts/`. */
import type { Clock } from './clock.ts';
import type { Emit } from './parts/crawl-events.ts';
import type { PageFetcher, RobotsPolicy } from './parts/fetching.ts';
import type { CorpusWriter, KeptPayloads } from './parts/keeping.ts';
import type { Frontier } from './parts/queueing.ts';
import type { ListSource, PageReader, ReservationSource } from './parts/reading.ts';
import type { LinkScorer } from './parts/scoring.ts';
import type { CanonicalUrl, HostKey, RecordId, RefusalReason, StoredResponse, Topic, Unit } from './types.ts';

/** Has the machine room for more? Asked before each lease: cheap, and never throws. */
export interface Headroom {
  /** `hold`: no lease for now. `disk-full`, `low-memory`: the crawl is to end, while all it has can still be stored. */
  verdict(): 'go' | 'hold' | 'disk-full' | 'low-memory';
}

/** Whom to leave alone, and which hosts are one machine or one owner. */
export interface Manners {
  /** Is this URL of somebody who asked never to be asked? */
  optedOut(url: CanonicalUrl): boolean;
  /** Keys of the groups that a host shares its delay with; none for a host that is alone, null where that cannot be known just now. Never rejects. */
  groupsOf(host: HostKey): Promise<readonly string[] | null>;
}

/** May this URL be followed at all? */
export interface Scope {
  /** null when it may; else the rule that refuses it. */
  refuses(url: CanonicalUrl): RefusalReason | null;
}

/** How far the links of a page are followed. */
export interface Expansion {
  /** Hops from the nearest seed. */
  readonly maxDepth: number;
  /** Off-topic pages in a row that are passed through; 0 is hard focus. */
  readonly tunnel: number;
}

export interface Parts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly robots: RobotsPolicy;
  readonly fetcher: PageFetcher;
  readonly reader: PageReader;
  /** Of several topics what they come to together, and each. */
  readonly topic: { readonly id: string; readonly threshold: Unit; readonly topics?: readonly Topic[] };
  readonly scorer: LinkScorer;
  /** null: lists of URLs are not followed. */
  readonly lists: ListSource | null;
  /** null: no host is asked for its reservations. */
  readonly reservations: ReservationSource | null;
  readonly scope: Scope;
  /** null: nobody opted out, and every host is alone. */
  readonly manners: Manners | null;
  readonly expansion: Expansion;
  readonly kept: KeptPayloads;
  /** The responses of kept pages that are to be asked for again, by record. null: none is. */
  readonly stored: ReadonlyMap<RecordId, StoredResponse> | null;
  readonly corpus: CorpusWriter;
  readonly newRecordId: () => RecordId;
  readonly hostKeyOf: (url: CanonicalUrl) => HostKey;
  readonly emit: Emit;
  /** null: nobody looks. */
  readonly headroom: Headroom | null;
  /** Aborts, with a StoreError, when where the crawl is stored is no longer this process's. null: it always is. */
  readonly lost: AbortSignal | null;
}

/** What a crawl goes without that visits pages and nothing else, of nobody who opted out, and has the machine for itself. */
export const NO_EXTRAS = {
  lists: null,
  reservations: null,
  manners: null,
  stored: null,
  headroom: null,
  lost: null,
} as const satisfies Partial<Parts>;
