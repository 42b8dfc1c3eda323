/** The run of this process, as the page sees and steers it. */
import type { RunningVisit } from '../core/parts/crawl-events.ts';
import type { FrontierCounts } from '../core/parts/queueing.ts';
import type { EpochMs } from '../core/types.ts';
import type { Run, RunNow } from './run.ts';

export interface RunControls {
  readonly maxPages: number | null;
  /** When the time is up; null without a limit. */
  readonly endsAt: EpochMs | null;
  /** Ends the run as Ctrl-C does. */
  readonly stop: () => void;
}

/** Fed by the events of the crawl. A held run finishes its visits and starts no other. */
export class RunInHand implements Run {
  readonly #controls: RunControls;
  #counts: (() => FrontierCounts) | null = null;
  #visits: (() => Iterable<RunningVisit>) | null = null;
  #unpark: (pattern: string) => readonly string[] = () => [];
  readonly #released: string[] = [];
  #held = false;
  #stopping = false;

  constructor(controls: RunControls) {
    this.#controls = controls;
  }

  /** To be called when the crawl opens. */
  opened(counts: () => FrontierCounts, visits: () => Iterable<RunningVisit>, unpark?: (pattern: string) => readonly string[]): void {
    this.#counts = counts;
    this.#visits = visits;
    if (unpark) this.#unpark = unpark;
  }

  /** For `mayFetch` of the crawl. */
  readonly mayFetch = (): boolean => !this.#held;

  get state(): 'opening' | 'running' | 'paused' | 'stopping' {
    if (this.#stopping) return 'stopping';
    if (this.#counts === null) return 'opening';
    return this.#held ? 'paused' : 'running';
  }

  now(): RunNow {
    const { maxPages, endsAt } = this.#controls;
    return { state: this.state, visited: this.#counts?.().visited ?? 0, maxPages, endsAt, released: this.#released, warnings: [] };
  }

  /** null while the crawl is being opened. O(1). */
  counts(): FrontierCounts | null {
    return this.#counts?.() ?? null;
  }

  visits(): RunningVisit[] {
    return [...(this.#visits?.() ?? [])];
  }

  unpark(pattern: string): readonly string[] {
    const released = this.#unpark(pattern);
    this.#released.push(...released.filter((name) => !this.#released.includes(name)));
    return released;
  }

  pause(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
  }

  stop(): void {
    this.#stopping = true;
    this.#controls.stop();
  }
}
