/** The run of this process, as the page sees and steers it. */
import type { Steering } from '../app/steering.ts';
import { UsageError } from '../core/errors.ts';
import type { ActionName, RunningVisit } from '../core/parts/crawl-events.ts';
import type { FrontierCounts } from '../core/parts/queueing.ts';
import type { EpochMs } from '../core/types.ts';
import { STRINGS } from './strings.ts';

export interface RunControls {
  readonly maxPages: number | null;
  /** When the time is up; null without a limit. */
  readonly endsAt: EpochMs | null;
  /** Ends the run as Ctrl-C does. */
  readonly stop: () => void;
}

/** Fed by the events of the crawl. A held run finishes its visits and starts no other. */
export class RunInHand {
  readonly #controls: RunControls;
  #counts: (() => FrontierCounts) | null = null;
  #visits: (() => Iterable<RunningVisit>) | null = null;
  #unpark: (pattern: string) => readonly string[] = () => [];
  readonly #released: string[] = [];
  readonly #seeds: string[] = [];
  #steering: Steering | null = null;
  /** Actions from before the crawl opened. */
  readonly #unsaid: [action: ActionName, subjects: readonly string[]][] = [];
  #held = false;
  #stopping = false;

  constructor(controls: RunControls) {
    this.#controls = controls;
  }

  /** To be called when the crawl opens. */
  opened(
    counts: () => FrontierCounts,
    visits: () => Iterable<RunningVisit>,
    unpark?: (pattern: string) => readonly string[],
    steering?: Steering,
  ): void {
    this.#counts = counts;
    this.#visits = visits;
    if (unpark) this.#unpark = unpark;
    if (steering) this.#steering = steering;
    for (const [action, subjects] of this.#unsaid.splice(0)) this.acted(action, subjects);
  }

  /** For `mayFetch` of the crawl. */
  readonly mayFetch = (): boolean => !this.#held;

  get state(): 'opening' | 'running' | 'paused' | 'stopping' {
    if (this.#stopping) return 'stopping';
    if (this.#counts === null) return 'opening';
    return this.#held ? 'paused' : 'running';
  }

  get maxPages(): number | null {
    return this.#controls.maxPages;
  }

  get endsAt(): EpochMs | null {
    return this.#controls.endsAt;
  }

  /** null while the crawl is being opened. O(1). */
  counts(): FrontierCounts | null {
    return this.#counts?.() ?? null;
  }

  visits(): RunningVisit[] {
    return [...(this.#visits?.() ?? [])];
  }

  /** Patterns that the page released in this run. They are stored with the next commit. */
  get released(): readonly string[] {
    return this.#released;
  }

  /** @returns the released patterns; none if no such pattern is parked */
  unpark(pattern: string): readonly string[] {
    const released = this.#unpark(pattern);
    if (released.length > 0) this.acted('unpark', released);
    this.#released.push(...released.filter((name) => !this.#released.includes(name)));
    return released;
  }

  /** Seeds that the page added in this run. */
  get seeds(): readonly string[] {
    return this.#seeds;
  }

  /** @throws UsageError as `Steering.addSeeds`, and before the crawl is open; StoreError */
  addSeeds(urls: readonly string[]): void {
    if (this.#steering === null) throw new UsageError(STRINGS.seeds.notOpen);
    this.#steering.addSeeds(urls);
    this.#seeds.push(...urls.filter((url) => !this.#seeds.includes(url)));
    this.acted('seeds', urls);
  }

  /** Reports an action of the page to the log of the crawl. */
  acted(action: ActionName, subjects: readonly string[] = []): void {
    if (this.#steering === null) this.#unsaid.push([action, subjects]);
    else this.#steering.acted(action, 'page', subjects);
  }

  pause(): void {
    if (!this.#held) this.acted('pause');
    this.#held = true;
  }

  resume(): void {
    if (this.#held) this.acted('resume');
    this.#held = false;
  }

  stop(): void {
    if (!this.#stopping) this.acted('stop');
    this.#stopping = true;
    this.#controls.stop();
  }
}
