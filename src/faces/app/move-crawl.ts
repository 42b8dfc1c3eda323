/** Moves a crawl of one machine into a database: its frontier becomes the log, and its directory that of the first worker. */
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { inGroups } from '../../base/core/in-groups.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { CorpusChecksums } from '../../crawling/cluster/corpus-checksums.ts';
import { beginEngineCrawl, dropEngineCrawl, findEngineCrawl, nameMoved } from '../../crawling/cluster/crawl-list.ts';
import { packLessons } from '../../crawling/cluster/lesson-rows.ts';
import { partitionsOf } from '../../crawling/cluster/partition-of.ts';
import type { SqlClient } from '../../crawling/cluster/sql-client.ts';
import { EngineWorker, type PayloadClaim } from '../../crawling/cluster/worker.ts';
import { payloadKeys } from '../../crawling/crawl/kept-payloads.ts';
import { lessonOf } from '../../crawling/crawl/lessons.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { turnsOfWarmUp } from '../../crawling/frontier/exploration.ts';
import { LmdbStore } from '../../crawling/frontier/lmdb-store.ts';
import type { LogEntry } from '../../crawling/frontier/log-entry.ts';
import { logRowsOf } from '../../crawling/frontier/log-rows.ts';
import { withTexts } from '../../crawling/frontier/logged-step.ts';
import { filesOf } from './engine-files.ts';

/** Steps of one commit: some MB. */
const STEPS_AT_ONCE = 1_000;

/**
 * The crawl appears under its name when all of it is there: a move that was interrupted begins again. The frontier of the directory is then removed, since
 * the view of a worker is made from the log.
 * @param name of the crawl in the database
 * @param corpusId of the directory
 * @throws UsageError for a crawl that only one machine can continue; StoreError, EngineGoneError
 */
export async function moveCrawl(
  client: SqlClient,
  name: string,
  paths: CrawlPaths,
  manifest: CrawlManifest,
  corpusId: string,
): Promise<void> {
  if ((await findEngineCrawl(client, name)) === null) {
    refuse(paths, manifest);
    const making = `${name} (moving)`;
    const before = await findEngineCrawl(client, making);
    if (before !== null) await dropEngineCrawl(client, before);
    const crawl = await beginEngineCrawl(client, making, JSON.stringify({ ...manifest, runs: [] }), filesOf(paths));
    const corpus = { id: corpusId, host: hostname(), path: resolve(paths.corpus) };
    const worker = await EngineWorker.join(client, crawl, corpus, `${hostname()} ${process.pid}`);
    const visited = await fill(worker, paths, manifest);
    await worker.leave();
    await nameMoved(client, crawl, { name, visited, models: manifest.relabelled.length });
  }
  for (const path of [paths.frontier, paths.gathered]) rmSync(path, { recursive: true, force: true });
}

/** @throws UsageError */
function refuse({ dir }: CrawlPaths, { ask, record, warmUp, runs }: CrawlManifest): void {
  const why = ask.length > 0 ? 'asks questions (--ask)' : record ? 'is recorded (--record)' : null;
  if (why !== null) throw new UsageError(`${dir}: ${why}, which several machines cannot do; continue it without --at`);
  if (runs.length === 0) throw new UsageError(`${dir}: the crawl has not started; give an empty directory and its options`);
  if (warmUp === 0) return;
  const { frontier } = openCrawl(dir);
  const { visited } = frontier.counts();
  void frontier.close();
  if (visited < turnsOfWarmUp(warmUp))
    throw new UsageError(`${dir}: its warm-up is not over; crawl on one machine until ${turnsOfWarmUp(warmUp)} visits, and then give --at`);
}

/** @returns the number of visits */
async function fill(worker: EngineWorker, paths: CrawlPaths, manifest: CrawlManifest): Promise<number> {
  const none = new AbortController().signal;
  const partitionOf = partitionsOf(worker.crawl.partitions);
  const hold = async () => new Map((await worker.tend(0, null, false, true)).held.map(([partition, epoch]) => [partition, epoch]));
  const commit = async (entries: readonly LogEntry[], lessons: Parameters<typeof packLessons>[0], sizes = {}) => {
    const held = await hold();
    const rows = logRowsOf(entries, partitionOf, held.keys());
    const sums = await new CorpusChecksums(paths.corpus, null).upTo(sizes);
    await worker.commit({ held, rows, passedOn: [], sizes, sums, read: [], lessons: packLessons(lessons), visits: 0, models: 0 }, none);
  };
  const store = LmdbStore.open(paths.frontier, null, manifest.id, 'read');
  try {
    for (const steps of inGroups(store.history(), STEPS_AT_ONCE)) await commit(steps.map(withTexts), []);
  } finally {
    await store.close();
  }
  const { frontier } = openCrawl(paths.dir);
  try {
    for (const settled of inGroups(frontier.settled(), STEPS_AT_ONCE)) {
      await commit(
        [],
        settled.flatMap(({ entry, fate }) => {
          const relevance = lessonOf(fate, entry);
          return relevance === null ? [] : [{ entry, relevance }];
        }),
      );
      await worker.claimPayloads(
        settled.flatMap(({ entry, fate }) =>
          fate.state === 'kept' && fate.payloadSha256 ? claimsOf(entry.url, fate.payloadSha256, fate.relevances) : [],
        ),
      );
    }
    await commit([], [], frontier.committedOffsets());
    return frontier.counts().visited;
  } finally {
    await frontier.close();
  }

  function claimsOf(url: CanonicalUrl, sha256: string, relevances: readonly number[] | undefined): PayloadClaim[] {
    return payloadKeys(sha256, relevances, manifest.topics).map((key) => ({ key, url }));
  }
}
