/** Gathers a crawl of several machines into one directory: a crawl of one machine, which every command reads. */
import { join } from 'node:path';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { type LockOptions, takeLock } from '../../base/disk/lock.ts';
import type { S3Credentials } from '../../corpus/object-store/aws-signature.ts';
import { CorpusBucket } from '../../crawling/cluster/corpus-bucket.ts';
import { engineFiles, findEngineCrawl } from '../../crawling/cluster/crawl-list.ts';
import { checkSchema } from '../../crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../crawling/cluster/engine-address.ts';
import {
  corporaAt,
  corpusStates,
  type EngineCorpus,
  type EngineMoment,
  entriesAfter,
  momentOf,
  refuseOtherLog,
} from '../../crawling/cluster/engine-log.ts';
import { SqlClient } from '../../crawling/cluster/sql-client.ts';
import { type EngineCrawl, LEASE } from '../../crawling/cluster/worker.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  findCrawl,
  readManifest,
  refuseLostFrontier,
  writeManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { refusePlaceWithoutBucket } from '../../crawling/crawl-dir/crawl-settings.ts';
import { GATHERED, openCrawl, RUNNING_ELSEWHERE } from '../../crawling/crawl-dir/open-crawl.ts';
import { openLoggedFrontier } from '../../crawling/frontier/frontier.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import type { LoggedFrontier } from '../../crawling/frontier/logged-frontier.ts';
import { bytesOfFile, isHere, lastWholeState } from './corpus-sources.ts';
import { bringFiles, readView, sharedManifest } from './engine-files.ts';
import { type CorpusBytes, MergedCorpus, storeParts, UnreadableCorpusError } from './merged-corpus.ts';
import { adoptModel, noteModel } from './shared-settings.ts';

export interface GatherOptions extends Pick<LockOptions, 'warn' | 'signal'> {
  /** A directory of its own: new, or one that was gathered before, which gets only the rest. */
  readonly dir: string;
  /** Address of the crawl, as `--at` of a crawl. */
  readonly at: string;
  /**
   * Credentials for a crawl with `corpusBucket`, if the folder of one of its corpora is not here. They are stored nowhere, and no message
   * has them.
   */
  readonly s3Credentials?: S3Credentials;
  /** Default: that of the crawl. */
  readonly s3Endpoint?: string;
  /** Default: that of the crawl. */
  readonly s3Region?: string;
  readonly onProgress?: (commits: number, of: number) => void;
}

/** The pages of one worker. */
export interface GatheredCorpus {
  readonly host: string;
  readonly path: string;
  /** Source of the pages. null: neither the folder nor a bucket can be reached from here, so the pages are missing. */
  readonly reached: 'folder' | 'bucket' | null;
  /** Damage, in words, because of which all pages or the last ones are missing, although a folder or bucket was reached; null otherwise. */
  readonly fault: string | null;
}

export interface GatherReport {
  readonly dir: string;
  /** The commit of the crawl up to which it goes. */
  readonly commit: number;
  readonly counts: FrontierCounts;
  readonly corpora: readonly GatheredCorpus[];
}

/**
 * The log of the crawl becomes a frontier, and the corpora of its workers become one, if their folders are on this machine or on a disk that it shares, or
 * the crawl has a bucket.
 * A crawl may run meanwhile: the directory has the state of one commit. O(new steps and bytes).
 * @throws UsageError without such a crawl, and for a directory of something else; StoreError, CrawlerError
 */
export async function gather(options: GatherOptions): Promise<GatherReport> {
  const address = readEngineAddress(options.at);
  const client = await SqlClient.connect(address);
  try {
    await checkSchema(client);
    const crawl = await findEngineCrawl(client, address.crawl);
    if (crawl === null) throw new UsageError(`${address.shown}: there is no crawl of this name; correct --at`);
    return await gatherFrom(client, crawl, options);
  } finally {
    await client.close();
  }
}

async function gatherFrom(client: SqlClient, crawl: EngineCrawl, options: GatherOptions): Promise<GatherReport> {
  const { dir } = options;
  const paths = crawlPaths(dir);
  const stored = sharedManifest(crawl);
  const here = findCrawl(dir);
  const remedy = 'give another directory, new or gathered before';
  if (here !== null && here.id !== stored.id) throw new UsageError(`${dir}: has another crawl than ${crawl.name}; ${remedy}`);
  if (here !== null && !isThere(paths.gathered)) throw new UsageError(`${dir}: is the directory of a worker; ${remedy}`);
  refusePlaceWithoutBucket(stored, options);
  // Everything that can be refused is looked at before the first change.
  const files = await engineFiles(client, crawl);
  const moment = await momentOf(client, crawl, LEASE);
  const corpora = await corporaAt(client, crawl, moment.commits);
  const bucket = corpora.every(isHere) ? null : await openBucketOf(stored, crawl.name, options);
  try {
    if (here === null) makeDirectory(dir);
    const lock = await takeLock(paths.lock, dir, options);
    try {
      // A gather that was killed may have left pages that an earlier model judged.
      const isResumed = here !== null && readManifest(dir).runs.length === 0;
      if (here === null) beginGathered(paths, stored, files);
      const merged = await soundCorpus(client, crawl, moment, corpora, paths);
      const { relabelled } = readManifest(dir);
      const models = Math.max(relabelled.length, stored.relabelled.length);
      const gathered = await gatherAll({ client, crawl, moment, models, corpora, bucket, merged, paths, options });
      lock.check();
      if (models > 0) {
        await noteModel(paths, readManifest(dir));
        const isJudged = relabelled.length === models && gathered.models >= models && !isResumed;
        if (!isJudged) await adoptModel(client, crawl.name, paths, () => lock.check());
      }
      writeManifest(dir, { ...readManifest(dir), runs: [runOf(moment)] });
      return models === 0 ? gathered.report : { ...gathered.report, counts: await countsOf(dir) };
    } finally {
      await lock.release();
    }
  } finally {
    await bucket?.close();
  }
}

function beginGathered(paths: CrawlPaths, stored: CrawlManifest, files: ReadonlyMap<string, Uint8Array>): void {
  bringFiles(paths.dir, files);
  storeParts(paths, {});
  const optOut = isThere(paths.optOut) ? paths.optOut : null;
  writeManifest(paths.dir, { ...stored, optOut, at: null, corpusBucket: null, s3Endpoint: null, s3Region: null, runs: [] });
}

/**
 * The corpus of the directory, if frontier, corpus and database belong to one another. Changes nothing.
 * @throws StoreError, DamageError
 */
async function soundCorpus(
  client: SqlClient,
  crawl: EngineCrawl,
  { commits }: EngineMoment,
  corpora: readonly EngineCorpus[],
  paths: CrawlPaths,
): Promise<MergedCorpus> {
  const manifest = readManifest(paths.dir);
  refuseLostFrontier(manifest, paths);
  if (isThere(paths.database)) refuseBrokenTrees(paths.database);
  const view = await readView(paths, manifest.id);
  await refuseOtherLog(client, crawl, view, commits);
  const merged = new MergedCorpus(paths, view.committed, manifest.id);
  merged.refuseRepaired(corpora);
  return merged;
}

/** A report, and the least number of activated models of those that judged the new pages. */
interface Gathered {
  readonly report: GatherReport;
  readonly models: number;
}

/** A crawl as of one commit, and the directory for it. */
interface Gathering {
  readonly client: SqlClient;
  readonly crawl: EngineCrawl;
  readonly moment: EngineMoment;
  /** Number of activated models of the crawl. */
  readonly models: number;
  readonly corpora: readonly EngineCorpus[];
  readonly bucket: CorpusBucket | null;
  readonly merged: MergedCorpus;
  readonly paths: CrawlPaths;
  readonly options: GatherOptions;
}

async function gatherAll(gathering: Gathering): Promise<Gathered> {
  const { paths, merged } = gathering;
  const frontier = openView(paths, readManifest(paths.dir));
  try {
    merged.cut();
    const models = await gatherLog(frontier, gathering);
    const corpora = await gatherCorpora(gathering);
    if (models < gathering.models) noteUnfinished(paths);
    await merged.commit(frontier);
    return { report: { dir: paths.dir, commit: gathering.moment.commits, counts: frontier.counts(), corpora }, models };
  } finally {
    await frontier.close();
  }
}

/** Counts by the active model. */
async function countsOf(dir: string): Promise<FrontierCounts> {
  const { frontier } = openCrawl(dir);
  try {
    return frontier.counts();
  } finally {
    await frontier.close();
  }
}

/**
 * The last part of the log is committed with the pages that it tells of, by the caller. A longer log is committed part by part, and the directory without a
 * run until its pages are there.
 * @returns the least number of activated models of those that judged the new pages
 */
async function gatherLog(frontier: LoggedFrontier, { client, crawl, moment, merged, paths, options }: Gathering): Promise<number> {
  const partitions = Array.from({ length: crawl.partitions }, (_, i) => i);
  let leastModels = Number.POSITIVE_INFINITY;
  let isUncommitted = false;
  for await (const { entries, upTo, models } of entriesAfter(client, crawl, frontier.heads, partitions, moment.commits)) {
    options.signal?.throwIfAborted();
    if (isUncommitted) {
      noteUnfinished(paths);
      await merged.commit(frontier);
    }
    isUncommitted = true;
    leastModels = Math.min(leastModels, models);
    frontier.take(
      entries,
      partitions.map((partition) => [partition, upTo.commit]),
      upTo,
    );
    options.onProgress?.(upTo.commit, moment.commits);
  }
  return leastModels;
}

/** The directory is without a run until all its pages are there and the active model has judged them. */
function noteUnfinished({ dir }: CrawlPaths): void {
  writeManifest(dir, { ...readManifest(dir), runs: [] });
}

type Reached = Pick<GatheredCorpus, 'reached' | 'fault'>;

/** Everything whole is gathered: a corpus that cannot be read is named, and the others are copied. */
async function gatherCorpora(gathering: Gathering): Promise<GatheredCorpus[]> {
  const gathered: GatheredCorpus[] = [];
  for (const corpus of gathering.corpora) {
    const { host, path } = corpus;
    gathered.push({ host, path, ...(await gatherCorpus(corpus, gathering)) });
  }
  return gathered;
}

async function gatherCorpus(corpus: EngineCorpus, gathering: Gathering): Promise<Reached> {
  const { bucket, merged, options } = gathering;
  const folder: CorpusBytes = (name, start, end) => bytesOfFile(join(corpus.path, name), start, end);
  const inBucket: CorpusBytes | null = bucket && ((name, start, end) => bucket.read(corpus.id, name, start, end));
  const isLocal = isHere(corpus);
  const ways = [...(isLocal ? [['folder', folder] as const] : []), ...(inBucket ? [['bucket', inBucket] as const] : [])];
  const faults: string[] = [];
  for (const [reached, bytes] of ways)
    try {
      await merged.add(corpus, bytes, options.signal);
      return { reached, fault: null };
    } catch (error) {
      if (!(error instanceof UnreadableCorpusError)) throw error;
      faults.push(messageOf(error));
    }
  if (ways.length === 0) return { reached: null, fault: null };
  if (isLocal) await gatherWhole(corpus, folder, gathering);
  return { reached: null, fault: faults.join('; ') };
}

/** The part of a damaged corpus up to the last commit of which it has all bytes. */
async function gatherWhole(
  { id, path }: EngineCorpus,
  folder: CorpusBytes,
  { client, crawl, moment, merged, options }: Gathering,
): Promise<void> {
  const states = await corpusStates(client, crawl, id, moment.commits);
  const whole = await lastWholeState(states, path, (file) => merged.partOf(id, file));
  if (whole === null) return;
  try {
    await merged.add({ id, ...whole }, folder, options.signal);
  } catch (error) {
    if (!(error instanceof UnreadableCorpusError)) throw error;
  }
}

/** null for a crawl without one. @throws UsageError */
function openBucketOf(manifest: CrawlManifest, crawl: string, options: GatherOptions): Promise<CorpusBucket | null> {
  const { corpusBucket, s3Endpoint, s3Region } = manifest;
  const place = { corpusBucket, s3Endpoint: options.s3Endpoint ?? s3Endpoint, s3Region: options.s3Region ?? s3Region };
  return CorpusBucket.open(place, crawl, options);
}

/** The frontier as a view of the log that holds no hosts. */
function openView(paths: CrawlPaths, manifest: CrawlManifest): LoggedFrontier {
  const nothing = { begin: () => async () => ({ commit: 0, id: null }) };
  const nobody = { isAway: () => true, held: () => [] };
  return openLoggedFrontier(paths.frontier, frontierOptionsOf(manifest), null, nothing, nobody);
}

/** The time of the crawl as one run, which ends here with the gather: its workers may continue elsewhere. */
function runOf({ startedAt, live }: EngineMoment): CrawlManifest['runs'][number] {
  return {
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    stopReason: live > 0 ? RUNNING_ELSEWHERE : GATHERED,
    maxPages: null,
    maxTimeMs: null,
  };
}
