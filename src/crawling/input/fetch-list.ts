import * as z from 'zod';
import { askAgain } from '../../base/core/ask-again.ts';
import type { Clock } from '../../base/core/clock.ts';
import { systemClock } from '../../base/core/clock.ts';
import { DOCUMENT_KIND_NAMES, type DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { HostPatience } from '../../base/core/failure-policy.ts';
import { NO_METADATA } from '../../base/core/no-metadata.ts';
import type { Emit } from '../../base/core/parts/crawl-events.ts';
import type { RobotsPolicy } from '../../base/core/parts/fetching.ts';
import type { CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { NO_EXTRAS, type Parts } from '../../base/core/parts.ts';
import { renderTroubleText } from '../../base/core/render-words.ts';
import { type RenderChoice, withDocument } from '../../base/core/rendering.ts';
import type { CanonicalUrl, Extraction, FetchedPage, HostKey, Ms } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { parseScope } from '../../base/web/scope.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { userAgentOf } from '../../base/web/user-agent.ts';
import { newRecordId } from '../../corpus/records/warc-record.ts';
import { linkScorer } from '../../reading/links/strategies.ts';
import { keptPayloads } from '../crawl/kept-payloads.ts';
import { runCrawl } from '../crawl/loop.ts';
import { discoverSeeds } from '../crawl/page-records.ts';
import { HttpFetcher } from '../fetch/http-fetcher.ts';
import { probeProxy } from '../fetch/probe-proxy.ts';
import { RobotsCache } from '../fetch/robots-cache.ts';
import { openMemoryFrontier } from '../frontier/frontier.ts';
import { checkOptions, type OptionTable } from '../settings/check-options.ts';
import { LIST_RENDERING, NETWORK } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { anyText, call, count, signal } from '../settings/kinds.ts';

export interface FetchListOptions {
  /** Rest of a host between two requests. Default 1,000 ms. */
  readonly delay: Ms;
  /** Number of requests in flight at once, over all hosts. Default 16. */
  readonly concurrency: number;
  readonly userAgent: string | null;
  readonly contact: string | null;
  readonly proxy: string | null;
  readonly allowPrivate: boolean;
  /** Kinds of documents that are pages. Default: none. */
  readonly documents?: readonly DocumentKindName[];
  /** Pages that a browser renders: the rendered document takes the place of the page, where it has more text. Default `never`. */
  readonly render?: RenderChoice;
  /** Program of the browser. Default: the first that is on the search path. */
  readonly browser?: string;
  /** Keep the sandbox of the browser? Default true; root needs false. */
  readonly sandbox?: boolean;
  readonly emit?: Emit;
  /** Called when fetching starts, after each finished URL, and at the end; targets of redirects count as URLs. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

const textOrNull = anyText.check.nullable();

export const FETCH: OptionTable<Partial<FetchListOptions>> = {
  ...checksOf(NETWORK),
  ...checksOf(LIST_RENDERING),
  concurrency: count(1).check,
  userAgent: textOrNull,
  contact: textOrNull,
  proxy: textOrNull,
  documents: z.array(z.enum(DOCUMENT_KIND_NAMES)).exactOptional(),
  emit: call,
  onProgress: call,
  signal,
};

export interface FetchFailure {
  readonly url: CanonicalUrl;
  readonly reason: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
}

export interface FetchedList {
  /** Pages in the order of the URLs; targets of redirects last. */
  readonly pages: readonly FetchedPage[];
  /** URLs that gave no page, with the reason. */
  readonly failures: readonly FetchFailure[];
}

const POLITELY: FetchListOptions = { delay: 1000, concurrency: 16, userAgent: null, contact: null, proxy: null, allowPrivate: false };

const NOTHING_READ: Omit<Extraction, 'outlinks'> = {
  title: '',
  text: '',
  otherText: '',
  lang: null,
  noindex: false,
  nofollow: true,
  metadata: NO_METADATA,
  fields: {},
  charset: 'utf-8',
  warnings: [],
};

/** Wait before an unreachable robots.txt is requested again. A crawl can wait for minutes; a user who gave a URL is waiting for the result. */
const ROBOTS_PAUSE: Ms = 2000;

/**
 * A host that fails three times in a row, or asks for a pause, is asked once more after half a minute, or at the time it names. The user asked for
 * each URL, regardless of the others on its host.
 */
const LITTLE_PATIENCE: HostPatience = { pauses: 1, trouble: 0, fruitless: Number.POSITIVE_INFINITY };

/** robots.txt for a list: an unavailable one is requested once more; then its URLs fail as `robots-unreachable` without further waiting. */
export function impatientRobots(robots: RobotsPolicy, clock: Clock): RobotsPolicy {
  const asks = (host: HostKey) => robots.asks?.(host) ?? host;
  return {
    verdict: (url) => robots.verdict(url),
    asks,
    crawlDelay: (host) => robots.crawlDelay?.(host) ?? null,
    unreachable: (host) => {
      const found = robots.unreachable(host);
      return found && { ...found, until: clock.now() };
    },
    load: async (host, signal) => {
      const asked = asks(host);
      // Another host has a turn of its own.
      const isFinal = (tries: number) => tries === 2 || robots.unreachable(host) === null || asks(host) !== asked;
      return askAgain(
        () => robots.load(host, signal),
        (_, tries) => (isFinal(tries) ? null : ROBOTS_PAUSE),
        clock,
        signal,
      );
    },
  };
}

/** See `fetchList` of the library. */
export async function fetchList(urls: readonly CanonicalUrl[], given: Partial<FetchListOptions> = {}): Promise<FetchedList> {
  checkOptions('fetchList', FETCH, given);
  const pages: FetchedPage[] = [];
  const requests = await ListRequests.open(given, (page) => pages.push(page));
  try {
    await requests.request(urls, given.signal ?? new AbortController().signal);
  } finally {
    await requests.close();
  }
  const placeOf = new Map(urls.map((url, i) => [url, i]));
  const inOrder = (a: FetchedPage, b: FetchedPage) => (placeOf.get(a.url) ?? urls.length) - (placeOf.get(b.url) ?? urls.length);
  return { pages: pages.sort(inOrder), failures: requests.failures() };
}

/** Requests of lists, one list after another: no URL twice, robots.txt of a host once, and its delay between all of them. */
export class ListRequests {
  readonly #options: FetchListOptions;
  readonly #frontier: ReturnType<typeof openMemoryFrontier>;
  readonly #parts: Parts;
  readonly #got = new Set<CanonicalUrl>();

  /** @param take receives each page as it comes. @throws EnvironmentError for a proxy that does not answer */
  static async open(given: Partial<FetchListOptions>, take: (page: FetchedPage) => void): Promise<ListRequests> {
    // Options with the defaults of a crawl.
    const options = { ...POLITELY, ...given };
    const rendering = renders(options) ? await import('./rendered-list.ts') : null;
    for (const message of rendering?.checkBrowser(options) ?? []) tell(options, message);
    await probeProxy(options.proxy === 'none' ? null : options.proxy);
    return new ListRequests(options, take, rendering);
  }

  private constructor(
    { proxy: via, ...options }: FetchListOptions,
    take: (page: FetchedPage) => void,
    rendering: typeof import('./rendered-list.ts') | null,
  ) {
    const proxy = via === 'none' ? null : via;
    const clock = systemClock;
    this.#options = { ...options, proxy };
    const fetcher = new HttpFetcher({
      ...options,
      ...(proxy !== null && { proxy, proxyConnections: options.concurrency }),
      userAgent: userAgentOf(options.userAgent, options.contact),
      clock,
    });
    this.#frontier = openMemoryFrontier({
      clock,
      delay: options.delay,
      hostPatience: LITTLE_PATIENCE,
      maxPagesPerHost: Number.POSITIVE_INFINITY,
    });
    const taken = (page: FetchedPage) => {
      this.#got.add(page.url);
      take(page);
    };
    const parts = partsOf(clock, this.#frontier, fetcher);
    const { render = 'never' } = options;
    const reader =
      rendering === null || render === 'never'
        ? takeEverything
        : rendering.renderingListReader(render, options, { ...parts, hostPolicy: null }, ALL_WANTED, (page, { trouble }) => {
            if (trouble !== undefined) tell(options, `${page.url}: ${renderTroubleText(trouble)} (${trouble})`);
          });
    this.#parts = { ...parts, reader, corpus: collectorOf(taken), emit: withProgress(options, this.#frontier) };
  }

  /** Requests URLs and the targets of their redirects. @param signal ends them early, without an error */
  async request(urls: readonly CanonicalUrl[], signal: AbortSignal): Promise<void> {
    const { concurrency, onProgress } = this.#options;
    this.#frontier.add(discoverSeeds(urls, this.#parts));
    onProgress?.(0, urls.length);
    try {
      await runCrawl(this.#parts, { ...UNLIMITED, concurrency }, signal);
    } finally {
      onProgress?.(urls.length, urls.length);
    }
  }

  /** URLs that gave no page so far. */
  failures(): FetchFailure[] {
    return [...this.#frontier.ledger()]
      .filter(({ url }) => !this.#got.has(url))
      .map(({ url, state, reason, status }) => ({ url, reason: reason || state, status }));
  }

  async close(): Promise<void> {
    await this.#parts.reader.close();
    await this.#parts.fetcher.close();
  }
}

const UNLIMITED = { maxPages: Number.POSITIVE_INFINITY, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null };

/** Parts of a crawl that takes all pages of a list and follows no link. */
function partsOf(clock: Clock, frontier: ReturnType<typeof openMemoryFrontier>, fetcher: HttpFetcher) {
  return {
    ...NO_EXTRAS,
    clock,
    frontier,
    fetcher,
    robots: impatientRobots(new RobotsCache(fetcher, PRODUCT_TOKEN, clock), clock),
    reader: takeEverything,
    topic: { id: 'none', threshold: 0 },
    scorer: linkScorer('bfs', { threshold: 0, seed: 0 }) satisfies LinkScorer,
    scope: parseScope([]),
    expansion: { maxDepth: 0, tunnel: 0 },
    kept: keptPayloads(frontier),
    newRecordId,
    hostKeyOf,
  };
}

function withProgress({ emit, onProgress }: Pick<FetchListOptions, 'emit' | 'onProgress'>, frontier: Pick<Ledger, 'counts'>): Emit {
  let done = 0;
  return (event) => {
    emit?.(event);
    if (event.type !== 'settled' || event.settlement !== 'done') return;
    done += 1;
    onProgress?.(done, frontier.counts().discovered);
  };
}

const ALL_WANTED = { kind: 'read', extraction: NOTHING_READ, links: [], relevance: 1 } as const;

const takeEverything: PageReader = { read: async () => ALL_WANTED, close: async () => undefined };

function renders({ render = 'never' }: Pick<FetchListOptions, 'render'>): boolean {
  return render !== 'never';
}

function tell({ emit }: Pick<FetchListOptions, 'emit'>, message: string): void {
  emit?.({ type: 'warning', at: systemClock.now(), message });
}

function collectorOf(take: (page: FetchedPage) => void): CorpusWriter {
  return {
    recorded: false,
    append: (entry) => {
      if (entry.kind === 'page') take(entry.document ? withDocument(entry.page, entry.document.html) : entry.page);
    },
    offsets: () => ({}),
    flush: async () => undefined,
    close: async () => undefined,
  };
}
