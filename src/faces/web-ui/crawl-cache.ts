/** The crawl, kept open between readings: opening takes O(discovered URLs), some seconds for a million. */
import { statSync } from 'node:fs';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import { lockState } from '../../base/disk/lock.ts';
import { crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { followedCrawl, isLabelled, type LiveCrawl, type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { CountedCrawl, type CrawlSurvey } from '../../study/inspect/survey.ts';
import { type Why, type WhyOptions, whyOfOpen } from '../../study/inspect/why.ts';
import { KeptLessons } from './kept-lessons.ts';
import { LedgerColumns } from './ledger-columns.ts';

/** A survey, and when it was made. */
export interface DatedSurvey extends CrawlSurvey {
  readonly at: EpochMs;
  /** Time until which the survey is shown while the crawl fetches: see `SHARE`. */
  readonly next: EpochMs;
}

/** A survey with all hosts, and the crawl and its ledger of the same moment. */
export interface Surveyed {
  readonly survey: DatedSurvey;
  readonly columns: LedgerColumns;
  /** Perhaps closed by now if the survey is of a moment ago. */
  readonly crawl: OpenCrawl;
}

interface Opening {
  readonly stamp: string;
  readonly crawl: LiveCrawl;
}

/** A crawl that is counted as it grows. */
interface Counting {
  readonly crawl: CountedCrawl;
  readonly lessons: KeptLessons;
  readonly columns: LedgerColumns;
}

/**
 * Surveys of a crawl that changes take at most this share of one processor. The goal of the page is 3 % of a crawl's, with the start of this process and the
 * screens: `npm run bench -- page watchers`.
 */
const SHARE = 0.005;
const LEAST_INTERVAL: Ms = 1000;

/** A crawl and its survey, kept open between readings. Readings come one after the other: one may close the crawl of another. */
export class CrawlCache {
  readonly #dir: string;
  #opening: Opening | null = null;
  /** null before the first survey of an opening. */
  #counting: Counting | null = null;
  #last: { readonly surveyed: Surveyed; readonly crawl: string; readonly labels: string } | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The crawl as it is now, opened again if its files have changed. @throws as `openCrawl` */
  async crawl(): Promise<OpenCrawl> {
    return (await this.#newest()).crawl;
  }

  /** An explanation by that crawl. @throws as `openCrawl` and `whyOfOpen` */
  async why(url: string, options: WhyOptions): Promise<Why> {
    const { crawl } = await this.#newest();
    const lessons = () => (this.#isCounted(crawl) ? this.#counting?.lessons.kept : null) ?? crawl.frontier.settled();
    return whyOfOpen(this.#dir, crawl, url, options, lessons);
  }

  async #newest(): Promise<Opening> {
    const stamp = crawlStamp(this.#dir);
    if (this.#opening?.stamp === stamp) return this.#opening;
    const before = this.#opening;
    this.#opening = null;
    const crawl = (before && (await followed(before.crawl))) ?? openCrawl(this.#dir);
    this.#opening = { stamp, crawl };
    return this.#opening;
  }

  /** Are all settled URLs counted? */
  #isCounted(crawl: LiveCrawl): boolean {
    return this.#counting?.crawl.isUpToDate(crawl) ?? false;
  }

  #countingOf(crawl: LiveCrawl): Counting {
    if (this.#counting?.crawl.counts(crawl)) return this.#counting;
    const [lessons, columns] = [new KeptLessons(), new LedgerColumns()];
    return { crawl: new CountedCrawl(crawl, [lessons, columns]), lessons, columns };
  }

  /**
   * The current survey; while the crawl fetches, one of a moment ago at most: see `SHARE`.
   * @param part `lines`: labels and questions may be older
   */
  async surveyed(fetches: boolean, part: 'whole' | 'lines' = 'whole'): Promise<Surveyed> {
    const last = this.#last;
    const [stamp, labels] = [crawlStamp(this.#dir), labelsStamp(this.#dir)];
    const now = Date.now();
    const isNew = last?.crawl !== stamp || (part === 'whole' && last.labels !== labels);
    if (last !== null && (!isNew || (fetches && now < last.surveyed.survey.next))) return last.surveyed;
    const { crawl } = await this.#newest();
    const counting = this.#countingOf(crawl);
    // After an error its counts are of no more use.
    this.#counting = null;
    const { columns } = counting;
    columns.grow(crawl.frontier.counts().discovered);
    const counted = await counting.crawl.survey(this.#dir, crawl);
    this.#counting = counting;
    const survey = { ...counted, at: now, next: now + Math.max(LEAST_INTERVAL, (Date.now() - now) / SHARE) };
    this.#last = { surveyed: { survey, columns, crawl }, crawl: stamp, labels };
    return this.#last.surveyed;
  }

  /** Closes the crawl, before this process opens it to write, and after a reading that failed. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#counting = null;
    this.#last = null;
    await opening?.crawl.close();
  }
}

/** The crawl as it is now. null if it must be opened again: it is closed then, and after an error. */
async function followed(crawl: LiveCrawl): Promise<LiveCrawl | null> {
  let now: LiveCrawl | null = null;
  try {
    now = followedCrawl(crawl);
    return now;
  } finally {
    if (now === null) await crawl.close();
  }
}

/** Changes with each commit and retraining, and when a run begins or ends. */
export function crawlStamp(dir: string): string {
  const { manifest, database, lock } = crawlPaths(dir);
  const state = lockState(lock);
  // A labelling session changes nothing that is counted, until it trains.
  const isAtRest = state === 'free' || isLabelled(crawlPaths(dir), readManifest(dir));
  return [versionOf(manifest), versionOf(database), isAtRest ? 'free' : state].join(' ');
}

/** Changes with each label and question: the status counts them as well. */
function labelsStamp(dir: string): string {
  const files = topicParts(dir, readManifest(dir)).flatMap(({ paths: { labels, labelling } }) => [labels, labelling]);
  return files.map(versionOf).join(' ');
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '-' : `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}
