/** The questions of the page about a crawl. Each is a function that the command line has too, so that no number is computed twice. */
import { statSync } from 'node:fs';
import type { EpochMs, Ms } from '../core/types.ts';
import { crawlPaths } from '../crawl-dir/crawl-directory.ts';
import { type CrawlSurvey, survey } from '../inspect/survey.ts';
import { type Why, why } from '../inspect/why.ts';
import { type LedgerPage, type LedgerQuery, ledgerPage } from './ledger-page.ts';

/** A survey, and when it was made. */
export interface DatedSurvey extends CrawlSurvey {
  readonly at: EpochMs;
}

export interface Readings {
  /** Of now, or of a little while ago if the crawl fetches meanwhile: see `SHARE`. */
  readonly survey: (given: { readonly fetches: boolean }) => Promise<DatedSurvey>;
  readonly ledger: (given: LedgerQuery) => Promise<LedgerPage>;
  readonly why: (given: { readonly url: string; readonly topicName?: string }) => Promise<Why>;
}

export type ReadingName = keyof Readings;
export type Answered<N extends ReadingName> = Awaited<ReturnType<Readings[N]>>;

/** Surveys of a crawl that changes take at most this share of one processor: the goal of the page is 3 % of a crawl's. */
const SHARE = 0.02;
const LEAST_INTERVAL: Ms = 1000;

export function readingsOf(dir: string): Readings {
  const surveys = new SurveyCache(dir);
  return {
    survey: ({ fetches }) => surveys.newest(fetches),
    ledger: (given) => ledgerPage(dir, given),
    why: ({ url, topicName }) => why(dir, url, topicName === undefined ? {} : { topicName }),
  };
}

/** The last survey, as long as the directory has not changed, or has been surveyed a moment ago. */
class SurveyCache {
  readonly #dir: string;
  #last: { readonly survey: DatedSurvey; readonly stamp: string; readonly took: Ms } | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async newest(fetches: boolean): Promise<DatedSurvey> {
    const last = this.#last;
    const stamp = stampOf(this.#dir);
    const now = Date.now();
    const rest = fetches ? Math.max(LEAST_INTERVAL, (last?.took ?? 0) / SHARE) : 0;
    if (last !== null && (last.stamp === stamp || now - last.survey.at < rest)) return last.survey;
    const made = { ...(await survey(this.#dir)), at: now };
    this.#last = { survey: made, stamp, took: Date.now() - now };
    return made;
  }
}

/** Changes with each commit, label and retraining. */
function stampOf(dir: string): string {
  const { manifest, database, labels, lock } = crawlPaths(dir);
  return [manifest, database, labels, lock]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.size}`;
    })
    .join(' ');
}
