/** The corpus of a gathered crawl: the parts of several corpora in one folder, each checked while it is copied. */
import { readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { CrawlerError, DamageError, messageOf, StoreError, storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce, isThere } from '../../base/core/on-disk.ts';
import type { CommitMark, CorpusOffsets } from '../../base/core/parts/queueing.ts';
import { isPlainName } from '../../base/core/plain-names.ts';
import type { Bytes } from '../../base/core/types.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { CommitMarks, readMarks, whyNotOf } from '../../corpus/records/commit-marks.ts';
import { CorpusFile } from '../../corpus/records/corpus-file.ts';
import { isWarcName, warcName } from '../../corpus/records/corpus-writer.ts';
import type { EngineCorpus } from '../../crawling/cluster/engine-log.ts';
import { type CrawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { LoggedFrontier } from '../../crawling/frontier/logged-frontier.ts';

const RECORDS = 'records.jsonl';
const COPIED_AT_ONCE: Bytes = 8 * 2 ** 20;

const partSchema = z.strictObject({
  /** Bytes of the file of the worker, from its beginning. */
  bytes: z.number().int().nonnegative(),
  /** The name of the file here. */
  as: z.string().refine(isPlainName),
  /** CRC-32 of these bytes. Absent for parts that Forager 0.2 gathered. */
  crc32: z.number().int().nonnegative().optional(),
  /** Number of earlier repairs of the corpus; absent for none. */
  repairs: z.number().int().positive().optional(),
});

/** Parts by number of the commit of the directory, corpus and file. The last two commits: the file is written before the frontier. */
const gatheredSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), partSchema)));

export type GatheredPart = z.infer<typeof partSchema>;
type Parts = Readonly<Record<string, Readonly<Record<string, GatheredPart>>>>;

/** Bytes of a file of a corpus, from one size at a commit to another. */
export type CorpusBytes = (file: string, start: Bytes, end: Bytes) => AsyncIterable<Buffer>;

/** The corpus of a worker lacks bytes that it committed, or cannot be read. */
export class UnreadableCorpusError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super('STORE_IO', message, options);
  }
}

export class MergedCorpus {
  readonly #paths: CrawlPaths;
  readonly #crawl: string | null;
  #number: number;
  #parts: Parts;
  /** Parts as of the last commit. */
  #committed: Parts;
  #sizes: Record<string, Bytes>;

  /**
   * Changes nothing.
   * @param committed the last commit of the frontier of the directory; null if it has none
   * @throws DamageError unless the folder has the bytes of that commit
   */
  constructor(paths: CrawlPaths, committed: CommitMark | null, crawl: string | null) {
    [this.#paths, this.#crawl, this.#number] = [paths, crawl, committed?.number ?? 0];
    this.#sizes = { ...committed?.offsets };
    const why = whyNotOf(readMarks(paths.corpus), committed, crawl) ?? whyWithoutMarks(paths, committed) ?? this.#whyShort();
    if (why !== null) throw changed(paths, why);
    const parts = readParts(paths)[String(this.#number)];
    if (parts === undefined && this.#number > 0) throw changed(paths, 'it was changed since it was gathered');
    this.#parts = this.#committed = parts ?? {};
  }

  /** @throws DamageError for a corpus that was repaired since: its bytes are no continuation of those here */
  refuseRepaired(corpora: readonly EngineCorpus[]): void {
    for (const { id, host, path, repairs } of corpora)
      for (const part of Object.values(this.#parts[id] ?? {}))
        if ((part.repairs ?? 0) !== repairs) throw changed(this.#paths, `${path} on ${host} was repaired since it was gathered`);
  }

  /** Cuts off bytes that were not committed. */
  cut(): void {
    for (const [name, size] of Object.entries(this.#sizes)) {
      const path = join(this.#paths.corpus, name);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > size) truncateSync(path, size);
    }
  }

  /** The part of a file of a corpus that is here. */
  partOf(corpus: string, file: string): GatheredPart | null {
    return this.#parts[corpus]?.[file] ?? null;
  }

  /**
   * Appends the new bytes of a corpus, or none of them.
   * @throws UnreadableCorpusError if they cannot be read, or are not those that were committed; StoreError
   */
  async add(
    corpus: Pick<EngineCorpus, 'id' | 'sizes' | 'sums' | 'repairs'>,
    bytes: CorpusBytes,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const before = { ...this.#sizes };
    try {
      await mkdir(this.#paths.corpus, { recursive: true });
      this.#parts = { ...this.#parts, [corpus.id]: await this.#copied(corpus, bytes, signal) };
    } catch (error) {
      this.#takeBack(before);
      throw error;
    }
  }

  /** @param frontier of the directory */
  async commit(frontier: Pick<LoggedFrontier, 'commit'>): Promise<void> {
    const number = this.#number + 1;
    storeParts(this.#paths, { ...(this.#number > 0 && { [this.#number]: this.#committed }), [number]: this.#parts });
    const offsets: CorpusOffsets = { [RECORDS]: 0, ...this.#sizes };
    await mkdir(this.#paths.corpus, { recursive: true });
    const marks = new CommitMarks(this.#paths.corpus, this.#crawl);
    try {
      await marks.write({ number, offsets });
    } finally {
      await marks.close();
    }
    await frontier.commit(offsets, Promise.resolve());
    [this.#number, this.#committed] = [number, this.#parts];
  }

  #whyShort(): string | null {
    for (const [name, size] of Object.entries(this.#sizes)) {
      const there = statSync(join(this.#paths.corpus, name), { throwIfNoEntry: false })?.size ?? 0;
      if (there < size) return `${name} has ${there} bytes, and ${size} were gathered`;
    }
    return null;
  }

  async #copied(
    { id, sizes, sums, repairs }: Pick<EngineCorpus, 'id' | 'sizes' | 'sums' | 'repairs'>,
    bytes: CorpusBytes,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, GatheredPart>> {
    const parts = { ...this.#parts[id] };
    for (const [name, size] of Object.entries(sizes)) {
      const before = parts[name] ?? { bytes: 0, crc32: 0, as: isWarcName(name) ? this.#newWarc() : name };
      if (size === before.bytes) continue;
      const crc = before.crc32 ?? (await crcOfBytes(readBytes(bytes(name, 0, before.bytes))));
      const after = await this.#append(readBytes(bytes(name, before.bytes, size)), before.as, crc, signal);
      if (sums?.[name] !== undefined && sums[name] !== after)
        throw new UnreadableCorpusError(`${name} has other bytes than were committed`);
      parts[name] = { bytes: size, as: before.as, crc32: after, ...(repairs > 0 && { repairs }) };
    }
    return parts;
  }

  #newWarc(): string {
    for (let number = 0; ; number++) {
      const name = warcName(number);
      if (this.#sizes[name] !== undefined) continue;
      this.#sizes[name] = 0;
      return name;
    }
  }

  /** @returns the CRC-32 of all bytes up to the last one. @param before that of the bytes before them */
  async #append(bytes: AsyncIterable<Buffer>, as: string, before: number, signal: AbortSignal | undefined): Promise<number> {
    const file = new CorpusFile(join(this.#paths.corpus, as), this.#sizes[as] ?? 0);
    let [crc, unwritten]: [number, Bytes] = [before, 0];
    try {
      for await (const some of bytes) {
        signal?.throwIfAborted();
        crc = crc32(some, crc);
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
    return crc;
  }

  #takeBack(before: Record<string, Bytes>): void {
    const written = new Set([...Object.keys(this.#sizes), ...Object.keys(before)]);
    this.#sizes = before;
    for (const name of written) {
      const path = join(this.#paths.corpus, name);
      if (name in before) continue;
      rmSync(path, { force: true });
    }
    this.cut();
  }
}

/** Errors of reading, told from those of writing. */
async function* readBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    // A folder, a disk or a bucket is at fault: the other corpora are not.
    throw error instanceof CrawlerError && error.code !== 'USAGE' ? new UnreadableCorpusError(messageOf(error), { cause: error }) : error;
  }
}

async function crcOfBytes(bytes: AsyncIterable<Buffer>): Promise<number> {
  let crc = 0;
  for await (const some of bytes) crc = crc32(some, crc);
  return crc;
}

/** Files that no commit tells of: the frontier was emptied, or the marks are gone. */
function whyWithoutMarks(paths: CrawlPaths, committed: CommitMark | null): string | null {
  // A gather that was killed before its first commit has noted no run: its bytes are written again.
  if (committed !== null || readManifest(paths.dir).runs.length === 0) return null;
  const size = statSync(join(paths.corpus, RECORDS), { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 ? null : `the frontier has nothing, and ${RECORDS} has ${size} bytes`;
}

function changed({ dir }: CrawlPaths, why: string): DamageError {
  return new DamageError(`${dir}: ${why}; nothing was changed: gather into a new directory`);
}

/** @throws DamageError */
function readParts({ dir, gathered }: CrawlPaths): Record<string, Parts> {
  if (!isThere(gathered)) return {};
  try {
    return gatheredSchema.parse(JSON.parse(readFileSync(gathered, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new DamageError(`${gathered}: was changed since it was written; gather into a new directory`, { cause: error });
    throw storeErrorFrom(error, 'reading the parts of the corpus', dir);
  }
}

/** @throws StoreError */
export function storeParts({ gathered }: CrawlPaths, parts: Record<string, Parts>): void {
  try {
    replaceFile(gathered, JSON.stringify(parts));
    flushAtOnce(dirname(gathered));
  } catch (error) {
    throw storeErrorFrom(error, 'writing the parts of the corpus', gathered);
  }
}
