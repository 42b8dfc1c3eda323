/** One strategy on a frozen web: the crawl's own loop, with responses from a file and a simulated clock. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/core/clock.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { type FrozenVisit, frozenExtraction } from '../../base/core/frozen-visit.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { PageFetcher, RobotsPolicy } from '../../base/core/parts/fetching.ts';
import type { CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { Frontier } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { NO_EXTRAS, type Parts, type Scope } from '../../base/core/parts.ts';
import type { CanonicalUrl, EpochMs, FetchedPage, FetchOutcome, LedgerLine, Ms, RecordId } from '../../base/core/types.ts';
import { simhash } from '../../base/text/simhash.ts';
import { hashWord } from '../../base/text/tokens.ts';
import { pagesWithin } from '../../base/web/scope.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { keptPayloads } from '../../crawling/crawl/kept-payloads.ts';
import { runCrawl } from '../../crawling/crawl/loop.ts';
import { discoverSeeds } from '../../crawling/crawl/page-records.ts';
import type { ExplorationOptions } from '../../crawling/frontier/exploration.ts';
import { openMemoryFrontier } from '../../crawling/frontier/frontier.ts';
import { listsOf } from './frozen-lists.ts';
import type { Guide } from './guide.ts';
import { repeatVisits } from './repeat-visits.ts';
import { SimulatedClock } from './simulated-clock.ts';

export interface Simulation {
  readonly web: FrozenWeb;
  readonly guide: Guide;
  readonly scorer: LinkScorer;
  readonly starts: readonly CanonicalUrl[];
  /** Visits that it begins with, as indices into the frozen web; they count. Absent: none. */
  readonly past?: readonly number[];
  /** Number of URLs to visit. */
  readonly budget: number;
  /** Number of off-topic pages in a row to cross. */
  readonly tunnel: number;
  /** The first of two URLs with the same priority. Default: the one discovered first. */
  readonly tie?: 'newest' | 'oldest';
  /** Random visits. null: none. */
  readonly explore: ExplorationOptions | null;
  /** Absent: one request at a time, which takes no time, and no host rests. */
  readonly timing?: SimulatedTiming;
  /** Does each host have a sitemap of its pages? Default: none has one. */
  readonly listed?: boolean;
  /** The watch that stops it, as `--stop-recall` does. Absent: none. */
  readonly stopBy?: (frontier: Frontier) => StopWatch;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** Watches the settled URLs of a run for the moment to stop. */
export interface StopWatch {
  readonly isReached: boolean;
  settled(url: CanonicalUrl): void;
}

/** Requests take time, and hosts rest. */
export interface SimulatedTiming {
  /** Rest of a host between two requests. */
  readonly delay: Ms;
  /** Mean time of a request; it takes half to one and a half of it, depending on its URL. */
  readonly latency: Ms;
  /** Number of requests at once. */
  readonly concurrency: number;
  /** Patience, as `CrawlLimits.patience`. */
  readonly patience: Ms | null;
  /** Longest time of the crawl. Absent: no limit. */
  readonly maxTime?: Ms;
}

/** The visits of a strategy. */
export interface SimulatedRun {
  /** Visits in order of settlement, as indices into the frozen web; as many as the budget, or fewer if the frontier ran empty. */
  readonly order: readonly number[];
  /** True for each visit whose path contained an off-topic page, by the guide. */
  readonly tunnelled: readonly boolean[];
  /** True for each random visit. */
  readonly explored: readonly boolean[];
  /** The visits of its warm-up, as indices. */
  readonly warmUp: readonly number[];
  /** SHA-256 of the URLs in order, hex: equal for equal runs. */
  readonly orderSha256: string;
  /** Duration of the run, by the simulated clock. */
  readonly ms: Ms;
  /** The fate of each discovered URL. */
  readonly ledger: readonly LedgerLine[];
}

/**
 * Crawls a frozen web. Deterministic: random choices come from the scorer's own seed, and simultaneous requests end in the order of a simulated time.
 * A URL that was not recorded is out of scope.
 */
export async function simulate(simulation: Simulation): Promise<SimulatedRun> {
  const { web, starts, past = [], budget, timing, signal = new AbortController().signal } = simulation;
  const parts = partsOf(simulation);
  const watch = simulation.stopBy?.(parts.frontier);
  parts.frontier.add(discoverSeeds(starts, parts));
  await repeatVisits(
    past.flatMap((index) => web.urls[index] ?? []),
    parts,
    signal,
  );
  const limits = {
    maxPages: budget,
    maxTime: timing?.maxTime ?? Number.POSITIVE_INFINITY,
    patience: timing?.patience ?? null,
    stopYield: null,
  };
  const emit = (event: CrawlEvent) => {
    if (event.type === 'settled') watch?.settled(event.url);
  };
  const stop = watch && { isComplete: () => watch.isReached };
  await runCrawl({ ...parts, emit }, { ...limits, ...stop, concurrency: timing?.concurrency ?? 1 }, signal);
  const visited = [...parts.frontier.settled()].filter(({ fate, entry }) => fate.visited && entry.task.kind === 'page');
  const hash = createHash('sha256');
  for (const { entry } of visited) hash.update(`${entry.url}\n`);
  return {
    order: visited.map(({ entry }) => web.indexOf(entry.url)),
    tunnelled: visited.map(({ entry }) => entry.offTopicDepth > 0),
    explored: visited.map(({ entry }) => entry.explored === true),
    warmUp: visited.filter(({ entry }) => entry.warmUp).map(({ entry }) => web.indexOf(entry.url)),
    orderSha256: hash.digest('hex'),
    ms: parts.clock.now(),
    ledger: [...parts.frontier.ledger()],
  };
}

function partsOf({ explore, tie = 'oldest', timing, ...crawled }: Simulation): Parts {
  const clock = timing ? new SimulatedClock() : new IdleClock();
  const frontier = openMemoryFrontier({
    clock,
    delay: timing?.delay ?? 0,
    maxPagesPerHost: Number.POSITIVE_INFINITY,
    traps: true,
    tie,
    ...(explore && { explore }),
  });
  return frozenParts(crawled, clock, frontier, timing?.latency ?? null);
}

/**
 * The parts of a crawl whose web is a frozen one.
 * @param latency as in `SimulatedTiming`; null: a request takes no time
 */
export function frozenParts(
  { web, guide, scorer, tunnel, listed = false }: Pick<Simulation, 'web' | 'guide' | 'scorer' | 'tunnel' | 'listed'>,
  clock: Clock,
  frontier: Frontier,
  latency: Ms | null,
): Parts {
  return {
    ...NO_EXTRAS,
    clock,
    frontier,
    robots: robotsOf(web),
    fetcher: latency === null ? fetcherOf(web, clock, new EventLoopYielder()) : inTime(fetcherOf(web, clock, null), latency, clock),
    reader: readerOf(web, guide, scorer),
    topic: guide.model,
    scorer,
    scope: recorded(web),
    ...(listed && { lists: listsOf(web, (url) => pageOf(url, 200, '', clock.now())), followsLists: 'auto' as const }),
    expansion: { maxDepth: Number.POSITIVE_INFINITY, tunnel },
    kept: keptPayloads(frontier),
    corpus: NO_CORPUS,
    newRecordId: () => 'urn:uuid:00000000-0000-0000-0000-000000000000' as RecordId,
    hostKeyOf,
    emit: () => undefined,
  };
}

/** Time passes only while somebody waits for it. */
class IdleClock implements Clock {
  #now: EpochMs = 0;

  now(): EpochMs {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    this.#now += ms;
    return Promise.resolve();
  }
}

const NO_CORPUS: CorpusWriter = {
  recorded: false,
  append: () => undefined,
  offsets: () => ({}),
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function recorded(web: FrozenWeb): Scope {
  return pagesWithin({ refuses: (url) => (web.indexOf(url) < 0 ? 'scope' : null) });
}

function robotsOf(web: FrozenWeb): RobotsPolicy {
  const denied = (visit: FrozenVisit) => visit.kind === 'refused' && (visit.reason === 'robots' || visit.reason === 'robots-unreachable');
  return {
    // A sitemap is not of the recorded web.
    verdict: (url) => (web.indexOf(url) >= 0 && denied(web.visit(web.indexOf(url))) ? 'deny' : 'allow'),
    load: () => Promise.resolve({ crawlDelay: null, sitemaps: [] }),
    unreachable: () => null,
  };
}

/** @param turns for timers and signals; null if the clock provides them, because a further turn would depend on the machine */
function fetcherOf(web: FrozenWeb, clock: Clock, turns: EventLoopYielder | null): PageFetcher {
  const fetch = async (url: CanonicalUrl) => {
    await turns?.take();
    return answerOf(web.visit(web.indexOf(url)), clock.now());
  };
  return { fetch, close: () => Promise.resolve() };
}

/** Half to one and a half of the latency, depending on the URL. */
function inTime({ fetch, close }: PageFetcher, latency: Ms, clock: Clock): PageFetcher {
  return {
    fetch: async (url, signal) => {
      const startedAt = clock.now();
      await clock.sleep(latency * (0.5 + (hashWord(url) >>> 0) / 2 ** 32), signal);
      const outcome = await fetch(url, signal);
      return outcome.kind === 'page' ? { ...outcome, page: { ...outcome.page, startedAt } } : { ...outcome, ms: clock.now() - startedAt };
    },
    close,
  };
}

function answerOf(visit: FrozenVisit, now: EpochMs): FetchOutcome {
  const { status } = visit;
  switch (visit.kind) {
    case 'page':
      return { kind: 'page', page: pageOf(visit.url, status ?? 200, visit.content.payloadSha256, now) };
    case 'redirect':
      return { kind: 'redirect', status: status ?? 302, to: visit.to, ms: 0 };
    case 'refused':
      return { kind: 'refused', reason: visit.reason, status, ms: 0 };
    case 'failed':
      return { kind: 'failed', code: visit.code, status, detail: '', retryAfter: null, ms: 0 };
  }
}

/** The loop detects identical pages by their bodies; here the digest of the body replaces the body. */
function pageOf(url: CanonicalUrl, status: number, payloadSha256: string, now: EpochMs): FetchedPage {
  const body = Buffer.from(payloadSha256, 'hex');
  const none = { statusText: '', rawHeaders: [], headers: {}, requestHeaders: [], truncated: false, ip: null };
  return { ...none, url, status, body, wireBody: body, startedAt: now, endedAt: now };
}

function readerOf(web: FrozenWeb, guide: Guide, { judgement }: LinkScorer): PageReader {
  return {
    read: ({ url }) => {
      const index = web.indexOf(url);
      const visit = web.visit(index);
      if (visit.kind !== 'page') return Promise.resolve({ kind: 'failed', code: 'read-crash', detail: 'not recorded as a page' });
      const { text, links } = visit.content;
      return Promise.resolve({
        kind: 'read',
        extraction: frozenExtraction(visit.content),
        links: guide.links(index, links, judgement),
        relevance: guide.relevance(index),
        ...guide.steered(index),
        simhash: simhash(text),
      });
    },
    close: () => Promise.resolve(),
  };
}
