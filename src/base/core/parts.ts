/** The architecture on one page: every moving part of a crawl. The interfaces of the parts are in `parts/`. */
import type { Clock } from './clock.ts';
import type { Emit } from './parts/crawl-events.ts';
import type { PageFetcher, RobotsPolicy } from './parts/fetching.ts';
import type { FileNames } from './parts/file-names.ts';
import type { AskBeforeKeep, CorpusWriter, EarlierPages, KeptPayloads, StoredResponses } from './parts/keeping.ts';
import type { Frontier, LeaseSource, VisitBudget } from './parts/queueing.ts';
import type { AlternateSource, ListSource, PageReader, ReservationSource, SeedSource } from './parts/reading.ts';
import type { LessonQueue, LinkScorer } from './parts/scoring.ts';
import type { CanonicalUrl, HostKey, ListsFollowed, RecordId, RefusalReason, Topic, Unit } from './types.ts';

/** Does the machine have room for more? Asked before each lease: cheap, and never throws. */
export interface Headroom {
  /** `hold`: no lease for now. `paused`: nor by the word of the user. `disk-full`, `low-memory`: the crawl must end while everything it has can still be stored. */
  verdict(): 'go' | 'hold' | 'paused' | 'disk-full' | 'low-memory';
}

/** The politeness rules: which hosts not to ask, and which hosts share a machine or an owner. */
export interface HostPolicy {
  /** Does the owner of this URL ask never to be crawled? */
  optedOut(url: CanonicalUrl): boolean;
  /** Was the page taken back from this crawl? Absent: none was. */
  withdrawn?(url: CanonicalUrl): boolean;
  /** Keys of the groups with which a host shares its delay. Empty for a host without groups; null if they cannot be determined now. Never rejects. */
  groupsOf(host: HostKey): Promise<readonly string[] | null>;
  /** Waits for the turn of a host, right before its request. Absent: a lease is the turn. @returns whether a request may start. Never rejects */
  acquire?(host: HostKey): Promise<boolean>;
  /** Ends the turn of a host: the visit is over. */
  release?(host: HostKey): void;
}

/** May this URL be followed at all? */
export interface Scope {
  /** null if it may; otherwise the rule that refuses it. */
  refuses(url: CanonicalUrl): RefusalReason | null;
}

/** Limits on how far the crawl follows the links of a page. */
export interface Expansion {
  /** Hops from the nearest seed. */
  readonly maxDepth: number;
  /** Number of off-topic pages in a row that the crawl passes through; 0 is hard focus. */
  readonly tunnel: number;
  /** Do links to other hosts wait for the next round? Default: false. */
  readonly byRounds?: boolean;
}

export interface Parts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly robots: RobotsPolicy;
  readonly fetcher: PageFetcher;
  readonly reader: PageReader;
  /** The committee of several topics as one topic, and each of its topics. */
  readonly topic: { readonly id: string; readonly threshold: Unit; readonly topics?: readonly Topic[] };
  readonly scorer: LinkScorer;
  /** null: the crawl reads no URL lists. */
  readonly lists: ListSource | null;
  /** The hosts whose lists the crawl looks for. Lists among its seeds are read in any case. */
  readonly followsLists: ListsFollowed;
  /** null: each seed is a page. */
  readonly seeds: SeedSource | null;
  /** null: pages in other languages are links like any other. */
  readonly alternates: AlternateSource | null;
  /** null: the crawl asks no host for its reservations. */
  readonly reservations: ReservationSource | null;
  readonly scope: Scope;
  /** null: names of files are never requested. */
  readonly fileNames: FileNames | null;
  /** null: nobody opted out, and no host has a group. */
  readonly hostPolicy: HostPolicy | null;
  readonly expansion: Expansion;
  readonly kept: KeptPayloads;
  /** null: no page is revisited, or no response is known. */
  readonly stored: StoredResponses | null;
  readonly corpus: CorpusWriter;
  /** null: pages are compared with no earlier corpus. */
  readonly since: EarlierPages | null;
  /** null: no hook of the user sees a record before it is kept. */
  readonly beforeKeep: AskBeforeKeep | null;
  readonly newRecordId: () => RecordId;
  readonly hostKeyOf: (url: CanonicalUrl) => HostKey;
  readonly emit: Emit;
  /** null: nobody watches the machine. */
  readonly headroom: Headroom | null;
  /** Aborts, with a StoreError, when this process loses the place where the crawl is stored. null: it always owns that place. */
  readonly lost: AbortSignal | null;
  /** The leases of the crawl. null: the frontier gives them. */
  readonly leases: LeaseSource | null;
  /** The visits that this process may make. null: as many as the limits of the run say. */
  readonly budget: VisitBudget | null;
  /** The order of lessons. null: the scorer learns each at once. */
  readonly lessons: LessonQueue | null;
}

/** Parts that are absent from a plain crawl: it visits only pages, knows nobody who opted out, and has the machine to itself. */
export const NO_EXTRAS = {
  lists: null,
  followsLists: 'never',
  seeds: null,
  alternates: null,
  reservations: null,
  fileNames: null,
  hostPolicy: null,
  stored: null,
  since: null,
  beforeKeep: null,
  headroom: null,
  lost: null,
  leases: null,
  budget: null,
  lessons: null,
} as const satisfies Partial<Parts>;
