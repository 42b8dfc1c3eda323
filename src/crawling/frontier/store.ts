/** The data that a frontier keeps outside its columns: discoveries, fates, retries and corpus offsets. */

import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { Reason } from '../../base/core/reason.ts';
import type { CanonicalUrl, Discovery, EpochMs, Fate, HostKey, Ms, Revisit, Unit } from '../../base/core/types.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { HostHealth } from './host-health.ts';
import type { LogEntry, UrlName } from './log-entry.ts';
import type { LinkTraces } from './parking.ts';
import type { Slot } from './url-table.ts';

/** A fate, with facts that only the frontier knows. */
export interface StoredFate {
  readonly fate: Fate;
  /** Position in the order of settlement, from 1. */
  readonly order: number;
  /** Priority of the URL when it was leased; `learnedFrom` is of the same moment. */
  readonly priority: Unit;
  readonly learnedFrom: number;
  /** True if the URL was visited before and reopened: its priority was its relevance. Absent otherwise. */
  readonly reopened?: true;
  /** Number of visits before a reopening. Absent otherwise. Stores of earlier versions omit it: once. */
  readonly visitsBefore?: number;
  /** `order` of each of these visits. Absent otherwise, and in stores of earlier versions. */
  readonly ordersBefore?: readonly number[];
  /** Traces of its links. Absent if it is not a page, or if nothing is parked. */
  readonly traces?: LinkTraces;
  /** True for a random visit. Absent otherwise. */
  readonly explored?: true;
  /** True for a visit of the warm-up. Absent otherwise. */
  readonly warmUp?: true;
  /** URLs that the next visit of the warm-up is chosen from. Absent unless the warm-up is on its way and the page has a way on. */
  readonly ahead?: readonly Slot[];
}

/** A discovery as stored: only the sightings that changed something. */
export interface StoredDiscovery extends Discovery {
  /** Positions in `links` whose sighting only brought a shorter way: the URL's edge and priority stayed. */
  readonly shorterWayOnly: readonly number[];
}

/** The priorities that rescoring gave the links of a discovery, by position. Shapes [links.length]. */
export interface LinkPriorities {
  /** NaN for a link that still has its first priority. */
  readonly priorities: Float32Array;
  /** Number of pages that the link scorer had learned from when it gave them. */
  readonly learnedFrom: Uint32Array;
}

/** The user released a pattern of URLs, or `all`. */
export interface Unparking {
  /** Number of URLs that were settled by then. */
  readonly settled: number;
  readonly pattern: string;
}

export interface StoredRetry {
  readonly attempts: number;
  readonly notBefore: EpochMs;
  /** Reason why the last try failed. Stores of Forager 0.1 omit it. */
  readonly reason?: Reason;
  /** Length of the wait when it started: after a resume it is never longer, regardless of the clock. Absent in versions up to 0.1. */
  readonly pause?: Ms;
}

/** Writes are buffered and become durable together in `commit`, as one transaction. Reads see them at once. Discoveries have the numbers 0, 1, 2 … */
export interface FrontierStore {
  appendDiscovery(index: number, discovery: StoredDiscovery): void;
  discovery(index: number): StoredDiscovery;
  /** @param from number of the first one. Default: 0 */
  discoveries(from?: number): Iterable<readonly [number, StoredDiscovery]>;
  /** The page of a discovery; null for one without. Does not unpack its links. */
  referrer(index: number): CanonicalUrl | null;
  /**
   * All committed steps in their order, each with the number of its discovery, URL or host. The store has a step, for other reads, once the next one was
   * asked for.
   */
  steps(): Iterable<{ readonly key: number; readonly entry: LogEntry }>;
  putPriorities(index: number, given: LinkPriorities): void;
  /** null if the links of the discovery have their first priorities. */
  priorities(index: number): LinkPriorities | null;
  allPriorities(): Iterable<readonly [index: number, given: LinkPriorities]>;
  /** The topic model on which stored priorities are based; null if none was stored, as in versions up to 0.1. */
  readonly scoredBy: string | null;
  /** Stored with the next commit. */
  noteScoredBy(modelId: string): void;
  putFate(slot: Slot, fate: StoredFate, name: UrlName): void;
  /** The fate of a URL without the text of its page: `page` is null. */
  fate(slot: Slot): StoredFate | null;
  hasFate(slot: Slot): boolean;
  fates(): Iterable<readonly [Slot, StoredFate]>;
  /** Title and text of a judged page; null if there are none. */
  page(slot: Slot): Fate['page'];
  /**
   * The relevance of a page that was not kept, but needs another visit: a later model finds it on topic, or it is the alternate of a page that was kept
   * later. null otherwise. Fates and discoveries are returned with that model's values, see `Rejudgement`.
   */
  reopened(slot: Slot): Unit | null;
  /** A page that was off topic waits for another visit. */
  reopen(slot: Slot, name: UrlName): void;
  /** Can `reopened` be other than null for any URL? */
  readonly mayReopen: boolean;
  putRevisit(slot: Slot, revisit: Revisit, name: UrlName): void;
  /** The last revisit of a kept page, with the active model's relevance of its version; null if the page was never revisited. */
  revisit(slot: Slot): Revisit | null;
  revisits(): Iterable<readonly [Slot, Revisit]>;
  putRetry(slot: Slot, retry: StoredRetry, name: UrlName): void;
  /** null for a URL that never waited for a retry. */
  retry(slot: Slot): StoredRetry | null;
  retries(): Iterable<readonly [Slot, StoredRetry]>;
  /** @param index number of the host, in the order of discovery of hosts */
  putHost(index: number, health: HostHealth, host: HostKey): void;
  /** Hosts that were ever in trouble. */
  hosts(): Iterable<readonly [number, HostHealth]>;
  /** Unparkings, in their order. */
  unparkings(): readonly Unparking[];
  putUnparking(unparking: Unparking): void;
  /** The number of runs of the crawl that were noted. */
  readonly runs: number;
  /** Stored with the next commit. */
  noteRuns(runs: number): void;
  readonly notes: CrawlNotes;
  /** Adds or replaces notes. Stored with the next commit. */
  note(notes: CrawlNotes): void;
  /** null if nothing was ever committed. */
  lastCommit(): CommitMark | null;
  /** The columns as of the last commit, if the store was closed with them and nothing was written since; otherwise null. */
  checkpoint(): Checkpoint | null;
  /** Commits everything written before this call, once `after` has resolved. @throws StoreError, or the error with which `after` rejects */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void>;
  /** @param checkpoint the columns as of the last commit, asked for only if everything was committed */
  close(checkpoint?: () => Checkpoint | null): Promise<void>;
}
