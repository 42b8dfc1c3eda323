/** The interface of a corpus that pages are read from: a crawl, a harvest, or several of them together. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, EpochMs } from '../../base/core/types.ts';
import type { ReservationFiles } from '../records/reservation-files.ts';
import type { Withdrawals } from '../records/withdrawals.ts';

/** A WARC file, up to its valid bytes. */
export interface WarcFile {
  readonly path: string;
  /** Number of valid bytes; Infinity for all. */
  readonly end: Bytes;
}

export interface CorpusSource {
  /** Name of the source in messages: the folder of a crawl's corpus or of a harvest. */
  readonly dir: string;
  /** The folders that are read. Output must not replace them. */
  readonly dirs: readonly string[];
  /**
   * The newest version of each page, in a fixed order: each call yields the same records.
   * @param onDamaged receives damaged records, which are omitted; without it they are errors
   * @throws DataError naming file and line
   */
  records(onDamaged?: OnDamaged): AsyncIterable<CorpusRecord>;
  /** Name of the corpus that supplies the page of a URL. Absent for one corpus. */
  partOf?(url: CanonicalUrl): string | null;
  /** The known reservations files of hosts; `records` has applied them. */
  readonly reservations: Pick<ReservationFiles, 'knows' | 'present'>;
  /** Pages that were taken back. `records` still has those that are stored. */
  readonly withdrawals: Withdrawals;
  /** Last moment that counts: later revisits of its pages are not part of it. Absent without a limit. */
  readonly until?: EpochMs;
  /** The WARC files, in the order of writing; empty if there are none. @throws DataError if the folder cannot be read */
  warcFiles(): Promise<readonly WarcFile[]>;
}
