/** The log that several frontiers write. */
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Discovery } from '../core/types.ts';
import type { LogEntry } from './log-entry.ts';

/** Everything that one commit adds to the log of a crawl. */
export interface LogBatch {
  /** In the order in which they happened. */
  readonly entries: readonly LogEntry[];
  /** Links to hosts of other workers. */
  readonly passedOn: readonly Discovery[];
  /** Sizes of the files of the corpus. */
  readonly offsets: CorpusOffsets;
}

/** The log that a frontier shares with others. It is the truth; the database of this process is a view of it. */
export interface FrontierLog {
  /**
   * Starts a commit. All parts of it are taken at this moment.
   * @returns makes it durable: it resolves with the number of the commit, and rejects if the log refuses it
   */
  begin(batch: LogBatch): () => Promise<number>;
}
