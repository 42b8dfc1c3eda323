/** The frontier: a queue of URLs that are known and not visited, a ledger of all, and what makes both durable. */

import type { Reason } from '../reason.ts';
import type {
  Bytes,
  CanonicalUrl,
  Discovery,
  EpochMs,
  Fate,
  FrontierEntry,
  HostKey,
  Lease,
  LedgerLine,
  Ms,
  NextLease,
  Patience,
  RecordId,
  Revisit,
} from '../types.ts';
import type { LearningRescorer, Rescorer } from './scoring.ts';

/** What the one request of a lease told of its host. */
export interface HostReport {
  /** From the start of the request to its end. */
  readonly ms: Ms;
  /**
   * `well`: it answered. `nothing`: it answered, but not with a page or a way to one: a fault of a host that never did. `fault`: it could not be reached, or
   * failed. `busy`: it asked for a pause. `unclear`: nothing was learned of it.
   */
  readonly sign: 'well' | 'nothing' | 'fault' | 'busy' | 'unclear';
  /** The pause it named (`Retry-After`); null where it named none. */
  readonly retryAfter: Ms | null;
}

/** How a lease ended. `host` is null when it made no request, so that the host need not rest. The `reason` of a retry is what its fate would have. */
export type Settlement =
  | { readonly kind: 'done'; readonly fate: Fate; readonly discovered: Discovery | null; readonly host: HostReport | null }
  /** A kept page was asked for again: it stays kept. `revisit` is null where nothing was learned of it. */
  | {
      readonly kind: 'revisited';
      readonly revisit: Revisit | null;
      readonly discovered: Discovery | null;
      readonly host: HostReport | null;
    }
  | { readonly kind: 'retry'; readonly reason: Reason; readonly notBefore: EpochMs; readonly host: HostReport | null }
  | { readonly kind: 'released'; readonly host: HostReport | null };

/** Bytes of each corpus file that belong to the commit, by file name. Resume cuts the files to these. */
export type CorpusOffsets = Readonly<Record<string, Bytes>>;

/** One commit of a crawl, as frontier and corpus folder each note it: what the one is held against the other by. */
export interface CommitMark {
  /** 1, 2, 3 …; 0 where the last commit was of Forager 0.1, which did not count. */
  readonly number: number;
  readonly offsets: CorpusOffsets;
}

/** How a URL stands. */
export interface Standing extends Pick<LedgerLine, 'state'> {
  readonly reason: Reason;
  readonly reopened: boolean;
}

export interface FrontierCounts {
  readonly discovered: number;
  readonly queued: number;
  /** Of `queued`: passed over, of a host over its page cap or given up on; or when they came to the top, for their pattern. The ledger tells of all. */
  readonly parked: number;
  readonly leased: number;
  readonly fetched: number;
  readonly kept: number;
  readonly offTopic: number;
  readonly duplicate: number;
  readonly refused: number;
  readonly failed: number;
  /** Requests for URLs that ended them: what a page budget counts. It never falls: a page that labels reopened counts again when it is asked for again. */
  readonly visited: number;
  /** Of `visited`: requests for pages that were reopened since. */
  readonly earlierVisits: number;
  /** Of `queued`: pages that were read and left out, and that the model in force finds on topic. They wait to be asked for again. */
  readonly reopened: number;
  readonly hosts: number;
  /** Of `hosts`: not asked any more in this run, since nothing but trouble came of them. */
  readonly hostsGivenUp: number;
}

/** URLs known but not visited, ordered, with politeness. `add`, `next` and `settle` act at once in memory. */
export interface Queue {
  /** Queue the links whose URL was never seen; raise the priority of those waiting (max over sightings). */
  add(discovery: Discovery): { readonly added: number; readonly seen: number };
  /** Could another sighting of this URL change anything? False once it is leased or settled. */
  wants(url: CanonicalUrl): boolean;
  /**
   * The best entry whose host is rested and unleased; else how long to wait; else drained.
   * @param only `revisits`: kept pages that are due alone
   * @param patience with an entry that is clearly better than what is free, and whose host is leased or rests. Default none: what is free is taken
   */
  next(what?: 'all' | 'revisits', patience?: Patience): NextLease;
  /**
   * Lease one URL, whatever its place in the order and the rest of its host: for what is known without asking.
   * @param only `queued` (default): one that waits; `kept`: a page to be settled as asked for again. @returns null for any other URL
   */
  lease(url: CanonicalUrl, only?: 'queued' | 'kept'): Lease | null;
  /**
   * Have kept pages that were last asked for before a moment (or as far ahead of now, by a clock that was wrong) asked for again, in this run: before all that waits, in the same order of hosts. They stay
   * kept, and what is not asked for when the frontier is closed is no longer due. @returns their newest versions
   */
  revisit(before: EpochMs): readonly RecordId[];
  /** Kept pages that are due, less those of hosts given up on. */
  readonly due: number;
  /**
   * The groups of hosts that the host of a lease shares its delay with became known, by their keys: only one host of a group is asked at a time.
   * They hold until the frontier is closed. @returns false when one of them is being asked or rests: the lease is to be released, without a request
   */
  join(lease: Lease, groups: readonly string[]): boolean;
  /** End a lease: mark the URL, add what it led to, and rest the host, as one step. */
  settle(lease: Lease, settlement: Settlement): void;
  /** Raise (never lower below the configured floor) one host's delay: robots.txt Crawl-delay. */
  setHostDelay(host: HostKey, delay: Ms): void;
  /**
   * Give all waiting entries a new priority; lists of URLs keep theirs. Those found when the scorer had learned from `foundBefore` pages or more keep
   * theirs too; default `learnedFrom`, since they are as fresh. What the scorer reads of links is kept in memory, up to a bound, so that one scorer
   * has to be asked all the time. @returns how many were rescored.
   */
  rescore(scorer: Rescorer, learnedFrom: number, foundBefore?: number): number;
  /**
   * The same a few links at a time, newest discoveries first, until `limit` of them have a new one. Between the steps anything may happen: a priority
   * is noted with what the scorer has learned from by then. @returns at each step how many were rescored
   */
  rescoring(scorer: LearningRescorer, limit: number): Iterator<number>;
  /**
   * Let a parked pattern of URLs go, and count its pages anew from here; it may be parked again. Durable with the next commit.
   * @param pattern its name as the ledger's reasons have it, or `all`. @returns the patterns let go: none where none such is parked.
   */
  unpark(pattern: string): readonly string[];
  /** Hosts that were given up on, since nothing but trouble came of them, may be asked again: with each run of a crawl. @returns how many */
  readmitHosts(): number;
}

/** What has become of each discovered URL. It only tells. */
export interface Ledger {
  /** Their sum over states is `discovered`. O(1). */
  counts(): FrontierCounts;
  /** One line for each discovered URL, in order of discovery. */
  ledger(): Iterable<LedgerLine>;
  /**
   * All that is stored of one URL, or null when it was never discovered. The fate of a kept page names the newest version. `reopened`: it was read and left out, and a later model finds
   * it on topic, so it waits to be visited again with its relevance as priority, or was; while it waits, `fate` is its earlier one. `settled`: its place in the order of settlement,
   * from 1; null while it waits.
   */
  find(url: CanonicalUrl): {
    readonly line: LedgerLine;
    readonly entry: FrontierEntry;
    readonly fate: Fate | null;
    readonly settled: number | null;
    readonly reopened: boolean;
  } | null;
  /** How a URL stands, as in its line of the ledger but for what is parked, and `reopened` as in `find`; null when it was never discovered. Nothing is read but its fate. */
  standing(url: CanonicalUrl): Standing | null;
  /** Fates of settled URLs, in no order: what a report counts. */
  fates(): Iterable<Fate>;
  /** Settled entries in order of settlement, with their fates: what a link scorer is rebuilt from. */
  settled(): Iterable<{ readonly entry: FrontierEntry; readonly fate: Fate }>;
  /** Kept pages that were asked for again, each with its last answer, in no order. */
  revisits(): Iterable<{ readonly url: CanonicalUrl; readonly revisit: Revisit }>;
}

/** What outlasts the process: `commit` makes all that was done before its call durable as one transaction. What was not committed before a crash was never done. */
export interface Durable {
  /**
   * Make everything before this call durable, with the corpus offsets that belong to it, once `after` (the corpus
   * being on disk) has resolved. Only one commit runs at a time. @throws StoreError, or what `after` rejects with.
   */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void>;
  /**
   * The next commit stores all priorities that `rescoring` gave so far. Without it every 64th commit does: a reader of a crawl that runs, or was
   * killed, sees priorities that are up to 64 commits old. `rescore` calls it. @returns whether there are any to store
   */
  storePriorities(): boolean;
  /** How many runs of the crawl its manifest named when it was last committed, at least: one that names fewer is an older copy. */
  readonly runs: number;
  /** The manifest names so many now: noted with the next commit. */
  noteRuns(runs: number): void;
  /** The topic model whose opinion the stored priorities of waiting links follow from; null where they are not stored, as by versions up to 0.1. */
  readonly scoredBy: string | null;
  /** Noted with the next commit. */
  noteScoredBy(modelId: string): void;
  /** null where nothing was ever committed. */
  lastCommit(): CommitMark | null;
  /** Offsets of the last commit; {} where there is none. */
  committedOffsets(): CorpusOffsets;
  close(): Promise<void>;
}

/** What a crawl goes by: each of these asked for by whoever needs no more. */
export interface Frontier extends Queue, Ledger, Durable {}

/** The ledger of a crawl that is only read, and the commit it is of. Priorities that are not stored can be worked out by `rescore`. */
export interface OpenLedger extends Ledger, Omit<Durable, 'commit' | 'noteRuns' | 'storePriorities'>, Pick<Queue, 'rescore'> {}
