/** What a frontier keeps outside its columns: discoveries, fates, retries and corpus offsets. */

import type { CommitMark, CorpusOffsets } from '../core/parts/queueing.ts';
import type { Reason } from '../core/reason.ts';
import type { Discovery, EpochMs, Fate, Ms, Revisit, Unit } from '../core/types.ts';
import type { HostHealth } from './host-health.ts';
import type { LinkTraces } from './parking.ts';
import type { Slot } from './url-table.ts';

/** A fate with what only the frontier knows of it. */
export interface StoredFate {
  readonly fate: Fate;
  /** Position in the order of settlement, from 1. */
  readonly order: number;
  /** As they were when the URL was leased. */
  readonly priority: Unit;
  readonly learnedFrom: number;
  /** It was visited before, and reopened: its priority was its relevance. Left out where it was not. */
  readonly reopened?: true;
  /** How often it was visited before, of one that was reopened. Left out where it was not; stores of earlier versions do not say: once. */
  readonly visitsBefore?: number;
  /** What its links led to. Left out where it is no page, and where nothing is parked. */
  readonly traces?: LinkTraces;
  /** It was visited by chance. Left out where it was not. */
  readonly explored?: true;
}

/** A discovery as stored: only the sightings that changed something. */
export interface StoredDiscovery extends Discovery {
  /** Positions in `links` whose sighting brought a shorter way only: the URL's edge and priority stayed. */
  readonly shorterWayOnly: readonly number[];
}

/** What rescoring gave the links of a discovery, by their positions. Shapes [links.length]. */
export interface LinkPriorities {
  /** NaN for a link that has the priority it was found with. */
  readonly priorities: Float32Array;
  /** Pages the link scorer had learned from when it gave them. */
  readonly learnedFrom: Uint32Array;
}

/** A pattern of URLs, or `all`, was let go by the user. */
export interface Unparking {
  /** URLs that were settled by then. */
  readonly settled: number;
  readonly pattern: string;
}

export interface StoredRetry {
  readonly attempts: number;
  readonly notBefore: EpochMs;
  /** How the last one failed. Stores of Forager 0.1 do not say. */
  readonly reason?: Reason;
  /** How long the wait was when it began: it is no longer after a resume, whatever the clock says by then. Left out by versions up to 0.1. */
  readonly pause?: Ms;
}

/**
 * Writes are buffered and become durable together in `commit`, as one transaction; reads see them at once.
 * Discoveries are numbered 0, 1, 2 …
 */
export interface FrontierStore {
  appendDiscovery(index: number, discovery: StoredDiscovery): void;
  discovery(index: number): StoredDiscovery;
  discoveries(): Iterable<readonly [number, StoredDiscovery]>;
  putPriorities(index: number, given: LinkPriorities): void;
  /** null for a discovery whose links have the priorities they were found with. */
  priorities(index: number): LinkPriorities | null;
  /** The topic model that stored priorities follow from; null where none was noted, as by versions up to 0.1. */
  readonly scoredBy: string | null;
  /** With the next commit. */
  noteScoredBy(modelId: string): void;
  putFate(slot: Slot, fate: StoredFate): void;
  /** Without the page's text: `page` is null. */
  fate(slot: Slot): StoredFate | null;
  fates(): Iterable<readonly [Slot, StoredFate]>;
  /** Title and text of a judged page; null where there are none. */
  page(slot: Slot): Fate['page'];
  /**
   * The relevance of a page that was not kept, and that a later model finds on topic: it is to be visited again. null for all others.
   * Fates and discoveries are given with what that model says of them, see `Rejudgement`.
   */
  reopened(slot: Slot): Unit | null;
  putRevisit(slot: Slot, revisit: Revisit): void;
  /** The last of a kept page, its version with the relevance the model in force gives it; null for a page that was not asked for again. */
  revisit(slot: Slot): Revisit | null;
  revisits(): Iterable<readonly [Slot, Revisit]>;
  putRetry(slot: Slot, retry: StoredRetry): void;
  /** null for a URL that was never put back. */
  retry(slot: Slot): StoredRetry | null;
  retries(): Iterable<readonly [Slot, StoredRetry]>;
  /** @param host its number, in the order hosts were met */
  putHost(host: number, health: HostHealth): void;
  /** Hosts that ever were in trouble. */
  hosts(): Iterable<readonly [number, HostHealth]>;
  /** In the order they were made. */
  unparkings(): readonly Unparking[];
  putUnparking(unparking: Unparking): void;
  /** How many runs of the crawl were noted. */
  readonly runs: number;
  /** With the next commit. */
  noteRuns(runs: number): void;
  /** null where nothing was ever committed. */
  lastCommit(): CommitMark | null;
  /** What was written before this call, once `after` has resolved. @throws StoreError, or what `after` rejects with. */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void>;
  close(): Promise<void>;
}
