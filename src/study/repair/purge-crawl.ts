/** Removes the pages that were taken back from the own files of a crawl. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { flushAtOnce, flushTree, isThere } from '../../base/core/on-disk.ts';
import { type LockOptions, takeLock } from '../../base/disk/lock.ts';
import { PURGED, PURGING } from '../../base/disk/own-names.ts';
import { resetMarks } from '../../corpus/records/commit-marks.ts';
import { purgedCorpus } from '../../corpus/records/corpus-purge.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import { refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { type CrawlManifest, type CrawlPaths, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { putPurgedInPlace } from '../../crawling/crawl-dir/purged-crawl.ts';
import { purgedFrontier } from '../../crawling/frontier/lmdb-purge.ts';
import { writeReportsWithout } from '../watch/watch-files.ts';

/** Questions quote pages. The next labelling makes them again. */
const QUESTIONS = 'questions.json';

/**
 * Writes corpus and frontier again without the pages of the list of the crawl, in a folder beside them. One rename decides; until then the crawl is as
 * it was. Needs room for a second corpus and frontier. No crawl may run meanwhile.
 * @throws UsageError for a crawl on several machines; StoreError, DataError if the crawl is running or damaged
 */
export async function purgeCrawl(dir: string, options: LockOptions = {}): Promise<void> {
  const paths = crawlPaths(dir);
  const manifest = readManifest(dir);
  if (manifest.at !== null || isThere(paths.gathered))
    throw new UsageError(
      `${dir}: is a crawl on several machines, whose workers and database have the pages too; --purge is for a crawl on one`,
    );
  const lock = await takeLock(paths.lock, dir, options);
  try {
    const made = join(dir, PURGING);
    rmSync(made, { recursive: true, force: true });
    await writePurged(paths, manifest, made);
    flushTree(made);
    lock.check();
    removeQuestions(paths.labelling);
    renameSync(made, join(dir, PURGED));
    flushAtOnce(dir);
    putPurgedInPlace(dir);
  } finally {
    await lock.release();
  }
}

async function writePurged(paths: CrawlPaths, manifest: CrawlManifest, made: string): Promise<void> {
  const [corpus, frontier] = [join(made, 'corpus'), join(made, 'frontier')];
  const withdrawals = Withdrawals.at(paths.withdrawn);
  const offsets = await committedIn(paths.dir);
  for (const folder of [corpus, frontier]) mkdirSync(folder, { recursive: true });
  const sizes = await purgedCorpus(paths.corpus, corpus, offsets, withdrawals);
  await resetMarks(corpus, await purgedFrontier(paths.frontier, frontier, withdrawals, sizes), manifest.id);
  // Reports quote pages.
  if (isThere(paths.watch)) writeReportsWithout(paths, join(made, basename(paths.watch)), (url) => withdrawals.has(url));
}

/** @throws StoreError for a damaged crawl */
async function committedIn(dir: string) {
  const crawl = openCrawl(dir);
  try {
    refuseUnsoundCorpus(crawl);
    return crawl.frontier.committedOffsets();
  } finally {
    await crawl.close();
  }
}

function removeQuestions(labelling: string): void {
  if (!isThere(labelling)) return;
  for (const path of readdirSync(labelling, { recursive: true, encoding: 'utf8' }))
    if (path === QUESTIONS || path.endsWith(`/${QUESTIONS}`)) rmSync(join(labelling, path));
}
