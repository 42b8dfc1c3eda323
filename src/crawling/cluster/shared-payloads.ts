import type { KeptPayloads } from '../../base/core/parts/keeping.ts';
import type { CanonicalUrl, Topic } from '../../base/core/types.ts';
import { copiedFrom, payloadKeys } from '../crawl/kept-payloads.ts';
import { persistently, type Tried } from './sql-client.ts';
import type { EngineWorker, PayloadClaim } from './worker.ts';

/**
 * The payloads of all workers. A claim is stored at once, before the page is committed: if its worker dies, the page is asked for again by its URL, and that
 * URL has the payload. While the database is gone, the page waits.
 * @param tried is called after each attempt
 */
export function sharedPayloads(
  worker: Pick<EngineWorker, 'claimPayloads' | 'releasePayloads'>,
  topics: readonly Pick<Topic, 'threshold'>[],
  signal: AbortSignal,
  tried: Tried,
): KeptPayloads {
  const line = new ClaimLine((claims) => persistently(() => worker.claimPayloads(claims), signal, tried));
  return {
    async claim(sha256, url, relevances) {
      const keys = payloadKeys(sha256, relevances, topics);
      const others = await line.claim(keys.map((key) => ({ key, url })));
      return copiedFrom(keys, (key) => (others[keys.indexOf(key)] as CanonicalUrl | null | undefined) ?? null);
    },
    release(sha256, url) {
      const keys = [sha256, ...topics.map((_, i) => `${i} ${sha256}`)];
      // A page with that payload counts as a copy a moment longer.
      void persistently(() => worker.releasePayloads(keys, url), signal).catch(() => undefined);
    },
  };
}

/** The claims of one page, and who waits for them. */
interface WaitingClaims {
  readonly claims: readonly PayloadClaim[];
  readonly resolve: (others: readonly (string | null)[]) => void;
  readonly reject: (error: unknown) => void;
}

/** One statement runs at a time. Pages that come meanwhile share the next one, and its flush to the server's disk. */
class ClaimLine {
  readonly #store: EngineWorker['claimPayloads'];
  #waiting: WaitingClaims[] = [];
  #isRunning = false;

  constructor(store: EngineWorker['claimPayloads']) {
    this.#store = store;
  }

  claim(claims: readonly PayloadClaim[]): Promise<readonly (string | null)[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ claims, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const pages = this.#waiting;
      this.#waiting = [];
      try {
        const others = await this.#store(pages.flatMap(({ claims }) => claims));
        let at = 0;
        for (const { claims, resolve } of pages) {
          resolve(others.slice(at, at + claims.length));
          at += claims.length;
        }
      } catch (error) {
        for (const { reject } of pages) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
