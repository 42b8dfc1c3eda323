/** Reading a crawl directory: its state, its ledger, and why each thing in it is as it is. */
import { isoTime, systemClock } from '../core/clock.ts';
import { InvariantError, type OnDamaged, UsageError } from '../core/errors.ts';
import { givenUpAt } from '../core/failure-policy.ts';
import type { Frontier, FrontierCounts, LinkExplanation, TopicExplanation } from '../core/parts.ts';
import {
  type CanonicalUrl,
  type Edge,
  type Fate,
  type FrontierEntry,
  type IsoTime,
  type LedgerLine,
  type ListMark,
  REOPENED,
  type Revisit,
  type Topic,
  type TopicJudgement,
  type Unit,
} from '../core/types.ts';
import { readMarks } from '../corpus/commit-marks.ts';
import { findRecord, RECORDS_FILE } from '../corpus/records.ts';
import { relearnFor } from '../crawl/lessons.ts';
import { priorityOf } from '../crawl/list-priority.ts';
import { RecentYield } from '../crawl/recent-yield.ts';
import { judgementsOf, winnerOf } from '../crawl/topic-judgements.ts';
import { openLmdbFrontier } from '../frontier/frontier.ts';
import { refuseUnseenReading } from '../frontier/lmdb-read.ts';
import { checkOptions } from '../settings/check-options.ts';
import { canonicalize, hostKeyOf } from '../web/url.ts';
import { refuseBrokenFrontier } from './broken-frontier.ts';
import { type CorpusFaults, faultsBetween } from './corpus-soundness.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  readManifest,
  refuseLostFrontier,
  refuseNotBegun,
  refuseOlderManifest,
  rejudgedBy,
  topicNamed,
} from './crawl-directory.ts';
import { ExplorationCount, type ExploredYield } from './exploration.ts';
import { type Grounds, groundsOf } from './grounds.ts';
import { loadOwnModels } from './load-topic.ts';
import { LocalityCount, type MeasuredLocality } from './locality.ts';
import { lockState } from './lock.ts';
import { WHY } from './option-tables.ts';
import { type Outlook, Prospect } from './outlook.ts';
import { pageLanguage } from './page-language.ts';
import { type PriorCorrection, priorCorrection } from './prior-correction.ts';
import { isListed } from './read-list.ts';
import { type RevisitCounts, revisitCounts } from './revisits.ts';
import { settledOf } from './settled.ts';
import { freshScorer, pastOf, taughtScorer } from './taught-scorer.ts';
import { type TopicYield, topicYields } from './topic-yields.ts';

/** Visits that the yield of late is told of; what `--stop-yield 2%/500` of the README goes by. */
const RECENT_VISITS = 500;

/** A crawl opened for reading; the crawl itself may be running meanwhile. */
export interface OpenCrawl {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: Frontier;
  /** Is it at work, or perhaps? */
  readonly running: boolean;
  /** Its lock is of another container or machine, or was there before a restart, and does not tell. */
  readonly unclear: boolean;
  readonly corpusFaults: CorpusFaults;
  /** Told of damaged records, which are left out; undefined where they end what is done. */
  readonly onDamaged: OnDamaged | undefined;
  /** Kept pages whose text cannot be had, where that was looked for. */
  readonly lost: ReadonlySet<CanonicalUrl>;
  close(): Promise<void>;
}

/** @throws UsageError when there is no crawl; DataError, StoreError when it is damaged. */
export function openCrawl(dir: string, onDamaged?: OnDamaged): OpenCrawl {
  const begun = readManifest(dir);
  const paths = crawlPaths(dir);
  const state = lockState(paths.lock);
  // How a run ended is written before its lock is let go.
  const manifest = state === 'free' ? readManifest(dir) : begun;
  refuseLostFrontier(manifest, paths);
  refuseNotBegun(paths);
  refuseBrokenFrontier(paths);
  const marks = readMarks(paths.corpus);
  const running = state !== 'free';
  if (running) refuseUnseenReading(paths.frontier);
  const politeness = { maxPagesPerHost: manifest.maxPagesPerHost ?? Number.POSITIVE_INFINITY, traps: manifest.traps };
  const options = { clock: systemClock, delay: manifest.delay, crawl: manifest.id, ...politeness };
  const frontier = openLmdbFrontier(paths.frontier, options, rejudgedBy(manifest), 'read');
  let corpusFaults: CorpusFaults;
  try {
    refuseOlderManifest(frontier, dir);
    corpusFaults = faultsBetween(manifest, paths, marks, frontier);
    taughtScorer(manifest, paths, frontier);
  } catch (error) {
    void frontier.close();
    throw error;
  }
  const unclear = state === 'unclear';
  return { manifest, paths, frontier, corpusFaults, onDamaged, lost: new Set(), running, unclear, close: () => frontier.close() };
}

/** Why the last run ended; `running` or `perhaps-running` while it does, `killed` when it left no word. */
export function stopReasonOf({ manifest, running, unclear }: Pick<OpenCrawl, 'manifest' | 'running' | 'unclear'>): string {
  if (running) return unclear ? 'perhaps-running' : 'running';
  return manifest.runs.at(-1)?.stopReason ?? 'killed';
}

/** Why a URL could not be had the last time, how often it was tried, when it is tried again, and when at the earliest it is given up on. */
export interface ToldRetry {
  readonly reason: string;
  readonly attempts: number;
  readonly notBefore: IsoTime;
  readonly givenUp: IsoTime;
}

/** A line of a crawl's ledger as users read it: times in ISO 8601; with the names of those of several topics that the page is on, where it was judged. */
export type CrawlLedgerLine = Omit<LedgerLine, 'relevances' | 'fetchedAt' | 'retry' | 'revisit'> & {
  /** When the last request for it began; null where there was none. */
  readonly fetchedAt: IsoTime | null;
  /** Of a URL that waits since it could not be had; left out of all others. */
  readonly retry?: ToldRetry;
  /** The last time it was asked for again. Left out where it was not. */
  readonly revisit?: Omit<Revisit, 'at'> & { readonly at: IsoTime };
  readonly topics?: readonly string[];
};

/** One line for each discovered URL; what still waited when the crawl stopped reads `not-reached` with the reason it stopped, or `reopened`. */
export function* ledgerOf(crawl: OpenCrawl): Generator<CrawlLedgerLine> {
  const reason = stopReasonOf(crawl);
  for (const line of crawl.frontier.ledger()) yield toldLine(crawl.running ? line : stoppedLine(line, reason), crawl.manifest);
}

/** A line of a crawl that does not run. @param reason why it stopped */
function stoppedLine(line: LedgerLine, reason: string): LedgerLine {
  if (line.state !== 'queued' && line.state !== 'leased') return line;
  return { ...line, state: 'not-reached', reason: line.reason === REOPENED ? REOPENED : reason };
}

function toldLine({ relevances, fetchedAt, retry, revisit, ...line }: LedgerLine, { topics }: CrawlManifest): CrawlLedgerLine {
  const on = relevances && judgementsOf(topics, relevances).filter(({ onTopic }) => onTopic);
  return {
    ...line,
    fetchedAt: fetchedAt === null ? null : isoTime(fetchedAt),
    ...(retry && { retry: toldRetry(retry) }),
    ...(revisit && { revisit: { ...revisit, at: isoTime(revisit.at) } }),
    ...(on && { topics: on.map(({ name }) => name) }),
  };
}

function toldRetry({ reason, attempts, notBefore, pause = 0 }: NonNullable<LedgerLine['retry']>): ToldRetry {
  const givenUp = givenUpAt({ reason, attempts, notBefore, pause });
  return { reason, attempts, notBefore: isoTime(notBefore), givenUp: isoTime(givenUp) };
}

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

/** Why a URL is in the state it is in. */
export interface Why {
  readonly line: CrawlLedgerLine;
  /** Its visit was drawn by chance, whatever its priority. */
  readonly explored: boolean;
  /** null when the page was never judged, or asked not to be stored. Of several topics, by the one it is most relevant to, or the one asked for. */
  readonly page: {
    /** Name of that topic. */
    readonly topic: string;
    readonly relevance: Unit;
    readonly threshold: Unit;
    readonly title: string;
    readonly explanation: TopicExplanation;
    /** What each topic says of it, of a crawl of several. Left out of all others. */
    readonly topics?: readonly TopicJudgement[];
  } | null;
  /** null for a seed. */
  readonly link: { readonly edge: Edge; readonly explanation: LinkExplanation } | null;
}

export interface WhyOptions {
  /** Name of the topic that explains the page. Default the one it is most relevant to. */
  readonly topicName?: string;
}

/**
 * The page's relevance with the terms for and against it, and the link's priority with the edge and features that gave it,
 * as the scorer stood when it gave it: it is taught again what it had learned by then.
 * @throws UsageError when the crawl never met the URL, or has no such topic.
 */
export async function why(dir: string, url: string, options: WhyOptions = {}): Promise<Why> {
  checkOptions('why', WHY, options);
  const canonical = canonicalize(url);
  if (!canonical) throw new UsageError(`${url}: not an http(s) URL`);
  const crawl = openCrawl(dir);
  try {
    return await explain(dir, crawl, canonical, options.topicName);
  } finally {
    await crawl.close();
  }
}

async function explain(dir: string, crawl: OpenCrawl, url: CanonicalUrl, topic: string | undefined): Promise<Why> {
  const by = topic === undefined ? null : topicNamed(crawl.paths, crawl.manifest, topic);
  const found = crawl.frontier.find(url);
  if (!found) throw new UsageError(`${url}: this crawl never discovered it; see forager ledger ${dir}`);
  const { entry, fate, line, settled, reopened } = found;
  return {
    line: toldLine(crawl.running ? line : stoppedLine(line, stopReasonOf(crawl)), crawl.manifest),
    explored: entry.explored ?? false,
    page: await explainPage(crawl, url, fate, by),
    link: entry.edge && {
      edge: entry.edge,
      explanation: knownPriority(crawl, line.priority, settled, reopened) ?? explainLink(crawl, entry, entry.edge),
    },
  };
}

/** The text of a kept page is in the corpus, that of another judged page in the frontier. */
async function explainPage(
  { manifest, paths, frontier }: OpenCrawl,
  url: CanonicalUrl,
  fate: Fate | null,
  by: Topic | null,
): Promise<Why['page']> {
  if (fate === null || fate.relevance === null) return null;
  const end = frontier.committedOffsets()[RECORDS_FILE] ?? 0;
  const found = fate.recordId ? await findRecord(paths.corpus, fate.recordId, end) : fate.page;
  if (!found) return null;
  const models = await loadOwnModels(paths, manifest);
  const languageOf = await pageLanguage(...models);
  const page = { url, title: found.title, text: found.text, lang: languageOf(found) };
  const topics = judgementsOf(
    models,
    models.map((model) => model.judge(page)),
  );
  const { name, modelId, relevance, threshold } = topics.find(({ modelId }) => modelId === by?.id) ?? winnerOf(topics);
  const explanation = models.find(({ id }) => id === modelId)?.explain(page);
  if (explanation === undefined) throw new InvariantError(`${modelId} judged a page and is no model of the crawl`);
  return { topic: name, relevance, threshold, title: page.title, explanation, ...(topics.length > 1 && { topics }) };
}

function explainLink({ manifest, paths, frontier }: OpenCrawl, entry: FrontierEntry, edge: Edge): LinkExplanation {
  if (edge.link.list) return explainList(edge.link.list);
  const scorer = freshScorer(manifest, paths);
  relearnFor(scorer, pastOf(paths, frontier), entry);
  return scorer.explain(entry);
}

/** No scorer is asked about a sitemap, a feed or a file of reservations. */
function explainList(list: ListMark): LinkExplanation {
  const priority = priorityOf(list);
  const logit = Math.log(priority / (1 - priority));
  return {
    logit,
    bias: logit,
    contributions: [],
    priority,
    rule:
      list.kind === 'reservations'
        ? 'the tdmrep.json of a host that a page was kept of has priority 1'
        : 'a sitemap or feed has priority 1, halved for each index on the way to it',
  };
}

/** A priority that did not come from the link scorer, or from one that had learned from an earlier model's relevances and cannot be had again; else null. */
function knownPriority({ manifest }: OpenCrawl, priority: Unit, settled: number | null, reopened: boolean): LinkExplanation | null {
  const last = manifest.relabelled.at(-1);
  const earlier = last !== undefined && settled !== null && settled <= last.settled;
  if (!reopened && !earlier) return null;
  const [feature, rule] = earlier
    ? [
        'priority under an earlier model',
        `given before ${last.at}, when ${last.undone ? `model ${last.to} was put in force again, in the place of ${last.from}` : `labels put model ${last.to} in the place of ${last.from}`}`,
      ]
    : ['relevance of the page', 'the page was read and left out, and a later model finds it on topic: its priority is that relevance'];
  return { logit: priority, bias: 0, contributions: [{ feature, contribution: priority }], priority, rule };
}
