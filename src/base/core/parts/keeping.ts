/** The parts that keep pages. */

import type { FrozenVisit } from '../frozen-visit.ts';
import type { RenderedDocument } from '../rendering.ts';
import type {
  Absence,
  CanonicalUrl,
  CrawlRecord,
  FetchedPage,
  HookWord,
  RecordId,
  ReservationFile,
  RevisitRecord,
  RobotsAnswer,
  StoredResponse,
  TextPrint,
  Unit,
} from '../types.ts';
import type { CorpusOffsets } from './queueing.ts';

/** An entry that a corpus accepts. */
export type CorpusEntry =
  /** A page that is kept, with its request and response. `document` is absent if it is kept as the server sent it. */
  | { readonly kind: 'page'; readonly record: CrawlRecord; readonly page: FetchedPage; readonly document?: RenderedDocument }
  /** A kept page that has not changed, with request and response. */
  | { readonly kind: 'revisit'; readonly record: RevisitRecord; readonly page: FetchedPage }
  /** The outcome of a request for a `tdmrep.json` or an RSL document; `page` is null if there is no such file. */
  | { readonly kind: 'reservations'; readonly file: ReservationFile; readonly page: FetchedPage | null }
  /** The answer to a request for a robots.txt; `page` is null if there is none, and for a text that did not change since its last answer. */
  | { readonly kind: 'robots'; readonly answer: RobotsAnswer; readonly page: FetchedPage | null }
  /** A kept page that is gone, moved or asks not to be kept, or is back: once for each change of state. */
  | { readonly kind: 'absence'; readonly absence: Absence }
  /** The outcome of a visit, as a frozen web stores it: only if the crawl is recorded. */
  | { readonly kind: 'visit'; readonly visit: FrozenVisit };

/** The word of a hook about a page that is about to be kept. `trouble`: the hook failed, and the record is as it was. */
export type KeepVerdict =
  | { readonly kind: 'keep'; readonly record: CrawlRecord; readonly trouble: string | null }
  | { readonly kind: 'drop'; readonly word: HookWord }
  | { readonly kind: 'failed' };

/** Asks the user's hook about a record before it is kept. Never rejects. */
export type AskBeforeKeep = (record: CrawlRecord) => Promise<KeepVerdict>;

export interface CorpusWriter {
  /** Does it accept visits? */
  readonly recorded: boolean;
  /** Buffers one entry. Synchronous, so that the entry belongs to the same commit as its settlement. */
  append(entry: CorpusEntry): void;
  /** Offsets that include everything appended so far. Synchronous. */
  offsets(): CorpusOffsets;
  /** Writes everything appended before this call to disk. The optional number is that of the commit to which the data belong. @throws StoreError */
  flush(commit?: number): Promise<void>;
  close(): Promise<void>;
}

/** The responses of kept pages, for conditional requests and revisit records. */
export interface StoredResponses {
  get(id: RecordId): StoredResponse | undefined;
  /** False for a record whose response is lost. */
  has(id: RecordId): boolean;
  /**
   * The corpus accepted an entry. Absent if no page of this run is revisited in it.
   * @param before the version that a page replaces, which is asked for no more
   */
  learn?(entry: CorpusEntry, before?: RecordId): void;
}

/** Payloads that are already kept, so that a page with two URLs is kept once. */
export interface KeptPayloads {
  /**
   * Claims a payload for `url`.
   * @param relevances to each of several topics. A payload counts as new if it is new to one of the page's topics, since words of its URL count too.
   * @returns null if the payload is new, otherwise the URL that has it. A promise if other workers are asked
   */
  claim(sha256: string, url: CanonicalUrl, relevances?: readonly Unit[]): CanonicalUrl | null | Promise<CanonicalUrl | null>;
  /** `url` now has another payload. */
  release(sha256: string, url: CanonicalUrl): void;
}

/** Payloads of a crawl without other workers. */
export interface OwnPayloads extends KeptPayloads {
  claim(sha256: string, url: CanonicalUrl, relevances?: readonly Unit[]): CanonicalUrl | null;
}

/** A page that was read, as it is compared with an earlier version. */
export interface ComparedPage {
  readonly url: CanonicalUrl;
  /** Print of its main text; undefined for a page without text. */
  readonly print: TextPrint | undefined;
  /** SHA-256 of the decoded payload, hex. */
  readonly payloadSha256: string;
}

/** The version of a page in an earlier corpus. */
export interface EarlierVersion {
  readonly recordId: RecordId;
  /** Has it the same payload, or the same main text? */
  readonly isSame: boolean;
}

/** The pages of an earlier corpus: a crawl keeps only those that are new or have changed since. */
export interface EarlierPages {
  /** @returns null for a page that the corpus does not have */
  compare(page: ComparedPage): EarlierVersion | null;
}
