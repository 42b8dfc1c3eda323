/** A run of the crawl in a process of its own, for a page that was opened without one. `child-process-run.ts` is the other end. */

import { messageOf } from '../../base/core/errors.ts';
import type { ActionName } from '../../base/core/parts/crawl-events.ts';
import type { Environment } from '../../base/text/written-file.ts';
import { resumedSettings } from '../../crawling/crawl-dir/crawl-directory.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { ConfigFile, configured } from '../../crawling/settings/config-file.ts';
import { withoutIdle } from '../../crawling/settings/idle-options.ts';
import type { CrawlOptions } from '../app/crawl-options.ts';
import { crawl } from '../app/run-crawl.ts';
import { InProcessRun } from './in-process-run.ts';
import type { RpcHandlers } from './rpc-child.ts';
import { NO_RUN, type RunNow } from './run.ts';

/** Options of this machine for the runs that a page starts. */
export interface MachineOptions {
  /** Absent: that of the file, or of the crawl. */
  readonly proxy?: string;
  /** Program of a browser, for a crawl that renders pages. Absent: that of the file, or the first on the search path. */
  readonly browser?: string;
  /** Keep the sandbox of the browser? Absent: as the file says, or true. */
  readonly sandbox?: boolean;
}

export interface RunGiven extends MachineOptions {
  /** A file of options, such as `forager.yaml`; null for those of the crawl alone. */
  readonly config: string | null;
  /** Most visits in total. Absent: the limit of the file, or none. */
  readonly maxPages?: number;
  readonly environment: Environment;
}

export interface RunService {
  /** Does not wait for the crawl to open. */
  readonly start: (given: RunGiven) => Promise<void>;
  readonly now: (given: null) => Promise<RunNow>;
  readonly pause: (given: null) => Promise<void>;
  readonly resume: (given: null) => Promise<void>;
  readonly stop: (given: null) => Promise<void>;
  readonly unpark: (given: { readonly pattern: string }) => Promise<readonly string[]>;
  readonly addSeeds: (given: { readonly urls: readonly string[] }) => Promise<void>;
  readonly acted: (given: { readonly action: ActionName; readonly subjects: readonly string[] }) => Promise<void>;
}

/** Warnings that a screen has room for. */
const SHOWN = 5;

export function runDeskOf(dir: string): { readonly functions: RpcHandlers; close(): Promise<void> } {
  const own = new OwnRun(dir);
  const functions: RunService = {
    start: async (given) => own.start(given),
    now: async () => own.now(),
    pause: async () => own.run?.pause(),
    resume: async () => own.run?.resume(),
    stop: async () => own.run?.stop(),
    unpark: async ({ pattern }) => own.run?.unpark(pattern) ?? [],
    addSeeds: async ({ urls }) => own.run?.addSeeds(urls),
    acted: async ({ action, subjects }) => own.run?.acted(action, subjects),
  };
  return { functions: functions as unknown as RpcHandlers, close: () => own.close() };
}

/** The run of this process, from its start on. */
class OwnRun {
  readonly #dir: string;
  run: InProcessRun | null = null;
  #end: Promise<void> = Promise.resolve();
  #hasEnded = true;
  #warnings: string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Starts a run. Ignored while a run is in progress. @throws UsageError, DataError for a file of options that cannot be used */
  start({ config, environment, ...limits }: RunGiven): void {
    if (!this.#hasEnded) return;
    const given = config === null ? {} : crawlOptionsIn(new ConfigFile(config, environment));
    const kept = resumedSettings({ dir: this.#dir }) ?? {};
    const options = { ...withoutIdle(COMMANDS.crawl, { ...given, ...limits }, kept), dir: this.#dir, environment };
    const stop = new AbortController();
    const { maxPages = Number.POSITIVE_INFINITY, maxTime = Number.POSITIVE_INFINITY } = options;
    const run = new InProcessRun({ maxPages: finite(maxPages), endsAt: finite(Date.now() + maxTime), stop: () => stop.abort() });
    [this.run, this.#hasEnded, this.#warnings] = [run, false, []];
    this.#end = this.#crawled(options, run, stop.signal);
  }

  now(): RunNow {
    const now = this.run?.now() ?? NO_RUN;
    return { ...now, ...(this.run !== null && this.#hasEnded && { state: 'ended' as const }), warnings: this.#warnings };
  }

  /** Ends a run as Ctrl-C does. */
  async close(): Promise<void> {
    if (!this.#hasEnded) this.run?.stop();
    await this.#end;
  }

  async #crawled(options: CrawlOptions, run: InProcessRun, signal: AbortSignal): Promise<void> {
    try {
      await crawl({
        ...options,
        signal,
        mayFetch: run.mayFetch,
        onStart: (running) => run.opened(running),
        onEvent: (event) => {
          if (event.type === 'warning') this.#warnings = [...this.#warnings, event.message].slice(-SHOWN);
        },
      });
    } catch (error) {
      if (error !== signal.reason) this.#warnings = [...this.#warnings, messageOf(error)].slice(-SHOWN);
    } finally {
      this.#hasEnded = true;
    }
  }
}

/** Options of a crawl in a file, except those of the command alone, which are for its own output. */
function crawlOptionsIn(file: ConfigFile): Partial<CrawlOptions> {
  const { json: _, page: __, skipDamaged: ___, force: ____, ...options } = configured(file, 'crawl');
  return options;
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
