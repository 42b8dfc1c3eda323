/** What keeps pages. */

import type { FrozenVisit } from '../frozen-visit.ts';
import type { CanonicalUrl, CorpusRecord, FetchedPage, ReservationFile, RevisitRecord, Unit } from '../types.ts';
import type { CorpusOffsets } from './queueing.ts';

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
