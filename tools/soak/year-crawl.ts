/** The crawl of a year in a process of its own, which is killed: the real loop, frontier, corpus and order of revisits, on a simulated clock and web. */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { NO_METADATA } from '../../src/base/core/no-metadata.ts';
import type { ListSource } from '../../src/base/core/parts/reading.ts';
import { NO_EXTRAS, type Parts } from '../../src/base/core/parts.ts';
import type { CanonicalUrl, EpochMs, FetchedPage, FetchOutcome, Ms } from '../../src/base/core/types.ts';
import { simhash } from '../../src/base/text/simhash.ts';
import { hostKeyOf } from '../../src/base/web/url.ts';
import { FileCorpusWriter } from '../../src/corpus/records/corpus-writer.ts';
import { newRecordId } from '../../src/corpus/records/warc-record.ts';
import { keptPayloads } from '../../src/crawling/crawl/kept-payloads.ts';
import { runCrawl } from '../../src/crawling/crawl/loop.ts';
import { discoverSeeds } from '../../src/crawling/crawl/page-records.ts';
import { openLmdbFrontier } from '../../src/crawling/frontier/frontier.ts';
import { SimulatedClock } from '../../src/study/eval/simulated-clock.ts';
import { beginRevisits } from '../../src/study/inspect/revisit-counts.ts';
import { BEGIN, DAY, type YearOptions, YearWeb } from './year-web.ts';

export interface YearCrawlOptions extends YearOptions {
  readonly dir: string;
  /** File to which each request is written before it is answered, as the log of the servers. */
  readonly log: string;
  /** Time at which the crawl begins or goes on. */
  readonly from: EpochMs;
  /** Revisits a day, as a share of the kept pages. */
  readonly share: number;
  /** Does the crawl follow the feeds of the hosts? */
  readonly feeds: boolean;
}

/** A request in the log: start, end, URL, version (-1: 404) and the real time. */
export type LoggedRequest = readonly [start: EpochMs, end: EpochMs, url: string, version: number, realTime: EpochMs];

export interface YearEnd {
  readonly heap: number;
  readonly external: number;
}

const LATENCY: Ms = 50;
export const DELAY: Ms = 1000;

process.once('message', (options: YearCrawlOptions) => void crawlYear(options));

async function crawlYear(options: YearCrawlOptions): Promise<void> {
  const { dir, from, days, share } = options;
  const clock = new SimulatedClock(from);
  const database = join(dir, 'frontier');
  const frontier = openLmdbFrontier(database, { clock, delay: DELAY, maxPagesPerHost: Number.POSITIVE_INFINITY });
  const info = { software: 'year', robots: 'obey', description: 'year', userAgent: null };
  const corpus = await FileCorpusWriter.open(join(dir, 'corpus'), frontier.lastCommit(), info);
  const web = new YearWeb(options);
  const fetch = fetcherOf(web, clock, openSync(options.log, 'a'));
  const parts: Parts = {
    ...NO_EXTRAS,
    clock,
    frontier,
    corpus,
    robots: { verdict: () => 'allow', load: async () => ({ crawlDelay: null, sitemaps: [] }), unreachable: () => null },
    fetcher: { fetch, close: async () => undefined },
    reader: { read: async (page) => readPage(page, options.feeds), close: async () => undefined },
    lists: listsOf(web, fetch),
    followsLists: options.feeds ? 'always' : 'never',
    topic: { id: 'year', threshold: 0.5 },
    scorer: {
      ...{ strategy: 'year', judgement: 'none', learnedFrom: 0 },
      score: (links) => new Float32Array(links.length).fill(0.5),
      explain: () => ({ logit: 0, bias: 0, contributions: [], priority: 0.5, rule: 'none' }),
    },
    scope: { refuses: () => null },
    expansion: { maxDepth: 9, tunnel: 9 },
    kept: keptPayloads(frontier),
    newRecordId,
    hostKeyOf,
    emit: () => undefined,
  };
  frontier.add(discoverSeeds(web.hosts as CanonicalUrl[], parts));
  const plan = { target: 'age', budget: { kind: 'of-pages-a-day', share } } as const;
  const signal = new AbortController().signal;
  const stored = await beginRevisits(
    frontier,
    { corpus: join(dir, 'corpus') } as never,
    { plan, isShared: false },
    from,
    signal,
    undefined,
  );
  const limits = {
    maxPages: Number.POSITIVE_INFINITY,
    continuous: true,
    maxTime: BEGIN + days * DAY - from,
    concurrency: 16,
    patience: 0,
    stopYield: null,
  };
  await runCrawl({ ...parts, stored }, limits, signal);
  globalThis.gc?.();
  const { heapUsed: heap, external } = process.memoryUsage();
  await Promise.all([frontier.close(), corpus.close()]);
  process.send?.({ heap, external } satisfies YearEnd, () => process.exit(0));
}

function fetcherOf(web: YearWeb, clock: SimulatedClock, log: number): Parts['fetcher']['fetch'] {
  return async (url, signal, unless): Promise<FetchOutcome> => {
    const start = clock.now();
    await clock.sleep(LATENCY, signal);
    const found = web.at(url, start);
    const request: LoggedRequest = [start, clock.now(), url, found?.version ?? -1, Date.now()];
    writeSync(log, `${JSON.stringify(request)}\n`);
    if (found === null) return { kind: 'failed', code: 'http-4xx', status: 404, detail: '', retryAfter: null, ms: LATENCY };
    const etag = `"${found.version}"`;
    const isSame = unless?.etag === etag;
    const body = Buffer.from(isSame ? '' : JSON.stringify(found));
    const page: FetchedPage = {
      ...{ url, status: isSame ? 304 : 200, statusText: 'OK', rawHeaders: [['ETag', etag]], headers: { etag }, requestHeaders: [] },
      ...{ body, wireBody: body, truncated: false, startedAt: start, endedAt: clock.now(), ip: null },
    };
    return { kind: 'page', page };
  };
}

const WORDS = {
  anchorText: '',
  context: '',
  imageAlt: '',
  zone: 'content',
  tagPath: 'a',
  anchorScore: null,
  contextScore: null,
} as const;

/** The feeds of the web. Hosts have no sitemaps. */
function listsOf(web: YearWeb, fetch: Parts['fetcher']['fetch']): ListSource {
  return {
    usualPlaceOf: (host) => `${host}/sitemap.xml` as CanonicalUrl,
    mayBeList: (url) => url.endsWith('/feed'),
    linksTo: async () => ({ kind: 'list', links: [], lists: [] }),
    fetch: (url, signal) => fetch(url, signal),
    read: async ({ url, startedAt }) => ({
      kind: 'list',
      links: web.feed(url, startedAt).map((one) => ({ url: one as CanonicalUrl, text: { ...WORDS, zone: 'other', tagPath: 'feed' } })),
      lists: [],
    }),
  };
}

function readPage({ url, body }: FetchedPage, hasFeeds: boolean): Awaited<ReturnType<Parts['reader']['read']>> {
  const { text, links } = JSON.parse(Buffer.from(body).toString()) as { readonly text: string; readonly links: readonly CanonicalUrl[] };
  const feeds = hasFeeds ? [`${new URL(url).origin}/feed` as CanonicalUrl] : [];
  const statements = { noindex: false, nofollow: false, metadata: NO_METADATA, fields: {}, charset: 'utf-8', warnings: [] };
  return {
    kind: 'read',
    extraction: { title: '', text, otherText: '', lang: 'en', feeds, ...statements },
    links: links.map((one) => ({ url: one, text: WORDS })),
    relevance: 0.9,
    simhash: simhash(text),
  };
}
