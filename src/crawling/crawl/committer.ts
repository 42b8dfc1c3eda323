import type { Clock } from '../../base/core/clock.ts';
import type { Emit } from '../../base/core/parts/crawl-events.ts';
import type { CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { Durable } from '../../base/core/parts/queueing.ts';
import type { Ms } from '../../base/core/types.ts';

/** A commit costs one fsync, about 7 ms. Up to 100 settlements, or a quarter of a second, share it. A crash costs at most that much work. */
const COMMIT_EVERY = 100;
const COMMIT_AFTER: Ms = 250;

/**
 * One commit of everything that was settled and appended. Offsets, corpus and settlements are taken in one tick, so they belong to the same moment.
 * @throws StoreError
 */
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
 * Group commit: settlements and their corpus records become durable together, corpus first. `finish` throws the error of a failed commit; `failed`
 * tells the loop to stop.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #onFailure: (failure: unknown) => void;
  readonly #closed = new AbortController();
  #pending = 0;
  #isAdded = false;
  #timing = false;
  #running: Promise<void> | null = null;
  #failure: unknown = null;

  /** @param onFailure called when a commit has failed, so that nothing waits any longer. */
  constructor(parts: CommitterParts, onFailure: (failure: unknown) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** One more settlement waits for a commit. */
  settled(): void {
    this.#pending += 1;
    if (this.#pending >= COMMIT_EVERY) this.#start();
    else if (!this.#timing) void this.#startLater();
  }

  /** Something without a settlement waits for a commit. */
  added(): void {
    this.#isAdded = true;
    if (!this.#timing) void this.#startLater();
  }

  /** Nothing more can be committed: the loop has to stop, and `finish` throws. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#onFailure(this.#failure);
  }

  /** Commits the rest, and the priorities of waiting URLs. @throws the error of the first failed commit. */
  async finish(): Promise<void> {
    this.#closed.abort();
    // A settlement made during a commit starts another commit when that one ends.
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
    if (this.#running || (this.#pending === 0 && !this.#isAdded && !evenWithout) || this.failed) return;
    this.#running = this.#commit()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#running = null;
        // A pending settlement without a timer has already waited a quarter of a second, during this commit.
        if (this.#pending >= COMMIT_EVERY || !this.#timing) this.#start();
      });
  }

  async #commit(): Promise<void> {
    const { clock, frontier, corpus, emit } = this.#parts;
    const settlements = this.#pending;
    const startedAt = clock.now();
    this.#pending = 0;
    this.#isAdded = false;
    await commitAll(frontier, corpus);
    emit({ type: 'committed', at: clock.now(), settlements, ms: clock.now() - startedAt });
  }
}
