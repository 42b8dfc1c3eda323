/** The nouns of a crawl. Units are type names. A state is a word, never a sign or a magic number. */
import type { DocumentKindName } from './document-kind-names.ts';
import type { Reason } from './reason.ts';
import type { RenderCost, RenderedVisit, RenderingRecords } from './rendering.ts';

/** Milliseconds since the Unix epoch. */
export type EpochMs = number;
/** A moment as users read it: ISO 8601 in UTC, to the millisecond, e.g. `2026-11-22T19:44:51.123Z`. Sorting such texts sorts them by time. */
export type IsoTime = string;
/** A span of time, in milliseconds. */
export type Ms = number;
/** A count of bytes. */
export type Bytes = number;
/** A probability or a normalised score, in [0, 1]. */
export type Unit = number;

/** 64 bits, as two unsigned halves, that are nearly the same for texts that are nearly the same. Made in base/text/simhash.ts. */
export type Simhash = readonly [high: number, low: number];

/** Print of a main text, for whether a page has changed: see base/core/same-text.ts. */
export interface TextPrint {
  readonly simhash: Simhash;
  /** Sum of the hashes of its lines, without the short ones. */
  readonly lines: number;
}

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };
/** A URL in canonical form. Made only by `canonicalize()` in base/web/url.ts. */
export type CanonicalUrl = Brand<string, 'CanonicalUrl'>;
/**
 * scheme://host:port (the port only if it differs from the scheme's default). Politeness and robots.txt apply to this unit. Made by `hostKeyOf()` in
 * base/web/url.ts.
 */
export type HostKey = Brand<string, 'HostKey'>;
export type LeaseId = Brand<number, 'LeaseId'>;
/** `urn:uuid:…`: the WARC-Record-ID of the response record, without its angle brackets. Made in corpus/. */
export type RecordId = Brand<string, 'RecordId'>;

/** Place of a link on its page: in the main segment, in a navigation or footer element, or elsewhere. */
export type LinkZone = 'content' | 'navigation' | 'footer' | 'other';

/** A link found on a page, before it is scored. */
export interface Outlink {
  readonly url: CanonicalUrl;
  /** Visible text of the link, white space collapsed, at most 200 characters. */
  readonly anchorText: string;
  /** Words of the block that holds the link, at most 10 on either side of it, without the anchor. */
  readonly context: string;
  /** `alt` of images inside the link, at most 200 characters; '' if there is none. */
  readonly imageAlt: string;
  readonly zone: LinkZone;
  /** The last three element names down to the link, e.g. `ul>li>a`. */
  readonly tagPath: string;
  readonly rel: readonly string[];
}

/** Version of the page in another language or for another region. */
export interface Alternate {
  /** BCP 47, lower case; or `x-default`. */
  readonly lang: string;
  readonly url: CanonicalUrl;
}

/** The page's statements about itself; null or empty if it states nothing. reading/extract/metadata.ts describes which source wins. */
export interface PageMetadata {
  /** `rel=canonical`, resolved: the *declared* canonical URL. */
  readonly canonical: CanonicalUrl | null;
  readonly description: string | null;
  /** Names as written, at most 20. */
  readonly authors: readonly string[];
  readonly siteName: string | null;
  /** ISO 8601, as exact as the page states it, e.g. `2021`, `2021-03-14`, `2021-03-14T09:30:00+01:00`. */
  readonly published: string | null;
  /** Date of the last change, in the form of `published`. */
  readonly modified: string | null;
  /** URLs of the page's licences, at most 10. */
  readonly licences: readonly CanonicalUrl[];
  /** A statement of rights in words. */
  readonly rights: string | null;
  /** `rel=alternate` with a language, at most 100. */
  readonly alternates: readonly Alternate[];
  /** Directives of its robots metas and X-Robots-Tag headers for all crawlers and for this one, as written, lower case, at most 20. */
  readonly robots: readonly string[];
}

/**
 * Places of the authors and days of a page that its metas, JSON-LD and microdata do not state; null for those that they do, and for none. `time`: a `<time>` of
 * the text. `rel`: a link with `rel=author`. `text`: words by the title. `url`: the path of the URL. `http`: the header field Last-Modified.
 */
export interface CreditSources {
  readonly authors: 'rel' | 'text' | null;
  readonly published: 'time' | 'text' | 'url' | null;
  readonly modified: 'time' | 'text' | 'http' | null;
}

/** A pair of a specification, as written: `Weight`, `2 kg`. */
export interface ProductProperty {
  readonly name: string;
  readonly value: string;
  /** Unit of the value, if the page states it apart: `kg`. */
  readonly unit?: string;
}

/** Availability and condition of an offer, by the names of schema.org. */
export type OfferAvailability = (typeof OFFER_AVAILABILITIES)[number];
export const OFFER_AVAILABILITIES = [
  'BackOrder',
  'Discontinued',
  'InStock',
  'InStoreOnly',
  'LimitedAvailability',
  'MadeToOrder',
  'OnlineOnly',
  'OutOfStock',
  'PreOrder',
  'PreSale',
  'Reserved',
  'SoldOut',
] as const;
export type OfferCondition = (typeof OFFER_CONDITIONS)[number];
export const OFFER_CONDITIONS = ['DamagedCondition', 'NewCondition', 'RefurbishedCondition', 'UsedCondition'] as const;

/** An offer of a product, or the range of several. Each part is absent if the page does not state it. */
export interface ProductOffer {
  /** Name and number of the variant that is offered. */
  readonly name?: string;
  readonly sku?: string;
  /** Price, at least 0; of a range, the two ends. */
  readonly price?: number;
  readonly lowPrice?: number;
  readonly highPrice?: number;
  /** ISO 4217. Absent for a sign of several currencies, such as `$`. */
  readonly currency?: string;
  readonly availability?: OfferAvailability;
  readonly condition?: OfferCondition;
  readonly seller?: string;
  readonly url?: CanonicalUrl;
}

/** Sources of a product, in the order in which they count. `text`: tables, definition lists and lists of the main text. */
export const PRODUCT_SOURCES = ['json-ld', 'microdata', 'rdfa', 'meta', 'text'] as const;
export type ProductSource = (typeof PRODUCT_SOURCES)[number];

/** The product that a page is about, by its own statements. Each part is absent if the page does not state it. reading/extract/product.ts has the limits. */
export interface PageProduct {
  readonly name?: string;
  readonly description?: string;
  readonly brand?: string;
  /** Numbers of the seller, of GS1 (8 to 14 digits) or ISBN, and of the manufacturer. */
  readonly sku?: string;
  readonly gtin?: string;
  readonly mpn?: string;
  readonly category?: string;
  readonly properties?: readonly ProductProperty[];
  readonly offers?: readonly ProductOffer[];
  /** The sources with a part of it, at least one. */
  readonly sources: readonly ProductSource[];
}

/** Source of a main text that the page does not show: JSON-LD, or an attribute of microdata. */
export type TextSource = 'json-ld' | 'microdata';

/** Place of the statement: metas of the page, header fields of its response, the `tdmrep.json` of its host, or a `noai` directive. */
export type ReservedBy = 'meta' | 'header' | 'file' | 'noai';

/** A statement whether the rights to mine a page for text and data are reserved. */
export interface Reservation {
  readonly reserved: boolean;
  readonly by: ReservedBy;
  /** URL that says how to get the rights (`tdm-policy`); null if not stated, or if no rights are reserved. */
  readonly policy: CanonicalUrl | null;
}

/** Protocols by which owners state rights and preferences about use: AIPREF, Content Signals, RSL, the TDM Reservation Protocol, `noai`, licences. */
export type RightsProtocol = 'content-usage' | 'content-signal' | 'rsl' | 'tdm' | 'noai' | 'cc' | 'license';

/** Place of a statement: header of the response, robots.txt or another file of the host, `<meta>`, `<link>`, a script, JSON-LD or microdata, or a link in the text. */
export type RightsSource = 'header' | 'robots' | 'file' | 'meta' | 'link' | 'script' | 'data' | 'text';

/** Uses that owners allow or disallow: training of models that generate, input of such models, search, and text and data mining. */
export const USES = ['train-ai', 'ai-input', 'search', 'mining'] as const;
export type Use = (typeof USES)[number];

/** The sense of a statement; a use that it does not mention is absent. */
export type StatedUses = Readonly<Partial<Record<Use, 'allow' | 'disallow'>>>;

/** A statement as its owner wrote it, and its sense. */
export interface WrittenStatement {
  readonly protocol: RightsProtocol;
  readonly from: RightsSource;
  /** Words of the owner, at most 1,000 characters. */
  readonly statement: string;
  /** Pattern of the paths to which a rule of a host's file applies; null if it applies to all, or to its page. */
  readonly path: string | null;
  /** False for words that the protocol does not know: they count as none. */
  readonly understood: boolean;
  readonly uses: StatedUses;
}

/** A statement that applied to a page when the page was fetched. */
export interface RightsStatement extends WrittenStatement {
  /** Start of the request for the file that has the statement: the page, or a file of its host. */
  readonly fetchedAt: IsoTime;
}

/** One rule of a host's `tdmrep.json`. */
export interface ReservationRule {
  /** Pattern of paths, as in robots.txt. */
  readonly location: string;
  readonly reserved: boolean;
  readonly policy: CanonicalUrl | null;
}

/** The uses that the licence of a part of a host states. */
export interface UseTerms {
  /** Pattern of paths, as in robots.txt, or an address. */
  readonly location: string;
  readonly uses: StatedUses;
}

/** The outcome of a request for a host's `tdmrep.json` or for an RSL document, or for the target of its redirect. */
export interface ReservationFile {
  readonly url: CanonicalUrl;
  /** Start of the request. */
  readonly fetchedAt: IsoTime;
  /** Target of its redirect; null without one. */
  readonly to: CanonicalUrl | null;
  /** The rules in their order; empty if there is no such file. */
  readonly rules: readonly ReservationRule[];
  /** The terms of an RSL document. Absent for another file, and in earlier versions. */
  readonly terms?: readonly UseTerms[];
  /** SHA-256 of its decoded payload, hex. Absent if there is no such file, and in earlier versions. */
  readonly sha256?: string;
}

/** The answer to a request for a host's robots.txt, or for the target of its redirect: `unreachable` if the file may be there. */
export interface RobotsAnswer {
  readonly url: CanonicalUrl;
  /** Start of the request. */
  readonly fetchedAt: IsoTime;
  readonly outcome: 'file' | 'absent' | 'redirect' | 'unreachable';
  readonly status: number | null;
  /** Target of its redirect; null without one. */
  readonly to: CanonicalUrl | null;
  /** Reason why it could not be reached; null if it was. */
  readonly cause: RobotsTrouble | null;
  /** SHA-256 of the decoded payload, hex; null without a file. */
  readonly sha256: string | null;
}

/** The values that field rules found on a page, by field name; a list if the rule asks for all values. A field without a value is absent. */
export type PageFields = Readonly<Record<string, string | readonly string[]>>;

/** The texts of a page that are judged, labelled and trained on; fields as in `Extraction`. `otherText` is absent if there is none, and in earlier versions. */
export interface PageTexts extends Pick<Extraction, 'title' | 'text' | 'lang'> {
  readonly otherText?: string;
  /** Kind of the document that has them. Absent for HTML and plain text. */
  readonly document?: Pick<PageDocument, 'kind'>;
}

/** Description of a service by its own document: OpenAPI or WSDL. */
export interface ApiDescription {
  readonly name: string;
  /** null if not stated. */
  readonly version: string | null;
  /** `path` is the name of the operation where calls have no paths; `summary` is null if not stated. */
  readonly operations: readonly { readonly method: string; readonly path: string; readonly summary: string | null }[];
  /** Addresses of the service, as written. */
  readonly endpoints: readonly string[];
}

/** A page that is a document other than HTML: its own statements. */
export interface PageDocument {
  readonly kind: DocumentKindName;
  /** Number of its pages; null for kinds without pages. */
  readonly pages: number | null;
  /** Title of its metadata as written, even if that is the name of a file; null without one. */
  readonly declaredTitle: string | null;
  /** Program that wrote it; null if not stated. */
  readonly producer: string | null;
  /** BCP 47, lower case; null if not stated. */
  readonly language: string | null;
  /** Offset in `text` at which each page begins, in UTF-16 units, ascending. Empty for kinds without pages. */
  readonly pageOffsets: readonly number[];
  /** A limit of size omitted the rest. */
  readonly cut: boolean;
  /** Description of a service. Absent for other kinds. */
  readonly api?: ApiDescription;
  /** Number of items of a feed. Absent for other kinds. */
  readonly items?: number;
}

/** A document that was turned into HTML: its pages begin at offsets of that. */
export interface HtmlOfDocument extends Omit<PageDocument, 'pageOffsets'> {
  readonly pageStarts: readonly number[];
}

/** One post of a thread: the opening post, a reply, a comment, an answer, a mail, an entry of a blog. */
export interface Post {
  /** Name of its author, as the page shows it; null if unknown. */
  readonly author: string | null;
  /** ISO 8601, as exact as the page states it; null if unknown, or only relative to today. */
  readonly published: string | null;
  /** Text with its lines, as in `Extraction.text`. Lines of quotes of other posts begin with `> `. */
  readonly text: string;
  /** 0 for the opening post, and for all posts of a thread without levels; 1 for a reply to it, and so on. */
  readonly depth: number;
  /** Address of the post, with the fragment; null if unknown. */
  readonly url: string | null;
}

export interface Extraction {
  readonly title: string;
  /**
   * Main text with its lines: a blank line between paragraphs, a line feed between items, rows and lines of verse, a tab between cells, and the blanks of
   * preformatted text. In records of 0.2, a paragraph a line.
   */
  readonly text: string;
  /** Absent if the page shows its text. */
  readonly textSource?: TextSource;
  /** Visible text outside the main text, a block a line: navigation, tables of links, footers. Topic models judge it too. Empty if there is none. */
  readonly otherText: string;
  /** BCP 47 language that the page or its headers declare, lower case, e.g. `en`, `zh-cn`; null if undeclared. */
  readonly lang: string | null;
  /**
   * Distinct URLs in document order. A URL linked twice keeps the sighting with the longer anchor text. After them come URLs that only the head links
   * to: `rel=next`, and the page in other languages.
   */
  readonly outlinks: readonly Outlink[];
  /** RSS and Atom feeds that the page declares (`<link rel=alternate>`), at most 50. Absent if there are none. */
  readonly feeds?: readonly CanonicalUrl[];
  /** The page has no text of its own: it is a wall in place of the content. Absent for other pages. */
  readonly wall?: PageWall;
  /** Page that looks empty without its scripts: little text, and marks of an application. True of every wall that needs JavaScript; absent for other pages. Never stored. */
  readonly shell?: true;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Stated by its metas and headers, without the file of its host. Absent if the page states nothing. */
  readonly reservation?: Reservation;
  /** All statements of the page and its headers about rights and use. Absent if there are none. */
  readonly rights?: readonly WrittenStatement[];
  readonly metadata: PageMetadata;
  /** Absent if metas, JSON-LD and microdata state all that is known. */
  readonly creditSources?: CreditSources;
  /** Absent if the page is not about one product, or states nothing about it. */
  readonly product?: PageProduct;
  /** The posts of a thread, in the order of the page. Absent for a page without a thread. */
  readonly posts?: readonly Post[];
  /** Absent for HTML and plain text. */
  readonly document?: PageDocument;
  /** {} for a page to which no field rule applies. */
  readonly fields: PageFields;
  /** The charset the bytes were decoded with, a WHATWG label. */
  readonly charset: string;
  /** The extractor's guesses and omissions. Extraction itself never fails. */
  readonly warnings: readonly string[];
}

/**
 * The blocks that a page alone leaves out of its main text, and that it may have if its siblings keep theirs, in the order of the page: a column for each
 * property, a number for each block. A block belongs between `text.slice(0, after)` and `text.slice(before)`.
 */
export interface SpareBlocks {
  /** Places as in `BlockVotes`. */
  readonly places: readonly number[];
  /** Path and words, as in `BlockVotes.lines`. */
  readonly lines: readonly number[];
  readonly after: readonly number[];
  readonly before: readonly number[];
  /** Line ends between a block and the one before it, and the one behind it: of the text, or spare too. */
  readonly gapsBefore: readonly number[];
  readonly gapsBehind: readonly number[];
  /** Number of its first line in the other text, and how many it has there: some preformatted text has more than one. */
  readonly others: readonly number[];
  readonly heights: readonly number[];
  /** Text of each with its lines; '' if those of the other text are the same. */
  readonly texts: readonly string[];
}

/**
 * Votes of a page about the template of its host: for each place, a path of classes with a position, whether the blocks there are main text. Places and
 * lines are hashes of 32 bits.
 */
export interface BlockVotes {
  /** Places of which most blocks are main text, ascending. */
  readonly kept: readonly number[];
  /** Places of which most blocks are none, ascending. */
  readonly left: readonly number[];
  /** Short blocks of main text, by path and words, ascending: labels, which siblings repeat. */
  readonly lines: readonly number[];
  readonly spare: SpareBlocks;
}

export interface FetchedPage {
  readonly url: CanonicalUrl;
  /** 2xx with content; or 304, without a body, if the request had conditions. */
  readonly status: number;
  readonly statusText: string;
  /** Raw header fields as received, in order, names in their own case. */
  readonly rawHeaders: readonly (readonly [string, string])[];
  /** Lower-case names. Repeated fields are joined by ', ', those of X-Robots-Tag by line feeds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header fields as sent, with the target of the request line; secret values are removed. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** The payload after content decoding. */
  readonly body: Uint8Array;
  /** The payload as it came over the wire, still compressed if it was (gzip, br). The same object as `body` if it was not encoded. */
  readonly wireBody: Uint8Array;
  /** A size limit cut the body, or the stream ended early. */
  readonly truncated: boolean;
  /** Start of the request. Fates, records and WARC records of the page all give this moment as its time (ISO 28500:2017 §5.4). */
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** Address to which the socket was connected; null if unknown or through a proxy. */
  readonly ip: string | null;
  /** The body is the document of a browser, whose scripts ran. Absent for a page as its server sent it. */
  readonly rendered?: true;
  /** The server said that a stored response still holds (304): status, fields and body are those of that response. Absent otherwise. */
  readonly confirmed?: true;
  /** Absent for HTTP/1.1. */
  readonly protocol?: 'h2';
  /**
   * Fault of the server's certificate, e.g. `CERT_HAS_EXPIRED`, if the user accepted that. Absent for trustworthy certificates and without
   * TLS.
   */
  readonly certificate?: string;
}

/** Rule that kept the crawl from fetching a URL or from keeping its page. */
export type RefusalReason =
  | 'opt-out'
  | 'robots'
  | 'robots-unreachable'
  | 'scope'
  | 'max-depth'
  | 'tunnel'
  /** A link to another host, which waits for the next round of a crawl by rounds. */
  | 'next-round'
  | 'private-address'
  | 'content-type'
  /** A sitemap or feed of a crawl that no longer requests any. */
  | 'no-sitemaps'
  | 'too-large'
  | 'redirect-limit'
  /** The crawl reads an archive, which has no answer for the URL. */
  | 'not-in-archive'
  | 'noindex'
  /** Documents that want a password, or that are pictures of pages. */
  | 'encrypted'
  | 'no-text'
  /** A hook of the user said so. */
  | 'hook'
  /** Taken back from the crawl. */
  | 'withdrawn'
  /** The earlier corpus of `--since` has the page with the same text. */
  | 'unchanged'
  | PageWall;

/** A page that the server sends in place of the content: a login; a dialog about cookies or consent; an application whose text is made by scripts. */
export type PageWall = (typeof PAGE_WALLS)[number];
export const PAGE_WALLS = ['login', 'consent-wall', 'needs-javascript'] as const;

export type FailureCode =
  | 'dns'
  | 'connect'
  | 'tls'
  /** A certificate that cannot be trusted, see `crawling/fetch/failures.ts`. */
  | 'certificate-expired'
  | 'certificate-self-signed'
  | 'certificate-name'
  | 'certificate-issuer'
  | 'proxy'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'http-4xx'
  | 'http-429'
  | 'http-5xx'
  | 'blocked'
  /** The page leads back to itself with a cookie, over other pages or not, and the crawl keeps none. */
  | 'needs-cookies'
  | 'decode'
  | 'read-timeout'
  | 'read-crash'
  /** A hook failed, in a crawl with strict hooks. */
  | 'hook'
  | 'internal';

/**
 * Cause of an unknown robots.txt: a failure, or a redirect to a URL that is private, that its host's rules forbid, or whose host opted out.
 */
export type RobotsTrouble = FailureCode | 'private-address' | 'robots' | 'opt-out';

/** Reason that a hook of the user gave, with the name of the hook. */
export interface HookWord {
  readonly hook: string;
  readonly word: string;
}

/** The part that hooks and a judge of the user had in the judgement of a page. */
export interface HookedPage {
  /** Relevance by the topic model. Absent if the relevance of the page is that one. */
  readonly modelRelevance?: Unit;
  /** The judge of the user gave the relevance. Absent if the hook `afterRead` did, or none. */
  readonly judgedBy?: 'judge';
  /** The reason that the hook or judge gives for its relevance. Absent without one. */
  readonly because?: string;
  /** Hooks that failed for this page, and judge and strategy of the user if they did, each with the cause. Absent if none did. */
  readonly troubles?: readonly string[];
}

/** Outcome of one request for one URL. Never thrown: a dead link is data. */
export type FetchOutcome =
  | { readonly kind: 'page'; readonly page: FetchedPage }
  /** `again` as in a failure: the URL redirects to itself, and the request would have another cookie. */
  | {
      readonly kind: 'redirect';
      readonly status: number;
      readonly to: CanonicalUrl;
      readonly ms: Ms;
      readonly again?: true;
      /** A page on the way may set the cookie that this one wants: another request is due after so long, when that page was requested. */
      readonly later?: Ms;
    }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      readonly status: number | null;
      readonly ms: Ms;
      /** Kind of a document that the crawl does not read, by its media type. Absent for other files. */
      readonly document?: DocumentKindName;
      /** The hook that refuses the URL, and its reason. Absent for other reasons. */
      readonly hook?: HookWord;
    }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      readonly status: number | null;
      readonly detail: string;
      readonly retryAfter: Ms | null;
      readonly ms: Ms;
      /**
       * Mark that a repeated request would now end in another way, since the fetcher has learned something. It is due as soon as its host
       * has rested. At most once a URL.
       */
      readonly again?: true;
      /** Mark that no later request would end in another way: the failure is in an archive. */
      readonly isFinal?: true;
    };

/** The page on which a link was found, with the facts for scoring and explaining its links. */
export interface Referrer {
  readonly url: CanonicalUrl;
  readonly title: string;
  readonly relevance: Unit;
  readonly depth: number;
  /** Hops since the last on-topic page on the way here; 0 when this page is on topic. */
  readonly offTopicDepth: number;
}

/** The evidence for a priority: a link and the page it is on. */
export interface Edge {
  readonly referrer: Referrer;
  /** An outlink without its URL and rel. */
  readonly link: LinkText;
  /** Number of pages from which the link scorer had learned when it gave the priority. */
  readonly learnedFrom: number;
}

export interface LinkText {
  readonly anchorText: string;
  readonly context: string;
  readonly imageAlt: string;
  readonly zone: LinkZone;
  readonly tagPath: string;
  /** The page model's relevance of the anchor text (and image alt) as a text by itself; null if the strategy does not use it. */
  readonly anchorScore: Unit | null;
  /** Page model's relevance of anchor text and context together; null if the strategy does not use it. */
  readonly contextScore: Unit | null;
  /** Factor of the priority, which a hook gave. Absent without one. */
  readonly weight?: Unit;
  /** The word of a strategy of the user. Absent without one. */
  readonly own?: OwnScore;
  /** Words and address as a learning link scorer reads them, from the thread that read the page. Absent if no scorer wants them; never stored. */
  readonly hashes?: LinkHashes;
}

/** Score of a link by a strategy of the user, with its terms: they add up to the priority, or `rule` says how it follows from them. */
export interface OwnScore {
  readonly priority: Unit;
  /** Absent: 0. */
  readonly bias?: number;
  readonly contributions: readonly (readonly [feature: string, contribution: number])[];
  readonly rule?: string;
}

/** Hashed features of a link, which do not depend on its page: `numbers[start, places)`, then its places: `numbers[places, end)`. Links of a page share the array. */
export interface LinkHashes {
  readonly numbers: Uint32Array;
  readonly start: number;
  readonly places: number;
  readonly end: number;
}

/** Files that list URLs: XML sitemaps with their indexes (sitemaps.org), and RSS or Atom feeds. Forager reads them only for their URLs. */
export type ListKind = 'sitemap' | 'feed';

/**
 * Hosts whose sitemaps and feeds a crawl reads. `auto`: hosts of seeds, and hosts that gave on-topic pages. `always`: each host that gave a page.
 * `never`: none.
 */
export const LISTS_FOLLOWED = ['auto', 'always', 'never'] as const;
export type ListsFollowed = (typeof LISTS_FOLLOWED)[number];

/** Languages in which a crawl follows the alternates of kept pages: primary subtags; an empty list follows none. */
export type FollowedLanguages = readonly string[] | 'all';

/** The kind of resource that a link leads to, and how the crawl requests it. */
export type LinkTask =
  | { readonly kind: 'page' }
  | AlternateTask
  /** `level`: number of indexes on the way to the list; 0 if a robots.txt, a page or the crawl itself names it. */
  | { readonly kind: 'list'; readonly list: ListKind; readonly level: number }
  /** A host's `tdmrep.json`, which contains rules and no URLs. */
  | { readonly kind: 'reservations' };

/**
 * A page in another language, which a kept page declares as its alternate; so may one of its alternates, or a list of URLs. The referrer of its link is
 * the kept page.
 */
export interface AlternateTask {
  readonly kind: 'alternate';
  /** Language of the kept page, a primary subtag; null if unknown. */
  readonly of: string | null;
  /** Number of alternates on the way from the kept page. */
  readonly hops: number;
  /** Relevance of the kept page to each of several topics. Absent for one topic. */
  readonly relevances?: readonly Unit[];
}

/** The purpose of a lease. `revisit` requests a page again that is in the corpus in this version. */
export type Task = LinkTask | RevisitTask;

/** A repeated request for a kept page, or for a list that was read. `last`: the result of the revisit before; null if this is the first one. */
export type RevisitTask =
  | {
      readonly kind: 'revisit';
      readonly of: 'page';
      readonly kept: KeptVersion;
      readonly last: RevisitResult | null;
      /** The task of its first visit. Absent for any other page. */
      readonly alternate?: AlternateTask;
    }
  | { readonly kind: 'revisit'; readonly of: 'list'; readonly list: Extract<LinkTask, { kind: 'list' }> }
  /** A seed that is off topic, which is asked for its links alone. */
  | { readonly kind: 'revisit'; readonly of: 'seed' };

/** The task of nearly all links. */
export const PAGE: LinkTask = { kind: 'page' };

/** The task of an alternate, at its first visit and at a revisit; null for any other. */
export function alternateIn(task: Task): AlternateTask | null {
  if (task.kind === 'alternate') return task;
  return task.kind === 'revisit' && task.of === 'page' ? (task.alternate ?? null) : null;
}

/** Does the task request a page for the first time? */
export function isFirstVisit({ kind }: Task): boolean {
  return kind === 'page' || kind === 'alternate';
}

/** A link on its way to the frontier: scored, or refused by a rule. */
export interface DiscoveredLink {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly priority: Unit;
  /** null when the link may be followed. */
  readonly refusal: RefusalReason | null;
  readonly text: LinkText;
  readonly task: LinkTask;
  /** Alternates of the page by the list of URLs that names it. Absent without any. */
  readonly alternates?: readonly Alternate[];
}

/** Links that were discovered together: the outlinks of one page, or the seeds (referrer null). */
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

/** A page in the corpus. */
export interface PageVersion {
  readonly recordId: RecordId;
  /** SHA-256 of the decoded payload, hex. */
  readonly payloadSha256: string;
  readonly relevance: Unit;
  /** Relevance to each topic, as in `Fate`. */
  readonly relevances?: readonly Unit[];
  /** The model that gave the relevance; for several topics, the committee. */
  readonly modelId: string;
  /** Print of its main text. Absent without text, and in earlier versions. */
  readonly print?: TextPrint;
}

/** The version that a revisit compares with. */
export type KeptVersion = Pick<PageVersion, 'recordId' | 'payloadSha256' | 'print'>;

/**
 * The result of a revisit of a kept page. `not-modified`: its server said so (304). `same`: it came with the same payload. `alike`: with another
 * payload, and a main text that has not changed (base/core/same-text.ts). `changed`: the corpus has another version. `moved`, `gone` (404, 410) and `noindex`: the version in the corpus stays.
 */
export type RevisitResult = 'not-modified' | 'same' | 'alike' | 'changed' | 'moved' | 'gone' | 'noindex';

/** Is the page not there any more: gone, moved, or not to be kept? */
export function isAbsence(result: RevisitResult): result is Exclude<AbsenceState, 'back'> {
  return result === 'gone' || result === 'moved' || result === 'noindex';
}

/** The last revisit of a kept page that got an answer. */
export interface Revisit {
  readonly at: EpochMs;
  readonly status: number;
  readonly result: RevisitResult;
  /** The newest version in the corpus. null while that is the first one, and in a settlement without a newer one. */
  readonly version: PageVersion | null;
  /** Evidence about the rate of change, of all revisits (crawling/revisits/change-evidence.ts). Absent in a settlement, and in earlier versions. */
  readonly evidence?: readonly number[];
}

/** A change of a kept page that made no version: it is gone (404, 410), moved (a redirect), asks not to be kept, or is back with its newest version. */
export type AbsenceState = 'gone' | 'moved' | 'noindex' | 'back';

/** A change of state of a kept page, as a revisit found it. */
export interface Absence {
  readonly url: CanonicalUrl;
  /** Start of the request. */
  readonly at: IsoTime;
  readonly status: number;
  readonly state: AbsenceState;
  /** Target of the redirect; null otherwise. */
  readonly to: CanonicalUrl | null;
  /** The newest version in the corpus at that time. */
  readonly recordId: RecordId;
}

/** The stored facts about the response of a version: for conditional requests, and to refer to. */
export interface StoredResponse {
  /** Validators (RFC 9110 §8.8), as received. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** WARC-Date of the response. */
  readonly date: string;
  readonly payloadDigest: string | null;
  /** Present for a page that is kept by its rendered document. Its server knows nothing of that: the validators are null. */
  readonly rendered?: true;
}

/** A WARC revisit record (ISO 28500:2017 §6.7): a page that has not changed. */
export interface RevisitRecord {
  readonly profile: 'server-not-modified' | 'identical-payload-digest';
  /** The response record with the payload. */
  readonly of: RecordId;
  /** null if unknown. */
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
  /** Number of failed fetches so far. */
  readonly attempts: number;
  readonly redirects: number;
  /** Mark of a visit drawn at random, regardless of its priority. Absent otherwise. */
  readonly explored?: true;
  /** Mark of a visit of the warm-up, a step of a random walk. Absent otherwise. */
  readonly warmUp?: true;
}

export interface Lease {
  readonly id: LeaseId;
  readonly entry: FrontierEntry;
  /** Does the frontier know the groups of its host (see `Queue.join`)? */
  readonly joined: boolean;
}

/** Limits on the wait for a host that is leased or rests. */
export interface Patience {
  /** Longest wait for any host. */
  readonly longest: Ms;
  /** Time that a page may take, if that is less. With ten awaited hosts, each may take ten times as long. Infinity: time does not matter; 0: no waiting. */
  readonly pace: Ms;
  /**
   * Priority of the best URL of other workers. A clearly worse one waits, if pace is Infinity: their pages come out of the same budget. Absent: there is none.
   */
  readonly elsewhere?: Unit;
}

export type NextLease =
  | { readonly kind: 'lease'; readonly lease: Lease }
  /** `outbid`: other workers have clearly better URLs. `onlyRevisits`: nothing else is left, and then a page may be due for a revisit. */
  | { readonly kind: 'wait'; readonly until: EpochMs; readonly outbid?: true; readonly onlyRevisits?: true }
  | { readonly kind: 'drained' };

/** The states of a discovered URL in the frontier; it is in exactly one. The frontier stores their places in this list. */
export const URL_STATES = ['waiting', 'leased', 'fetched', 'kept', 'off-topic', 'duplicate', 'refused', 'failed'] as const;
export type UrlState = (typeof URL_STATES)[number];

/** The states of a discovered URL as people read them, everywhere by the same word (see `state-words.ts`). */
export const STATE_NAMES = [...URL_STATES, 'parked'] as const;
export type StateName = (typeof STATE_NAMES)[number];

/** End of a URL, as the frontier stores it. */
export interface Fate {
  readonly state: Exclude<UrlState, 'waiting' | 'leased'>;
  readonly reason: Reason;
  readonly relevance: Unit | null;
  /** Relevance to each topic of a crawl of several topics, in the order of its manifest; `relevance` combines them. Absent otherwise. */
  readonly relevances?: readonly Unit[];
  /**
   * Topics for which a page was kept, in the order of the topics, before a later model judged it again: labels do not choose these pages.
   * Absent without a later model.
   */
  readonly keptFor?: readonly boolean[];
  /** The page is of a subtopic that a person wants more of. Absent otherwise. */
  readonly wanted?: true;
  /** The earlier corpus of `--since` has the kept page with another text. Absent otherwise. */
  readonly changed?: true;
  readonly status: number | null;
  /** Start of the last request for the URL. */
  readonly fetchedAt: EpochMs | null;
  readonly recordId: RecordId | null;
  /** SHA-256 of the decoded payload, hex, of a kept page or a duplicate; earlier versions have none for duplicates. */
  readonly payloadSha256: string | null;
  /** The texts of a judged page that is not in the corpus, for explaining, labelling and rejudging it. */
  readonly page: PageTexts | null;
  /** Simhash of the main text of a judged page; absent without text, and in earlier versions. */
  readonly simhash?: Simhash;
  /** The other half of the print of a kept page, as in `TextPrint`. Absent for other pages, and in earlier versions. */
  readonly lines?: number;
  /** Absent if no hook decided about the page, and none failed. */
  readonly hooked?: HookedPage;
  /** Absent if no browser rendered the page. */
  readonly rendered?: RenderedVisit;
  /** True if the URL used up one visit of the page budget: it was requested. */
  readonly visited: boolean;
}

/** Reason of a page that was read and not kept, that the active model finds on topic, and that waits again. */
export const REOPENED = 'reopened';

/** One line of the ledger. */
export interface LedgerLine {
  readonly url: CanonicalUrl;
  readonly state: StateName;
  readonly reason: string;
  /**
   * Place among the visited pages in the order of settlement, from 1. null for URLs that were not visited, and for sitemaps, feeds and `tdmrep.json`,
   * which are not pages.
   */
  readonly order: number | null;
  readonly depth: number;
  readonly priority: Unit;
  readonly relevance: Unit | null;
  /** Both as in `Fate`. */
  readonly relevances?: readonly Unit[];
  readonly keptFor?: readonly boolean[];
  readonly referrer: CanonicalUrl | null;
  readonly anchorText: string;
  readonly status: number | null;
  readonly fetchedAt: EpochMs | null;
  /** Fingerprint of the text, as in `Fate`. */
  readonly simhash?: Simhash;
  /** The part of hooks, as in `Fate`. */
  readonly hooked?: HookedPage;
  /** The part of a browser, as in `Fate`. */
  readonly rendered?: RenderedVisit;
  /**
   * Retry of a URL that waits because its request failed: the last reason, the number of tries, the time of the next try, and the earliest
   * time at which the crawl gives it up. the last reason, the number of tries, the time of the next try, and the earliest time at which the
   * crawl gives it up. Absent otherwise.
   */
  readonly retry?: { readonly reason: string; readonly attempts: number; readonly notBefore: EpochMs; readonly givenUp: EpochMs };
  /** The last revisit; `relevance` then belongs to the newest version. Absent without a revisit. */
  readonly revisit?: Revisit;
}

/** A topic as a crawl knows it; `id` is that of its model. */
export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly threshold: Unit;
}

/** The judgement of one of several topics about a page. */
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
  /**
   * Start of the request: the `WARC-Date` of its response. Corpora of Forager 0.1 have milliseconds since 1970, of the moment when the
   * answer had been read.
   */
  readonly fetchedAt: IsoTime;
  readonly title: string;
  readonly text: string;
  /** Text outside of the main text, as in `Extraction`. Absent if there is none, and in earlier versions. */
  readonly otherText?: string;
  readonly lang: string | null;
  /** Relevance of the page; of several topics, to the one to which it is most relevant. */
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly modelId: string;
  /** The judgements of all topics of a crawl of several topics. Absent otherwise. */
  readonly topics?: readonly TopicJudgement[];
  readonly depth: number;
  readonly referrer: CanonicalUrl | null;
  readonly anchorText: string;
  /** SHA-256 of the decoded payload, hex. */
  readonly payloadSha256: string;
  readonly metadata: PageMetadata;
  readonly fields: PageFields;
  /** Tags that a hook gave the page. Absent without any, and in earlier versions. */
  readonly tags?: readonly string[];
  /** Reserved rights, as in `Extraction`; in a harvest it includes the file of the host. Absent if nothing is stated. */
  readonly reservation?: Reservation;
  /**
   * The statements about rights and use that applied to the page when it was fetched, as written: of the page, its headers and robots.txt; in a
   * harvest also of other files of the host. Absent without any, and in earlier versions.
   */
  readonly rights?: readonly RightsStatement[];
  /** Places of authors and days, as in `Extraction`. Absent if the page states them, and in earlier versions. */
  readonly creditSources?: CreditSources;
  /** Product of the page, as in `Extraction`. Absent without one, and in earlier versions. */
  readonly product?: PageProduct;
  /** Source of the text, as in `Extraction`. Absent if the page shows it, and in earlier versions. */
  readonly textSource?: TextSource;
  /** The posts of a thread, as in `Extraction`. Absent for a page without a thread, and in earlier versions. */
  readonly posts?: readonly Post[];
  /** Absent for HTML and plain text, and in earlier versions. */
  readonly document?: PageDocument;
  /** Cost of the rendering from whose document the texts, links and fields are. Absent if they are from the page as the server sent it. */
  readonly rendered?: RenderCost;
  /** WARC records of that rendering. Absent without `rendered`. */
  readonly rendering?: RenderingRecords;
  /** Fault of the certificate, as in `FetchedPage`. */
  readonly certificate?: string;
  /** Record of the page in the earlier corpus of `--since`, which has another text. Absent for a new page, and without that option. */
  readonly changedFrom?: RecordId;
  /**
   * Kept page of which this one is an alternate, in a language that the model cannot read: `relevance` and `topics` are of that page. Absent for a page
   * that is kept by its own relevance, and in earlier versions.
   */
  readonly alternateOf?: CanonicalUrl;
}

/** A record as a crawl stores it, with the text that the page alone shows. */
export interface CrawlRecord extends CorpusRecord {
  /** The votes of its blocks on the texts of its siblings. Absent if there are none, and in earlier versions. */
  readonly votes?: BlockVotes;
}
