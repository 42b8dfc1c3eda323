/** The log that several frontiers write. */
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Discovery } from '../../base/core/types.ts';
import type { LogEntry } from './log-entry.ts';

/** Everything that one commit adds to the log of a crawl. */
export interface LogBatch {
  /** Steps, in the order in which they happened. */
  readonly entries: readonly LogEntry[];
  /** Links to hosts of other workers. */
  readonly passedOn: readonly Discovery[];
  /** Sizes of the files of the corpus. */
  readonly offsets: CorpusOffsets;
}

/** A commit of the log. */
export interface LogMark {
  readonly commit: number;
  /** Tells it from the commit of this number in another history, such as one that continued from an older copy. null: a commit of Forager 0.2. */
  readonly id: string | null;
}

/** The log that a frontier shares with others. It is the truth; the database of this process is a view of it. */
export interface FrontierLog {
  /**
   * Starts a commit. All parts of it are taken at this moment.
   * @returns makes it durable: it resolves with the commit, and rejects if the log refuses it
   */
  begin(batch: LogBatch): () => Promise<LogMark>;
}
