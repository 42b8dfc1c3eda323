/** The parts that read and judge: pages, URL lists, files of reservations. */
import type { Rendering } from '../rendering.ts';
import type {
  Alternate,
  BlockVotes,
  CanonicalUrl,
  EpochMs,
  Extraction,
  FetchedPage,
  FetchOutcome,
  HookedPage,
  HookWord,
  HostKey,
  HtmlOfDocument,
  LinkText,
  ListKind,
  PageDocument,
  ReservationFile,
  Simhash,
  Unit,
  WrittenStatement,
} from '../types.ts';

/** A page as an extractor reads it. */
export interface ReadablePage {
  readonly url: CanonicalUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The document that the HTML of `body` was made from. Absent for other pages. */
  readonly document?: HtmlOfDocument;
  /** Mark of a document whose scripts ran. Default: false. */
  readonly rendered?: boolean;
}

/** HTML bytes to title, main text and outlinks. Pure and synchronous; never throws. */
export interface Extractor {
  extract(page: ReadablePage): Extraction;
}

/** One additive share of a logit. */
export interface Contribution {
  readonly feature: string;
  readonly contribution: number;
  /** A word that no given page of the training has: it is judged by word vectors alone, beside the bundled background. Absent otherwise. */
  readonly unshown?: true;
  /** Shown words that an unshown one stands near, the nearest first. Absent if they are not known. */
  readonly near?: readonly string[];
}

export interface Explanation {
  /** Sum of `bias` and all contributions, in natural-log odds. Relevance follows from it, unless a rule overrides it. */
  readonly logit: number;
  readonly bias: number;
  /** Every contribution that is not zero, largest magnitude first. */
  readonly contributions: readonly Contribution[];
}

/** Grounds for a page's judgement. */
export interface TopicExplanation extends Explanation {
  /** The rule that the topic has in addition to its model: its text, the relevance it gives the page, and each of its conditions. Absent without a rule. */
  readonly rule?: {
    readonly text: string;
    readonly relevance: Unit;
    readonly conditions: readonly { readonly condition: string; readonly value: Unit }[];
    /** The relevance without each NOT that excludes. Absent if the rule has none. */
    readonly withoutNot?: Unit;
  };
  /** The wish of a person about the subtopic of the page, which is on topic without it. Absent without one. */
  readonly steering?: { readonly way: 'more' | 'none'; readonly subtopic: string };
}

/** A text that is not a page. */
export interface JudgedWords {
  readonly title: string;
  readonly text: string;
  /** Visible text outside the main text; judged like it. Absent if unknown. */
  readonly otherText?: string;
}

/** `url` and `lang` (BCP 47) are null if unknown. */
export interface JudgedPageText extends JudgedWords {
  readonly url: string | null;
  readonly lang: string | null;
  /** Absent for HTML and plain text. */
  readonly document?: Pick<PageDocument, 'kind'>;
}

/** A text to judge. */
export type JudgedText = JudgedWords | JudgedPageText;

export interface TopicModel {
  /** SHA-256 of weights and settings, hex, first 16 characters. */
  readonly id: string;
  readonly name: string;
  /** A page at or above this relevance is on topic. */
  readonly threshold: Unit;
  /** Relevance of one page, in [0, 1]. */
  judge(page: JudgedText): Unit;
  /** Is the page off topic only because of a NOT of the rule? Absent from models without rules. */
  excludes?(page: JudgedText): boolean;
  /** The wish of a person about the subtopic of a page, which is on topic without it. Absent from models without wishes. */
  steeredAs?(page: JudgedText, relevance: Unit): 'wanted' | 'unwanted' | null;
  /** Relevance of a text that is not a page, such as the words of a link. Rules do not apply to it. */
  judgeText(text: string): Unit;
  explain(page: JudgedText): TopicExplanation;
}

/** An outlink in the form that a link scorer needs. */
export interface ReadLink {
  readonly url: CanonicalUrl;
  readonly text: LinkText;
  /** Time of the last change of the page by the list that names it. Absent for a link of a page, and if the list states none. */
  readonly modified?: EpochMs;
  /** Alternates of the page by that list, the page perhaps among them. Absent as above. */
  readonly alternates?: readonly Alternate[];
}

/** Words of a link that the page model judges: fewer are cheaper to read. */
export type LinkJudgement = 'none' | 'context' | 'anchor-and-context';

/** The result of reading one page: extraction and judgement, made off the main thread. */
export type ReadOutcome =
  | {
      readonly kind: 'read';
      readonly extraction: Omit<Extraction, 'outlinks'>;
      /** The outlinks, with the page model's scores of their words. */
      readonly links: readonly ReadLink[];
      readonly relevance: Unit;
      /** Relevance to each topic of a crawl of several topics, in their order. Absent otherwise. */
      readonly relevances?: readonly Unit[];
      /** Only the NOT of a rule keeps it off topic. Absent otherwise. */
      readonly excluded?: true;
      /** The page is on topic, and of a subtopic that a person wants more of; or only the wish for none of its subtopic keeps it off topic. Absent otherwise. */
      readonly steered?: 'wanted' | 'unwanted';
      /** Simhash of the main text. Absent from readers whose crawls do not look for near-duplicates. */
      readonly simhash?: Simhash;
      /** The votes of its blocks on the text of its siblings. Absent if it has none. */
      readonly votes?: BlockVotes;
      /** The part of hooks in this outcome. Absent if they had none. */
      readonly hooked?: HookedPage;
      /** A hook keeps the page out of the corpus. Absent otherwise. */
      readonly dropped?: HookWord;
      /** Tags by a hook. Absent without any. */
      readonly tags?: readonly string[];
      /** Kept page whose relevance this page has, as its alternate in a language that the model cannot read. Absent for other pages. */
      readonly alternateOf?: CanonicalUrl;
      /** The rendering by a browser. Absent if none rendered the page. */
      readonly rendering?: Rendering;
    }
  /** A document without text, or with a password. `pages` is null if unknown. */
  | { readonly kind: 'refused'; readonly reason: 'encrypted' | 'no-text'; readonly pages: number | null }
  /** `decode`: a damaged document. `hook`: a hook failed, in a crawl with strict hooks. */
  | { readonly kind: 'failed'; readonly code: 'read-timeout' | 'read-crash' | 'decode' | 'hook'; readonly detail: string };

/** Extracts and judges in a worker pool, with limits of time and memory per page. */
export interface PageReader {
  read(page: FetchedPage): Promise<ReadOutcome>;
  /** Links to this URL are no longer useful: pages read from now on may omit them. Absent if all links are needed. */
  markSettled?(url: CanonicalUrl): void;
  close(): Promise<void>;
}

/** The result of reading a URL list. */
export type ListOutcome =
  | {
      readonly kind: 'list';
      /** Pages, distinct. */
      readonly links: readonly ReadLink[];
      /** Sitemaps that an index names, distinct. */
      readonly lists: readonly CanonicalUrl[];
    }
  | Extract<ReadOutcome, { kind: 'failed' }>;

/** Sitemaps and feeds: fetched as files of any media type, with the same guards as pages, and read off the main thread. */
export interface ListSource {
  /** Address at which a host whose robots.txt names no sitemap usually has one. */
  usualPlaceOf(host: HostKey): CanonicalUrl;
  /** Does the URL look like that of a sitemap or feed? */
  mayBeList(url: CanonicalUrl): boolean;
  fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome>;
  /** Never executes or resolves anything in the file. */
  read(page: FetchedPage, kind: ListKind): Promise<ListOutcome>;
  /** Pages that a file of the user names, as links. Their titles are judged like anchor texts; '' for none. */
  linksTo(pages: readonly { readonly url: CanonicalUrl; readonly title: string }[]): Promise<ListOutcome>;
}

/** Seeds: a person may name a sitemap or a feed in place of a page. */
export interface SeedSource {
  /** Does the URL look like that of a sitemap or feed? A scope, which is about pages, does not keep the crawl from asking for it. */
  mayBeList(url: CanonicalUrl): boolean;
  /** Fetches as the crawl fetches a page, but sitemaps and feeds arrive as well. */
  fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome>;
  /** Kind of a fetched file by its first bytes, not by its media type; null if it is neither. */
  kindOf(page: FetchedPage): 'page' | ListKind | null;
}

/** Pages in other languages that a crawl follows. */
export interface AlternateSource {
  /** Does the crawl follow an alternate in this language? @param lang BCP 47, or `x-default`, which is none */
  follows(lang: string): boolean;
  /** Primary subtag of a language; null for `x-default`. */
  primaryOf(lang: string): string | null;
  /** Primary subtag of the language of a page, by its text, otherwise by its declaration; null if unknown. */
  languageOf(page: Pick<Extraction, 'lang' | 'text'>): string | null;
  /** Is a page in a followed language, by its text or by its declaration? true if its language is unknown. */
  mayTake(page: Pick<Extraction, 'lang' | 'text'>): boolean;
}

/** Files of hosts about rights and use: `tdmrep.json`, and documents of Really Simple Licensing. */
export interface ReservationSource {
  /** The files about a page: the `tdmrep.json` of its host, and the licences that its statements name. */
  urlsFor(host: HostKey, stated: readonly WrittenStatement[]): readonly CanonicalUrl[];
  /** Fetches a file of any media type, with the same guards as pages. */
  fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome>;
  /** The rules of a `tdmrep.json`, or the terms of another file, in their order; empty for a file that is neither. Never throws. */
  read(body: Uint8Array, url: CanonicalUrl): Pick<ReservationFile, 'rules' | 'terms'>;
}
