/** The nouns of a crawl. Units are type names; state is a word, never a sign or a magic number. */
import type { Reason } from './reason.ts';

/** Milliseconds since the Unix epoch. */
export type EpochMs = number;
/** A moment as users read it: ISO 8601 in UTC, to the millisecond, e.g. `2026-11-22T19:44:51.123Z`. Such texts sort by time. */
export type IsoTime = string;
/** A span of time, in milliseconds. */
export type Ms = number;
/** A count of bytes. */
export type Bytes = number;
/** A probability or a normalised score, in [0, 1]. */
export type Unit = number;

/** 64 bits that are nearly the same for texts that are, as two unsigned halves. Made in text/simhash.ts. */
export type Simhash = readonly [high: number, low: number];

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };
/** A URL in canonical form. Made only by `canonicalize()` in web/url.ts. */
export type CanonicalUrl = Brand<string, 'CanonicalUrl'>;
/** scheme://host:port (the port only where it is not the scheme's own), the unit politeness and robots.txt apply to. Made by `hostKeyOf()` in web/url.ts. */
export type HostKey = Brand<string, 'HostKey'>;
export type LeaseId = Brand<number, 'LeaseId'>;
/** `urn:uuid:…`, the WARC-Record-ID of the response record without its angle brackets. Made in corpus/. */
export type RecordId = Brand<string, 'RecordId'>;

/** Where on the page a link stands: inside the main segment, in a navigation or footer element, or elsewhere. */
export type LinkZone = 'content' | 'navigation' | 'footer' | 'other';

/** A link found on a page, before it is scored. */
export interface Outlink {
  readonly url: CanonicalUrl;
  /** Visible text of the link, white space collapsed, at most 200 characters. */
  readonly anchorText: string;
  /** Words of the block that holds the link, at most 10 either side of it, the anchor left out. */
  readonly context: string;
  /** `alt` of images inside the link, at most 200 characters; '' where there is none. */
  readonly imageAlt: string;
  readonly zone: LinkZone;
  /** The last three element names above and including the link, e.g. `ul>li>a`. */
  readonly tagPath: string;
  readonly rel: readonly string[];
}

/** The same page in another language or for another region. */
export interface Alternate {
  /** BCP 47, lower case; or `x-default`. */
  readonly lang: string;
  readonly url: CanonicalUrl;
}

/** What a page says of itself; null or empty where it says nothing. Which source wins is told in extract/metadata.ts. */
export interface PageMetadata {
  /** `rel=canonical`, resolved: the *declared* canonical URL. */
  readonly canonical: CanonicalUrl | null;
  readonly description: string | null;
  /** Names as written, at most 20. */
  readonly authors: readonly string[];
  readonly siteName: string | null;
  /** ISO 8601, as exact as the page is, e.g. `2021`, `2021-03-14`, `2021-03-14T09:30:00+01:00`. */
  readonly published: string | null;
  /** As `published`. */
  readonly modified: string | null;
  /** URLs of the licences it is under, at most 10. */
  readonly licences: readonly CanonicalUrl[];
  /** A statement of rights in words. */
  readonly rights: string | null;
  /** `rel=alternate` with a language, at most 100. */
  readonly alternates: readonly Alternate[];
  /** Directives of its robots metas and X-Robots-Tag headers for all crawlers and for us, as written, lower case, at most 20. */
  readonly robots: readonly string[];
}

/** Who says so: metas of the page, header fields of its response, the `tdmrep.json` of its host, or a `noai` directive. */
export type ReservedBy = 'meta' | 'header' | 'file' | 'noai';

/** Are the rights to mine a page for text and data reserved? */
export interface Reservation {
  readonly reserved: boolean;
  readonly by: ReservedBy;
  /** How rights are to be had (`tdm-policy`); null where that is not said, and where none are reserved. */
  readonly policy: CanonicalUrl | null;
}

/** One rule of a host's `tdmrep.json`. */
export interface ReservationRule {
  /** Pattern of paths, as in robots.txt. */
  readonly location: string;
  readonly reserved: boolean;
  readonly policy: CanonicalUrl | null;
}

/** What asking for a host's `tdmrep.json`, or for what that redirects to, came to. */
export interface ReservationFile {
  readonly url: CanonicalUrl;
  /** When the request began. */
  readonly fetchedAt: IsoTime;
  /** Where it redirects; null where it does not. */
  readonly to: CanonicalUrl | null;
  /** In order; none where there is no such file. */
  readonly rules: readonly ReservationRule[];
}

/** What field rules found on a page, by field name; a list where the rule asks for all. A field without a value is not there. */
export type PageFields = Readonly<Record<string, string | readonly string[]>>;

export interface Extraction {
  readonly title: string;
  /** Main text, one line a block, paragraphs separated by '\n'. */
  readonly text: string;
  /** BCP 47 language as declared by the page or its headers, lower case, e.g. `en`, `zh-cn`; null when undeclared. */
  readonly lang: string | null;
  /**
   * Distinct URLs, in document order; a URL linked twice keeps the sighting with the longer anchor text. After them those that the head alone
   * leads to: `rel=next`, and the page in other languages.
   */
  readonly outlinks: readonly Outlink[];
  /** RSS and Atom feeds it declares (`<link rel=alternate>`), at most 50. Left out where there are none. */
  readonly feeds?: readonly CanonicalUrl[];
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** By its metas and headers; its host's file is not asked. Left out of a page that says nothing. */
  readonly reservation?: Reservation;
  readonly metadata: PageMetadata;
  /** {} for a page that no field rule is for. */
  readonly fields: PageFields;
  /** The charset the bytes were decoded with, a WHATWG label. */
  readonly charset: string;
  /** What the extractor had to guess or drop. Extraction itself never fails. */
  readonly warnings: readonly string[];
}

export interface FetchedPage {
  readonly url: CanonicalUrl;
  /** 200 or 203; or 304, without a body, where conditions were sent. */
  readonly status: number;
  readonly statusText: string;
  /** Raw header fields as received, in order, names in their own case. */
  readonly rawHeaders: readonly (readonly [string, string])[];
  /** Lower-case names; repeated fields joined by ', ', those of X-Robots-Tag by line feeds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header fields as sent with the request line's target, values of secrets struck out. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** The payload after content decoding. */
  readonly body: Uint8Array;
  /** The payload as it came over the wire (still gzip or br when so served); the same object as `body` when not encoded. */
  readonly wireBody: Uint8Array;
  /** A cap cut the body, or the stream ended early. */
  readonly truncated: boolean;
  /** When the request began: the one moment that fates, records and WARC records of the page give as its time (ISO 28500:2017 §5.4). */
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** Address the socket was connected to; null when through a proxy or unknown. */
  readonly ip: string | null;
  /** Left out of HTTP/1.1. */
  readonly protocol?: 'h2';
  /** Why the server's certificate was not to be trusted, e.g. `CERT_HAS_EXPIRED`, where the user let that pass. Left out where it was, and without TLS. */
  readonly certificate?: string;
}

/** Why a URL was not fetched, or its page not kept, by a rule. */
export type RefusalReason =
  | 'opt-out'
  | 'robots'
  | 'robots-unreachable'
  | 'scope'
  | 'max-depth'
  | 'tunnel'
  | 'private-address'
  | 'content-type'
  /** A sitemap or feed of a crawl that no longer asks for any. */
  | 'no-sitemaps'
  | 'too-large'
  | 'redirect-limit'
  | 'noindex';

export type FailureCode =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'http-4xx'
  | 'http-429'
  | 'http-5xx'
  | 'blocked'
  | 'decode'
  | 'read-timeout'
  | 'read-crash'
  | 'internal';

/** How one request for one URL ended. Never thrown: a dead link is data. */
export type FetchOutcome =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  | { readonly kind: 'redirect'; readonly status: number; readonly to: CanonicalUrl; readonly ms: Ms }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly status: number | null; readonly ms: Ms }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      readonly status: number | null;
      readonly detail: string;
      readonly retryAfter: Ms | null;
      readonly ms: Ms;
    };

/** The page a link was found on, as far as scoring and explaining its links need it. */
export interface Referrer {
  readonly url: CanonicalUrl;
  readonly title: string;
  readonly relevance: Unit;
  readonly depth: number;
  /** Hops since the last on-topic page on the way here; 0 when this page is on topic. */
  readonly offTopicDepth: number;
}

/** The evidence a priority rests on: a link and the page it stands on. */
export interface Edge {
  readonly referrer: Referrer;
  /** An outlink less its URL and rel. */
  readonly link: LinkText;
  /** How many pages the link scorer had learned from when it gave the priority. */
  readonly learnedFrom: number;
}

export interface LinkText {
  readonly anchorText: string;
  readonly context: string;
  readonly imageAlt: string;
  readonly zone: LinkZone;
  readonly tagPath: string;
  /** The page model's relevance of the anchor text (and image alt) taken as a text of its own; null where the strategy does not ask. */
  readonly anchorScore: Unit | null;
  /** The same of anchor text and context together. */
  readonly contextScore: Unit | null;
}

/** Files that list URLs: XML sitemaps with their indexes (sitemaps.org), and RSS or Atom feeds. They are read for the URLs alone. */
export type ListKind = 'sitemap' | 'feed';

/** What a link leads to, and is asked for as. */
export type LinkTask =
  | { readonly kind: 'page' }
  /** `level`: indexes on the way to it; 0 for what a robots.txt, a page or the crawl itself names. */
  | { readonly kind: 'list'; readonly list: ListKind; readonly level: number }
  /** A host's `tdmrep.json`, which has rules and no URLs. */
  | { readonly kind: 'reservations' };

/** What a lease is for. A page that is in the corpus, in this version, is asked for again as `revisit`. */
export type Task = LinkTask | { readonly kind: 'revisit'; readonly kept: Pick<PageVersion, 'recordId' | 'payloadSha256'> };

/** The task of nearly all links. */
export const PAGE: LinkTask = { kind: 'page' };

/** A link as it goes to the frontier: scored, or refused by a rule. */
export interface DiscoveredLink {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly priority: Unit;
  /** null when the link may be followed. */
  readonly refusal: RefusalReason | null;
  readonly text: LinkText;
  readonly task: LinkTask;
}

/** Links that became known together: the outlinks of one page, or the seeds (referrer null). */
export interface Discovery {
  readonly referrer: Referrer | null;
  /** Link hops from the nearest seed, of every link in `links`. */
  readonly depth: number;
  /** Hops since the last on-topic page, of every link in `links`. */
  readonly offTopicDepth: number;
  /** Redirects followed to reach these URLs. */
  readonly redirects: number;
  /** Pages the link scorer had learned from when it scored these links. */
  readonly learnedFrom: number;
  readonly links: readonly DiscoveredLink[];
}

/** A page as it stands in the corpus. */
export interface PageVersion {
  readonly recordId: RecordId;
  /** SHA-256 of the decoded payload, hex. */
  readonly payloadSha256: string;
  readonly relevance: Unit;
  /** As in `Fate`. */
  readonly relevances?: readonly Unit[];
  /** The model that gave the relevance; of several topics what they come to together. */
  readonly modelId: string;
}

/**
 * What a kept page was found to be when it was asked for again. `not-modified`: its server said so (304). `same`: it came, with the payload it had.
 * `changed`: there is another version in the corpus. `moved`, `gone` (404, 410) and `noindex`: what is in the corpus stays.
 */
export type RevisitResult = 'not-modified' | 'same' | 'changed' | 'moved' | 'gone' | 'noindex';

/** The last time a kept page was asked for again, and answered. */
export interface Revisit {
  readonly at: EpochMs;
  readonly status: number;
  readonly result: RevisitResult;
  /** The newest in the corpus; null while that is the first, and in a settlement where there is no newer one. */
  readonly version: PageVersion | null;
}

/** What the corpus has of the response a version came by: to ask by, and to refer to. */
export interface StoredResponse {
  /** Validators (RFC 9110 §8.8), as they came. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Its WARC-Date and WARC-Payload-Digest. */
  readonly date: string;
  readonly payloadDigest: string | null;
}

/** A WARC revisit record (ISO 28500:2017 §6.7): a page that is as it was. */
export interface RevisitRecord {
  readonly profile: 'server-not-modified' | 'identical-payload-digest';
  /** The response record that has the payload. */
  readonly of: RecordId;
  /** null where it is not known. */
  readonly stored: StoredResponse | null;
}

/** A URL waiting in the frontier. */
export interface FrontierEntry {
  readonly url: CanonicalUrl;
  readonly task: Task;
  readonly host: HostKey;
  readonly priority: Unit;
  readonly depth: number;
  readonly offTopicDepth: number;
  /** null for a seed. */
  readonly edge: Edge | null;
  /** Fetches already tried and failed. */
  readonly attempts: number;
  readonly redirects: number;
  /** Its visit was drawn by chance, whatever its priority. Left out of all others. */
  readonly explored?: true;
}

export interface Lease {
  readonly id: LeaseId;
  readonly entry: FrontierEntry;
  /** Have the groups of its host been told (see `Queue.join`)? */
  readonly joined: boolean;
}

/** How long to wait for a host that is leased or rests. */
export interface Patience {
  /** For any one. */
  readonly longest: Ms;
  /** What a page may take, where that is less: of ten hosts that are waited for each may take ten times as long. Infinity where time is no matter, 0 for no waiting. */
  readonly pace: Ms;
}

export type NextLease =
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'wait'; readonly until: EpochMs }
  | { readonly kind: 'drained' };

/** The one state a discovered URL is in. `queued` reads as `not-reached` or `parked` once a crawl has ended (see crawl/ledger.ts). */
export const URL_STATES = ['queued', 'leased', 'fetched', 'kept', 'off-topic', 'duplicate', 'refused', 'failed'] as const;
export type UrlState = (typeof URL_STATES)[number];

/** How a URL ended, as the frontier stores it. */
export interface Fate {
  readonly state: Exclude<UrlState, 'queued' | 'leased'>;
  readonly reason: Reason;
  readonly relevance: Unit | null;
  /** To each topic of a crawl of several, in the order of its manifest; `relevance` is what they come to together. Left out of all others. */
  readonly relevances?: readonly Unit[];
  readonly status: number | null;
  /** When the last request for it began. */
  readonly fetchedAt: EpochMs | null;
  readonly recordId: RecordId | null;
  /** SHA-256 of the decoded payload, hex, of a kept page or a duplicate; earlier versions have none of duplicates. */
  readonly payloadSha256: string | null;
  /** Title and main text of a judged page that is not in the corpus, so that it can be explained, labelled and judged again. */
  readonly page: { readonly title: string; readonly text: string; readonly lang: string | null } | null;
  /** Of the main text of a judged page; left out where there is none, and by earlier versions. */
  readonly simhash?: Simhash;
  /** True when the page budget was spent on this URL: a request for it was made. */
  readonly visited: boolean;
}

/** Why a page waits that was read and left out, and that the model in force finds on topic. */
export const REOPENED = 'reopened';

/** One line of the ledger. */
export interface LedgerLine {
  readonly url: CanonicalUrl;
  readonly state: UrlState | 'not-reached' | 'parked';
  readonly reason: string;
  /** Place among the visited pages, in the order they were settled, from 1; null for what was not visited, and for sitemaps, feeds and `tdmrep.json`, which are no pages. */
  readonly order: number | null;
  readonly depth: number;
  readonly priority: Unit;
  readonly relevance: Unit | null;
  /** As in `Fate`. */
  readonly relevances?: readonly Unit[];
  readonly referrer: CanonicalUrl | null;
  readonly anchorText: string;
  readonly status: number | null;
  readonly fetchedAt: EpochMs | null;
  /** Of a URL that waits since it could not be had: why the last time, how often it was tried, when it is tried again, and given up on at the earliest. Left out of all others. */
  readonly retry?: { readonly reason: string; readonly attempts: number; readonly notBefore: EpochMs; readonly givenUp: EpochMs };
  /** The last time it was asked for again; `relevance` is then of the newest version. Left out where it was not. */
  readonly revisit?: Revisit;
}

/** A topic as a crawl knows it; `id` is that of its model. */
export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly threshold: Unit;
}

/** What one topic of several says of a page. */
export interface TopicJudgement {
  readonly name: string;
  readonly modelId: string;
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly onTopic: boolean;
}

export interface CorpusRecord {
  readonly id: RecordId;
  readonly url: CanonicalUrl;
  /** When the request began: the `WARC-Date` of its response. Corpora of Forager 0.1 have milliseconds since 1970, and of the moment the answer was read. */
  readonly fetchedAt: IsoTime;
  readonly title: string;
  readonly text: string;
  readonly lang: string | null;
  /** Of several topics, of the one it is most relevant to. */
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly modelId: string;
  /** What each topic of a crawl of several says of it. Left out of all others. */
  readonly topics?: readonly TopicJudgement[];
  readonly depth: number;
  readonly referrer: CanonicalUrl | null;
  readonly anchorText: string;
  /** SHA-256 of the decoded payload, hex. */
  readonly payloadSha256: string;
  readonly metadata: PageMetadata;
  readonly fields: PageFields;
  /** As in `Extraction`; in a harvest with what the file of its host says. Left out where nothing is said. */
  readonly reservation?: Reservation;
  /** As in `FetchedPage`. */
  readonly certificate?: string;
}
