/** What keeps pages. */

import type { FrozenVisit } from '../frozen-visit.ts';
import type { CanonicalUrl, CorpusRecord, FetchedPage, ReservationFile, RevisitRecord, Unit } from '../types.ts';
import type { CorpusOffsets } from './queueing.ts';

/** What a corpus takes. */
export type CorpusEntry =
  /** A page that is kept, with its request and response. */
  | { readonly kind: 'page'; readonly record: CorpusRecord; readonly page: FetchedPage }
  /** A kept page that is as it was, with request and response. */
  | { readonly kind: 'revisit'; readonly record: RevisitRecord; readonly page: FetchedPage }
  /** What a host's `tdmrep.json` came to. */
  | { readonly kind: 'reservations'; readonly file: ReservationFile }
  /** What a visit came to, as a frozen web has it: of a crawl that is recorded. */
  | { readonly kind: 'visit'; readonly visit: FrozenVisit };

export interface CorpusWriter {
  /** Does it take visits? */
  readonly recorded: boolean;
  /** Buffer one entry. Synchronous, so that it belongs to the same commit as its settlement. */
  append(entry: CorpusEntry): void;
  /** Offsets with everything appended so far. Synchronous. */
  offsets(): CorpusOffsets;
  /** Put everything appended before this call on disk; with a number, as what that commit is to have. @throws StoreError */
  flush(commit?: number): Promise<void>;
  close(): Promise<void>;
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
