/** Crawls of the generated web in process: its own pages and links, labels for a judge that errs, and the crawl's own loop and frontier. */
import type { GeneratedWeb } from '../../../datasets/generated-web/web.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { ReadLink, ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import { NO_EXTRAS, type Parts } from '../../../src/base/core/parts.ts';
import type { CanonicalUrl, FetchedPage, RecordId } from '../../../src/base/core/types.ts';
import { simhash } from '../../../src/base/text/simhash.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { keptPayloads } from '../../../src/crawling/crawl/kept-payloads.ts';
import { relearn } from '../../../src/crawling/crawl/lessons.ts';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { discoverSeeds } from '../../../src/crawling/crawl/page-records.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import type { Strategy } from '../../../src/reading/links/strategy-names.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export interface TrapCrawlOptions {
  readonly web: Pick<GeneratedWeb, 'page' | 'links'>;
  readonly seeds: readonly string[];
  readonly isOnTopic: (url: string) => boolean;
  readonly strategy: Strategy;
  /** URLs to visit in all. */
  readonly budget: number;
  readonly traps: boolean;
  readonly tunnel?: number;
  /** Is the judge wrong on this page, or rather on its text? Default never. */
  readonly isTakenIn?: (url: string, text: string) => boolean;
  /** Default a new one in memory. */
  readonly open?: (options: FrontierOptions) => Frontier;
  readonly unpark?: string;
  /** Told of each URL before it is asked for. */
  readonly onFetch?: (url: string) => void;
}

/** @returns the URLs asked for in this run, in order, and the frontier as it was left, committed and open. */
export async function trapCrawl(
  options: TrapCrawlOptions,
): Promise<{ readonly order: readonly CanonicalUrl[]; readonly frontier: Frontier }> {
  const { strategy, budget, traps, tunnel = Number.POSITIVE_INFINITY, open = openMemoryFrontier } = options;
  const clock = new VirtualClock(1_000_000, true);
  const frontier = open({ clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, tie: tieOf(strategy), traps });
  const scorer = linkScorer(strategy, { threshold: 0.5, seed: 1 });
  relearn(scorer, frontier);
  const order: CanonicalUrl[] = [];
  const parts: Parts = {
    ...NO_EXTRAS,
    clock,
    frontier,
    robots: { verdict: () => 'allow', load: async () => ({ crawlDelay: null, sitemaps: [] }), unreachable: () => null },
    fetcher: {
      fetch: async (url) => {
        options.onFetch?.(url);
        order.push(url);
        const page = options.web.page(url);
        if (page) return { kind: 'page', page: pageOf(url, page.html) };
        return { kind: 'failed', code: 'http-4xx', status: 404, detail: '', retryAfter: null, ms: 0 };
      },
      close: async () => undefined,
    },
    reader: { read: async (page) => readOf(page, options), close: async () => undefined },
    topic: { id: 'labels', threshold: 0.5 },
    scorer,
    scope: { refuses: () => null },
    expansion: { maxDepth: Number.POSITIVE_INFINITY, tunnel },
    kept: keptPayloads(frontier),
    corpus: { recorded: false, append: () => undefined, offsets: () => ({}), flush: async () => undefined, close: async () => undefined },
    newRecordId: () => 'urn:uuid:00000000-0000-0000-0000-000000000000' as RecordId,
    hostKeyOf,
    emit: () => undefined,
  };
  if (options.unpark !== undefined) frontier.unpark(options.unpark);
  frontier.add(discoverSeeds(options.seeds.map(urlOf), parts));
  const limits = { maxPages: budget, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency: 1 };
  await runCrawl(parts, limits, new AbortController().signal);
  return { order, frontier };
}

function tieOf(strategy: Strategy): 'oldest' | 'newest' {
  return strategy === 'dfs' ? 'newest' : 'oldest';
}

function readOf({ url, body }: FetchedPage, { web, isOnTopic, isTakenIn }: TrapCrawlOptions): ReadOutcome {
  const text = textOf(Buffer.from(body).toString());
  const title = '';
  const extraction = {
    title,
    text,
    otherText: '',
    lang: null,
    noindex: false,
    nofollow: false,
    metadata: NO_METADATA,
    fields: {},
    charset: '',
    warnings: [],
  };
  const links: ReadLink[] = web.links(url).map((link) => ({
    url: urlOf(link.url),
    text: { anchorText: link.anchorText, context: '', imageAlt: '', zone: 'content', tagPath: '', anchorScore: 0, contextScore: 0 },
  }));
  return { kind: 'read', extraction, links, relevance: isOnTopic(url) || isTakenIn?.(url, text) ? 0.9 : 0.1, simhash: simhash(text) };
}

/** The words of the article, the links' own left out. */
function textOf(html: string): string {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? html;
  return main.replace(/<a .*?<\/a>/gs, '').replace(/<[^>]*>/g, ' ');
}

function pageOf(url: CanonicalUrl, html: string): FetchedPage {
  const body = Buffer.from(html);
  const none = { statusText: '', rawHeaders: [], headers: {}, requestHeaders: [], truncated: false, ip: null };
  return { ...none, url, status: 200, body, wireBody: body, startedAt: 0, endedAt: 0 };
}
