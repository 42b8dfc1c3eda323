/** Reading a crawl directory: its state, its ledger, and why each thing in it is as it is. */
import { existsSync } from 'node:fs';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import type { CorpusOffsets, Explanation, Frontier, FrontierCounts, LinkExplanation, LinkScorer } from '../core/parts.ts';
import type { CanonicalUrl, Edge, Fate, LedgerLine, Unit } from '../core/types.ts';
import { findRecord, RECORDS_FILE } from '../corpus/records.ts';
import { relearn } from '../crawl/lessons.ts';
import { openLmdbFrontier } from '../frontier/frontier.ts';
import { linkScorer } from '../links/strategies.ts';
import { canonicalize } from '../web/url.ts';
import { harvestRateOf } from './crawl.ts';
import { type CrawlManifest, crawlPaths, readManifest, refuseLostFrontier } from './crawl-directory.ts';
import { loadOwnModel } from './load-topic.ts';
import { isLocked } from './lock.ts';

/** A crawl opened for reading; the crawl itself may be running meanwhile. */
export interface OpenCrawl {
  readonly manifest: CrawlManifest;
  readonly frontier: Frontier;
  readonly running: boolean;
  close(): Promise<void>;
}

/** @throws UsageError when there is no crawl; DataError, StoreError when it is damaged. */
export function openCrawl(dir: string): OpenCrawl {
  const manifest = readManifest(dir);
  const paths = crawlPaths(dir);
  if (!existsSync(paths.frontier)) throw new UsageError(`${dir}: the crawl has not begun; run the same forager crawl command again`);
  refuseLostFrontier(manifest, paths);
  const frontier = openLmdbFrontier(paths.frontier, {
    clock: systemClock,
    delay: manifest.delayMs,
    patience: 0,
    maxPagesPerHost: manifest.maxPagesPerHost ?? Number.POSITIVE_INFINITY,
  });
  const scorer = freshScorer(manifest);
  relearn(scorer, frontier);
  if (scorer.learnedFrom > 0) frontier.rescore((entries) => scorer.score(entries), scorer.learnedFrom, Number.POSITIVE_INFINITY);
  return { manifest, frontier, running: isLocked(paths.lock), close: () => frontier.close() };
}

function freshScorer({ strategy, topic, rngSeed }: CrawlManifest): LinkScorer {
  return linkScorer(strategy, { threshold: topic.threshold, seed: rngSeed });
}

/** Why the last run ended; `running` while it does, `killed` when it left no word. */
export function stopReasonOf({ manifest, running }: Pick<OpenCrawl, 'manifest' | 'running'>): string {
  return running ? 'running' : (manifest.runs.at(-1)?.stopReason ?? 'killed');
}

/** One line for each discovered URL; what still waited when the crawl stopped reads `not-reached` with the reason it stopped. */
export function* ledgerOf(crawl: OpenCrawl): Generator<LedgerLine> {
  const reason = stopReasonOf(crawl);
  for (const line of crawl.frontier.ledger()) {
    const waits = line.state === 'queued' || line.state === 'leased';
    yield waits && !crawl.running ? { ...line, state: 'not-reached', reason } : line;
  }
}

export interface CrawlStatus {
  readonly dir: string;
  readonly topic: CrawlManifest['topic'];
  readonly strategy: string;
  readonly stopReason: string;
  readonly counts: FrontierCounts;
  readonly harvestRate: number;
  /** On-topic pages whose way here led through at least one off-topic page. */
  readonly tunnelled: number;
  /** Refused and failed URLs by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Discovered URLs by ledger state; their sum is `counts.discovered`. */
  readonly states: Readonly<Record<string, number>>;
  /** Hosts with the most kept pages, at most ten. */
  readonly topHosts: readonly { readonly host: string; readonly kept: number; readonly visited: number }[];
}

/** What a crawl has come to. O(discovered URLs). */
export async function status(dir: string): Promise<CrawlStatus> {
  const crawl = openCrawl(dir);
  try {
    return statusOf(dir, crawl);
  } finally {
    await crawl.close();
  }
}

function statusOf(dir: string, crawl: OpenCrawl): CrawlStatus {
  const reasons: Record<string, number> = {};
  const states: Record<string, number> = {};
  for (const { state, reason } of ledgerOf(crawl)) {
    states[state] = (states[state] ?? 0) + 1;
    if (state === 'refused' || state === 'failed') reasons[`${state}:${reason}`] = (reasons[`${state}:${reason}`] ?? 0) + 1;
  }
  const hosts = new Map<string, { kept: number; visited: number }>();
  let tunnelled = 0;
  for (const { entry, fate } of crawl.frontier.settled()) {
    const host = hosts.get(entry.host) ?? { kept: 0, visited: 0 };
    hosts.set(entry.host, { kept: host.kept + Number(fate.state === 'kept'), visited: host.visited + Number(fate.visited) });
    if (fate.state === 'kept' && entry.offTopicDepth > 0) tunnelled += 1;
  }
  const topHosts = [...hosts].map(([host, numbers]) => ({ host, ...numbers })).sort((a, b) => b.kept - a.kept || b.visited - a.visited);
  const { topic, strategy } = crawl.manifest;
  const { frontier } = crawl;
  return {
    dir,
    topic,
    strategy,
    stopReason: stopReasonOf(crawl),
    counts: frontier.counts(),
    harvestRate: harvestRateOf(frontier),
    tunnelled,
    reasons,
    states,
    topHosts: topHosts.slice(0, 10),
  };
}

/** Why a URL is in the state it is in. */
export interface Why {
  readonly line: LedgerLine;
  /** null when the page was never judged, or asked not to be stored. */
  readonly page: { readonly relevance: Unit; readonly threshold: Unit; readonly title: string; readonly explanation: Explanation } | null;
  /** null for a seed. */
  readonly link: { readonly edge: Edge; readonly explanation: LinkExplanation } | null;
}

/**
 * The page's relevance with the terms for and against it, and the link's priority with the edge and features that gave it,
 * as the scorer stood when it gave it: it is taught again what it had learned by then.
 * @throws UsageError when the crawl never met the URL.
 */
export async function why(dir: string, url: string): Promise<Why> {
  const canonical = canonicalize(url);
  if (!canonical) throw new UsageError(`${url}: not an http(s) URL`);
  const crawl = openCrawl(dir);
  try {
    return await explain(dir, crawl, canonical);
  } finally {
    await crawl.close();
  }
}

async function explain(dir: string, crawl: OpenCrawl, url: CanonicalUrl): Promise<Why> {
  const found = crawl.frontier.find(url);
  if (!found) throw new UsageError(`${url}: this crawl never discovered it; see forager ledger ${dir}`);
  const { entry, fate, line } = found;
  const waits = line.state === 'queued' || line.state === 'leased';
  return {
    line: waits && !crawl.running ? { ...line, state: 'not-reached', reason: stopReasonOf(crawl) } : line,
    page: await explainPage(dir, crawl.manifest, fate, crawl.frontier.committedOffsets()),
    link: entry.edge && explainLink(crawl, entry, entry.edge),
  };
}

/** The text of a kept page is in the corpus, that of another judged page in the frontier. */
async function explainPage(dir: string, manifest: CrawlManifest, fate: Fate | null, offsets: CorpusOffsets): Promise<Why['page']> {
  const paths = crawlPaths(dir);
  const page = fate?.recordId ? await findRecord(paths.corpus, fate.recordId, offsets[RECORDS_FILE] ?? 0) : fate?.page;
  if (!page) return null;
  const model = await loadOwnModel(paths, manifest);
  return { relevance: model.judge(page), threshold: model.threshold, title: page.title, explanation: model.explain(page) };
}

function explainLink({ manifest, frontier }: OpenCrawl, entry: Parameters<LinkScorer['explain']>[0], edge: Edge): NonNullable<Why['link']> {
  const scorer = freshScorer(manifest);
  relearn(scorer, frontier, edge.learnedFrom);
  return { edge, explanation: scorer.explain(entry) };
}
