/** The machine on one page: the interface of every moving part. */
import type { FrozenVisit } from './frozen-visit.ts';
import type {
  Bytes,
  CanonicalUrl,
  CorpusRecord,
  Discovery,
  EpochMs,
  Extraction,
  FailureCode,
  Fate,
  FetchedPage,
  FetchOutcome,
  FrontierEntry,
  HostKey,
  Lease,
  LedgerLine,
  LinkText,
  ListKind,
  Ms,
  NextLease,
  Patience,
  RecordId,
  RefusalReason,
  ReservationFile,
  ReservationRule,
  Revisit,
  RevisitRecord,
  Simhash,
  StoredResponse,
  Topic,
  Unit,
} from './types.ts';

export interface Clock {
  /** Never goes back, nor faster than time does: for waiting and measuring. */
  now(): EpochMs;
  /** The date, for what is written down: it may be set. Left out where it is `now`. */
  date?(): EpochMs;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: Ms, signal: AbortSignal): Promise<void>;
}

/** What tells a version of a page (RFC 9110 §8.8); null where its server does not. */
export type Validators = Pick<StoredResponse, 'etag' | 'lastModified'>;

/** One lease is one request. Redirects come back as outcomes; they are never followed here. */
export interface PageFetcher {
  /** Never rejects for what the web did. @param unless validators of a version that need not be sent again */
  fetch(url: CanonicalUrl, signal: AbortSignal, unless?: Validators | null): Promise<FetchOutcome>;
  /** Left out where names are not looked up. */
  readonly lookups?: LookupCounts;
  close(): Promise<void>;
}

/** Questions to the name service so far, and how many of them led to no address. */
export interface LookupCounts {
  readonly asked: number;
  readonly failed: number;
}

/** A robots.txt that could not be had. */
export interface UnreachableRobots {
  /** When it is asked for again. */
  readonly until: EpochMs;
  /** How asking for it failed the last time; `private-address` where it redirects to one. */
  readonly cause: FailureCode | 'private-address';
}

/** robots.txt, per host (RFC 9309). */
export interface RobotsPolicy {
  /** From the cache only; no I/O. `unknown` means `load` must be the lease's one request. */
  verdict(url: CanonicalUrl): 'allow' | 'deny' | 'unknown';
  /** Fetch, parse and cache the host's robots.txt. 4xx reads as allow-all; 5xx or an unreachable host as deny-all (RFC 9309 §2.3.1). */
  load(host: HostKey, signal: AbortSignal): Promise<{ readonly crawlDelay: Ms | null; readonly sitemaps: readonly string[] }>;
  /** A host's robots.txt that could not be had; null for one that could, or was never asked for. Until it is asked for again its `deny` means "not now". */
  unreachable(host: HostKey): UnreachableRobots | null;
  /** Sitemaps that the host's robots.txt names; none where it is not cached. Left out where nobody asks. */
  sitemaps?(host: HostKey): readonly CanonicalUrl[];
}

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
  | { readonly kind: 'retry'; readonly reason: string; readonly notBefore: EpochMs; readonly host: HostReport | null }
  | { readonly kind: 'released'; readonly host: HostReport | null };

/** Bytes of each corpus file that belong to the commit, by file name. Resume cuts the files to these. */
export type CorpusOffsets = Readonly<Record<string, Bytes>>;

/** One commit of a crawl, as frontier and corpus folder each note it: what the one is held against the other by. */
export interface CommitMark {
  /** 1, 2, 3 …; 0 where the last commit was of Forager 0.1, which did not count. */
  readonly number: number;
  readonly offsets: CorpusOffsets;
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

/**
 * URLs known but not visited, ordered, with politeness; and the ledger of those visited.
 * `add`, `next` and `settle` act at once in memory; `commit` makes all that was done before its call
 * durable as one transaction. What was not committed before a crash was never done.
 */
export interface Frontier {
  /** Queue the links whose URL was never seen; raise the priority of those waiting (max over sightings). */
  add(discovery: Discovery): { readonly added: number; readonly seen: number };
  /** Could another sighting of this URL change anything? False once it is leased or settled. */
  wants(url: CanonicalUrl): boolean;
  /**
   * The best entry whose host is rested and unleased; else how long to wait; else drained.
   * @param only `revisits`: kept pages that are due alone
   * @param patience with an entry that is clearly better than what is free, and whose host is leased or rests. Default none: what is free is taken
   */
  next(only?: 'revisits' | null, patience?: Patience): NextLease;
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
  /** Kept pages that were asked for again, each with its last answer, in no order. */
  revisits(): Iterable<{ readonly url: CanonicalUrl; readonly revisit: Revisit }>;
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
  counts(): FrontierCounts;
  /**
   * Make everything before this call durable, with the corpus offsets that belong to it, once `after` (the corpus
   * being on disk) has resolved. Only one commit runs at a time. @throws StoreError, or what `after` rejects with.
   */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void>;
  /** How many runs of the crawl its manifest named when it was last committed, at least: one that names fewer is an older copy. */
  readonly runs: number;
  /** The manifest names so many now: noted with the next commit. */
  noteRuns(runs: number): void;
  /** null where nothing was ever committed. */
  lastCommit(): CommitMark | null;
  /** Offsets of the last commit; {} where there is none. */
  committedOffsets(): CorpusOffsets;
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
  standing(url: CanonicalUrl): (Pick<LedgerLine, 'state' | 'reason'> & { readonly reopened: boolean }) | null;
  /** Fates of settled URLs, in no order: what a report counts. */
  fates(): Iterable<Fate>;
  /** Settled entries in order of settlement, with their fates: what a link scorer is rebuilt from. */
  settled(): Iterable<{ readonly entry: FrontierEntry; readonly fate: Fate }>;
  close(): Promise<void>;
}

/** HTML bytes to title, main text and outlinks. Pure and synchronous; never throws. */
export interface Extractor {
  extract(page: { readonly url: CanonicalUrl; readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }): Extraction;
}

/** One additive share of a logit. */
export interface Contribution {
  readonly feature: string;
  readonly contribution: number;
}

export interface Explanation {
  /** Sum of `bias` and all contributions, in natural-log odds: what relevance follows from, unless a rule has the last word. */
  readonly logit: number;
  readonly bias: number;
  /** Every contribution that is not zero, largest magnitude first. */
  readonly contributions: readonly Contribution[];
}

/** Why a page is judged as it is. */
export interface TopicExplanation extends Explanation {
  /** The rule the topic has besides its model: how it is written, what it makes of the page, and each of its conditions. Left out without one. */
  readonly rule?: {
    readonly text: string;
    readonly relevance: Unit;
    readonly conditions: readonly { readonly condition: string; readonly value: Unit }[];
  };
}

/** What is judged: a page, or a text that is none and has no URL. `url` and `lang` (BCP 47) are left out or null when not known. */
export interface JudgedText {
  readonly title: string;
  readonly text: string;
  readonly url?: string | null;
  readonly lang?: string | null;
}

export interface TopicModel {
  /** SHA-256 of weights and settings, hex, first 16 characters. */
  readonly id: string;
  readonly name: string;
  /** A page at or above this relevance is on topic. */
  readonly threshold: Unit;
  /** Relevance of one page, in [0, 1]. */
  judge(page: JudgedText): Unit;
  /** Relevance of a text that is no page, such as a link's words: no rule is asked. */
  judgeText(text: string): Unit;
  explain(page: JudgedText): TopicExplanation;
}

/** An outlink as a link scorer takes it. */
export interface ReadLink {
  readonly url: CanonicalUrl;
  readonly text: LinkText;
}

/** Which words of a link the page model is asked about: reading is cheaper without. */
export type LinkJudgement = 'none' | 'context' | 'anchor-and-context';

/** What reading one page gave: extraction and judgement, made off the main thread. */
export type ReadOutcome =
  | {
      readonly kind: 'read';
      readonly extraction: Omit<Extraction, 'outlinks'>;
      /** The outlinks, with what the page model says of their words. */
      readonly links: readonly ReadLink[];
      readonly relevance: Unit;
      /** To each topic of a crawl of several, in their order; left out of all others. */
      readonly relevances?: readonly Unit[];
      /** Of the main text. Left out by readers whose crawls need not know near-duplicates. */
      readonly simhash?: Simhash;
    }
  | { readonly kind: 'failed'; readonly code: 'read-timeout' | 'read-crash'; readonly detail: string };

/** Extract and judge in a worker pool, with a time and a memory cap per page. */
export interface PageReader {
  read(page: FetchedPage): Promise<ReadOutcome>;
  /** No link to this URL is wanted any more: pages read from now on may come without. Left out where all links are wanted. */
  passOver?(url: CanonicalUrl): void;
  close(): Promise<void>;
}

/** What reading a list of URLs gave. */
export type ListOutcome =
  | {
      readonly kind: 'list';
      /** Pages, distinct. */
      readonly links: readonly ReadLink[];
      /** Sitemaps that an index names, distinct. */
      readonly lists: readonly CanonicalUrl[];
    }
  | Extract<ReadOutcome, { kind: 'failed' }>;

/** Sitemaps and feeds: fetched as files of any media type, under the same guards as pages, and read off the main thread. */
export interface ListSource {
  fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome>;
  /** Never executes or resolves anything in it. */
  read(page: FetchedPage, kind: ListKind): Promise<ListOutcome>;
}

/** The `tdmrep.json` files of hosts: who reserves the rights to mine which pages. */
export interface ReservationSource {
  urlOf(host: HostKey): CanonicalUrl;
  /** As a file of any media type, under the same guards as pages. */
  fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome>;
  /** In order; [] for what is no such file. Never throws. */
  rulesIn(body: Uint8Array, url: CanonicalUrl): readonly ReservationRule[];
}

export type Strategy =
  | 'apprentice'
  | 'parent'
  | 'anchor'
  | 'shark'
  | 'opic'
  | 'pagerank'
  | 'hub'
  | 'authority'
  | 'bfs'
  | 'dfs'
  | 'random'
  | 'portfolio';

/** Orders that know the truth, for scale: an evaluation has them, a crawl has not. */
export type Oracle = 'one-step' | 'distance';

/** A link as a scorer sees it. A frontier entry is one. */
export type ScorableLink = Pick<FrontierEntry, 'url' | 'depth' | 'offTopicDepth' | 'edge'>;

/** What a link scorer reads of some links that stays as it is while the scorer learns. Of use to that scorer alone. */
export interface LinkEvidence {
  /** Memory it takes. */
  readonly bytes: Bytes;
}

/** What gives waiting links new priorities: a link scorer. */
export interface Rescorer extends Pick<LinkScorer, 'scoreAgain'> {
  score(entries: readonly FrontierEntry[]): Float32Array;
  evidenceOf?(entries: readonly FrontierEntry[]): LinkEvidence;
}

/** A rescorer that may learn meanwhile. */
export type LearningRescorer = Rescorer & Pick<LinkScorer, 'learnedFrom'>;

export interface LinkScorer {
  readonly strategy: Strategy | Oracle;
  /** Which of `LinkText`'s scores it reads; the others may be null. */
  readonly judgement: LinkJudgement;
  /** How many pages it has learned from so far. 0 for strategies that do not learn. */
  readonly learnedFrom: number;
  /** @returns one priority for each link, shape [links.length], each in [0, 1]. A link without an edge is a seed: 1. */
  score(links: readonly ScorableLink[]): Float32Array;
  /** For links that are to be scored again and again: `score` is `scoreAgain` of this. Both are left out where nothing is worth keeping. */
  evidenceOf?(links: readonly ScorableLink[]): LinkEvidence;
  /** @returns one priority for each link that the evidence was made of. @throws InvariantError for evidence of another kind of scorer */
  scoreAgain?(evidence: LinkEvidence): Float32Array;
  /**
   * Told of each page that was read, right before its links are scored: all of them in `urls`, known or not; none of a page that asks for none to
   * be followed. A redirect is told with relevance null and its target alone. Left out where the graph of links means nothing.
   */
  see?(page: ScorableLink, relevance: Unit | null, urls: readonly CanonicalUrl[]): void;
  /** Told how a followed link turned out; the target is the page's relevance. Queued priorities change only by `Frontier.rescore` and `rescoring`. */
  learn?(link: ScorableLink, relevance: Unit): void;
  /** Why this link has its priority: contributions sum to `logit`, and `priority` follows from it as `rule` says. */
  explain(link: ScorableLink): LinkExplanation;
}

export interface LinkExplanation extends Explanation {
  readonly priority: Unit;
  /** How `priority` follows from `logit`. */
  readonly rule: string;
}

export interface CorpusWriter {
  /** Buffer one record with its request and response. Synchronous, so that it belongs to the same commit as its settlement. */
  append(record: CorpusRecord, page: FetchedPage): void;
  /** Buffer what a visit came to, as a frozen web has it; synchronous for the same reason. Left out where the crawl is not recorded. */
  record?(visit: FrozenVisit): void;
  /** Offsets with everything appended so far. Synchronous. */
  offsets(): CorpusOffsets;
  /** Put everything appended before this call on disk; with a number, as what that commit is to have. @throws StoreError */
  flush(commit?: number): Promise<void>;
  /** Buffer that a page is as it was, with request and response; synchronous too. Left out where no page is asked for again. */
  revisit?(record: RevisitRecord, page: FetchedPage): void;
  /** Buffer what a host's `tdmrep.json` came to; synchronous too. Left out where nobody asks for one. */
  reserve?(file: ReservationFile): void;
  close(): Promise<void>;
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

/** Payloads already kept, so that one page under two URLs is kept once. */
export interface KeptPayloads {
  /**
   * Claim a payload for `url`. @returns null when it is new, else the URL that has it.
   * @param relevances to each of several topics: it is new where it is new to one of those the page is on, since words of its URL count too
   */
  claim(sha256: string, url: CanonicalUrl, relevances?: readonly Unit[]): CanonicalUrl | null;
  /** `url` has another payload now. */
  release(sha256: string, url: CanonicalUrl): void;
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
  /** null or left out: lists of URLs are not followed. */
  readonly lists?: ListSource | null;
  /** null or left out: no host is asked for its reservations. */
  readonly reservations?: ReservationSource | null;
  readonly scope: Scope;
  /** null or left out: nobody opted out, and every host is alone. */
  readonly manners?: Manners | null;
  readonly expansion: Expansion;
  readonly kept: KeptPayloads;
  /** The responses of kept pages that are to be asked for again, by record. null or left out: none is. */
  readonly stored?: ReadonlyMap<RecordId, StoredResponse> | null;
  readonly corpus: CorpusWriter;
  readonly newRecordId: () => RecordId;
  readonly hostKeyOf: (url: CanonicalUrl) => HostKey;
  readonly emit: Emit;
  /** null or left out: nobody looks. */
  readonly headroom?: Headroom | null;
  /** Aborts, with a StoreError, when where the crawl is stored is no longer this process's. null or left out: it always is. */
  readonly lost?: AbortSignal | null;
}
