/** Fetches from an archive as from the web. A failure is final here. */
import type { Bytes, CanonicalUrl, FetchOutcome, HostKey } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { ResourceWish } from '../fetch/http-fetcher.ts';
import type { WebAccess } from '../fetch/requests.ts';

export class ArchiveFetcher implements WebAccess {
  readonly lookups = { asked: 0, failed: 0 };
  readonly #http: WebAccess;
  readonly #close: () => Promise<void>;
  /** Hosts of whose robots.txt the archive has an answer, or none. */
  readonly #robots = new Map<HostKey, boolean>();

  /** @param http fetches by an `ArchiveRoute`. @param close closes the source of that route */
  constructor(http: WebAccess, close: () => Promise<void>) {
    [this.#http, this.#close] = [http, close];
  }

  /** Hosts that were asked for robots.txt, and those of them whose robots.txt is not in the archive: they count as having none. */
  get robots(): { readonly hosts: number; readonly absent: number } {
    return { hosts: this.#robots.size, absent: [...this.#robots.values()].filter((isThere) => !isThere).length };
  }

  async fetch(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome> {
    return forGood(await this.#http.fetch(url, signal));
  }

  async fetchSeed(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome> {
    return forGood(await this.#http.fetchSeed(url, signal));
  }

  async fetchFile(url: CanonicalUrl, maxBytes: Bytes, signal: AbortSignal): Promise<FetchOutcome> {
    const outcome = forGood(await this.#http.fetchFile(url, maxBytes, signal));
    return url.endsWith('/robots.txt') ? this.#noted(url, outcome) : outcome;
  }

  async fetchResource(url: CanonicalUrl, wish: ResourceWish, signal: AbortSignal): Promise<FetchOutcome> {
    return forGood(await this.#http.fetchResource(url, wish, signal));
  }

  addressesOf(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async close(): Promise<void> {
    await this.#http.close();
    await this.#close();
  }

  /** A server that failed when its robots.txt was archived would have been asked again: its rules are not known. */
  #noted(url: CanonicalUrl, outcome: FetchOutcome): FetchOutcome {
    const isUnknown = outcome.kind === 'refused' || (outcome.kind === 'failed' && outcome.code !== 'http-4xx');
    this.#robots.set(hostKeyOf(url), !isUnknown);
    return isUnknown ? { kind: 'refused', reason: 'not-in-archive', status: null, ms: 0 } : outcome;
  }
}

/** An archived failure stays one: no pause and no further request changes it. */
function forGood(outcome: FetchOutcome): FetchOutcome {
  return outcome.kind === 'failed' ? { ...outcome, retryAfter: null, isFinal: true } : outcome;
}
