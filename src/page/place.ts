/** The subject of one page: a crawl directory, its reader, and the run that may be in this process. */
import type { Monitor } from '../monitor/monitor.ts';
import type { AskedProcess } from './asked-process.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import type { NewestSurvey } from './newest-survey.ts';
import type { DatedSurvey } from './readings.ts';
import type { RunInHand } from './run-in-hand.ts';

export interface Place {
  readonly dir: string;
  readonly reader: AskedProcess<'readings'>;
  /** By the reader. */
  readonly survey: NewestSurvey;
  /** The labelling session. */
  readonly desk: AskedProcess<'desk'>;
  /** Further crawls, to compare with. */
  readonly others: readonly OtherCrawl[];
  /** Files `results.json` of forager eval. */
  readonly evaluations: readonly string[];
  readonly jobs: BackgroundJobs;
  /** The crawl that runs in this process; null if the directory is only open. */
  readonly run: RunInHand | null;
  /** The activity of that run for machines; null if there is none. */
  readonly monitor: Monitor | null;
}

export interface OtherCrawl {
  readonly dir: string;
  readonly reader: AskedProcess<'readings'>;
}

/** The survey that screens show. A crawl that is paused, or that is not running here, is counted at once. */
export function surveyOf(place: Place): Promise<DatedSurvey> {
  return place.survey.of(fetches(place));
}

/** Does the crawl change while it is read? */
export function fetches({ run }: Pick<Place, 'run'>): boolean {
  return run !== null && run.state !== 'paused';
}
