/** What asks the web: pages, robots.txt. */
import type { CanonicalUrl, EpochMs, FailureCode, FetchOutcome, HostKey, Ms, StoredResponse } from '../types.ts';

/** What tells a version of a page (RFC 9110 §8.8); null where its server does not. */
export type Validators = Pick<StoredResponse, 'etag' | 'lastModified'>;

/** One lease is one request. Redirects come back as outcomes; they are never followed here. */
export interface PageFetcher {
  /** Never rejects for what the web did. @param unless validators of a version that need not be sent again */
  fetch(url: CanonicalUrl, signal: AbortSignal, unless?: Validators): Promise<FetchOutcome>;
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
