/** Runs a crawl in its directory: prepares and locks it, joins its database if it has one, and starts the session. */

import { systemClock } from '../../base/core/clock.ts';
import { StoreError, UsageError } from '../../base/core/errors.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { type HeldLock, takeLock } from '../../base/disk/lock.ts';
import { RunningCrawl } from '../../crawling/crawl/running.ts';
import { clearCrawl, crawlPaths, findCrawl, resumedSettings } from '../../crawling/crawl-dir/crawl-directory.ts';
import { FormerCrawl, settleFormerCrawl } from '../../crawling/crawl-dir/former-crawl.ts';
import { otherCode } from '../../crawling/crawl-dir/own-code-files.ts';
import { settlePurge } from '../../crawling/crawl-dir/purged-crawl.ts';
import { Operations } from '../../crawling/monitor/operations.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { refuseIdle } from '../../crawling/settings/idle-options.ts';
import type { ClusterConnection } from './cluster-worker.ts';
import { CRAWL, type CrawlOptions, type CrawlReport, type ReplacedCrawlOptions } from './crawl-options.ts';
import { type CrawlRun, withEvents } from './crawl-run.ts';
import { runSession } from './crawl-session.ts';
import { type HostFiles, openFiles } from './open-parts.ts';
import { type PreparedCrawl, prepareCrawl } from './prepare-crawl.ts';
import { type ReplaceParts, refuseWithoutScorer } from './replaced-parts.ts';
import { newReading } from './request-again.ts';
import { refuseChanged, storeCrawl } from './store-crawl.ts';

/** See `crawl` of the library. */
export function crawl(options: CrawlOptions): CrawlRun {
  return withEvents(options, crawlWatched);
}

/** Runs a crawl, as a promise alone. @param replaceParts puts parts of a program in place of others; null for none */
export async function crawlWatched(options: CrawlOptions, replaceParts: ReplaceParts | null = null): Promise<CrawlReport> {
  checkOptions('crawl', CRAWL, options, 'dir');
  refuseIdle('crawl', COMMANDS.crawl, options, resumedSettings(options) ?? {});
  const operations = await Operations.open(options, systemClock);
  try {
    return await crawlWithEvents({ ...options, ...(replaceParts && { replaceParts }), onEvent: operations.emit }, operations);
  } catch (error) {
    operations.failed(error);
    throw error;
  } finally {
    await operations.close();
  }
}

async function crawlWithEvents(options: ReplacedCrawlOptions, operations: Operations): Promise<CrawlReport> {
  // A crawl of one machine does not load this code.
  const isShared = options.at !== undefined || (!options.force && findCrawl(options.dir)?.at);
  const at = isShared ? await (await import('./cluster-worker.ts')).ClusterConnection.connect(options) : null;
  try {
    for (;;) {
      const report = await crawlIn(options, operations, at);
      if (report !== null) return report;
    }
  } finally {
    await at?.close();
  }
}

/**
 * @param at the database of the crawl; null for a crawl of one machine
 * @returns null if another machine started the crawl at the same moment: it is to be joined
 */
async function crawlIn(options: ReplacedCrawlOptions, operations: Operations, at: ClusterConnection | null): Promise<CrawlReport | null> {
  const paths = crawlPaths(options.dir);
  const wait = { warn: (message: string) => operations.warn(message), ...(options.signal && { signal: options.signal }) };
  if (at !== null && options.replaceParts)
    throw new UsageError(`${options.dir}: parts are replaced in crawls on one machine; omit at, or call crawl`);
  await settleFormerCrawl(options.dir, wait);
  await settlePurge(options.dir, wait);
  if (options.from !== undefined)
    await (await import('./tangent-crawl.ts')).beginTangent(options, at !== null, (message) => operations.warn(message));
  await at?.bring(paths);
  const prepared = await prepareCrawl(paths, options, at !== null);
  if (!options.replaceParts) refuseWithoutScorer(prepared.manifest, options.dir);
  await at?.reachBucket(prepared.manifest, options);
  // Before anything is written or moved: with `force`, they may be files of the former crawl.
  const files = await openFiles(prepared.manifest, options);
  for (const warning of [...otherCode(prepared.found, prepared.manifest), ...prepared.warnings]) operations.warn(warning);
  makeDirectory(options.dir);
  const lock = await takeLock(paths.lock, options.dir, wait);
  let former: FormerCrawl | null = null;
  try {
    refuseChanged(prepared.there, options.dir);
    former = options.force && prepared.there ? FormerCrawl.moveAside(paths) : null;
    return await crawlLocked(prepared, former === null ? options : watchedBy(former, options), { files, operations, lock, former, at });
  } finally {
    try {
      if (await former?.end()) operations.warn(`${options.dir}: the new crawl got no page, so the former crawl is back`);
    } finally {
      await lock.release();
    }
  }
}

/** The surroundings of a crawl whose directory is locked. */
interface Surroundings {
  readonly files: HostFiles;
  readonly operations: Operations;
  readonly lock: HeldLock;
  readonly former: FormerCrawl | null;
  readonly at: ClusterConnection | null;
}

/** @returns as `crawlIn` */
async function crawlLocked(
  prepared: PreparedCrawl,
  options: ReplacedCrawlOptions,
  { files, operations, lock, former, at }: Surroundings,
): Promise<CrawlReport | null> {
  const { paths, found, seeds, earlier } = prepared;
  const stored = await storeCrawl(prepared, options, former, at);
  const running = new RunningCrawl(systemClock);
  const joined = (await at?.begin(paths, stored, options, running, (message) => operations.warn(message))) ?? null;
  if (at && !joined) {
    if (found)
      throw new StoreError(
        'STORE_LOCKED',
        `${options.dir}: another crawl of this name was just started in the database; run the command again`,
      );
    clearCrawl(paths);
    return null;
  }
  try {
    return await runSession({
      ...{ clock: systemClock, paths, stored, seeds, earlier, options, resumed: found !== null },
      reading: newReading(found, stored),
      ...{ files: at ? await openFiles(stored, options) : files, operations, lock, running, joined },
    });
  } finally {
    await joined?.close();
  }
}

function watchedBy(former: FormerCrawl, options: ReplacedCrawlOptions): ReplacedCrawlOptions {
  return {
    ...options,
    onEvent: (event) => {
      former.take(event);
      options.onEvent?.(event);
    },
  };
}
