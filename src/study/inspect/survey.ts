/** The status of a crawl, and its counts by host, by visit and by waiting URL: in the one walk that the status takes. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { LiveLedger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, IsoTime, Unit } from '../../base/core/types.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type LiveCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { LabelLog } from '../label/label-log.ts';
import type { Answer } from '../label/label-queue.ts';
import { Highest } from './highest.ts';
import { type HostCount, HostCounts } from './host-counts.ts';
import { type CrawlLedgerLine, waits } from './ledger-lines.ts';
import { type LedgerVisitor, type PlainLines, type SettledUrl, showEnds, showRest } from './ledger-walk.ts';
import { type CrawlStatus, countsOfOpen, StatusCounters } from './status.ts';

/** A host of which nearly all is kept: perhaps the model knows the host and not the subject. */
export interface WholeHost {
  readonly host: string;
  /** Kept pages divided by visits. */
  readonly share: Unit;
}

/** Visits of one part of the crawl, in order of settlement. */
export interface CurvePart {
  /** Visits up to its end. */
  readonly visits: number;
  /** On-topic visits of this part, and all of its visits. */
  readonly onTopic: number;
  readonly of: number;
}

export interface VisitedPageLine {
  readonly url: CanonicalUrl;
  readonly state: string;
  readonly reason: string;
  readonly relevance: Unit | null;
  readonly order: number | null;
  readonly fetchedAt: IsoTime | null;
  /** The last answer of a person to it; null without one. */
  readonly answer: Answer | null;
}

/** A waiting URL, as in its line of the ledger. */
export type WaitingUrl = Pick<CrawlLedgerLine, 'url' | 'priority' | 'depth' | 'anchorText'>;

/** Waiting URLs without the parked ones. */
export interface WaitingUrls {
  /** Number of waiting URLs by priority: [0, .1), [.1, .2), … [.9, 1]. */
  readonly bands: readonly number[];
  /** Number of waiting URLs by depth from a seed, as many as there are depths. */
  readonly depths: readonly number[];
  /** URLs with the highest priority, in that order; the one that was discovered first comes first. At most `BEST`. */
  readonly best: readonly WaitingUrl[];
  /** Hosts with the most of them, at most `HOSTS`. */
  readonly hosts: readonly HostCount[];
}

export interface CrawlSurvey {
  readonly status: CrawlStatus;
  /** All hosts with a discovered URL, those with the most kept pages first, then those with the most visits and with the most waiting URLs; at most `MOST_HOSTS`. */
  readonly hosts: readonly HostCount[];
  /** Number of omitted hosts. */
  readonly moreHosts: number;
  /** Hosts of which more than `MOST_KEPT` of at least `LEAST_VISITED` visits is kept, those with the most kept pages first; at most `WHOLE_HOSTS`. */
  readonly wholeHosts: readonly WholeHost[];
  /** Number of lost seeds that are omitted from the status: it has at most `MOST_HOSTS`. */
  readonly moreLostSeeds: number;
  /** Points of the curve: at most `POINTS` parts of equal length; the last may be shorter. */
  readonly curve: readonly CurvePart[];
  /** The last visits, newest first. */
  readonly last: readonly VisitedPageLine[];
  readonly waiting: WaitingUrls;
  /** Numbers of kept pages by relevance, in hundredths: [0, .01), … [.99, 1]. Pages without a relevance do not count. */
  readonly keptByRelevance: readonly number[];
  /** Kept pages on topic by the active model: after a training with labels, perhaps not all. */
  readonly keptOnTopic: number;
}

/** A person reads no more, and the answer stays under a megabyte. */
const MOST_HOSTS = 2000;
/** Parts of a curve: so many parts of 600 visits have a dozen visits each, and fewer visits are mostly chance. */
const POINTS = 50;
const LAST = 20;
const BEST = 20;
const HOSTS = 20;
const BANDS = 10;
const HUNDREDTHS = 100;
/** Share of kept pages above which a host counts as whole: on a subject, a host that is not about it alone keeps less. */
const MOST_KEPT = 0.9;
/** Least visits of such a host: of fewer, all may be kept by chance. */
const LEAST_VISITED = 20;
const WHOLE_HOSTS = 10;

/** Takes O(discovered URLs) and one opening of the crawl, as `status`. @throws as `status` */
export async function survey(dir: string): Promise<CrawlSurvey> {
  const crawl = openCrawl(dir);
  try {
    return shortened(await new CountedCrawl(crawl).survey(dir, crawl));
  } finally {
    await crawl.close();
  }
}

/** Surveys of a crawl that is followed, with all its hosts. The first takes O(discovered URLs), each further one O(new settled URLs) and a pass over the columns. */
export class CountedCrawl {
  readonly #frontier: LiveLedger;
  readonly #era: number;
  readonly #judges: string;
  readonly #counters: StatusCounters;
  readonly #counts: SurveyCounts;
  readonly #also: readonly LedgerVisitor[];
  /** Number of the frontier's new ends that are counted; null before the first survey. */
  #ends: number | null = null;

  /** @param also further visitors: at each survey they see the new settled URLs with their lines, and all of the rest again */
  constructor({ frontier, manifest }: LiveCrawl, also: readonly LedgerVisitor[] = []) {
    this.#frontier = frontier;
    this.#era = frontier.era;
    this.#judges = judgesOf(manifest);
    this.#counters = new StatusCounters(manifest, new HostCounts());
    this.#counts = new SurveyCounts(manifest.topic.threshold);
    this.#also = also;
  }

  /** Can it count this crawl? No if a settled URL changed since, or the crawl was opened again. */
  counts({ frontier, manifest }: LiveCrawl): boolean {
    return frontier === this.#frontier && frontier.era === this.#era && judgesOf(manifest) === this.#judges;
  }

  /** Has a survey counted all its settled URLs? */
  isUpToDate(crawl: LiveCrawl): boolean {
    return this.counts(crawl) && this.#ends === crawl.frontier.newEnds.length;
  }

  /** @param crawl of `counts` @throws as `status` */
  async survey(dir: string, crawl: LiveCrawl): Promise<CrawlSurvey> {
    const { counters, counts } = this.take(crawl);
    const { status, hosts } = await countsOfOpen(dir, crawl, counters);
    return { status, ...counts.found(hosts, LabelLog.ofTopic(crawl).state.answers) };
  }

  /** The counts of this moment. @param crawl of `counts` */
  take(crawl: LiveCrawl): { readonly counters: StatusCounters; readonly counts: SurveyCounts } {
    const { newEnds } = this.#frontier;
    const visitors = [...this.#counters.all, this.#counts, ...this.#also];
    const plain = showEnds(crawl, visitors, this.#ends === null ? undefined : newEnds.slice(this.#ends));
    this.#ends = newEnds.length;
    const [counters, counts] = [this.#counters.copy(), this.#counts.copy()];
    showRest(crawl, [...counters.all, counts, ...this.#also], plain);
    return { counters, counts };
  }
}

function judgesOf({ topic, topics }: CrawlManifest): string {
  return JSON.stringify([topic, topics]);
}

/** Shortens a survey to at most `MOST_HOSTS` hosts and lost seeds. */
export function shortened(whole: CrawlSurvey): CrawlSurvey {
  const { hosts, status } = whole;
  const lost = status.lostSeeds;
  return {
    ...whole,
    status: { ...status, lostSeeds: lost.slice(0, MOST_HOSTS) },
    moreLostSeeds: Math.max(0, lost.length - MOST_HOSTS),
    hosts: hosts.slice(0, MOST_HOSTS),
    moreHosts: Math.max(0, hosts.length - MOST_HOSTS),
  };
}

/** The counts of a survey beyond those of the status. */
export class SurveyCounts implements LedgerVisitor {
  readonly #threshold: Unit;
  /** True for each visit that was on topic, in order of settlement. */
  #visits: boolean[] = [];
  #last: Omit<VisitedPageLine, 'answer'>[] = [];
  readonly #bands: number[] = new Array<number>(BANDS).fill(0);
  readonly #depths: number[] = [];
  #kept: number[] = new Array<number>(HUNDREDTHS).fill(0);
  #keptOnTopic = 0;
  #best: { readonly place: number; readonly waiting: WaitingUrl }[] = [];

  constructor(threshold: Unit) {
    this.#threshold = threshold;
  }

  /** Copy of the counts: an addition to it does not change these. */
  copy(): SurveyCounts {
    const copy = new SurveyCounts(this.#threshold);
    [copy.#visits, copy.#last, copy.#kept] = [[...this.#visits], [...this.#last], [...this.#kept]];
    copy.#keptOnTopic = this.#keptOnTopic;
    return copy;
  }

  settled({ fate }: SettledUrl): void {
    if (fate.visited) this.#visits.push(isOnTopic(fate.relevance, this.#threshold));
  }

  line(line: CrawlLedgerLine, place: number): void {
    const { state, relevance, order } = line;
    if (state === 'kept' && isOnTopic(relevance, this.#threshold)) this.#keptOnTopic += 1;
    if (state === 'kept' && relevance !== null) countIn(this.#kept, placeIn(relevance, HUNDREDTHS));
    if (waits(state)) {
      this.#countWaiting(line.priority, line.depth);
      this.#offer(line, place);
    }
    if (order !== null) this.#visit(line);
  }

  plain(urls: PlainLines): void {
    const { size, kinds, kindOf, priorities, depths, places } = urls;
    const isWaiting = kinds.map(({ state }) => waits(state));
    const best = new Highest(BEST);
    for (let i = 0; i < size; i++) {
      if (!isWaiting[kindOf[i] ?? 0]) continue;
      const [priority, depth] = [priorities[i] ?? 0, depths[i] ?? 0];
      this.#countWaiting(priority, depth);
      best.offer(priority, places[i] ?? 0);
    }
    for (const { place } of best.values()) this.#offer(urls.lineOf(place), place);
  }

  /** @param hosts of the same walk @param answers of a person, by URL */
  found(hosts: readonly HostCount[], answers: ReadonlyMap<string, Answer>): Omit<CrawlSurvey, 'status'> {
    const waiting = hosts.filter((host) => host.waiting > 0).sort((a, b) => b.waiting - a.waiting);
    return {
      hosts,
      moreHosts: 0,
      wholeHosts: wholeHostsOf(hosts),
      moreLostSeeds: 0,
      curve: curveOf(this.#visits),
      last: this.#newest()
        .slice(0, LAST)
        .map((line) => ({ ...line, answer: answers.get(line.url) ?? null })),
      waiting: {
        bands: this.#bands,
        depths: this.#depths,
        best: this.#firstBest().map(({ waiting: one }) => one),
        hosts: waiting.slice(0, HOSTS),
      },
      keptByRelevance: this.#kept,
      keptOnTopic: this.#keptOnTopic,
    };
  }

  #offer({ url, priority, depth, anchorText }: CrawlLedgerLine, place: number): void {
    this.#best.push({ place, waiting: { url, priority, depth, anchorText } });
    if (this.#best.length >= 100 * BEST) this.#best = this.#firstBest();
  }

  #countWaiting(priority: Unit, depth: number): void {
    countIn(this.#bands, placeIn(priority, BANDS));
    while (this.#depths.length <= depth) this.#depths.push(0);
    countIn(this.#depths, depth);
  }

  #visit({ url, state, reason, relevance, order, fetchedAt }: CrawlLedgerLine): void {
    this.#last.push({ url, state, reason, relevance, order, fetchedAt });
    if (this.#last.length >= 100 * LAST) this.#last.splice(0, Number.POSITIVE_INFINITY, ...this.#newest().slice(0, LAST));
  }

  /** Best URLs; of equal priorities, the first discovered one is first. */
  #firstBest() {
    return [...this.#best].sort((a, b) => b.waiting.priority - a.waiting.priority || a.place - b.place).slice(0, BEST);
  }

  #newest(): Omit<VisitedPageLine, 'answer'>[] {
    return [...this.#last].sort((a, b) => (b.order ?? 0) - (a.order ?? 0));
  }
}

function wholeHostsOf(hosts: readonly HostCount[]): WholeHost[] {
  const shares = hosts.flatMap(({ host, kept, visited }) => (visited < LEAST_VISITED ? [] : [{ host, share: kept / visited }]));
  return shares.filter(({ share }) => share > MOST_KEPT).slice(0, WHOLE_HOSTS);
}

function countIn(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

/** Index of the part of [0, 1] that has a value, of so many equal parts; 1 is in the last. */
function placeIn(value: Unit, parts: number): number {
  return Math.min(parts - 1, Math.floor(value * parts));
}

/** One visit has a share of 0 or 1: points of single visits would be a saw. */
const LEAST_OF_POINT = 10;

function curveOf(visits: readonly boolean[]): CurvePart[] {
  const length = Math.max(LEAST_OF_POINT, Math.ceil(visits.length / POINTS));
  return Array.from({ length: Math.ceil(visits.length / length) }, (_, i) => {
    const part = visits.slice(i * length, (i + 1) * length);
    return { visits: i * length + part.length, onTopic: part.filter(Boolean).length, of: part.length };
  });
}
