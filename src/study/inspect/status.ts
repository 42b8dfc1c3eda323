/** The status of a crawl: counts, rates, forecast. */
import { dateOf, systemClock } from '../../base/core/clock.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { Fate } from '../../base/core/types.ts';
import type { AgeFacts } from '../../corpus/select/age-facts.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { knownOf } from '../../crawling/crawl-dir/known-pages.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../../crawling/crawl-dir/open-crawl.ts';
import { readOutlooks } from '../../crawling/crawl-dir/outlook-file.ts';
import { readRoomPoints } from '../../crawling/crawl-dir/room-points.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { type TopicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { type ModelAnswerFacts, modelAnswerFacts } from '../label/judge/agreement.ts';
import { LabelLog } from '../label/label-log.ts';
import { openQuestions, readQuestions } from '../label/questions-file.ts';
import { type Grounds, groundsOf, type TopicLabels, withLabels } from './grounds.ts';
import { type HostCount, HostCounts } from './host-counts.ts';
import type { KnownRecall } from './known-recall.ts';
import { type LedgerVisitor, type SettledUrl, walkLedger } from './ledger-walk.ts';
import { type LineCounts, LineTally } from './line-tally.ts';
import { type SeedEnds, seedEnds } from './lost-seeds.ts';
import { type Outlook, Prospect } from './outlook.ts';
import { pageAges } from './page-ages.ts';
import { OutlookCheck, type PastOutlooks } from './past-outlooks.ts';
import type { RecentFailures } from './recent-failures.ts';
import { type RefusedDocuments, RefusedDocumentTally } from './refused-documents.ts';
import { type Room, roomLeft } from './resources-left.ts';
import { type RevisitCounts, revisitCounts } from './revisit-counts.ts';
import { type RoundFacts, roundFacts } from './round-facts.ts';
import { type Saturation, saturationIn } from './saturation.ts';
import { type SinceCounts, sinceCounts } from './since-counts.ts';
import { type SinkFacts, sinkFacts } from './sink-facts.ts';
import { Tally, type TallyCounts } from './tally.ts';
import type { TopicYield } from './topic-yields.ts';
import { type WalledHost, WallTally } from './wall-tally.ts';

const TOP_HOSTS = 10;

/** `harvestRate`, `recent`, `outlook`, `locality` and `explored` are by the model; they are meaningless if there are `doubts`. */
export interface CrawlStatus
  extends Grounds,
    SeedEnds,
    LineCounts,
    Omit<TallyCounts, 'privateAddresses' | 'refusals' | 'topics' | 'changed'> {
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
  /** The choice of `--render`. */
  readonly render: CrawlManifest['render'];
  /** Hosts with walls in place of pages, those with most first. */
  readonly walls: readonly WalledHost[];
  /** Documents that the crawl refused: of kinds that it does not read, or without text. */
  readonly documents: RefusedDocuments;
  /** Results of the last revisits of kept pages. */
  readonly revisited: RevisitCounts;
  /** Estimates how current the kept pages are; null for a crawl without revisits. */
  readonly ages: AgeFacts | null;
  /** Questions of `--ask` without an answer. */
  readonly questions: number;
  /** The crawl of which this one started as a copy; null for none. */
  readonly from: CrawlManifest['from'];
  /** The round of a crawl by rounds, and the URLs on other hosts that wait for the next one; null for a crawl without rounds. */
  readonly round: RoundFacts | null;
  /** The pages, compared with the corpus of `--since`; null without one. */
  readonly since: SinceCounts | null;
  /** Kept records that the sink has, and those that wait for it; null without a sink. */
  readonly sink: SinkFacts | null;
  /** Answers of a language model, and its agreement with the person; null without any. */
  readonly modelAnswers: ModelAnswerFacts | null;
  /** Signs that the model no longer distinguishes pages; null without them, and if the precision is measured. */
  readonly saturation: Saturation | null;
  /** Recall by the known pages; null without any. */
  readonly recall: KnownRecall | null;
  /** URLs that failed in the last ten minutes. */
  readonly recentFailures: RecentFailures;
  /** Time that disk and memory last. null in the first five minutes of a run, and without a run. */
  readonly room: Room | null;
  /** Hosts with the most kept pages, at most ten. */
  readonly topHosts: readonly Pick<HostCount, 'host' | 'kept' | 'visited'>[];
}

/** See `status` of the library. */
export async function status(dir: string): Promise<CrawlStatus> {
  const crawl = openCrawl(dir);
  try {
    const counters = new StatusCounters(crawl.manifest, new HostCounts(false));
    walkLedger(crawl, counters.all);
    return (await countsOfOpen(dir, crawl, counters)).status;
  } finally {
    await crawl.close();
  }
}

/** The status of a crawl, and the counts of all its hosts. */
export interface CrawlCounts {
  readonly status: CrawlStatus;
  readonly hosts: readonly HostCount[];
}

/** The visitors that count for a status. */
export class StatusCounters {
  tally: Tally;
  ends = new EndedVisits();
  walls = new WallTally();
  prospect: Prospect;
  lines = new LineTally();
  documents = new RefusedDocumentTally();
  hosts: HostCounts;

  readonly #manifest: Pick<CrawlManifest, 'topic' | 'topics'>;

  /** @param hosts counts the hosts */
  constructor(manifest: Pick<CrawlManifest, 'topic' | 'topics'>, hosts: HostCounts) {
    this.#manifest = manifest;
    const { topic, topics } = manifest;
    const { threshold } = topic;
    this.tally = new Tally({ threshold, topics });
    this.prospect = new Prospect(threshold);
    this.hosts = hosts;
  }

  get all(): readonly LedgerVisitor[] {
    const { tally, ends, walls, prospect, lines, documents, hosts } = this;
    return [tally, ends, walls, prospect, lines, documents, hosts];
  }

  /** Counters for the rest of a walk, which do not change these. Both share those that count settled URLs alone. */
  copy(): StatusCounters {
    const copy = new StatusCounters(this.#manifest, this.hosts.copy());
    [copy.tally, copy.ends, copy.walls] = [this.tally, this.ends, this.walls];
    [copy.prospect, copy.lines, copy.documents] = [this.prospect.copy(), this.lines.copy(), this.documents.copy()];
    return copy;
  }
}

/** Facts about settled URLs that the check of outlooks needs. */
class EndedVisits implements LedgerVisitor {
  readonly #all: { readonly order: number; readonly fate: Pick<Fate, 'visited' | 'relevance'> }[] = [];

  settled({ order, fate: { visited, relevance } }: SettledUrl): void {
    this.#all.push({ order, fate: { visited, relevance } });
  }

  past(crawl: OpenCrawl): PastOutlooks {
    const noted = readOutlooks(crawl.paths);
    const check = new OutlookCheck(noted, crawl.manifest.topic.threshold, crawl.frontier.earlierVisits());
    if (noted.length > 0) for (const one of this.#all) check.settled(one);
    return check.past();
  }
}

/** The status of a crawl that is open. @param counters those that saw a whole walk */
export async function countsOfOpen(dir: string, crawl: OpenCrawl, counters: StatusCounters): Promise<CrawlCounts> {
  const { tally, ends, hosts } = counters;
  const grounds = await groundsOf(crawl, tally.fates.relevances);
  const questions = topicParts(dir, crawl.manifest).reduce((sum, part) => sum + openQuestionsIn(part), 0);
  const modelAnswers = modelAnswerFacts(
    crawl.manifest.topics.length === 0 ? LabelLog.ofTopic(crawl) : LabelLog.open(crawl.paths.labels, undefined, () => undefined),
  );
  const all = hosts.hosts();
  const status = {
    ...statusOf(dir, crawl, counters, all),
    ...grounds,
    questions,
    from: crawl.manifest.from,
    round: roundFacts(crawl),
    sink: await sinkFacts(crawl),
    modelAnswers,
    pastOutlooks: ends.past(crawl),
    recall: await recallOfCrawl(crawl),
    saturation: await saturationIn(crawl, tally.lastJudged, grounds),
  };
  return { status, hosts: all };
}

function openQuestionsIn(part: TopicPart): number {
  return openQuestions(readQuestions(part.paths), LabelLog.ofTopic(part).state.answers).length;
}

/** The scope is only read for known pages: its patterns load a library. */
async function recallOfCrawl({ paths, manifest, frontier }: OpenCrawl): Promise<KnownRecall | null> {
  const known = knownOf(paths);
  return known === null ? null : (await import('./recall-of-crawl.ts')).recallOf(known, manifest, frontier);
}

function statusOf(
  dir: string,
  crawl: OpenCrawl,
  { tally, prospect, lines, hosts, walls, documents }: StatusCounters,
  all: readonly HostCount[],
) {
  const { topic, relabelled, keptBeside, strategy, render } = crawl.manifest;
  const { privateAddresses: _, refusals, changed, ...counted } = tally.counts();
  return {
    dir,
    topic,
    relabelled,
    keptBeside,
    strategy,
    render,
    stopReason: stopReasonOf(crawl),
    faults: [crawl.corpusFaults.other ?? [], crawl.corpusFaults.lost].flat(),
    counts: crawl.frontier.counts(),
    ...counted,
    since: sinceCounts(crawl.manifest, crawl.frontier.counts().kept, { refusals, changed }),
    walls: walls.hosts(hosts),
    documents: documents.counts(),
    topics: withLabels(counted.topics, crawl),
    outlook: prospect.outlook(),
    revisited: revisitCounts(crawl.frontier),
    ages: pageAges(crawl.frontier, dateOf(systemClock)),
    ...lines.counts(),
    ...seedEnds(seedsOf(crawl.paths, crawl.manifest), crawl.frontier),
    recentFailures: tally.recentFailures(crawl.running ? dateOf(systemClock) : null),
    room: roomOf(crawl),
    topHosts: all
      .filter(({ visited }) => visited > 0)
      .sort((a, b) => b.kept - a.kept || b.visited - a.visited || (a.host < b.host ? -1 : 1))
      .slice(0, TOP_HOSTS)
      .map(({ host, kept, visited }) => ({ host, kept, visited })),
  } satisfies Partial<CrawlStatus>;
}

function roomOf({ running, manifest, paths }: OpenCrawl): Room | null {
  const startedAt = manifest.runs.at(-1)?.startedAt;
  return running && startedAt !== undefined ? roomLeft(readRoomPoints(paths), Date.parse(startedAt)) : null;
}
