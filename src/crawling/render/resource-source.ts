/** The resources of all pages that a browser renders: a cache, and the turns and rests of hosts. */
import type { Clock } from '../../base/core/clock.ts';
import type { RobotsPolicy } from '../../base/core/parts/fetching.ts';
import type { HostPolicy } from '../../base/core/parts.ts';
import type { CanonicalUrl, EpochMs, FetchOutcome, HostKey, Ms } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { ResourceFetcher } from '../fetch/http-fetcher.ts';
import { parseRetryAfter } from '../fetch/retry-after.ts';
import { ResourceCache } from './resource-cache.ts';

/** Pause of a host or URL that failed, if it asks for no longer one. */
const FAULT_PAUSE: Ms = 60_000;

/** The parts of a crawl that answer. */
export interface ResourceParts {
  readonly fetcher: ResourceFetcher;
  readonly robots: RobotsPolicy;
  readonly hostPolicy: Pick<HostPolicy, 'optedOut' | 'withdrawn'> | null;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** The resources of all pages: one request of a host at a time. */
export class ResourceSource {
  readonly parts: ResourceParts;
  readonly cache: ResourceCache;
  readonly #turns = new Map<HostKey, Promise<unknown>>();
  /** Times until which hosts and single URLs are not asked. */
  readonly #resting = new Map<HostKey | CanonicalUrl, EpochMs>();
  /** Time of the last answer of a host with a Crawl-delay. */
  readonly #asked = new Map<HostKey, EpochMs>();

  constructor(parts: ResourceParts) {
    this.parts = parts;
    this.cache = new ResourceCache(parts.clock);
  }

  /** Asks a host when all requests before have ended. */
  inTurn<T>(host: HostKey, ask: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(host) ?? Promise.resolve()).then(ask);
    const ended = turn.catch(() => undefined);
    this.#turns.set(host, ended);
    void ended.then(() => {
      if (this.#turns.get(host) === ended) this.#turns.delete(host);
    });
    return turn;
  }

  rests(url: CanonicalUrl): boolean {
    const now = this.parts.clock.now();
    return [hostKeyOf(url), url].some((key) => (this.#resting.get(key) ?? 0) > now);
  }

  /** Waits for the Crawl-delay of a host, in its turn. @throws the reason of the signal */
  async delay(host: HostKey, signal: AbortSignal): Promise<void> {
    const { robots, clock } = this.parts;
    const delay = robots.crawlDelay?.(host) ?? 0;
    if (delay === 0) return;
    const wait = (this.#asked.get(host) ?? Number.NEGATIVE_INFINITY) + delay - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    this.#asked.set(host, clock.now());
  }

  /**
   * Notes an answer. A host that cannot be reached or asks for peace is not asked for a while; a URL with another error, alone: other data of an
   * application does not depend on it.
   */
  note(url: CanonicalUrl, outcome: FetchOutcome): void {
    const now = this.parts.clock.now();
    const { of, retryAfter } = troubleOf(outcome, now);
    if (of === null) return;
    const key = of === 'host' ? hostKeyOf(url) : url;
    this.#resting.set(key, now + Math.max(FAULT_PAUSE, retryAfter ?? 0));
  }
}

/** The part of a host that is in trouble after an answer, and the pause that it asks for; null for none. */
function troubleOf(outcome: FetchOutcome, now: EpochMs): { readonly of: 'host' | 'url' | null; readonly retryAfter: Ms | null } {
  if (outcome.kind === 'failed') return { of: 'host', retryAfter: outcome.retryAfter };
  if (outcome.kind !== 'page') return { of: null, retryAfter: null };
  const { status, headers } = outcome.page;
  const isBusy = status === 429 || status === 503;
  return { of: isBusy ? 'host' : status >= 500 ? 'url' : null, retryAfter: parseRetryAfter(headers['retry-after'], now) };
}
