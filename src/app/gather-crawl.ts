/** Gathers a crawl of several machines into one directory: a crawl of one machine, which every command reads. */
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { DataError, StoreError, storeErrorFrom, UsageError } from '../core/errors.ts';
import { flush, isThere } from '../core/on-disk.ts';
import type { CorpusOffsets, FrontierCounts } from '../core/parts/queueing.ts';
import type { Bytes } from '../core/types.ts';
import { CommitMarks } from '../corpus/commit-marks.ts';
import { CorpusFile } from '../corpus/corpus-file.ts';
import { isWarcName, warcName } from '../corpus/corpus-writer.ts';
import { type CrawlManifest, type CrawlPaths, crawlPaths, findCrawl, readManifest, writeManifest } from '../crawl-dir/crawl-directory.ts';
import { frontierOptionsOf } from '../crawl-dir/crawl-parts.ts';
import { makeDirectory } from '../crawl-dir/directories.ts';
import { type LockOptions, takeLock } from '../crawl-dir/lock.ts';
import { GATHERED, openCrawl, RUNNING_ELSEWHERE } from '../crawl-dir/open-crawl.ts';
import { CorpusBucket } from '../engine/corpus-bucket.ts';
import { engineFiles, findEngineCrawl } from '../engine/crawl-list.ts';
import { checkSchema } from '../engine/database-tables.ts';
import { readEngineAddress } from '../engine/engine-address.ts';
import { corporaAt, type EngineCorpus, type EngineMoment, entriesAfter, momentOf } from '../engine/engine-log.ts';
import { SqlClient } from '../engine/sql-client.ts';
import { type EngineCrawl, LEASE } from '../engine/worker.ts';
import { type LoggedFrontier, openLoggedFrontier } from '../frontier/frontier.ts';
import type { S3Credentials } from '../object-store/aws-signature.ts';
import { bringFiles } from './engine-files.ts';
import { adoptModel, noteModel } from './shared-settings.ts';

export interface GatherOptions extends Pick<LockOptions, 'told' | 'signal'> {
  /** A directory of its own: new, or one that was gathered before, which gets only the rest. */
  readonly dir: string;
  /** As `--at` of a crawl. */
  readonly at: string;
  /** For a crawl with `corpusBucket`, of whose corpora a folder is not here. They are stored nowhere, and no message has them. */
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
  /** By which way. null: neither the folder nor a bucket can be reached from here, so its pages are missing. */
  readonly reached: 'folder' | 'bucket' | null;
}

export interface GatherReport {
  readonly dir: string;
  /** The commit of the crawl up to which it goes. */
  readonly commit: number;
  readonly counts: FrontierCounts;
  readonly corpora: readonly GatheredCorpus[];
}

const RECORDS = 'records.jsonl';
const COPIED_AT_ONCE: Bytes = 8 * 2 ** 20;

/** By corpus and file: the bytes that are here, and the name of the file here. */
type Parts = Record<string, Record<string, { readonly bytes: Bytes; readonly as: string }>>;

/** By number of the commit of the directory: the last two, since the file is written before the frontier. */
const gatheredSchema = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.strictObject({ bytes: z.number().int(), as: z.string() }))),
);

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
  const begun = JSON.parse(crawl.manifest) as CrawlManifest;
  const here = findCrawl(dir);
  const remedy = 'give another directory, new or gathered before';
  if (here !== null && here.id !== begun.id) throw new UsageError(`${dir}: has another crawl than ${crawl.name}; ${remedy}`);
  if (here !== null && !isThere(paths.gathered)) throw new UsageError(`${dir}: is the directory of a worker; ${remedy}`);
  makeDirectory(dir);
  const lock = await takeLock(paths.lock, dir, options);
  try {
    if (here === null) {
      bringFiles(dir, await engineFiles(client, crawl));
      storeParts(paths, {});
      const optOut = isThere(paths.optOut) ? paths.optOut : null;
      writeManifest(dir, { ...begun, optOut, at: null, corpusBucket: null, s3Endpoint: null, s3Region: null, runs: [] });
    }
    const moment = await momentOf(client, crawl, LEASE);
    const gathered = await gatherAll({ client, crawl, moment, paths, options }).finally(() => {
      lock.check();
      writeManifest(dir, { ...readManifest(dir), runs: [runOf(moment)] });
    });
    const { relabelled } = readManifest(dir);
    const models = Math.max(relabelled.length, begun.relabelled.length);
    if (models === 0) return gathered.report;
    await noteModel(paths, readManifest(dir));
    if (relabelled.length < models || gathered.models < models) await adoptModel(client, crawl.name, paths, () => lock.check());
    return { ...gathered.report, counts: await countsOf(dir) };
  } finally {
    await lock.release();
  }
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
  readonly paths: CrawlPaths;
  readonly options: GatherOptions;
}

async function gatherAll(gathering: Gathering): Promise<Gathered> {
  const { paths } = gathering;
  const frontier = openView(paths, readManifest(paths.dir));
  try {
    return await gatherInto(frontier, gathering);
  } finally {
    await frontier.close();
  }
}

/** By the active model. */
async function countsOf(dir: string): Promise<FrontierCounts> {
  const { frontier } = openCrawl(dir);
  try {
    return frontier.counts();
  } finally {
    await frontier.close();
  }
}

async function gatherInto(frontier: LoggedFrontier, { client, crawl, moment, paths, options }: Gathering): Promise<Gathered> {
  const { dir, onProgress, signal } = options;
  const known = Math.max(0, ...frontier.heads.values());
  if (known > moment.commits)
    throw new DataError(
      `${dir}: has ${known} commits of the crawl, and the database ${moment.commits}: it is an older copy; gather into a new directory`,
    );
  const merged = new MergedCorpus(paths, frontier, readManifest(dir).id);
  const partitions = Array.from({ length: crawl.partitions }, (_, i) => i);
  let leastModels = Number.POSITIVE_INFINITY;
  for await (const { entries, upTo, models } of entriesAfter(client, crawl, frontier.heads, partitions, moment.commits)) {
    signal?.throwIfAborted();
    leastModels = Math.min(leastModels, models);
    frontier.take(
      entries,
      partitions.map((partition) => [partition, upTo]),
    );
    await merged.commit();
    onProgress?.(upTo, moment.commits);
  }
  const corpora = await corporaAt(client, crawl, moment.commits);
  const bucket = corpora.every(isHere) ? null : await openBucketOf(crawl, options);
  const gathered: GatheredCorpus[] = [];
  try {
    for (const corpus of corpora) {
      const { id, host, path } = corpus;
      const reached = isHere(corpus) ? 'folder' : bucket && 'bucket';
      if (reached === 'folder') await merged.add(corpus, (name, start, end) => bytesOf(join(path, name), start, end), signal);
      if (reached === 'bucket' && bucket) await merged.add(corpus, (name, start, end) => bucket.read(id, name, start, end), signal);
      gathered.push({ host, path, reached });
    }
  } finally {
    await bucket?.close();
  }
  await merged.commit();
  return { report: { dir, commit: moment.commits, counts: frontier.counts(), corpora: gathered }, models: leastModels };
}

/** null for a crawl without one. @throws UsageError */
function openBucketOf(crawl: EngineCrawl, options: GatherOptions): Promise<CorpusBucket | null> {
  const { corpusBucket = null, s3Endpoint = null, s3Region = null } = JSON.parse(crawl.manifest) as Partial<CrawlManifest>;
  const place = { corpusBucket, s3Endpoint: options.s3Endpoint ?? s3Endpoint, s3Region: options.s3Region ?? s3Region };
  return CorpusBucket.open(place, crawl.name, options);
}

/** The frontier as a view of the log that holds no hosts. */
function openView(paths: CrawlPaths, manifest: CrawlManifest): LoggedFrontier {
  const nothing = { begin: () => async () => 0 };
  const nobody = { isAway: () => true, held: () => [] };
  return openLoggedFrontier(paths.frontier, frontierOptionsOf(manifest), null, nothing, nobody);
}

/** Is the folder on this machine or a disk that it shares? Its id tells it from one that came after it. */
function isHere({ id, path, host }: EngineCorpus): boolean {
  const file = join(dirname(path), 'corpus-id');
  if (!isThere(file)) return false;
  const other = readFileSync(file, 'utf8').trim();
  if (other !== id && host === hostname()) return false;
  return other === id;
}

/** The time of the crawl as one run, which ends here with the gather: its workers may continue elsewhere. */
function runOf({ begunAt, live }: EngineMoment): CrawlManifest['runs'][number] {
  return {
    startedAt: begunAt.toISOString(),
    endedAt: new Date().toISOString(),
    stopReason: live > 0 ? RUNNING_ELSEWHERE : GATHERED,
    maxPages: null,
    maxTimeMs: null,
  };
}

/** Bytes of a file of a corpus, from one size at a commit to another. */
type CorpusBytes = (file: string, start: Bytes, end: Bytes) => AsyncIterable<Buffer>;

/** One corpus of the parts of several. */
class MergedCorpus {
  readonly #paths: CrawlPaths;
  readonly #frontier: LoggedFrontier;
  readonly #crawl: string | null;
  readonly #parts: Parts;
  #sizes: Record<string, Bytes>;

  /** Cuts off bytes that were not committed. @throws DataError for a directory that was changed since it was gathered */
  constructor(paths: CrawlPaths, frontier: LoggedFrontier, crawl: string | null) {
    [this.#paths, this.#frontier, this.#crawl] = [paths, frontier, crawl];
    const number = frontier.lastCommit()?.number ?? 0;
    const found = readParts(paths)[String(number)];
    if (found === undefined && number > 0)
      throw new DataError(`${paths.dir}: was changed since it was gathered; gather into a new directory`);
    this.#parts = found ?? {};
    this.#sizes = { ...frontier.committedOffsets() };
    for (const [name, size] of Object.entries(this.#sizes)) {
      const path = join(paths.corpus, name);
      if (isThere(path)) truncateSync(path, size);
    }
  }

  /** Appends the new bytes of a corpus. @throws the errors of `bytes` */
  async add({ id, sizes }: EngineCorpus, bytes: CorpusBytes, signal: AbortSignal | undefined): Promise<void> {
    await mkdir(this.#paths.corpus, { recursive: true });
    const parts = { ...this.#parts[id] };
    for (const [name, size] of Object.entries(sizes)) {
      const { bytes: start, as } = parts[name] ?? { bytes: 0, as: isWarcName(name) ? this.#newWarc() : name };
      if (size === start) continue;
      await this.#append(bytes(name, start, size), as, signal);
      parts[name] = { bytes: size, as };
    }
    this.#parts[id] = parts;
  }

  async commit(): Promise<void> {
    const number = (this.#frontier.lastCommit()?.number ?? 0) + 1;
    const before = readParts(this.#paths);
    const last = before[String(number - 1)];
    storeParts(this.#paths, { ...(last && { [number - 1]: last }), [number]: this.#parts });
    const offsets: CorpusOffsets = { [RECORDS]: 0, ...this.#sizes };
    await mkdir(this.#paths.corpus, { recursive: true });
    const records = new CorpusFile(join(this.#paths.corpus, RECORDS), this.#sizes[RECORDS] ?? 0);
    await records.release();
    const marks = new CommitMarks(this.#paths.corpus, this.#crawl);
    try {
      await marks.write({ number, offsets });
    } finally {
      await marks.close();
    }
    await this.#frontier.commit(offsets, Promise.resolve());
  }

  #newWarc(): string {
    for (let number = 0; ; number++) {
      const name = warcName(number);
      if (this.#sizes[name] !== undefined) continue;
      this.#sizes[name] = 0;
      return name;
    }
  }

  async #append(bytes: AsyncIterable<Buffer>, as: string, signal: AbortSignal | undefined): Promise<void> {
    const file = new CorpusFile(join(this.#paths.corpus, as), this.#sizes[as] ?? 0);
    let unwritten: Bytes = 0;
    try {
      for await (const some of bytes) {
        signal?.throwIfAborted();
        file.append(some);
        unwritten += some.length;
        if (unwritten < COPIED_AT_ONCE) continue;
        await file.write();
        unwritten = 0;
      }
      await file.write();
    } finally {
      await file.release();
    }
    this.#sizes[as] = file.size;
  }
}

/** Bytes of a file on a disk, some MB at a time. @throws StoreError also for a file that ends before */
async function* bytesOf(path: string, start: Bytes, end: Bytes): AsyncGenerator<Buffer> {
  const source = await open(path, 'r').catch((error: unknown) => {
    throw storeErrorFrom(error, 'reading a corpus', path);
  });
  try {
    for (let at = start; at < end; ) {
      const wanted = Math.min(COPIED_AT_ONCE, end - at);
      const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
      if (bytesRead === 0)
        throw new StoreError('STORE_CORRUPT', `${path}: has ${at} bytes, but ${end} were committed; restore the file from a copy`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await source.close();
  }
}

function readParts({ gathered }: CrawlPaths): Record<string, Parts> {
  const text = readFileSync(gathered, 'utf8');
  const parsed = gatheredSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new DataError(`${gathered}: was changed since it was written; gather into a new directory`);
  return parsed.data;
}

function storeParts({ gathered }: CrawlPaths, parts: Record<string, Parts>): void {
  try {
    writeFileSync(`${gathered}.tmp`, JSON.stringify(parts), { flush: true });
    renameSync(`${gathered}.tmp`, gathered);
  } catch (error) {
    throw storeErrorFrom(error, 'writing the parts of the corpus', gathered);
  }
  void flush(dirname(gathered));
}
