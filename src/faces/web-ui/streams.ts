/** Server-sent events (HTML Living Standard 9.2): open pages learn that there is something new, and ask for it themselves. */
import type { ServerResponse } from 'node:http';
import type { Bytes, Ms } from '../../base/core/types.ts';

/** A person has a few tabs. */
const MAX_STREAMS = 64;
/** A reader so far behind is cut off; its browser connects again. */
const MAX_WAITING: Bytes = 65_536;
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT: Ms = 25_000;

export class Streams {
  readonly #open = new Set<ServerResponse>();
  readonly #heartbeat = setInterval(() => this.#write(': here\n\n'), HEARTBEAT).unref();

  /** Answers with a stream, or with 503 if there are too many. */
  open(response: ServerResponse): void {
    if (this.#open.size >= MAX_STREAMS) {
      response.writeHead(503, { 'retry-after': '30', 'cache-control': 'no-store' }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    response.write('retry: 3000\n\n');
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
  }

  tell(event: string): void {
    this.#write(`event: ${event}\ndata:\n\n`);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const response of this.#open) response.destroy();
  }

  #write(text: string): void {
    for (const response of this.#open)
      if (response.writableLength > MAX_WAITING) response.destroy();
      else response.write(text);
  }
}
