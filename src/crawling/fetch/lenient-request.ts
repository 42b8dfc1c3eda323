/** A request whose response is read leniently, on a connection of its own. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { HttpHead } from '../../base/web/http-head.ts';
import { LenientResponse } from './lenient-response.ts';
import type { Connection } from './routes.ts';

/** A way to send one request: a fresh connection, and the request line and fields that it needs. */
export interface LenientRoute {
  readonly open: () => Promise<Socket>;
  /** `/path` for an origin, the whole URL for a proxy. */
  readonly target: string;
  /** Names and values in turn, `host` first. */
  readonly fields: readonly string[];
  readonly connectionOf: (socket: Socket) => Connection;
}

/**
 * One request that asks the server to close the connection, and its response. Bytes after the response are not read, so that nothing can be taken for
 * the response to another request: request smuggling, the reason for strict parsers, does not concern it. The handler is called as undici calls it.
 */
export class LenientRequest {
  readonly #route: LenientRoute;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #response: LenientResponse;
  readonly #controller: Dispatcher.DispatchController & { rawHeaders: string[] };
  #socket: Socket | null = null;
  #over = false;
  /** null before the connection is there. */
  connection: Connection | null = null;

  constructor(route: LenientRoute, handler: Dispatcher.DispatchHandler) {
    this.#route = route;
    this.#handler = handler;
    this.#controller = controllerOf(() => this.#close());
    this.#response = new LenientResponse({
      head: (head) => this.#head(head),
      data: (chunk) => handler.onResponseData?.(this.#controller, chunk),
    });
  }

  /** The fetcher is closed: the request fails. */
  destroy(): void {
    this.#fail(Object.assign(new Error('the fetcher was closed'), { code: 'UND_ERR_DESTROYED' }));
  }

  /** Never rejects: the handler receives errors. */
  async send(fields: readonly string[]): Promise<void> {
    try {
      const socket = await this.#route.open();
      this.#listen(socket);
      this.#handler.onRequestStart?.(this.#controller, null);
      if (!this.#over) socket.write(this.#message(fields), 'latin1');
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends without a further call of the handler. */
  #close(): void {
    this.#over = true;
    this.#socket?.destroy();
  }

  #message(fields: readonly string[]): string {
    const lines = [...this.#route.fields, 'connection', 'close', ...fields];
    let text = `GET ${this.#route.target} HTTP/1.1\r\n`;
    for (let i = 0; i + 1 < lines.length; i += 2) text += `${lines[i]}: ${lines[i + 1]}\r\n`;
    return `${text}\r\n`;
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    this.connection = this.#route.connectionOf(socket);
    socket.on('error', (error) => this.#fail(error));
    socket.on('data', (chunk) => this.#attempt(() => this.#response.push(chunk)));
    socket.on('end', () => this.#attempt(() => this.#response.end()));
    socket.on('close', () => this.#attempt(() => this.#response.end()));
    if (this.#over) socket.destroy();
  }

  #head({ status, statusText, fields }: HttpHead): void {
    this.#controller.rawHeaders = fields.flat();
    this.#handler.onResponseStart?.(this.#controller, status, {}, statusText);
  }

  #attempt(step: () => void): void {
    if (this.#over) return;
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
    if (this.#over || !this.#response.done) return;
    this.#close();
    this.#handler.onResponseEnd?.(this.#controller, {});
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#close();
    this.#handler.onResponseError?.(this.#controller, error instanceof Error ? error : new Error(String(error)));
  }
}

/** The controller of a response that nothing pauses: caps and deadlines end it. */
export function controllerOf(abort: () => void): Dispatcher.DispatchController & { rawHeaders: string[] } {
  return {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: [],
    rawTrailers: [],
    abort,
    pause: () => undefined,
    resume: () => undefined,
  };
}
