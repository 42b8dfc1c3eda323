/** The crawl, kept open between readings: opening takes O(discovered URLs), some seconds for a million. */
import { statSync } from 'node:fs';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import { lockState } from '../../base/disk/lock.ts';
import { crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { isLabelled, type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { type CrawlSurvey, surveyOfOpen } from '../../study/inspect/survey.ts';
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
  readonly crawl: OpenCrawl;
  /** null before the first survey of this opening. */
  lessons: KeptLessons | null;
}

/**
 * Surveys of a crawl that changes take at most this share of one processor. The goal of the page is 3 % of a crawl's, with the start of this process and the
 * screens: `npm run bench -- page watchers`.
 */
const SHARE = 0.01;
const LEAST_INTERVAL: Ms = 1000;

/** A crawl and its survey, kept open between readings. Readings come one after the other: one may close the crawl of another. */
export class CrawlCache {
  readonly #dir: string;
  #opening: Opening | null = null;
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
    const { crawl, lessons } = await this.#newest();
    return whyOfOpen(this.#dir, crawl, url, options, () => lessons?.kept ?? crawl.frontier.settled());
  }

  async #newest(): Promise<Opening> {
    const stamp = crawlStamp(this.#dir);
    if (this.#opening?.stamp === stamp) return this.#opening;
    const before = this.#opening;
    this.#opening = null;
    await before?.crawl.close();
    this.#opening = { stamp, crawl: openCrawl(this.#dir), lessons: null };
    return this.#opening;
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
    const opening = await this.#newest();
    const { crawl } = opening;
    const columns = new LedgerColumns(crawl.frontier.counts().discovered);
    const lessons = new KeptLessons();
    const counted = await surveyOfOpen(this.#dir, crawl, [lessons, columns]);
    const survey = { ...counted, at: now, next: now + Math.max(LEAST_INTERVAL, (Date.now() - now) / SHARE) };
    opening.lessons = lessons;
    this.#last = { surveyed: { survey, columns, crawl }, crawl: stamp, labels };
    return this.#last.surveyed;
  }

  /** Closes the crawl, before this process opens it to write, and after a reading that failed. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#last = null;
    await opening?.crawl.close();
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
