/** The parts that send requests: for pages and robots.txt. */
import type { CanonicalUrl, EpochMs, FetchOutcome, HostKey, Ms, RightsStatement, RobotsTrouble, StoredResponse } from '../types.ts';
import type { CorpusEntry } from './keeping.ts';

/** The validators that identify a version of a page (RFC 9110 §8.8); null if its server sends none. */
export type Validators = Pick<StoredResponse, 'etag' | 'lastModified'>;

/** One lease is one request. Redirects are returned as outcomes and never followed here. */
export interface PageFetcher {
  /**
   * Never rejects because of a failure of the web.
   * @param unless validators of a version that the server need not send again. @param fields further header fields: names in lower case and values, in turn
   */
  fetch(url: CanonicalUrl, signal: AbortSignal, unless?: Validators, fields?: readonly string[]): Promise<FetchOutcome>;
  /** Absent if this fetcher looks up no names. */
  readonly lookups?: LookupCounts;
  close(): Promise<void>;
}

/** Number of questions to the name service so far, and how many of them led to no address. */
export interface LookupCounts {
  readonly asked: number;
  readonly failed: number;
}

/** A robots.txt that could not be fetched. */
export interface UnreachableRobots {
  /** Time at which the crawl requests it again. */
  readonly until: EpochMs;
  readonly cause: RobotsTrouble;
}

/** The result of one request for a robots.txt. */
export interface RobotsLoad {
  readonly crawlDelay: Ms | null;
  readonly sitemaps: readonly string[];
  /** The answer, for the corpus. Absent if nobody was asked. */
  readonly answer?: Extract<CorpusEntry, { kind: 'robots' }>;
}

/** robots.txt, per host (RFC 9309). */
export interface RobotsPolicy {
  /** Uses only the cache; no I/O. `unknown` means that `load` must be the lease's one request. */
  verdict(url: CanonicalUrl): 'allow' | 'deny' | 'unknown';
  /** The host that `load` requests: another one once a robots.txt redirects there. Absent: always the host itself. */
  asks?(host: HostKey): HostKey;
  /** Makes one request for the host's robots.txt, and caches the answer. After a redirect the verdict may still be unknown. 4xx counts as allow-all; 5xx or an unreachable host as deny-all (RFC 9309 §2.3.1). */
  load(host: HostKey, signal: AbortSignal): Promise<RobotsLoad>;
  /** A host's robots.txt that could not be fetched; null if it was fetched or never requested. Until the next request for it, its `deny` means "not now". */
  unreachable(host: HostKey): UnreachableRobots | null;
  /** The Crawl-delay of the cached robots.txt; null without one. Absent if only `load` returns it. */
  crawlDelay?(host: HostKey): Ms | null;
  /** Sitemaps that the host's robots.txt names; empty if it is not cached. Absent if nobody needs them. */
  sitemaps?(host: HostKey): readonly CanonicalUrl[];
  /** Statements about the use of a page in the robots.txt that is current; empty if it is not cached. Absent if nobody needs them. */
  statements?(url: CanonicalUrl): readonly RightsStatement[];
}
