/** The questions of the page about a crawl. Each is a function that the command line has too, so that no number is computed twice. */
import { statSync } from 'node:fs';
import type { EpochMs, Ms, Unit } from '../core/types.ts';
import type { LabelFacts } from '../corpus/corpus-card.ts';
import { crawlPaths } from '../crawl-dir/crawl-directory.ts';
import { openCrawl } from '../crawl-dir/open-crawl.ts';
import { type CrawlComparison, compareCrawls } from '../inspect/compare-crawls.ts';
import { precisionsAbove } from '../inspect/grounds.ts';
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
  /** Precision of the kept pages at or above each relevance; null where it is not measured. */
  readonly precisions: (given: readonly Unit[]) => Promise<readonly LabelFacts['precision'][]>;
  readonly comparison: (given: { readonly other: string }) => Promise<CrawlComparison>;
  readonly why: (given: { readonly url: string; readonly topicName?: string }) => Promise<Why>;
}

export type ReadingName = keyof Readings;
export type Answered<N extends ReadingName> = Awaited<ReturnType<Readings[N]>>;

/** Surveys of a crawl that changes take at most this share of one processor: the goal of the page is 3 % of a crawl's. */
const SHARE = 0.02;
const LEAST_INTERVAL: Ms = 1000;

export function readingsOf(dir: string): Readings {
  const surveys = new SurveyCache(dir);
  const comparisons = new ComparisonCache(dir);
  return {
    survey: ({ fetches }) => surveys.newest(fetches),
    ledger: (given) => ledgerPage(dir, given),
    precisions: (relevances) => precisions(dir, relevances),
    comparison: ({ other }) => comparisons.newest(other),
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

/** The last comparison, as long as neither directory has changed. */
class ComparisonCache {
  readonly #dir: string;
  #last: { readonly stamp: string; readonly comparison: CrawlComparison } | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async newest(other: string): Promise<CrawlComparison> {
    const stamp = [other, stampOf(this.#dir), stampOf(other)].join('\n');
    if (this.#last?.stamp !== stamp) this.#last = { stamp, comparison: await compareCrawls(this.#dir, other) };
    return this.#last.comparison;
  }
}

async function precisions(dir: string, relevances: readonly Unit[]): Promise<readonly LabelFacts['precision'][]> {
  const crawl = openCrawl(dir);
  try {
    return precisionsAbove(crawl, relevances);
  } finally {
    await crawl.close();
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
