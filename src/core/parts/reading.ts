/** What reads and judges: pages, lists of URLs, files of reservations. */
import type {
  CanonicalUrl,
  Extraction,
  FetchedPage,
  FetchOutcome,
  HostKey,
  LinkText,
  ListKind,
  ReservationRule,
  Simhash,
  Unit,
} from '../types.ts';

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

/** A text that is no page. */
export interface JudgedWords {
  readonly title: string;
  readonly text: string;
}

/** `url` and `lang` (BCP 47) are null when not known. */
export interface JudgedPage extends JudgedWords {
  readonly url: string | null;
  readonly lang: string | null;
}

/** What is judged. */
export type JudgedText = JudgedWords | JudgedPage;

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
