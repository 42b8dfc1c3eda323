/** A run of the crawl, as screens see and steer it: in this process (`in-process-run.ts`), or in one of its own (`child-process-run.ts`). */
import type { ActionName } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs } from '../../base/core/types.ts';

export interface RunNow {
  /** `none`: there was none; `ended`: it is over. */
  readonly state: 'none' | 'opening' | 'running' | 'paused' | 'stopping' | 'ended';
  /** URLs, earlier runs included; 0 while the crawl is being opened. */
  readonly visited: number;
  readonly maxPages: number | null;
  /** End of the run's time; null without a limit. */
  readonly endsAt: EpochMs | null;
  /** Patterns that the page released in this run. They are stored with the next commit. */
  readonly released: readonly string[];
  /** Seeds that the page added in this run, and the last of them. */
  readonly seeds: { readonly count: number; readonly last: readonly string[] };
  /** The last warnings of a run aside, and the error that ended it. */
  readonly warnings: readonly string[];
}

export interface Run {
  now(): RunNow | Promise<RunNow>;
  pause(): void | Promise<void>;
  resume(): void | Promise<void>;
  stop(): void | Promise<void>;
  /** @returns the released patterns; none if no such pattern is parked */
  unpark(pattern: string): readonly string[] | Promise<readonly string[]>;
  /** @throws UsageError as `CrawlHandle.addSeeds`, and before the crawl is open; StoreError */
  addSeeds(urls: readonly string[]): void | Promise<void>;
  /** Reports an action of the page to the log of the crawl; without a run there is none. */
  acted(action: ActionName, subjects?: readonly string[]): void | Promise<void>;
}

/** Does the crawl change, or is it about to? */
export function isUnderWay({ state }: RunNow): boolean {
  return state !== 'none' && state !== 'ended';
}

export const NO_RUN: RunNow = {
  state: 'none',
  visited: 0,
  maxPages: null,
  endsAt: null,
  released: [],
  seeds: { count: 0, last: [] },
  warnings: [],
};
