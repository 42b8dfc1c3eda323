/** Steps on their way to the log that several workers share. */
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Discovery, Unit } from '../../base/core/types.ts';
import type { FrontierLog, LogMark } from './frontier-log.ts';
import type { LogEntry } from './log-entry.ts';
import { bestOf } from './log-rows.ts';

export class LogOutbox {
  readonly #log: FrontierLog;
  readonly #held: () => Iterable<number>;
  #entries: LogEntry[] = [];
  #passedOn: Discovery[] = [];
  #bestPassedOn: Unit | null = null;
  #commits = 0;
  #isTaking = false;

  /** @param held the partitions whose logs this process writes */
  constructor(log: FrontierLog, held: () => Iterable<number>) {
    [this.#log, this.#held] = [log, held];
  }

  /** A step was made here. It goes to the log with the next commit, unless it comes from there. */
  push(entry: LogEntry): void {
    if (!this.#isTaking) this.#entries.push(entry);
  }

  /** Runs a function that repeats steps of the log. */
  taking(repeat: () => void): void {
    this.#isTaking = true;
    try {
      repeat();
    } finally {
      this.#isTaking = false;
    }
  }

  /** Adds links to hosts of other workers to the next commit. */
  passOn(discovery: Discovery): void {
    this.#passedOn.push(discovery);
    this.#bestPassedOn = higher(this.#bestPassedOn, bestOf(discovery.links));
  }

  /** The highest priority of links to hosts of other workers that wait for the next commit; null without any. */
  get bestPassedOn(): Unit | null {
    return this.#bestPassedOn;
  }

  /** Is everything that was pushed in the log? */
  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#passedOn.length === 0 && this.#commits === 0;
  }

  /**
   * Takes everything pushed so far.
   * @param noted receives the held partitions of this moment, and the commit of the log
   * @returns writes it to the log
   */
  send(offsets: CorpusOffsets, noted: (held: readonly number[], mark: LogMark) => void): () => Promise<void> {
    const held = [...this.#held()];
    const write = this.#log.begin({ entries: this.#entries, passedOn: this.#passedOn, offsets });
    [this.#entries, this.#passedOn, this.#bestPassedOn] = [[], [], null];
    this.#commits += 1;
    return async () => {
      const mark = await write();
      this.#commits -= 1;
      noted(held, mark);
    };
  }
}

/** The higher of two priorities; null for none. */
export function higher(a: Unit | null, b: Unit | null): Unit | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
