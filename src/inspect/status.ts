/** What a crawl has come to: counts, rates, outlook. */
import type { FrontierCounts } from '../core/parts/queueing.ts';
import { REOPENED, type Unit } from '../core/types.ts';
import { RecentYield } from '../crawl/recent-yield.ts';
import type { CrawlManifest } from '../crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../crawl-dir/open-crawl.ts';
import { isListed } from '../reader/read-list.ts';
import { hostKeyOf } from '../web/url.ts';
import { ExplorationCount, type ExploredYield } from './explored-yield.ts';
import { type Grounds, groundsOf } from './grounds.ts';
import { ledgerOf, type ToldRetry } from './ledger-lines.ts';
import { LocalityCount, type MeasuredLocality } from './locality.ts';
import { type Outlook, Prospect } from './outlook.ts';
import { type PriorCorrection, priorCorrection } from './prior-correction.ts';
import { type RevisitCounts, revisitCounts } from './revisit-counts.ts';
import { settledOf } from './settled.ts';
import { type TopicYield, topicYields } from './topic-yields.ts';

/** Visits that the yield of late is told of; what `--stop-yield 2%/500` of the README goes by. */
const RECENT_VISITS = 500;

/** A host whose URLs could not be had and wait to be tried again. */
export interface RetriedHost extends ToldRetry {
  readonly host: string;
  /** URLs that wait so; the rest is of the one that is tried next. */
  readonly waiting: number;
}

export interface CrawlStatus extends Grounds {
  readonly dir: string;
  /** Of several topics what they come to together. */
  readonly topic: CrawlManifest['topic'];
  /** What each of several topics came to; empty where there is one. */
  readonly topics: readonly TopicYield[];
  readonly relabelled: CrawlManifest['relabelled'];
  /** What the last training with labels came to, where held-out labels said that it is worse: its model is in `models/<id>`. null otherwise. */
  readonly keptBeside: CrawlManifest['keptBeside'];
  readonly strategy: string;
  readonly stopReason: string;
  /** What is wrong between frontier and corpus, in words; empty where nothing is, as far as commits and sizes tell. */
  readonly faults: readonly string[];
  readonly counts: FrontierCounts;
  /** By the model, and meaningless where there are `doubts`; so are `recent`, `outlook`, `locality` and `explored`. */
  readonly harvestRate: number;
  /** Pages in the corpus that the model in force finds off topic: a harvest leaves them out. 0 before `relabel`. */
  readonly keptOffTopic: number;
  /** Kept pages whose way here led through at least one off-topic page. */
  readonly tunnelled: number;
  /** On-topic visits of the last 500, or of all where there were fewer. */
  readonly recent: { readonly visits: number; readonly onTopic: number };
  /** On-topic pages to expect of the next 1,000 visits; null before there were 100. */
  readonly outlook: Outlook | null;
  readonly locality: MeasuredLocality;
  /** Of what waited when it was drawn; null where nothing was visited by chance. */
  readonly explored: ExploredYield | null;
  /** Refused, failed and reopened URLs by state and reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What kept pages that were asked for again were last found to be. */
  readonly revisited: RevisitCounts;
  /** URLs that are parked, by reason: a pattern's, or `max-pages-per-host`. */
  readonly parked: Readonly<Record<string, number>>;
  /** Hosts given up on until the next run, since nothing but trouble came of them, and how many of their URLs wait; most first. */
  readonly givenUp: readonly { readonly host: string; readonly waiting: number }[];
  /** Hosts of URLs that could not be had and are tried again; those that are tried next first. */
  readonly retried: readonly RetriedHost[];
  /** Discovered URLs by ledger state; their sum is `counts.discovered`. */
  readonly states: Readonly<Record<string, number>>;
  /** The share on topic among judged pages by EM over their relevances; null of fewer than 50, and of several topics, whose greatest relevance is no probability. */
  readonly prior: PriorCorrection | null;
  /** Hosts with the most kept pages, at most ten. */
  readonly topHosts: readonly { readonly host: string; readonly kept: number; readonly visited: number }[];
}

/** What a crawl has come to. O(discovered URLs). */
export async function status(dir: string): Promise<CrawlStatus> {
  const crawl = openCrawl(dir);
  try {
    return statusOf(dir, crawl, await groundsOf(crawl));
  } finally {
    await crawl.close();
  }
}

function statusOf(dir: string, crawl: OpenCrawl, grounds: Grounds): CrawlStatus {
  const reasons: Record<string, number> = {};
  const states: Record<string, number> = {};
  const parked: Record<string, number> = {};
  const givenUp = new Map<string, number>();
  const retried = new Map<string, RetriedHost>();
  const hosts = new Map<string, { kept: number; visited: number }>();
  const judged: { readonly relevance: Unit; readonly kept: boolean }[] = [];
  const prospect = new Prospect(crawl.frontier.settled(), crawl.manifest.topic.threshold);
  for (const line of ledgerOf(crawl)) {
    const { state, reason, relevance, retry } = line;
    if (retry) countRetry(retried, hostKeyOf(line.url), retry);
    prospect.add(line);
    // It was visited, though it waits for another visit.
    if (reason === REOPENED) countHost(hosts, hostKeyOf(line.url), 0, 1);
    if (relevance !== null) judged.push({ relevance, kept: state === 'kept' });
    states[state] = (states[state] ?? 0) + 1;
    if (reason === 'host-unreachable') givenUp.set(hostKeyOf(line.url), (givenUp.get(hostKeyOf(line.url)) ?? 0) + 1);
    if (state === 'parked') parked[reason] = (parked[reason] ?? 0) + 1;
    if (state === 'refused' || state === 'failed' || reason === REOPENED)
      reasons[`${state}:${reason}`] = (reasons[`${state}:${reason}`] ?? 0) + 1;
  }
  let tunnelled = 0;
  let keptOffTopic = 0;
  const recent = new RecentYield(RECENT_VISITS, crawl.manifest.topic.threshold);
  const locality = new LocalityCount(crawl.manifest.topic.threshold);
  const exploration = new ExplorationCount(crawl.manifest.topic.threshold);
  for (const { entry, fate } of crawl.frontier.settled()) {
    recent.add(fate);
    locality.add(entry, fate);
    exploration.add(entry, fate);
    countHost(hosts, entry.host, Number(fate.state === 'kept'), Number(fate.visited));
    if (fate.state === 'kept' && entry.offTopicDepth > 0 && !(entry.edge && isListed(entry.edge.link))) tunnelled += 1;
    if (fate.state === 'kept' && (fate.relevance ?? 1) < crawl.manifest.topic.threshold) keptOffTopic += 1;
  }
  const topHosts = [...hosts].map(([host, numbers]) => ({ host, ...numbers })).sort((a, b) => b.kept - a.kept || b.visited - a.visited);
  const { topic, topics, relabelled, keptBeside, strategy } = crawl.manifest;
  const { frontier } = crawl;
  return {
    dir,
    topic,
    topics: topicYields(frontier, topics),
    relabelled,
    keptBeside,
    strategy,
    stopReason: stopReasonOf(crawl),
    faults: [crawl.corpusFaults.other ?? [], crawl.corpusFaults.lost].flat(),
    counts: frontier.counts(),
    harvestRate: settledOf(frontier, topic.threshold).harvestRate,
    keptOffTopic,
    tunnelled,
    recent: { visits: recent.visits, onTopic: recent.onTopic },
    outlook: prospect.outlook(),
    locality: locality.measured(),
    explored: exploration.measured(),
    reasons,
    revisited: revisitCounts(frontier),
    parked,
    givenUp: [...givenUp].map(([host, waiting]) => ({ host, waiting })).sort((a, b) => b.waiting - a.waiting),
    retried: [...retried.values()].sort((a, b) => (a.notBefore < b.notBefore ? -1 : 1)),
    states,
    prior: topics.length > 0 ? null : priorCorrection(judged),
    topHosts: topHosts.slice(0, 10),
    ...grounds,
  };
}

function countHost(hosts: Map<string, { kept: number; visited: number }>, host: string, kept: number, visited: number): void {
  const before = hosts.get(host) ?? { kept: 0, visited: 0 };
  hosts.set(host, { kept: before.kept + kept, visited: before.visited + visited });
}

function countRetry(retried: Map<string, RetriedHost>, host: string, retry: ToldRetry): void {
  const before = retried.get(host);
  const next = before && before.notBefore <= retry.notBefore ? before : retry;
  retried.set(host, { ...next, host, waiting: (before?.waiting ?? 0) + 1 });
}
