/** The status of a crawl, and its counts by host, by visit and by waiting URL: in the one walk that the status takes. */
import { isOnTopic } from '../core/on-topic.ts';
import type { CanonicalUrl, IsoTime, Unit } from '../core/types.ts';
import { openCrawl } from '../crawl-dir/open-crawl.ts';
import { hostKeyOf } from '../web/url.ts';
import { type CrawlLedgerLine, waits } from './ledger-lines.ts';
import { type CrawlStatus, statusOfOpen } from './status.ts';
import type { SettledUrl } from './tally.ts';

export interface SurveyedHost {
  readonly host: string;
  readonly kept: number;
  readonly visited: number;
  readonly failed: number;
  readonly refused: number;
  /** Waiting URLs without the parked ones. */
  readonly waiting: number;
  readonly parked: number;
}

/** Visits of one part of the crawl, in order of settlement. */
export interface CurvePoint {
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
}

export interface WaitingUrls {
  /** By priority: [0, .1), [.1, .2), … [.9, 1]. */
  readonly bands: readonly number[];
  /** By depth from a seed, as many as there are. */
  readonly depths: readonly number[];
}

export interface CrawlSurvey {
  readonly status: CrawlStatus;
  /** All hosts with a discovered URL, those with the most kept pages first, then those with the most visits and with the most waiting URLs; at most `MOST_HOSTS`. */
  readonly hosts: readonly SurveyedHost[];
  /** Number of omitted hosts. */
  readonly moreHosts: number;
  /** At most `POINTS` parts of equal length; the last may be shorter. */
  readonly curve: readonly CurvePoint[];
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
/** So many parts of 600 visits have a dozen visits each: fewer are mostly chance. */
const POINTS = 50;
const LAST = 20;
const BANDS = 10;
const HUNDREDTHS = 100;

/** Takes O(discovered URLs) and one opening of the crawl, as `status`. @throws as `status` */
export async function survey(dir: string): Promise<CrawlSurvey> {
  const crawl = openCrawl(dir);
  try {
    const walk = new SurveyWalk(crawl.manifest.topic.threshold);
    const status = await statusOfOpen(dir, crawl, { settled: (settled) => walk.settled(settled), line: (line) => walk.line(line) });
    return { status, ...walk.found() };
  } finally {
    await crawl.close();
  }
}

type Counts = { -readonly [K in Exclude<keyof SurveyedHost, 'host'>]: number };

class SurveyWalk {
  readonly #threshold: Unit;
  readonly #hosts = new Map<string, Counts>();
  /** Of each visit, whether it was on topic. */
  readonly #visits: boolean[] = [];
  readonly #last: VisitedPageLine[] = [];
  readonly #bands: number[] = new Array<number>(BANDS).fill(0);
  readonly #depths: number[] = [];
  readonly #kept: number[] = new Array<number>(HUNDREDTHS).fill(0);
  #keptOnTopic = 0;

  constructor(threshold: Unit) {
    this.#threshold = threshold;
  }

  settled({ fate }: SettledUrl): void {
    if (fate.visited) this.#visits.push(isOnTopic(fate.relevance, this.#threshold));
  }

  line(line: CrawlLedgerLine): void {
    const { state, relevance, order } = line;
    const host = this.#host(hostKeyOf(line.url));
    if (state === 'kept') host.kept += 1;
    if (state === 'kept' && isOnTopic(relevance, this.#threshold)) this.#keptOnTopic += 1;
    if (state === 'failed') host.failed += 1;
    if (state === 'refused') host.refused += 1;
    if (state === 'parked') host.parked += 1;
    if (order !== null) host.visited += 1;
    if (state === 'kept' && relevance !== null)
      this.#kept[placeIn(relevance, HUNDREDTHS)] = (this.#kept[placeIn(relevance, HUNDREDTHS)] ?? 0) + 1;
    if (waits(state) || state === 'not-reached') this.#wait(line, host);
    if (order !== null) this.#visit(line);
  }

  found(): Omit<CrawlSurvey, 'status'> {
    const hosts = [...this.#hosts]
      .map(([host, counts]) => ({ host, ...counts }))
      .sort((a, b) => b.kept - a.kept || b.visited - a.visited || b.waiting - a.waiting || (a.host < b.host ? -1 : 1));
    return {
      hosts: hosts.slice(0, MOST_HOSTS),
      moreHosts: Math.max(0, hosts.length - MOST_HOSTS),
      curve: curveOf(this.#visits),
      last: this.#newest().slice(0, LAST),
      waiting: { bands: this.#bands, depths: this.#depths },
      keptByRelevance: this.#kept,
      keptOnTopic: this.#keptOnTopic,
    };
  }

  #host(host: string): Counts {
    const found = this.#hosts.get(host);
    if (found !== undefined) return found;
    const made = { kept: 0, visited: 0, failed: 0, refused: 0, waiting: 0, parked: 0 };
    this.#hosts.set(host, made);
    return made;
  }

  #wait({ priority, depth }: CrawlLedgerLine, host: Counts): void {
    host.waiting += 1;
    this.#bands[placeIn(priority, BANDS)] = (this.#bands[placeIn(priority, BANDS)] ?? 0) + 1;
    while (this.#depths.length <= depth) this.#depths.push(0);
    this.#depths[depth] = (this.#depths[depth] ?? 0) + 1;
  }

  #visit({ url, state, reason, relevance, order, fetchedAt }: CrawlLedgerLine): void {
    this.#last.push({ url, state, reason, relevance, order, fetchedAt });
    if (this.#last.length >= 100 * LAST) this.#last.splice(0, Number.POSITIVE_INFINITY, ...this.#newest().slice(0, LAST));
  }

  #newest(): VisitedPageLine[] {
    return [...this.#last].sort((a, b) => (b.order ?? 0) - (a.order ?? 0));
  }
}

/** Which of so many equal parts of [0, 1]; 1 is in the last. */
function placeIn(value: Unit, parts: number): number {
  return Math.min(parts - 1, Math.floor(value * parts));
}

function curveOf(visits: readonly boolean[]): CurvePoint[] {
  const length = Math.max(1, Math.ceil(visits.length / POINTS));
  return Array.from({ length: Math.ceil(visits.length / length) }, (_, i) => {
    const part = visits.slice(i * length, (i + 1) * length);
    return { visits: i * length + part.length, onTopic: part.filter(Boolean).length, of: part.length };
  });
}
