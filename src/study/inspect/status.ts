/** The status of a crawl: counts, rates, forecast. */
import { dateOf, systemClock } from '../../base/core/clock.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import { REOPENED } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../../crawling/crawl-dir/open-crawl.ts';
import { readOutlooks } from '../../crawling/crawl-dir/outlook-file.ts';
import { readRoomPoints } from '../../crawling/crawl-dir/room-points.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { type TopicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { type ModelAnswerFacts, modelAnswerFacts } from '../label/judge/agreement.ts';
import { LabelLog } from '../label/label-log.ts';
import { openQuestions, readQuestions } from '../label/questions-file.ts';
import { type Grounds, groundsOf, type TopicLabels, withLabels } from './grounds.ts';
import { type CrawlLedgerLine, ledgerOf } from './ledger-lines.ts';
import { type LineCounts, LineTally } from './line-tally.ts';
import { type SeedEnds, seedEnds } from './lost-seeds.ts';
import type { Outlook } from './outlook.ts';
import { OutlookCheck, type PastOutlooks } from './past-outlooks.ts';
import type { RecentFailures } from './recent-failures.ts';
import { type Room, roomLeft } from './resources-left.ts';
import { type RevisitCounts, revisitCounts } from './revisit-counts.ts';
import { type Saturation, saturationIn } from './saturation.ts';
import { type SettledUrl, Tally, type TallyCounts, type VisitedHost } from './tally.ts';
import type { TopicYield } from './topic-yields.ts';

const TOP_HOSTS = 10;

/** `harvestRate`, `recent`, `outlook`, `locality` and `explored` are by the model; they are meaningless if there are `doubts`. */
export interface CrawlStatus extends Grounds, SeedEnds, LineCounts, Omit<TallyCounts, 'privateAddresses' | 'refusals' | 'topics'> {
  readonly dir: string;
  /** The topic; for several topics, their committee. */
  readonly topic: CrawlManifest['topic'];
  /** Results of each of several topics, with the facts from its labels; [] if there is one. */
  readonly topics: readonly (TopicYield & TopicLabels)[];
  readonly relabelled: CrawlManifest['relabelled'];
  /** The last training with labels if its model is worse on held-out labels: the model is in `models/<id>`. null otherwise. */
  readonly keptBeside: CrawlManifest['keptBeside'];
  readonly strategy: string;
  readonly stopReason: string;
  /** Faults between frontier and corpus, in words, if commits and sizes show any; empty otherwise. */
  readonly faults: readonly string[];
  readonly counts: FrontierCounts;
  /** Expected on-topic pages among the next 1,000 visits; null before 100 visits. */
  readonly outlook: Outlook | null;
  /** Earlier outlooks, and whether they held. Only crawls with `--page` store them. */
  readonly pastOutlooks: PastOutlooks;
  /** Results of the last revisits of kept pages. */
  readonly revisited: RevisitCounts;
  /** Questions of `--ask` without an answer. */
  readonly questions: number;
  /** Answers of a language model, and its agreement with the person; null without any. */
  readonly modelAnswers: ModelAnswerFacts | null;
  /** Signs that the model no longer distinguishes pages; null without them, and if the precision is measured. */
  readonly saturation: Saturation | null;
  /** URLs that failed in the last ten minutes. */
  readonly recentFailures: RecentFailures;
  /** Time that disk and memory last. null in the first five minutes of a run, and without a run. */
  readonly room: Room | null;
  /** Hosts with the most kept pages, at most ten. */
  readonly topHosts: readonly VisitedHost[];
}

/** Receives the URLs that the status of a crawl is counted from, for further counts. */
export interface AlsoCounts {
  /** Called with each settled URL, in order of settlement; before the lines. */
  readonly settled: (settled: SettledUrl) => void;
  readonly line: (line: CrawlLedgerLine) => void;
}

/** See `status` of the library. */
export async function status(dir: string): Promise<CrawlStatus> {
  const crawl = openCrawl(dir);
  try {
    return await statusOfOpen(dir, crawl);
  } finally {
    await crawl.close();
  }
}

/** The status of a crawl that is open. Takes O(discovered URLs). */
export async function statusOfOpen(dir: string, crawl: OpenCrawl, also?: AlsoCounts): Promise<CrawlStatus> {
  const { topic, topics } = crawl.manifest;
  const tally = new Tally({ threshold: topic.threshold, topics });
  const check = new OutlookCheck(readOutlooks(crawl.paths), topic.threshold, crawl.frontier.earlierVisits());
  for (const settled of crawl.frontier.settled()) {
    tally.add(settled);
    check.add(settled);
    also?.settled(settled);
  }
  const grounds = await groundsOf(crawl, tally.fates.relevances);
  const questions = topicParts(dir, crawl.manifest).reduce((sum, part) => sum + openQuestionsIn(part), 0);
  const modelAnswers = modelAnswerFacts(
    crawl.manifest.topics.length === 0 ? LabelLog.ofTopic(crawl) : LabelLog.open(crawl.paths.labels, undefined, () => undefined),
  );
  return {
    ...statusOf(dir, crawl, tally, grounds, also),
    questions,
    modelAnswers,
    pastOutlooks: check.past(),
    saturation: await saturationIn(crawl, tally.lastJudged, grounds),
  };
}

function openQuestionsIn(part: TopicPart): number {
  return openQuestions(readQuestions(part.paths), LabelLog.ofTopic(part).state.answers).length;
}

function statusOf(
  dir: string,
  crawl: OpenCrawl,
  tally: Tally,
  grounds: Grounds,
  also: AlsoCounts | undefined,
): Omit<CrawlStatus, 'saturation' | 'questions' | 'modelAnswers' | 'pastOutlooks'> {
  const lines = new LineTally();
  const prospect = tally.prospect();
  for (const line of ledgerOf(crawl)) {
    lines.add(line);
    prospect.add(line);
    also?.line(line);
    // It was visited, but waits for another visit.
    if (line.reason === REOPENED) tally.addHost(hostKeyOf(line.url), 0, 1);
  }
  const { topic, relabelled, keptBeside, strategy } = crawl.manifest;
  const { privateAddresses: _, refusals: __, ...counted } = tally.counts();
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
    topics: withLabels(counted.topics, crawl),
    outlook: prospect.outlook(),
    revisited: revisitCounts(crawl.frontier),
    ...lines.counts(),
    ...seedEnds(seedsOf(crawl.paths, crawl.manifest), crawl.frontier),
    recentFailures: tally.recentFailures(crawl.running ? dateOf(systemClock) : null),
    room: roomOf(crawl),
    topHosts: tally.hosts().slice(0, TOP_HOSTS),
    ...grounds,
  };
}

function roomOf({ running, manifest, paths }: OpenCrawl): Room | null {
  const startedAt = manifest.runs.at(-1)?.startedAt;
  return running && startedAt !== undefined ? roomLeft(readRoomPoints(paths), Date.parse(startedAt)) : null;
}
