/** A crawl of real loopback servers by the crawl's own loop, fetcher, robots cache, extractor and frontier. Only its pauses pass on a virtual clock. */

import type { Frontier } from '../../src/base/core/parts/queueing.ts';
import type { ReadOutcome } from '../../src/base/core/parts/reading.ts';
import { NO_EXTRAS, type Parts } from '../../src/base/core/parts.ts';
import type { FetchedPage, LedgerLine, RecordId } from '../../src/base/core/types.ts';
import { simhash } from '../../src/base/text/simhash.ts';
import { leadsToList, usualSitemapOf } from '../../src/base/web/media-names.ts';
import { MAX_RESERVATIONS_BYTES, parseReservations, reservationsUrlOf } from '../../src/base/web/reservation.ts';
import { hostKeyOf } from '../../src/base/web/url.ts';
import { keptPayloads } from '../../src/crawling/crawl/kept-payloads.ts';
import { type CrawlLimits, runCrawl, type StopReason } from '../../src/crawling/crawl/loop.ts';
import { discoverSeeds } from '../../src/crawling/crawl/page-records.ts';
import type { HttpFetcher } from '../../src/crawling/fetch/http-fetcher.ts';
import { RobotsCache } from '../../src/crawling/fetch/robots-cache.ts';
import { openMemoryFrontier } from '../../src/crawling/frontier/frontier.ts';
import { MAX_LIST_BYTES, readUrlList } from '../../src/reading/extract/url-list.ts';
import { linkScorer } from '../../src/reading/links/strategies.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { NO_TEXT, urlOf } from '../support/frontier-values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

export interface HostileCrawlOptions {
  readonly fetcher: HttpFetcher;
  readonly seeds: readonly string[];
  readonly limits?: Partial<CrawlLimits>;
  /** Default: every page. */
  readonly isOnTopic?: (page: FetchedPage) => boolean;
  /** Default: nothing is out of scope. */
  readonly refuses?: Parts['scope']['refuses'];
}

export interface HostileCrawl {
  readonly stopped: StopReason;
  readonly frontier: Frontier;
  /** Of the URL as it is written, in one or two words: `kept`, `failed timeout`, `fetched redirect:…`; '' where it was never discovered. */
  end(url: string): string;
  line(url: string): LedgerLine | null;
}

const LIMITS: CrawlLimits = { maxPages: 10_000, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency: 16 };
const extractor = pageExtractor({ productToken: 'forager' });

/** Crawl until nothing waits. Every list is followed and every host asked for its reservations. */
export async function hostileCrawl(options: HostileCrawlOptions): Promise<HostileCrawl> {
  const parts = partsOf(options);
  const { frontier } = parts;
  frontier.add(discoverSeeds(options.seeds.map(urlOf), parts));
  const stopped = await runCrawl(parts, { ...LIMITS, ...options.limits }, new AbortController().signal);
  const line = (url: string) => frontier.find(urlOf(url))?.line ?? null;
  const end = (url: string) => {
    const { state, reason } = line(url) ?? { state: '', reason: '' };
    return `${state} ${reason}`.trim();
  };
  return { stopped, frontier, end, line };
}

function partsOf({ fetcher, isOnTopic = () => true, refuses = () => null }: HostileCrawlOptions): Parts {
  const clock = new VirtualClock(Date.now(), true);
  const frontier = openMemoryFrontier({ clock, delay: 1000, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true });
  let records = 0;
  return {
    ...NO_EXTRAS,
    followsLists: 'auto',
    clock,
    frontier,
    fetcher,
    robots: new RobotsCache(fetcher, 'Forager', clock),
    reader: { read: async (page) => readOf(page, isOnTopic(page)), close: async () => undefined },
    lists: {
      usualPlaceOf: usualSitemapOf,
      mayBeList: leadsToList,
      linksTo: async () => ({ kind: 'list', links: [], lists: [] }),
      fetch: (url, signal) => fetcher.fetchFile(url, MAX_LIST_BYTES, signal),
      read: async ({ url, body }, kind) => {
        const { pages, lists } = await readUrlList(url, body, kind);
        return { kind: 'list', links: pages.map((page) => ({ url: page.url, text: NO_TEXT })), lists };
      },
    },
    reservations: {
      urlsFor: (host) => [reservationsUrlOf(host)],
      fetch: (url, signal) => fetcher.fetchFile(url, MAX_RESERVATIONS_BYTES + 1, signal),
      read: (body, url) => ({ rules: parseReservations(body, url) }),
    },
    topic: { id: 'hostile', threshold: 0.5 },
    scorer: linkScorer('bfs', { threshold: 0.5, seed: 1 }),
    scope: { refuses },
    expansion: { maxDepth: Number.POSITIVE_INFINITY, tunnel: Number.POSITIVE_INFINITY },
    kept: keptPayloads(frontier),
    corpus: { recorded: false, append: () => undefined, offsets: () => ({}), flush: async () => undefined, close: async () => undefined },
    newRecordId: () => `urn:uuid:${++records}` as RecordId,
    hostKeyOf,
    emit: () => undefined,
  };
}

function readOf(page: FetchedPage, onTopic: boolean): ReadOutcome {
  const { outlinks, ...extraction } = extractor.extract(page);
  const links = outlinks.map(({ url, rel: _rel, ...text }) => ({ url, text: { ...text, anchorScore: null, contextScore: null } }));
  return { kind: 'read', extraction, links, relevance: onTopic ? 0.9 : 0.1, simhash: simhash(extraction.text) };
}
