/** The head of an open database, with the changes that the next commit stores. */
import { randomUUID } from 'node:crypto';
import type { CommitMark, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { LogMark } from './frontier-log.ts';
import type { Head, StoredHead } from './lmdb-head.ts';

/** Id of this process in the heads that it writes. */
const WRITER = randomUUID();

export class CurrentHead {
  readonly #crawl: string | null;
  /** null where nothing was ever committed. */
  lastCommit: CommitMark | null;
  runs: number;
  /** The topic model on which stored priorities are based; null if none was stored. */
  scoredBy: string | null;
  notes: CrawlNotes;
  readonly #heads: Map<number, number>;
  #logged: LogMark | null;
  /** Number of the last commit that stored priorities; null for none. */
  scored: number | null;

  /** @param crawl id of the crawl; null: the stored one */
  constructor(head: Omit<Head, 'entries' | 'checkpoint' | 'writer'>, crawl: string | null) {
    const { crawl: stored, commit, runs, scoredBy, notes, heads, logged, scored } = head;
    [this.#crawl, this.lastCommit, this.runs, this.scoredBy, this.notes] = [crawl ?? stored, commit, runs, scoredBy, notes];
    [this.#heads, this.#logged, this.scored] = [new Map(heads), logged, scored];
  }

  /** A copy of this moment: steps that are made or taken later belong to another commit. */
  copy(): CurrentHead {
    const { lastCommit: commit, runs, scoredBy, notes, heads, logged, scored } = this;
    return new CurrentHead({ crawl: this.#crawl, commit, runs, scoredBy, notes, heads, logged, scored }, null);
  }

  /** The number of the last commit that a view of a shared log has, by partition. */
  get heads(): ReadonlyMap<number, number> {
    return this.#heads;
  }

  /** The view has a partition's log up to this commit. */
  noteHead(partition: number, commit: number): void {
    this.#heads.set(partition, commit);
  }

  /** The last commit that a view of a shared log knows by its id; null for none. */
  get logged(): LogMark | null {
    return this.#logged;
  }

  /** The view knows this commit of the log. Commits without an id, and earlier ones, tell nothing. */
  noteLogged(mark: LogMark): void {
    if (mark.id !== null && mark.commit >= (this.#logged?.commit ?? 0)) this.#logged = mark;
  }

  /** The stored form, as of a commit. It names no checkpoint: something was written. */
  storedAs(mark: CommitMark): Omit<StoredHead, 'entries' | 'checkpoint'> {
    return {
      crawl: this.#crawl,
      ...mark,
      runs: this.runs,
      ...(this.scoredBy !== null && { scoredBy: this.scoredBy }),
      ...(Object.keys(this.notes).length > 0 && { notes: this.notes }),
      ...(this.#heads.size > 0 && { heads: [...this.#heads] }),
      ...(this.#logged !== null && { logged: this.#logged }),
      ...(this.scored !== null && { scored: this.scored }),
      writer: WRITER,
    };
  }
}
