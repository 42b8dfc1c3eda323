/** The activity of a crawl for machines: `/metrics`, `/health` and `/visits` over HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { EnvironmentError, messageOf, UsageError } from '../core/errors.ts';
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import { hostnameIsLoopback } from '../fetch/ssrf.ts';
import { HealthWatch } from './health.ts';
import { CrawlMetrics, type CrawlState } from './metrics.ts';

export interface MonitorAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
const PATHS = ['/metrics', '/health', '/visits'] as const;

/** `PORT` on loopback, or `HOST:PORT`; an IPv6 address in brackets. @throws UsageError */
export function parseWatchAddress(text: string): MonitorAddress {
  const [, host, port] = /^(?:(\[[0-9A-Fa-f:.]+\]|[\w.-]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--metrics ${text}: not a port; write e.g. 9464 (on loopback), or 0.0.0.0:9464`);
  return { host: host?.replace(/^\[|\]$/g, '') ?? LOOPBACK, port: Number(port) };
}

export class MonitorServer {
  readonly #server: Server;
  readonly #metrics: CrawlMetrics;
  readonly #health = new HealthWatch();
  readonly #state: () => CrawlState | null;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isLocal: boolean;

  private constructor(metrics: CrawlMetrics, state: () => CrawlState | null, clock: Pick<Clock, 'now'>, isLocal: boolean) {
    this.#metrics = metrics;
    this.#state = state;
    this.#clock = clock;
    this.#isLocal = isLocal;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /**
   * @param state null while the crawl is being opened
   * @throws UsageError for an invalid address; EnvironmentError if the server cannot listen on it
   */
  static async open(address: string, state: () => CrawlState | null, clock: Pick<Clock, 'now'>): Promise<MonitorServer> {
    const { host, port } = parseWatchAddress(address);
    const metrics = await CrawlMetrics.open(state);
    const server = new MonitorServer(metrics, state, clock, hostnameIsLoopback(host));
    try {
      await listening(server.#server, host, port);
    } catch (error) {
      metrics.close();
      throw new EnvironmentError(`--metrics ${address}: the server cannot listen on it (${messageOf(error)}); give another port`, {
        cause: error,
      });
    }
    return server;
  }

  /** `http://host:port`. */
  get origin(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Takes events, as an `Emit`. */
  take(event: CrawlEvent): void {
    this.#metrics.take(event);
    this.#health.take(event);
  }

  /** Close all connections and stop. */
  async close(): Promise<void> {
    this.#metrics.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') return end(response.setHeader('allow', 'GET'), 405, 'only GET is allowed\n');
    if (!this.#isMeant(request)) return end(response, 403, 'this server answers only under its own address\n');
    const path = request.url?.split('?', 1)[0];
    if (path === '/metrics') return end(response, 200, await this.#metrics.text(), this.#metrics.contentType);
    if (path === '/health') return this.#answerHealth(response);
    if (path === '/visits') return endJson(response, 200, { visits: [...this.#visits()] });
    end(response, 404, `not found; the paths are ${PATHS.join(', ')}\n`);
  }

  /** Refuses pages in a browser on this machine that reach the server through their own domain name, resolved to loopback (DNS rebinding). */
  #isMeant({ headers: { host = '' } }: IncomingMessage): boolean {
    if (!this.#isLocal) return true;
    return URL.canParse(`http://${host}`) && hostnameIsLoopback(new URL(`http://${host}`).hostname);
  }

  #answerHealth(response: ServerResponse): void {
    const health = this.#health.look(this.#state()?.running ?? null, this.#clock.now(), this.#state()?.delay);
    endJson(response, health.healthy ? 200 : 503, health);
  }

  *#visits(): Iterable<object> {
    const now = this.#clock.now();
    for (const { lease, step, since } of this.#state()?.running.visits() ?? []) {
      const { url, host } = lease.entry;
      yield { url, host, step, since: new Date(since).toISOString(), seconds: (now - since) / 1000 };
    }
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A failed connection must not end the crawl.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function endJson(response: ServerResponse, status: number, value: unknown): void {
  end(response, status, `${JSON.stringify(value)}\n`, 'application/json; charset=utf-8');
}

/** Plain text or JSON, never taken for a page: it contains URLs of strangers. */
function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }).end(text);
}
