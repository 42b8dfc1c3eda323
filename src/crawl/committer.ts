import type { Clock } from '../core/clock.ts';
import type { Emit } from '../core/parts/crawl-events.ts';
import type { CorpusWriter } from '../core/parts/keeping.ts';
import type { Durable } from '../core/parts/queueing.ts';
import type { Ms } from '../core/types.ts';

/** A commit costs one fsync, about 7 ms: sharing it among up to 100 settlements or a quarter of a second makes it cheap, and a crash costs at most that much. */
const COMMIT_EVERY = 100;
const COMMIT_AFTER: Ms = 250;

/** One commit of all that was settled and appended: offsets, corpus and settlements are taken in one tick, so that they are of one moment. @throws StoreError */
export function commitAll(
  frontier: Pick<Durable, 'commit' | 'lastCommit'>,
  corpus: Pick<CorpusWriter, 'offsets' | 'flush'>,
): Promise<void> {
  const number = (frontier.lastCommit()?.number ?? 0) + 1;
  return frontier.commit(corpus.offsets(), corpus.flush(number));
}

interface CommitterParts {
  readonly clock: Clock;
  readonly frontier: Pick<Durable, 'commit' | 'lastCommit' | 'storePriorities'>;
  readonly corpus: Pick<CorpusWriter, 'offsets' | 'flush'>;
  readonly emit: Emit;
}

/**
 * Group commit: settlements and the corpus records that belong to them become durable together, corpus first.
 * A failed commit is kept and thrown by `finish`; `failed` tells the loop to stop.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #onFailure: (failure: unknown) => void;
  readonly #closed = new AbortController();
  #pending = 0;
  #timing = false;
  #running: Promise<void> | null = null;
  #failure: unknown = null;

  /** @param onFailure told when a commit has failed, so that nobody waits for anything else. */
  constructor(parts: CommitterParts, onFailure: (failure: unknown) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** One more settlement waits to be committed. */
  settled(): void {
    this.#pending += 1;
    if (this.#pending >= COMMIT_EVERY) this.#start();
    else if (!this.#timing) void this.#startLater();
  }

  /** Nothing more can be committed: the loop is to stop, and `finish` to throw. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#onFailure(this.#failure);
  }

  /** Commit what is left, with the priorities of what waits. @throws what the first failed commit threw. */
  async finish(): Promise<void> {
    this.#closed.abort();
    // What was settled during a commit begins another one as it ends.
    while (this.#running) await this.#running;
    this.#start(this.#parts.frontier.storePriorities());
    await this.#running;
    if (this.#failure !== null) throw this.#failure;
  }

  async #startLater(): Promise<void> {
    this.#timing = true;
    await this.#parts.clock.sleep(COMMIT_AFTER, this.#closed.signal);
    this.#timing = false;
    if (!this.#closed.signal.aborted) this.#start();
  }

  /** @param evenWithout settlements */
  #start(evenWithout = false): void {
    if (this.#running || (this.#pending === 0 && !evenWithout) || this.failed) return;
    this.#running = this.#commit()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#running = null;
        // What is pending without a timer has had its quarter of a second while this commit ran.
        if (this.#pending >= COMMIT_EVERY || !this.#timing) this.#start();
      });
  }

  async #commit(): Promise<void> {
    const { clock, frontier, corpus, emit } = this.#parts;
    const settlements = this.#pending;
    const startedAt = clock.now();
    this.#pending = 0;
    await commitAll(frontier, corpus);
    emit({ type: 'committed', at: clock.now(), settlements, ms: clock.now() - startedAt });
  }
}
