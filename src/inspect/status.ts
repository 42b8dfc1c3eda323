/** What a crawl has come to: counts, rates, outlook. */
import type { FrontierCounts } from '../core/parts/queueing.ts';
import { REOPENED } from '../core/types.ts';
import type { CrawlManifest } from '../crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../crawl-dir/open-crawl.ts';
import { hostKeyOf } from '../web/url.ts';
import { type Grounds, groundsOf } from './grounds.ts';
import { ledgerOf } from './ledger-lines.ts';
import { type LineCounts, LineTally } from './line-tally.ts';
import type { Outlook } from './outlook.ts';
import type { PriorCorrection } from './prior-correction.ts';
import { type RevisitCounts, revisitCounts } from './revisit-counts.ts';
import { Tally, type TallyCounts, type VisitedHost } from './tally.ts';

const TOP_HOSTS = 10;

/** By the model, and meaningless where there are `doubts`, are `harvestRate`, `recent`, `outlook`, `locality` and `explored`. */
export interface CrawlStatus extends Grounds, LineCounts, Omit<TallyCounts, 'privateAddresses' | 'failures'> {
  readonly dir: string;
  /** Of several topics what they come to together. */
  readonly topic: CrawlManifest['topic'];
  readonly relabelled: CrawlManifest['relabelled'];
  /** What the last training with labels came to, where held-out labels said that it is worse: its model is in `models/<id>`. null otherwise. */
  readonly keptBeside: CrawlManifest['keptBeside'];
  readonly strategy: string;
  readonly stopReason: string;
  /** What is wrong between frontier and corpus, in words; empty where nothing is, as far as commits and sizes tell. */
  readonly faults: readonly string[];
  readonly counts: FrontierCounts;
  /** On-topic pages to expect of the next 1,000 visits; null before there were 100. */
  readonly outlook: Outlook | null;
  /** What kept pages that were asked for again were last found to be. */
  readonly revisited: RevisitCounts;
  /** The share on topic among judged pages by EM over their relevances; null of fewer than 50, and of several topics, whose greatest relevance is no probability. */
  readonly prior: PriorCorrection | null;
  /** Hosts with the most kept pages, at most ten. */
  readonly topHosts: readonly VisitedHost[];
}

/** See `status` of the library. */
export async function status(dir: string): Promise<CrawlStatus> {
  const crawl = openCrawl(dir);
  try {
    const { topic, topics } = crawl.manifest;
    const tally = Tally.of(crawl.frontier, { threshold: topic.threshold, topics });
    return statusOf(dir, crawl, tally, await groundsOf(crawl, tally.fates.judged));
  } finally {
    await crawl.close();
  }
}

function statusOf(dir: string, crawl: OpenCrawl, tally: Tally, grounds: Grounds): CrawlStatus {
  const lines = new LineTally();
  const prospect = tally.prospect();
  for (const line of ledgerOf(crawl)) {
    lines.add(line);
    prospect.add(line);
    // It was visited, though it waits for another visit.
    if (line.reason === REOPENED) tally.addHost(hostKeyOf(line.url), 0, 1);
  }
  const { topic, topics, relabelled, keptBeside, strategy } = crawl.manifest;
  const { privateAddresses: _, failures: __, ...counted } = tally.counts();
  return {
    dir,
    topic,
    relabelled,
    keptBeside,
    strategy,
    stopReason: stopReasonOf(crawl),
    faults: [crawl.corpusFaults.other ?? [], crawl.corpusFaults.lost].flat(),
    counts: crawl.frontier.counts(),
    ...counted,
    outlook: prospect.outlook(),
    revisited: revisitCounts(crawl.frontier),
    ...lines.counts(),
    prior: topics.length > 0 ? null : lines.prior(),
    topHosts: tally.hosts().slice(0, TOP_HOSTS),
    ...grounds,
  };
}
