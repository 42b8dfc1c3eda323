/** Crawls of frozen webs on a simulated clock: of one machine, and of several workers whose log is in PostgreSQL. All run in this process. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../src/base/core/errors.ts';
import type { CrawlEvent } from '../../src/base/core/parts/crawl-events.ts';
import type { Frontier } from '../../src/base/core/parts/queueing.ts';
import type { LinkScorer } from '../../src/base/core/parts/scoring.ts';
import type { Parts } from '../../src/base/core/parts.ts';
import type { CanonicalUrl, LedgerLine, Ms } from '../../src/base/core/types.ts';
import type { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import { beginEngineCrawl } from '../../src/crawling/cluster/crawl-list.ts';
import { migrate } from '../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../src/crawling/cluster/engine-address.ts';
import { sharedParts } from '../../src/crawling/cluster/shared-parts.ts';
import { sharedPayloads } from '../../src/crawling/cluster/shared-payloads.ts';
import { SharedSession } from '../../src/crawling/cluster/shared-session.ts';
import { SqlClient } from '../../src/crawling/cluster/sql-client.ts';
import { type EngineCrawl, EngineWorker } from '../../src/crawling/cluster/worker.ts';
import { commitAll } from '../../src/crawling/crawl/committer.ts';
import { type StopReason, runCrawl as visitAll } from '../../src/crawling/crawl/loop.ts';
import { discoverSeeds } from '../../src/crawling/crawl/page-records.ts';
import { RunningCrawl } from '../../src/crawling/crawl/running.ts';
import { openLmdbFrontier, openLoggedFrontier } from '../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../src/crawling/frontier/frontier-parts.ts';
import type { Guide } from '../../src/study/eval/guide.ts';
import { frozenParts } from '../../src/study/eval/simulate.ts';
import { IoClock } from './io-clock.ts';

export interface FrozenCrawl {
  readonly web: FrozenWeb;
  readonly guide: Guide;
  /** A fresh one for each process. */
  readonly scorer: () => LinkScorer;
  readonly starts: readonly CanonicalUrl[];
  readonly tunnel: number;
  readonly tie: 'newest' | 'oldest';
  /** Rest of a host between two requests. */
  readonly delay: Ms;
  /** Mean time of a request. */
  readonly latency: Ms;
  /** Requests at once of each process. */
  readonly concurrency: number;
  /** Visits of all processes. */
  readonly maxPages: number;
  /** Parts that differ from those of the frozen web. */
  readonly change?: (parts: Parts) => Partial<Parts>;
}

/** An event and the number of its worker, from 0. */
export type WorkerEvent = CrawlEvent & { readonly worker: number };

export interface FrozenRun {
  /** Of all workers, in the order in which they happened. */
  readonly events: readonly WorkerEvent[];
  /** By worker. */
  readonly ends: readonly { readonly stopReason: StopReason; readonly ledger: readonly LedgerLine[]; readonly visits: number }[];
  /** Simulated. */
  readonly ms: Ms;
}

/** @param folder gets the database of its frontier */
export async function crawlAlone(crawl: FrozenCrawl, folder: string): Promise<FrozenRun> {
  const clock = new IoClock();
  const frontier = inTime(openLmdbFrontier(folder, frontierOptions(crawl, clock)), clock);
  const events: WorkerEvent[] = [];
  try {
    const stopReason = await visited(crawl, partsOf(crawl, clock, frontier, 0, events), new RunningCrawl(clock));
    return { events, ends: [endOf(frontier, stopReason, frontier.counts().visited)], ms: clock.passed };
  } finally {
    await frontier.close();
  }
}

/**
 * The same crawl by workers that share it.
 * @param at address of a crawl that is not in the database yet
 * @param folder gets a folder for each worker
 * @throws StoreError if a worker cannot commit any more
 */
export async function crawlTogether(crawl: FrozenCrawl, workers: number, at: string, folder: string): Promise<FrozenRun> {
  const clock = new IoClock();
  const address = readEngineAddress(at);
  const clients = await Promise.all(Array.from({ length: workers }, () => SqlClient.connect(address)));
  const events: WorkerEvent[] = [];
  try {
    const [first] = clients;
    if (first === undefined) throw new UsageError('a crawl needs a worker');
    await migrate(first);
    const inDatabase = await beginEngineCrawl(first, address.crawl, '{}', new Map());
    const work = (client: SqlClient, worker: number) =>
      crawlAsWorker(crawl, { worker, client, inDatabase, folder: join(folder, String(worker)), clock, events });
    return { ends: await Promise.all(clients.map(work)), events, ms: clock.passed };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

interface WorkerPlace {
  readonly worker: number;
  readonly client: SqlClient;
  readonly inDatabase: EngineCrawl;
  readonly folder: string;
  readonly clock: IoClock;
  readonly events: WorkerEvent[];
}

async function crawlAsWorker(
  crawl: FrozenCrawl,
  { worker, client, inDatabase, folder, clock, events }: WorkerPlace,
): Promise<FrozenRun['ends'][number]> {
  const timed: Pick<SqlClient, 'query'> = { query: (...asked) => clock.during(() => client.query(...asked)) };
  const corpus = { id: randomUUID(), host: 'bench', path: folder };
  const engine = await EngineWorker.join(timed, inDatabase, corpus, `worker ${worker}`);
  const [stop, lost] = [new AbortController(), new AbortController()];
  const session = new SharedSession(engine, clock, {
    ...(Number.isFinite(crawl.maxPages) && { maxVisits: crawl.maxPages }),
    delay: crawl.delay,
    onStop: () => stop.abort(),
    onLost: (why) => lost.abort(why),
  });
  const frontier = inTime(openLoggedFrontier(folder, frontierOptions(crawl, clock), null, session, session), clock);
  try {
    const running = new RunningCrawl(clock);
    const busyHosts = () => [...running.visits()].map(({ lease }) => lease.entry.host);
    await session.open({ frontier, busyHosts, added: () => running.added(), commit: () => frontier.commit({}, Promise.resolve()) });
    session.onChange(() => running.changed());
    const parts: Parts = {
      ...sharedParts(partsOf(crawl, clock, frontier, worker, events), session),
      kept: sharedPayloads(engine, [], stop.signal, (gone) => session.tried('claim', gone)),
      lost: lost.signal,
      headroom: { verdict: () => (session.mayAsk ? 'go' : 'paused') },
    };
    // Those of workers that began earlier; none waits for a new priority yet.
    for await (const lessons of session.lessonsSoFar()) for (const { entry, relevance } of lessons) parts.scorer.learn?.(entry, relevance);
    const stopReason = await visited(crawl, parts, running, stop.signal);
    return endOf(frontier, stopReason, session.visits);
  } finally {
    await session.pause();
    await frontier.close();
    await session.close();
  }
}

/** As a run of a crawl does: the seeds are stored first. */
async function visited(
  { starts, concurrency, maxPages }: FrozenCrawl,
  parts: Parts,
  running: RunningCrawl,
  stop = new AbortController().signal,
): Promise<StopReason> {
  parts.frontier.add(discoverSeeds(starts, parts));
  await commitAll(parts.frontier, parts.corpus);
  const limits = { maxPages, maxTime: Number.POSITIVE_INFINITY, concurrency, patience: null, stopYield: null };
  return visitAll(parts, limits, stop, running);
}

function frontierOptions({ delay, tie }: FrozenCrawl, clock: IoClock): FrontierOptions {
  return { clock, delay, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true, tie };
}

/** Its commits are I/O. */
function inTime<T extends Frontier>(frontier: T, clock: IoClock): T {
  const commit = frontier.commit.bind(frontier);
  frontier.commit = (...given) => clock.during(() => commit(...given));
  return frontier;
}

function partsOf(crawl: FrozenCrawl, clock: IoClock, frontier: Frontier, worker: number, events: WorkerEvent[]): Parts {
  const parts = frozenParts({ ...crawl, scorer: crawl.scorer() }, clock, frontier, crawl.latency);
  return { ...parts, emit: (event) => events.push({ ...event, worker }), ...crawl.change?.(parts) };
}

function endOf(frontier: Frontier, stopReason: StopReason, visits: number): FrozenRun['ends'][number] {
  return { stopReason, ledger: [...frontier.ledger()], visits };
}
