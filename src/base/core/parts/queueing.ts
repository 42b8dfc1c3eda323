/** The frontier: a queue of URLs that are known but not visited, a ledger of all URLs, and the storage that makes both durable. */

import type { Reason } from '../reason.ts';
import type { RefreshPlan } from '../refresh-plan.ts';
import type {
  Alternate,
  Bytes,
  CanonicalUrl,
  Discovery,
  EpochMs,
  Fate,
  FrontierEntry,
  HostKey,
  Lease,
  LedgerLine,
  ListKind,
  Ms,
  NextLease,
  Patience,
  RecordId,
  RefusalReason,
  Revisit,
  Unit,
} from '../types.ts';
import type { LearningRescorer, Rescorer } from './scoring.ts';

/** The facts about a host that the one request of a lease showed. */
export interface HostReport {
  /** Time from the start of the request to its end. */
  readonly ms: Ms;
  /**
   * `well`: the host answered. `nothing`: it answered, but with neither a page nor a redirect. This counts as trouble only for a host that never gave
   * one. `fault`: it was unreachable or failed. `busy`: it asked for a pause. `unclear`: the request showed nothing about it.
   */
  readonly sign: 'well' | 'nothing' | 'fault' | 'busy' | 'unclear';
  /** The pause that the host named (`Retry-After`); null if it named none. */
  readonly retryAfter: Ms | null;
}

/**
 * Result of a lease. `host` is null if the lease made no request, so that the host need not rest. The `reason` of a retry is the one its
 * fate would have.
 */
export type Settlement =
  | { readonly kind: 'done'; readonly fate: Fate; readonly discovered: Discovery | null; readonly host: HostReport | null }
  /** A revisit of a kept page or a list, which keeps its state. `revisit` is null if the request showed nothing about it. */
  | {
      readonly kind: 'revisited';
      readonly revisit: Revisit | null;
      readonly discovered: Discovery | null;
      readonly host: HostReport | null;
      /** Time of the last change by the answer (`Last-Modified`). Absent if it states none. */
      readonly modified?: EpochMs;
    }
  | { readonly kind: 'retry'; readonly reason: Reason; readonly notBefore: EpochMs; readonly host: HostReport | null }
  | { readonly kind: 'released'; readonly host: HostReport | null };

/** Bytes of each corpus file that belong to the commit, by file name. A resumed crawl cuts the files to these lengths. */
export type CorpusOffsets = Readonly<Record<string, Bytes>>;

/** One commit of a crawl. The frontier and the corpus folder both store it, so that each can be checked against the other. */
export interface CommitMark {
  /** 1, 2, 3 …; 0 if the last commit is from Forager 0.1, which did not count commits. */
  readonly number: number;
  readonly offsets: CorpusOffsets;
}

/** The kept records that a sink of the user has acknowledged: all up to a place in `records.jsonl`. */
export interface SinkMark {
  /** The command, or the path of the module: another sink starts at the first record. */
  readonly sink: string;
  /** Place behind the last acknowledged record. */
  readonly bytes: Bytes;
  /** Id of that record, which finds the place again after a repair of the corpus; null before the first. */
  readonly id: RecordId | null;
  /** Number of acknowledged records. */
  readonly records: number;
  /** Number of deliveries that failed. */
  readonly failures: number;
  /** Reason of the last delivery, if it failed; null otherwise. */
  readonly failure: string | null;
}

/** Facts about the whole crawl that belong to a commit. */
export interface CrawlNotes {
  /** Absent for a crawl that never had a sink. */
  readonly sink?: SinkMark;
  /** The round of a crawl by rounds, from 1. Absent before the second. */
  readonly round?: number;
  /** Revisits that a continuous crawl had left at a time. Absent in a crawl that never was one. */
  readonly revisitCredit?: { readonly at: EpochMs; readonly credit: number };
}

/** The state of a URL. */
export interface Standing extends Pick<LedgerLine, 'state' | 'status'> {
  readonly reason: Reason;
  readonly reopened: boolean;
}

export interface FrontierCounts {
  readonly discovered: number;
  readonly waiting: number;
  /** Former name of `waiting`, until 0.4. */
  readonly queued: number;
  /**
   * Skipped URLs among `waiting`. Their host is over its page cap or given up, or they reached the top of the queue and have a parked
   * pattern. The ledger lists all parked URLs.
   */
  readonly parked: number;
  readonly leased: number;
  readonly fetched: number;
  readonly kept: number;
  readonly offTopic: number;
  readonly duplicate: number;
  readonly refused: number;
  readonly failed: number;
  /** Requests that ended a URL: the page budget counts these. The number never falls: a page that labels reopened counts again after another visit. */
  readonly visited: number;
  /** Requests among `visited` for pages that were reopened later. */
  readonly earlierVisits: number;
  /** Pages among `waiting` that were read and not kept, and that the active model finds on topic. They wait for another visit. */
  readonly reopened: number;
  readonly hosts: number;
  /** Hosts among `hosts` that this run no longer asks, because they caused nothing but trouble. */
  readonly hostsGivenUp: number;
}

/** Counts of one host in the ledger. */
export interface SiteCounts {
  readonly kept: number;
  /** Sitemaps and feeds, requested or not. */
  readonly lists: number;
}

/** URLs that are known but not visited, in order of priority, with politeness. `add`, `next` and `settle` take effect at once in memory. */
export interface Queue {
  /** Queues the links whose URL was never seen. Raises the priority of those that wait to the maximum of their sightings. */
  add(discovery: Discovery): { readonly added: number; readonly seen: number };
  /** Was this URL ever discovered? One of a host that another worker asks counts as discovered: only that worker knows. O(1). */
  knows(url: CanonicalUrl): boolean;
  /** Could another sighting of this URL change anything? False once it is leased or settled. */
  wants(url: CanonicalUrl): boolean;
  /** Alternates of a URL by the last list that named it while it waited. */
  alternatesOf(url: CanonicalUrl): readonly Alternate[];
  /** Could a sighting with this priority and way change anything? False if the URL waits with a priority that is not lower, by a way that is not longer. */
  improves(url: CanonicalUrl, priority: Unit, way: Pick<Discovery, 'depth' | 'offTopicDepth'>): boolean;
  /**
   * The best entry whose host is rested and not leased; otherwise how long to wait; otherwise drained.
   * @param what `revisits`: only kept pages that are due
   * @param patience how long to wait for an entry that is clearly better than the free ones, but whose host is leased or rests. Default: no waiting.
   */
  next(what?: 'all' | 'revisits', patience?: Patience): NextLease;
  /**
   * Leases one URL, regardless of its place in the order and of its host's rest: for outcomes that are known without a request.
   * @param only `waiting` (default): a waiting URL; `kept`: a page to be settled as revisited
   * @returns null for any other URL
   */
  lease(url: CanonicalUrl, only?: 'waiting' | 'kept'): Lease | null;
  /**
   * Makes kept pages due in this run if their last request was before `before`. A request as far ahead of now counts too, since a wrong clock wrote
   * its time. Due pages come before all waiting URLs, in the same order of hosts. They stay kept. Pages that are still due when the frontier closes
   * are no longer due afterwards.
   * @param what `pages` (default): kept pages alone; `all`: also lists that had links, and seeds that are off topic, for their links
   * @returns their newest versions
   */
  revisit(before: EpochMs, what?: 'pages' | 'all'): readonly RecordId[];
  /** Kept pages that are due, without those of hosts that were given up. */
  readonly due: number;
  /**
   * Begins a continuous crawl: as long as this frontier is open, pages and lists of URLs become due by themselves, in the order and number of the plan. `next` then
   * never says that it is drained. O(settled URLs).
   */
  refresh(plan: RefreshPlan): void;
  /** A list of URLs states when one of its pages changed last. Nothing happens for a page that is not revisited. */
  hint(url: CanonicalUrl, changedAt: EpochMs, source: ListKind): void;
  /**
   * Tells the frontier with which groups the host of a lease shares its delay, by their keys. Only one host of a group is asked at a time. The groups
   * last until the frontier is closed.
   * @returns false if a host of a group is being asked or a group rests: the lease must then be released without a request
   */
  join(lease: Lease, groups: readonly string[]): boolean;
  /**
   * Turns the request of a lease to another host: where a robots.txt redirects. That host's clocks, lease and groups decide, and are held until the
   * lease is settled; the report of the settlement is then about that host.
   * @param groups those of that host; null if they are not known
   * @returns false if that host may not be asked now: the lease must then be released without a request, and its own host rests until that host is free
   */
  turnTo(lease: Lease, host: HostKey, groups: readonly string[] | null): boolean;
  /** Ends a lease in one step: marks the URL, adds the links it led to, and lets the host rest. */
  settle(lease: Lease, settlement: Settlement): void;
  /** Sets one host's delay, for robots.txt Crawl-delay; never below the configured delay. */
  setHostDelay(host: HostKey, delay: Ms): void;
  /**
   * Gives all waiting entries a new priority, except URL lists. Entries that were found when the scorer had learned from at least `foundBefore` pages
   * keep their priority. The default is `learnedFrom`, since they are as fresh. The frontier keeps the evidence of links in memory, up to a limit, so
   * callers must always pass the same scorer.
   * @returns how many were rescored
   */
  rescore(scorer: Rescorer, learnedFrom: number, foundBefore?: number): number;
  /**
   * Rescores as `rescore` does, but a few links at a time, newest discoveries first, until `limit` of them have a new priority. The
   * next call continues with the links that had none, so that each has its turn. Anything may happen between the steps. Each priority is stored with the number of pages that the scorer had learned from by then.
   * @returns at each step how many were rescored
   */
  rescoring(scorer: LearningRescorer, limit: number): Iterator<number>;
  /**
   * Releases a parked pattern of URLs and counts its pages again from here; it may be parked again. Durable with the next commit.
   * @param pattern its name as in the reasons of the ledger, or `all`
   * @returns the released patterns; empty if no such pattern is parked
   */
  unpark(pattern: string): readonly string[];
  /** URLs that wait for the next round, in the order of discovery. They may be added meanwhile, without a refusal. */
  held(): Iterable<FrontierEntry>;
  /** Hosts that were given up because of constant trouble may be asked again. Each run of a crawl calls this. @returns how many */
  readmitHosts(): number;
}

/** The source of leases: a queue, or one that also asks other workers. */
export type LeaseSource = Pick<Queue, 'next'>;

/** The limit of visits of a crawl. */
export interface VisitBudget {
  /** Visits that this process may still make, those in flight included. Infinity without a limit. It may grow. */
  readonly left: number;
  /** Whether all visits of the limit were made. */
  readonly isSpent: boolean;
  /** Counts a settled URL that used up a visit. */
  visited(): void;
}

/** URLs that were never requested, in columns of the length `size`, or longer, in order of discovery. Their lines have nothing else but texts. */
export interface PlainUrls {
  readonly size: number;
  readonly places: Uint32Array;
  /** Numbers of their hosts, for `hostKey`. */
  readonly hosts: Uint32Array;
  readonly priorities: Float32Array;
  readonly depths: Uint16Array;
  /** Numbers of the discoveries by whose links they wait. */
  readonly discoveries: Uint32Array;
  /** Places in `kinds`. */
  readonly kindOf: Uint8Array;
  readonly kinds: readonly Pick<LedgerLine, 'state' | 'reason'>[];
  /** Places of all settled URLs, ascending. */
  readonly ended: readonly number[];
  /** Places of the rest, ascending: URLs that failed, were reopened, or are leased, and those whose text decides. */
  readonly others: readonly number[];
  hostKey(host: number): HostKey;
}

/** Texts of a URL, its place, and the number of the discovery that has them. */
export interface LinkWords {
  readonly place: number;
  readonly url: CanonicalUrl;
  readonly anchorText: string;
  readonly discovery: number;
}

/** The fate of each discovered URL. For reading only. */
export interface Ledger {
  /** Counts of the ledger. Their sum over states is `discovered`. O(1). */
  counts(): FrontierCounts;
  /** Number of visits: `visited` of the counts, which each lease of a crawl asks for. */
  readonly visits: number;
  /**
   * One line for each discovered URL, in order of discovery.
   * @param places in that order, from 0: only their lines, each in O(1)
   */
  ledger(places?: Iterable<number>): Iterable<LedgerLine>;
  /**
   * Everything stored about one URL, or null if it was never discovered. The fate of a kept page names its newest version. `reopened`: the page was
   * read and not kept, and a later model finds it on topic. It then waits for another visit with its relevance as priority, or had that visit. While
   * it waits, `fate` is its earlier one. `settled`: the URL's place in the order of settlement, from 1; null while it waits.
   */
  find(url: CanonicalUrl): {
    readonly line: LedgerLine;
    readonly entry: FrontierEntry;
    readonly fate: Fate | null;
    readonly settled: number | null;
    readonly reopened: boolean;
  } | null;
  /**
   * The state of a URL as in its line of the ledger, but without parking, and `reopened` as in `find`. null if it was never discovered. Reads only
   * its fate.
   */
  standing(url: CanonicalUrl): Standing | null;
  /** Counts of a host; 0 for an unknown one. O(1). */
  ofHost(host: HostKey): SiteCounts;
  /** Lines of the URLs that were requested, and of some others, in order of discovery. */
  requested(): Iterable<LedgerLine>;
  /** Most URLs of most crawls. O(URLs), at a hundredth of the cost of their lines. */
  plain(): PlainUrls;
  /** Numbers of the discoveries on some pages. The first call reads all discoveries. */
  discoveriesOn(pages: ReadonlySet<string>): ReadonlySet<number>;
  /** URL and anchor text of each URL that waits by a discovery from this number on. O(URLs), at a fifth of the cost of their lines. */
  linkTexts(from: number): Iterable<LinkWords>;
  /** Numbers of URLs that were refused as they were discovered, so that they have no fate, by reason. */
  refusals(): ReadonlyMap<RefusalReason, number>;
  /** Fates of settled URLs, in no order, for the counts of a report. */
  fates(): Iterable<Fate>;
  /**
   * Settled entries in order of settlement, with their fates, for rebuilding a link scorer.
   * @param places only these, in that order
   */
  settled(
    places?: Iterable<number>,
  ): Iterable<{ readonly entry: FrontierEntry; readonly fate: Fate; readonly order: number; readonly place: number }>;
  /**
   * Places in that order, ascending, of visits to pages that a later model reopened: `settled` has none of them. null for a visit whose place an earlier
   * version of the program did not store.
   */
  earlierVisits(): readonly (number | null)[];
  /** Kept pages that were revisited, each with its last answer, in no order. */
  revisits(): Iterable<{ readonly url: CanonicalUrl; readonly revisit: Revisit }>;
}

/**
 * The part that outlasts the process. `commit` makes everything before its call durable as one transaction. After a crash, uncommitted changes never
 * happened.
 */
export interface Durable {
  /**
   * Makes everything before this call durable, together with its corpus offsets, once `after` has resolved, that is once the corpus is on disk. Only
   * one commit runs at a time.
   * @throws StoreError, or the error with which `after` rejects
   */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void>;
  /**
   * Lets the next commit store all priorities that `rescoring` gave so far. Otherwise every 64th commit does. A reader of a running or killed crawl
   * may therefore see priorities that are up to 64 commits old. `rescore` calls it.
   * @returns whether there are any to store
   */
  storePriorities(): boolean;
  /** The number of runs that the manifest listed at the last commit, at least. A manifest with fewer runs is an older copy. */
  readonly runs: number;
  /** The manifest now lists so many runs; stored with the next commit. */
  noteRuns(runs: number): void;
  /** The topic model on which the stored priorities of waiting links are based; null if none are stored, as in versions up to 0.1. */
  readonly scoredBy: string | null;
  /** Stored with the next commit. */
  noteScoredBy(modelId: string): void;
  readonly notes: CrawlNotes;
  /** Adds or replaces notes. Stored with the next commit. */
  note(notes: CrawlNotes): void;
  /** null if nothing was ever committed. */
  lastCommit(): CommitMark | null;
  /** Offsets of the last commit; {} without a commit. */
  committedOffsets(): CorpusOffsets;
  close(): Promise<void>;
}

/** Everything a crawl needs of its frontier. Code that needs less asks for one of the three parts. */
export interface Frontier extends Queue, Ledger, Durable {}

/** The ledger of a crawl that is opened only for reading, with its last commit. `rescore` can compute priorities that are not stored. */
export interface OpenLedger extends Ledger, Omit<Durable, 'commit' | 'noteRuns' | 'note' | 'storePriorities'>, Pick<Queue, 'rescore'> {}

/** The ledger of a crawl that another process may be writing. */
export interface LiveLedger extends OpenLedger {
  /**
   * Takes everything that another process committed since the ledger was opened, or followed: it then equals one that is opened now. O(new steps); where
   * priorities were stored, O(URLs).
   * @returns false if it must be opened again: the database was replaced, a settled URL waits again, or `rescore` was called
   * @throws StoreError for damage; the ledger is then of no more use
   */
  follow(): boolean;
  /** Raised when the end of a settled URL changes. As long as it stays, settled URLs only increase. */
  readonly era: number;
  /** Places of the URLs that calls of `follow` found newly settled, in order of settlement. */
  readonly newEnds: readonly number[];
}
