/** Requests one after another, outside of the loop of a crawl, and as politely: robots.txt, opt-outs, scope, and the rest of each host. */
import { type Clock, systemClock } from '../../base/core/clock.ts';
import { reasonText } from '../../base/core/reason.ts';
import type { Bytes, CanonicalUrl, FetchedPage, FetchOutcome, HostKey, Ms } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { MAX_REDIRECTS } from '../../crawling/crawl/page-records.ts';
import { MAX_CRAWL_DELAY } from '../../crawling/crawl/permission.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { impatientRobots } from '../../crawling/input/fetch-list.ts';
import type { Network } from './open-parts.ts';

/** The page, or the reason why there is none, as in a ledger. */
export type Requested = { readonly page: FetchedPage } | { readonly page: null; readonly reason: string };

/** A robots.txt that redirects is several requests; RFC 9309 allows five hops. */
const MAX_LOADS = 8;

export class PoliteRequests {
  readonly #network: Network;
  readonly #robots: Network['robots'];
  readonly #refuses: (url: CanonicalUrl) => boolean;
  readonly #delay: Ms;
  readonly #clock: Clock;
  /** Time of the last answer of each host. */
  readonly #asked = new Map<HostKey, number>();

  constructor(network: Network, manifest: Pick<CrawlManifest, 'delay' | 'scope' | 'documents'>, clock: Clock = systemClock) {
    const scope = scopeOf(manifest);
    [this.#network, this.#delay, this.#clock] = [network, manifest.delay, clock];
    this.#robots = impatientRobots(network.robots, clock);
    this.#refuses = (url) => scope.refuses(url) !== null;
  }

  /** A page behind its redirects. Never rejects because of a failure of the web. @throws the reason of `signal` */
  page(url: CanonicalUrl, signal: AbortSignal): Promise<Requested> {
    const { fetcher } = this.#network;
    return this.#follow(url, signal, (one) => (this.#refuses(one) ? null : fetcher.fetch(one, signal)));
  }

  /** A file of a host, whose place no scope is about. @throws the reason of `signal` */
  file(url: CanonicalUrl, maxBytes: Bytes, signal: AbortSignal): Promise<Requested> {
    return this.request(url, signal, (one) => this.#network.fetcher.fetchFile(one, maxBytes, signal));
  }

  /** The answer to a request of the caller's own, which no scope is about. @throws the reason of `signal`, errors of `ask` */
  request(url: CanonicalUrl, signal: AbortSignal, ask: (url: CanonicalUrl) => Promise<FetchOutcome>): Promise<Requested> {
    return this.#follow(url, signal, ask);
  }

  /** The sitemaps that the robots.txt of a host names. @throws the reason of `signal` */
  async sitemapsOf(host: HostKey, anyUrl: CanonicalUrl, signal: AbortSignal): Promise<readonly CanonicalUrl[]> {
    await this.#verdict(anyUrl, signal);
    return this.#network.robots.sitemaps?.(host) ?? [];
  }

  async #follow(first: CanonicalUrl, signal: AbortSignal, ask: (url: CanonicalUrl) => Promise<FetchOutcome> | null): Promise<Requested> {
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const refusal = await this.#refusal(url, signal);
      const outcome = refusal === null ? await this.#request(url, signal, ask) : null;
      if (outcome === null) return { page: null, reason: refusal ?? 'scope' };
      if (outcome.kind === 'page') return { page: outcome.page };
      if (outcome.kind !== 'redirect') return { page: null, reason: whyNot(outcome) };
      url = outcome.to;
    }
    return { page: null, reason: 'redirect-limit' };
  }

  async #refusal(url: CanonicalUrl, signal: AbortSignal): Promise<string | null> {
    if (this.#network.hostPolicy?.optedOut(url)) return 'opt-out';
    if ((await this.#verdict(url, signal)) === 'allow') return null;
    const trouble = this.#robots.unreachable(hostKeyOf(url));
    return trouble === null ? 'robots' : reasonText({ kind: 'robots-unreachable', cause: trouble.cause });
  }

  async #verdict(url: CanonicalUrl, signal: AbortSignal): Promise<'allow' | 'deny'> {
    const host = hostKeyOf(url);
    for (let load = 0; load < MAX_LOADS && this.#robots.verdict(url) === 'unknown'; load += 1) {
      const asked = this.#robots.asks?.(host) ?? host;
      await this.#inTurn(asked, signal, () => this.#robots.load(host, signal));
    }
    return this.#robots.verdict(url) === 'allow' ? 'allow' : 'deny';
  }

  /** Requests once more where the fetcher has learned something from the first answer. */
  async #request(url: CanonicalUrl, signal: AbortSignal, ask: (url: CanonicalUrl) => Promise<FetchOutcome> | null) {
    const once = () => this.#inTurn(hostKeyOf(url), signal, async () => ask(url));
    const outcome = await once();
    return outcome !== null && 'again' in outcome && outcome.again ? once() : outcome;
  }

  async #inTurn<T>(host: HostKey, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const delay = Math.max(this.#delay, Math.min(this.#robots.crawlDelay?.(host) ?? 0, MAX_CRAWL_DELAY));
    const due = (this.#asked.get(host) ?? Number.NEGATIVE_INFINITY) + delay;
    if (due > this.#clock.now()) await this.#clock.sleep(due - this.#clock.now(), signal);
    signal.throwIfAborted();
    try {
      return await work();
    } finally {
      this.#asked.set(host, this.#clock.now());
    }
  }
}

function whyNot(outcome: Extract<FetchOutcome, { kind: 'refused' | 'failed' }>): string {
  if (outcome.kind === 'refused') return outcome.reason;
  return outcome.status === null ? outcome.code : `${outcome.code} (${outcome.status})`;
}
