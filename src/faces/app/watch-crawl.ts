/** A watch of a crawl: requests its pages again and new ones, then reports the changes since the last report. */
import { join } from 'node:path';
import { dateOf, isoTime, systemClock } from '../../base/core/clock.ts';
import { type OnDamaged, StoreError, UsageError } from '../../base/core/errors.ts';
import type { IsoTime, Ms } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { takeLock } from '../../base/disk/lock.ts';
import { type CrawlPaths, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { COMMANDS } from '../../crawling/settings/commands.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { makeReport, type ReportMoment } from '../../study/watch/make-report.ts';
import { newestReport, storeReport, writeFeed } from '../../study/watch/watch-files.ts';
import type { WatchReport } from '../../study/watch/watch-report.ts';
import type { CrawlOptions, CrawlReport } from './crawl-options.ts';
import { crawlWatched } from './run-crawl.ts';

const DAY: Ms = 24 * 60 * 60 * 1000;
const DEFAULT_EVERY: Ms = 7 * DAY;
const DEFAULT_NEW_PAGES = 1000;
/** Part of the time between two looks by which one may come early: cron starts a call some seconds off. */
const EARLY = 0.02;

export interface WatchOptions
  extends Omit<OptionsOf<typeof COMMANDS.watch>, 'format' | 'out' | 'skipDamaged'>,
    Pick<CrawlOptions, 'environment' | 's3Credentials' | 'signal' | 'onEvent' | 'onStart'> {
  /** Receives damaged records, which are skipped. Without it, damage ends the watch. */
  readonly onDamaged?: OnDamaged;
  /** Receives a line about a lock that is waited for. */
  readonly warn?: (message: string) => void;
}

export type WatchOutcome =
  /** `crawl`: the run of the look; null for a report without requests. */
  | { readonly kind: 'reported'; readonly report: WatchReport; readonly crawl: CrawlReport | null }
  /** The watch begins with this state; the next call reports. */
  | { readonly kind: 'begun'; readonly report: WatchReport }
  | { readonly kind: 'not-due'; readonly last: IsoTime; readonly next: IsoTime }
  /** The crawl was interrupted: the next call continues, and reports. */
  | { readonly kind: 'interrupted' };

/**
 * One look. Its reports are all that it remembers: each begins where the one before ended, so that a killed look is made up for by the next call.
 * @throws UsageError, DataError, StoreError; the reason of the signal
 */
export async function watchCrawl(options: WatchOptions): Promise<WatchOutcome> {
  const { dir, reportOnly = false, signal, warn } = options;
  const paths = crawlPaths(dir);
  if (readManifest(dir).at !== null && !reportOnly)
    throw new UsageError(`${dir}: is a crawl on several machines; gather it into another directory, and watch that with --report-only`);
  makeDirectory(paths.watch);
  const lock = await takeLock(join(paths.watch, 'lock'), paths.watch, { ...(warn && { warn }), ...(signal && { signal }) });
  try {
    const startedAt = now();
    const last = newestReport(paths);
    const previous = last ?? (await reported(paths, { previous: null, startedAt, now: startedAt }, options));
    if (last === null && reportOnly) return { kind: 'begun', report: previous };
    writeFeed(paths);
    const next = nextLook(previous, options);
    if (next > startedAt) return { kind: 'not-due', last: previous.startedAt, next };
    const crawl = reportOnly ? null : await look(options);
    if (crawl?.stopReason === 'interrupted') return { kind: 'interrupted' };
    lock.check();
    return { kind: 'reported', report: await reported(paths, { previous, startedAt, now: now() }, options), crawl };
  } finally {
    await lock.release();
  }
}

/** The moment from which a look is due. The state at the start of a watch is no look. */
function nextLook({ number, startedAt }: WatchReport, { every, reportOnly = false }: WatchOptions): IsoTime {
  if (number === 0 || (reportOnly && every === undefined)) return startedAt;
  return isoTime(Date.parse(startedAt) + (1 - EARLY) * (every ?? DEFAULT_EVERY));
}

async function look({ dir, every = DEFAULT_EVERY, revisit = every / 2, maxPages = DEFAULT_NEW_PAGES, ...options }: WatchOptions) {
  const { reportOnly: _, warn: __, maxTime, ...shared } = options;
  const budget = options.revisitOnly ? {} : { maxPages: (await visitedIn(dir)) + maxPages };
  return crawlWatched({ ...shared, dir, revisit, ...budget, ...(maxTime !== undefined && { maxTime }) }).catch(besideIt);
}

/** @throws always */
function besideIt(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error;
  throw new StoreError('STORE_LOCKED', `${error.message}; to report beside it, give --report-only`, { cause: error });
}

async function visitedIn(dir: string): Promise<number> {
  const crawl = openCrawl(dir);
  try {
    return crawl.frontier.counts().visited;
  } finally {
    await crawl.close();
  }
}

/** Makes a report from the last commit, and stores it. */
async function reported(paths: CrawlPaths, moment: ReportMoment, { signal, onDamaged }: WatchOptions): Promise<WatchReport> {
  const crawl = openCrawl(paths.dir, onDamaged);
  try {
    const report = await makeReport(crawl, moment, { signal: signal ?? new AbortController().signal, onDamaged });
    storeReport(paths, report);
    return report;
  } finally {
    await crawl.close();
  }
}

function now(): IsoTime {
  return isoTime(dateOf(systemClock));
}
