/** A tab without a browser: it listens for news and asks for the first screen again, as `client/live.ts` does. */
import { type ClientRequest, request } from 'node:http';
import { PageClient } from '../../../test/faces/web-ui/page-client.ts';

/** As in `client/live.ts`. */
const LEAST_MS = 1000;

export class Watcher {
  readonly #client: PageClient;
  readonly #stream: ClientRequest;
  readonly #timer: NodeJS.Timeout;
  #asked = 0;
  #isNew = false;
  #answers = 0;

  private constructor(client: PageClient) {
    this.#client = client;
    this.#stream = request(`${client.origin}/events`, { headers: { cookie: client.cookie }, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        this.#isNew ||= chunk.includes('event: changed');
        void this.#renew();
      });
    });
    // The crawl ends before its watchers.
    this.#stream.on('error', () => undefined).end();
    this.#timer = setInterval(() => void this.#renew(), LEAST_MS);
  }

  static async of(url: string): Promise<Watcher> {
    return new Watcher(await PageClient.of(url));
  }

  /** Screens so far. */
  get answers(): number {
    return this.#answers;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stream.destroy();
  }

  async #renew(): Promise<void> {
    if (!this.#isNew || Date.now() - this.#asked < LEAST_MS) return;
    [this.#asked, this.#isNew] = [Date.now(), false];
    const { status } = await this.#client.get('/').catch(() => ({ status: 0 }));
    if (status === 200) this.#answers += 1;
  }
}
