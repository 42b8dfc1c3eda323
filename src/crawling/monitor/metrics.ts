/** Prometheus metrics of a crawl. */
import { readdirSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { LookupCounts } from '../../base/core/parts/fetching.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { Ms } from '../../base/core/types.ts';
import type { RunningCrawl } from '../crawl/running.ts';

type Prometheus = typeof import('prom-client');

/** State of a crawl that has started. */
export interface CrawlState {
  readonly counts: () => FrontierCounts;
  readonly running: RunningCrawl;
  readonly lookups: () => LookupCounts | undefined;
  /** The user's host delay. */
  readonly delay: Ms;
}

/** Buckets in seconds, up to the deadline of a request, 30 s. */
const FETCH_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Buckets in seconds, up to the limit for reading a page, 10 s. */
const READ_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const COMMIT_BUCKETS = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Time between measurements of the event loop's lag. */
const LAG_EVERY: Ms = 20;
const NANOSECONDS = 1e9;

export class CrawlMetrics {
  readonly #registry: Registry;
  readonly #lag: IntervalHistogram = monitorEventLoopDelay({ resolution: LAG_EVERY });
  readonly #count: ReturnType<typeof countersOf>;
  readonly #time: ReturnType<typeof timesOf>;

  private constructor(prometheus: Prometheus, state: () => CrawlState | null) {
    this.#registry = new prometheus.Registry();
    this.#count = countersOf(prometheus, this.#registry);
    this.#time = timesOf(prometheus, this.#registry);
    addGauges(prometheus, this.#registry, state);
    addProcessGauges(prometheus, this.#registry, this.#lag);
    this.#lag.enable();
  }

  /** @param state null while the crawl is being opened */
  static async open(state: () => CrawlState | null): Promise<CrawlMetrics> {
    return new CrawlMetrics(await import('prom-client'), state);
  }

  /** Takes events, as an `Emit`. */
  take(event: CrawlEvent): void {
    switch (event.type) {
      case 'robots':
        this.#count.robots.inc();
        break;
      case 'fetched':
        this.#fetched(event);
        break;
      case 'judged':
        this.#time.read.observe(event.ms / 1000);
        break;
      case 'settled':
        if (event.fate !== null) this.#count.settled.inc({ fate: event.fate });
        else if (event.settlement === 'retry') this.#count.retries.inc();
        else if (event.settlement === 'revisited') this.#count.revisits.inc();
        break;
      case 'committed':
        this.#count.commits.inc();
        this.#time.commit.observe(event.ms / 1000);
        break;
      case 'warning':
        this.#count.warnings.inc();
    }
  }

  #fetched({ outcome, bytes, ms }: Extract<CrawlEvent, { type: 'fetched' }>): void {
    this.#count.requests.inc({ outcome });
    this.#count.bytes.inc(bytes);
    this.#time.fetch.observe(ms / 1000);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    this.#lag.disable();
    this.#registry.clear();
  }
}

function countersOf({ Counter }: Prometheus, registry: Registry) {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `forager_${name}_total`, help, labelNames, registers: [registry] });
  return {
    requests: counter('requests', 'Finished requests for URLs, by outcome; robots.txt is counted separately', 'outcome'),
    settled: counter('settled', 'URLs that ended, by fate; kept and off topic are by the model, not measured', 'fate'),
    bytes: counter('wire_bytes', 'Bytes of page payloads as received over the wire'),
    robots: counter('robots_loads', 'Requests for a robots.txt'),
    retries: counter('retries', 'URLs that were put back to be tried again'),
    revisits: counter('revisits', 'Revisits of kept pages'),
    commits: counter('commits', 'Group commits'),
    warnings: counter('warnings', 'Warnings'),
  };
}

function timesOf({ Histogram }: Prometheus, registry: Registry) {
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `forager_${name}_seconds`, help, buckets, registers: [registry] });
  return {
    fetch: histogram('fetch', 'Time of a request', FETCH_BUCKETS),
    read: histogram('read', 'Time to extract and judge a page, including the wait for a worker', READ_BUCKETS),
    commit: histogram('commit', 'Time of a group commit', COMMIT_BUCKETS),
  };
}

/** Gauges are computed when they are read, so that they cost the crawl nothing. */
function addGauges({ Gauge }: Prometheus, registry: Registry, state: () => CrawlState | null): void {
  const gauge = (name: string, help: string, value: (state: CrawlState) => number) =>
    new Gauge({
      name: `forager_${name}`,
      help,
      registers: [registry],
      collect() {
        const now = state();
        this.set(now === null ? 0 : value(now));
      },
    });
  gauge('urls_discovered', 'URLs known', ({ counts }) => counts().discovered);
  gauge('urls_waiting', 'URLs that wait', ({ counts }) => counts().waiting);
  gauge('urls_queued', 'Former name of urls_waiting, until 0.4', ({ counts }) => counts().waiting);
  gauge('urls_parked', 'URLs that wait but are parked', ({ counts }) => counts().parked);
  gauge('urls_leased', 'URLs being visited', ({ counts }) => counts().leased);
  gauge('hosts', 'Hosts known', ({ counts }) => counts().hosts);
  gauge('lookups', 'Queries to the name server; none through a proxy', ({ lookups }) => lookups()?.asked ?? 0);
  gauge('lookups_failed', 'Queries whose answer had no address', ({ lookups }) => lookups()?.failed ?? 0);
  gauge('hosts_given_up', 'Hosts given up for this run', ({ counts }) => counts().hostsGivenUp);
  new Gauge({
    name: 'forager_visits',
    help: 'Running visits, by step',
    labelNames: ['step'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { step } of state()?.running.visits() ?? []) this.inc({ step });
    },
  });
}

function addProcessGauges({ Gauge }: Prometheus, registry: Registry, lag: IntervalHistogram): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `forager_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('resident_bytes', 'Resident memory of the process; includes pages of the mapped frontier file', () => process.memoryUsage.rss());
  gauge('heap_used_bytes', 'Heap of the main thread', () => process.memoryUsage().heapUsed);
  gauge('open_descriptors', 'Open file descriptors', openDescriptors);
  gauge('event_loop_lag_seconds', 'Longest delay of the event loop since the last reading', () => {
    const longest = lag.max / NANOSECONDS;
    lag.reset();
    return longest;
  });
}

function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0; // not Linux
  }
}
