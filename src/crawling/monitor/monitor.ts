/** The activity of a running crawl for machines, for any server: `/metrics`, `/health` and `/visits`. */
import type { Clock } from '../../base/core/clock.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import { HealthWatch } from './health.ts';
import { CrawlMetrics, type CrawlState } from './metrics.ts';

export const MONITOR_PATHS = ['/metrics', '/health', '/visits'] as const;

/** Plain text or JSON, never taken for a page: it contains URLs of strangers. */
export interface MonitorAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

export class Monitor {
  readonly #health = new HealthWatch();
  readonly #clock: Pick<Clock, 'now'>;
  /** null until the first reading. */
  #metrics: CrawlMetrics | null = null;
  /** null while the crawl is being opened. */
  #state: CrawlState | null = null;

  /** Makes a monitor whose metrics count from the first reading of `/metrics` on. Before, they cost nothing: they take 1 % of a fast crawl. */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** One whose metrics count from now on. */
  static async counting(clock: Pick<Clock, 'now'>): Promise<Monitor> {
    const monitor = new Monitor(clock);
    await monitor.#counted();
    return monitor;
  }

  started(state: CrawlState): void {
    this.#state = state;
  }

  /** Takes events, as an `Emit`. */
  take(event: CrawlEvent): void {
    this.#metrics?.take(event);
    this.#health.take(event);
  }

  /** null for a path that is none of `MONITOR_PATHS`. */
  async answer(path: string): Promise<MonitorAnswer | null> {
    if (path === '/metrics') {
      const metrics = await this.#counted();
      return { status: 200, text: await metrics.text(), type: metrics.contentType };
    }
    if (path === '/visits') return json(200, { visits: [...this.#visits()] });
    if (path !== '/health') return null;
    const health = this.#health.look(this.#state?.running ?? null, this.#clock.now(), this.#state?.delay);
    return json(health.healthy ? 200 : 503, health);
  }

  close(): void {
    this.#metrics?.close();
  }

  async #counted(): Promise<CrawlMetrics> {
    if (this.#metrics !== null) return this.#metrics;
    const opened = await CrawlMetrics.open(() => this.#state);
    // Two first readings at the same time.
    if (this.#metrics === null) this.#metrics = opened;
    else opened.close();
    return this.#metrics;
  }

  *#visits(): Iterable<object> {
    const now = this.#clock.now();
    for (const { lease, step, since } of this.#state?.running.visits() ?? []) {
      const { url, host } = lease.entry;
      yield { url, host, step, since: new Date(since).toISOString(), seconds: (now - since) / 1000 };
    }
  }
}

function json(status: number, value: unknown): MonitorAnswer {
  return { status, text: `${JSON.stringify(value)}\n`, type: 'application/json; charset=utf-8' };
}
