/** The activity of a crawl for machines over HTTP: a server of its own, without a password. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { EnvironmentError, messageOf } from '../../base/core/errors.ts';
import { hostnameIsLoopback } from '../fetch/ssrf.ts';
import { boundedServer } from './bounded-server.ts';
import { listenAddress, listening, serverOrigin } from './listen.ts';
import { MONITOR_PATHS, type Monitor } from './monitor.ts';

export class MonitorServer {
  readonly #server: Server;
  readonly #monitor: Monitor;
  readonly #isLocal: boolean;

  private constructor(monitor: Monitor, isLocal: boolean) {
    this.#monitor = monitor;
    this.#isLocal = isLocal;
    this.#server = boundedServer((request, response) => void this.#answer(request, response));
  }

  /** @throws UsageError for an invalid address; EnvironmentError if the server cannot listen on it */
  static async open(address: string, monitor: Monitor): Promise<MonitorServer> {
    const { host, port } = listenAddress('--metrics', address, 9464);
    const server = new MonitorServer(monitor, hostnameIsLoopback(host));
    try {
      await listening(server.#server, host, port);
    } catch (error) {
      throw new EnvironmentError(`--metrics ${address}: the server cannot listen on it (${messageOf(error)}); give another port`, {
        cause: error,
      });
    }
    return server;
  }

  /** `http://host:port`. */
  get origin(): string {
    return serverOrigin(this.#server);
  }

  /** Close all connections and stop. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') return end(response.setHeader('allow', 'GET'), 405, 'only GET is allowed\n');
    if (!this.#isMeant(request)) return end(response, 403, 'this server answers only under its own address\n');
    const answer = await this.#monitor.answer(request.url?.split('?', 1)[0] ?? '');
    if (answer === null) return end(response, 404, `not found; the paths are ${MONITOR_PATHS.join(', ')}\n`);
    end(response, answer.status, answer.text, answer.type);
  }

  /** Refuses pages in a browser on this machine that reach the server through their own domain name, resolved to loopback (DNS rebinding). */
  #isMeant({ headers: { host = '' } }: IncomingMessage): boolean {
    if (!this.#isLocal) return true;
    return URL.canParse(`http://${host}`) && hostnameIsLoopback(new URL(`http://${host}`).hostname);
  }
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }).end(text);
}
