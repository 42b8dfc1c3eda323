/** Reports on a running crawl: a log, and a server for machines. Both are optional; without them events cost nothing. */
import type { Clock } from '../../base/core/clock.ts';
import type { Emit } from '../../base/core/parts/crawl-events.ts';
import type { LogLevel } from '../settings/settings.ts';
import { CrawlLog } from './crawl-log.ts';
import type { CrawlState } from './metrics.ts';
import { Monitor } from './monitor.ts';
import { MonitorServer } from './monitor-server.ts';

export interface OperationsOptions {
  /** File to which JSON lines are appended, or `-` for standard error. Default: none. */
  readonly log?: string;
  /** Default `info`: one line for each URL that ended. */
  readonly logLevel?: LogLevel;
  /** `[HOST:]PORT` that serves `/metrics`, `/health` and `/visits`; on loopback without a host. Default: no server. */
  readonly metrics?: string;
  /** Receives its origin, `http://host:port`: port 0 takes a free port. */
  readonly onMetrics?: (origin: string) => void;
  /** Receives state and events of the crawl, for another server than that of `metrics`. */
  readonly monitor?: Monitor;
  readonly onEvent?: Emit;
  /** Ends the crawl: visits in flight are finished and committed. */
  readonly signal?: AbortSignal;
}

export class Operations {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #takers: Emit[];
  #log: CrawlLog | null = null;
  /** Monitor of the server of `metrics`. */
  #own: Monitor | null = null;
  #server: MonitorServer | null = null;
  readonly #monitors: Monitor[] = [];

  private constructor(onEvent: Emit | undefined, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#takers = onEvent ? [onEvent] : [];
  }

  /** @throws UsageError if the log cannot be opened or the address is not valid; EnvironmentError if the port is taken */
  static async open(options: OperationsOptions, clock: Pick<Clock, 'now'>): Promise<Operations> {
    const operations = new Operations(options.onEvent, clock);
    options.signal?.addEventListener('abort', () => operations.#log?.stopping(), { once: true });
    try {
      await operations.#open(options);
    } catch (error) {
      await operations.close();
      throw error;
    }
    return operations;
  }

  async #open({ log, logLevel, metrics, onMetrics, monitor }: OperationsOptions): Promise<void> {
    if (log !== undefined) {
      const opened = await CrawlLog.open(log, logLevel ?? 'info', (message) => this.warn(message));
      this.#log = opened;
      this.#takers.push((event) => opened.take(event));
    }
    if (monitor !== undefined) this.#tell(monitor);
    if (metrics !== undefined) {
      const own = await Monitor.counting(this.#clock);
      this.#tell(own);
      this.#own = own;
      this.#server = await MonitorServer.open(metrics, own);
      onMetrics?.(this.#server.origin);
    }
  }

  #tell(monitor: Monitor): void {
    this.#monitors.push(monitor);
    this.#takers.push((event) => monitor.take(event));
  }

  readonly emit: Emit = (event) => {
    for (const take of this.#takers) take(event);
  };

  warn(message: string): void {
    this.emit({ type: 'warning', at: this.#clock.now(), message });
  }

  /** @param settings the settings of the crawl, without secrets */
  started(state: CrawlState, settings: object): void {
    for (const monitor of this.#monitors) monitor.started(state);
    this.#log?.started(settings);
  }

  stopped(outcome: object): void {
    this.#log?.stopped(outcome);
  }

  failed(error: unknown): void {
    this.#log?.failed(error);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#own?.close();
    await Promise.all([this.#log?.close(), this.#server?.close()]);
  }
}
