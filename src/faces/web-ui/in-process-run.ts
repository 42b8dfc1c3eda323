/** The run of this process, as the page sees and steers it. */

import { UsageError } from '../../base/core/errors.ts';
import type { ActionName } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs } from '../../base/core/types.ts';
import type { CrawlHandle } from '../app/crawl-handle.ts';
import type { Run, RunNow } from './run.ts';
import { STRINGS } from './strings.ts';

/** Number of seeds that the screen of seeds shows. */
const NAMED_SEEDS = 40;

export interface RunControls {
  readonly maxPages: number | null;
  /** End of the run's time; null without a limit. */
  readonly endsAt: EpochMs | null;
  /** Ends the run as Ctrl-C does. */
  readonly stop: () => void;
}

/** The members of the handle that a page needs. */
export type OpenedRun = Pick<CrawlHandle, 'counts' | 'unpark' | 'addSeeds' | 'acted'>;

/** Fed by the events of the crawl. A held run finishes its visits and starts no other. */
export class InProcessRun implements Run {
  readonly #controls: RunControls;
  /** null before the crawl opens. */
  #crawl: OpenedRun | null = null;
  readonly #released: string[] = [];
  readonly #seeds = new Set<string>();
  /** Actions from before the crawl opened. */
  readonly #unsaid: [action: ActionName, subjects: readonly string[]][] = [];
  #held = false;
  #stopping = false;

  constructor(controls: RunControls) {
    this.#controls = controls;
  }

  /** Connects the crawl when it opens, and passes on the actions from before. */
  opened(crawl: OpenedRun): void {
    this.#crawl = crawl;
    for (const [action, subjects] of this.#unsaid.splice(0)) this.acted(action, subjects);
  }

  /** The function `mayFetch` of the crawl. */
  readonly mayFetch = (): boolean => !this.#held;

  get state(): 'opening' | 'running' | 'paused' | 'stopping' {
    if (this.#stopping) return 'stopping';
    if (this.#crawl === null) return 'opening';
    return this.#held ? 'paused' : 'running';
  }

  now(): RunNow {
    const { maxPages, endsAt } = this.#controls;
    const visited = this.#crawl?.counts().visited ?? 0;
    return {
      state: this.state,
      visited,
      maxPages,
      endsAt,
      released: this.#released,
      seeds: { count: this.#seeds.size, last: [...this.#seeds].slice(-NAMED_SEEDS) },
      warnings: [],
    };
  }

  unpark(pattern: string): readonly string[] {
    const released = this.#crawl?.unpark(pattern) ?? [];
    if (released.length > 0) this.acted('unpark', released);
    this.#released.push(...released.filter((name) => !this.#released.includes(name)));
    return released;
  }

  /** @throws UsageError as `CrawlHandle.addSeeds`, and before the crawl is open; StoreError */
  addSeeds(urls: readonly string[]): void {
    if (this.#crawl === null) throw new UsageError(STRINGS.seeds.notOpen);
    this.#crawl.addSeeds(urls);
    for (const url of urls) this.#seeds.add(url);
    this.acted('seeds', urls);
  }

  /** Reports an action of the page to the log of the crawl. */
  acted(action: ActionName, subjects: readonly string[] = []): void {
    if (this.#crawl === null) this.#unsaid.push([action, subjects]);
    else this.#crawl.acted(action, 'page', subjects);
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
