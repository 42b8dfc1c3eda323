import type { Discovery, HostKey } from '../../src/base/core/types.ts';
import type { FrontierLog } from '../../src/crawling/frontier/frontier-log.ts';
import type { LogEntry } from '../../src/crawling/frontier/log-entry.ts';
import { entriesIn, type LogRow, logRowsOf, packPassedOn, unpackPassedOn } from '../../src/crawling/frontier/log-rows.ts';

export const PARTITIONS = 4;

/** By the last letter of the host before its first dot: `a.test` is in partition 1. */
export function partitionOf(host: HostKey): number {
  return (host.split('.')[0]?.at(-1) ?? '').charCodeAt(0) % PARTITIONS;
}

interface Commit {
  readonly rows: readonly LogRow[];
}

type Letter = ReturnType<typeof packPassedOn>[number];

/** The end of the log at which one worker writes and reads. */
export interface LogEnd extends FrontierLog {
  /** The links for its partitions that it has not read yet. They leave the inbox with its next commit. */
  received(): Discovery[];
}

/** A log in memory that several frontiers share. */
export class MemoryLog {
  readonly #commits: Commit[] = [];
  inbox: Letter[] = [];
  /** The next commit fails with it. */
  failure: Error | null = null;

  end(held: () => Iterable<number>): LogEnd {
    const read = new Set<Letter>();
    return {
      received: () => {
        const partitions = new Set(held());
        const mine = this.inbox.filter((one) => partitions.has(one.partition) && !read.has(one));
        for (const one of mine) read.add(one);
        return mine.flatMap(({ body }) => unpackPassedOn(body));
      },
      begin: ({ entries, passedOn }) => {
        const rows = logRowsOf(entries, partitionOf, held());
        const links = packPassedOn(passedOn, partitionOf);
        const applied = new Set(read);
        return async () => {
          const { failure } = this;
          this.failure = null;
          if (failure) throw failure;
          this.#commits.push({ rows });
          this.inbox = [...this.inbox.filter((one) => !applied.has(one)), ...links];
          return { commit: this.#commits.length, id: null };
        };
      },
    };
  }

  /** A commit of no worker. */
  append(...entries: readonly LogEntry[]): void {
    this.#commits.push({ rows: logRowsOf(entries, partitionOf, []) });
  }

  get last(): number {
    return this.#commits.length;
  }

  /** What a view lacks of some partitions. */
  *entriesAfter(heads: ReadonlyMap<number, number>, partitions: readonly number[]): Generator<LogEntry> {
    for (const [i, { rows }] of this.#commits.entries())
      yield* entriesIn(rows.filter(({ partition }) => partitions.includes(partition) && i + 1 > (heads.get(partition) ?? 0)));
  }
}
