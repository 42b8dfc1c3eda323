/**
 * The pages of a crawl on several machines, in a bucket. Each worker keeps its corpus on its disk, and stores the bytes that a commit adds to a file as
 * objects of their own before the commit: `<prefix><crawl>/<corpus>/<file>/<first byte>-<worker>-<CRC-32>`. So the bucket has every byte that the log has as
 * kept. An object is read with its name: bytes of another sum are asked for again. Names of Forager 0.2 have no sum.
 *
 * A worker that died may have left objects of a commit that never happened. Its successor cuts its files to the last commit in the log, stores other bytes
 * from the same byte on, and has a higher number, since it joined later and its predecessor can commit nothing from then on. So of the objects that begin at
 * one byte, the one of the highest worker is that of the log, and those that follow from byte 0 to the committed size are the file.
 */
import { join } from 'node:path';
import { askAgain } from '../../base/core/ask-again.ts';
import { digitsOf } from '../../base/core/checksum.ts';
import { StoreError } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import type { Bucket } from '../../corpus/object-store/bucket.ts';
import { readRange } from '../../corpus/object-store/file-range.ts';
import { inParallel } from '../../corpus/object-store/in-parallel.ts';
import { type BucketAccess, type BucketAddress, openBucket, readBucketAddress } from '../../corpus/object-store/open-bucket.ts';
import { StoreAwayError } from '../../corpus/object-store/store-away.ts';
import { MAX_ANSWER } from '../../corpus/object-store/store-requests.ts';
import { persistently } from './sql-client.ts';

const OPTION = '--corpus-bucket';
/** An object is read in one answer. */
const PIECE: Bytes = MAX_ANSWER;
/** Objects on their way at one time, each in memory. */
const AT_ONCE = 4;
/** A warning follows after this time: a line that is cut gives no error for minutes. The database counts as gone after the same time. */
const TELL_AFTER: Ms = 10_000;
/** Digits of the largest number of bytes that is exact, 2^53: keys have the order of the bytes. */
const DIGITS = 16;

/** An object whose bytes are wrong is asked for so often: a line or a cache may have damaged them. */
const ASKED = 3;
const ASK_AFTER: Ms = 200;

const NOTICE = 'forager-corpora.json';
const NOTICE_FORMAT = 'forager-corpora/1';

/** The bucket of a crawl, as its manifest stores it. */
interface StoredBucket {
  /** `s3://BUCKET/PREFIX`; null: pages are on the disks of the workers alone. */
  readonly corpusBucket: string | null;
  readonly s3Endpoint: string | null;
  readonly s3Region: string | null;
}

/** A part of a file, in an object. */
interface Piece {
  readonly key: string;
  readonly bytes: Bytes;
  readonly worker: bigint;
  /** CRC-32, eight hexadecimal digits; null for an object of Forager 0.2. */
  readonly sum: string | null;
}

/** The corpora of one crawl in a bucket. */
export class CorpusBucket {
  readonly #bucket: Bucket;
  readonly #prefix: string;
  readonly #crawl: string;
  /** The address of the folder in the bucket, for messages. */
  readonly url: string;

  private constructor(bucket: Bucket, address: BucketAddress, crawl: string) {
    this.#bucket = bucket;
    this.#prefix = `${address.prefix}${crawl}/`;
    this.#crawl = crawl;
    this.url = `${address.url}/${crawl}`;
  }

  /** Requests nothing. @param crawl its name. @returns null for a crawl without a bucket. @throws UsageError */
  static async open(
    { corpusBucket, s3Endpoint, s3Region }: StoredBucket,
    crawl: string,
    access: Pick<BucketAccess, 's3Credentials' | 'signal' | 'attempts'>,
  ): Promise<CorpusBucket | null> {
    if (corpusBucket === null) return null;
    const address = readBucketAddress(corpusBucket, OPTION);
    const place = { ...(s3Endpoint !== null && { s3Endpoint }), ...(s3Region !== null && { s3Region }) };
    return new CorpusBucket(await openBucket(address, OPTION, { ...access, ...place }), address, crawl);
  }

  /**
   * Stores a notice that describes the objects. It shows that the bucket is there and takes objects.
   * @throws StoreAwayError, EnvironmentError, UsageError
   */
  async announce(): Promise<void> {
    const notice = { format: NOTICE_FORMAT, crawl: this.#crawl, objects: '<corpus>/<file>/<first byte>-<worker>-<crc32>' };
    await this.put(NOTICE, Buffer.from(`${JSON.stringify(notice)}\n`));
  }

  /** @param key below the crawl. @throws StoreAwayError, EnvironmentError, UsageError */
  async put(key: string, body: Uint8Array): Promise<void> {
    await this.#bucket.put(`${this.#prefix}${key}`, body, 'replace');
  }

  /**
   * Bytes of a file of a corpus, up to a committed size, some MB at a time.
   * @param start a size at an earlier commit, or 0
   * @throws StoreError if the bucket lacks some of them; StoreAwayError, EnvironmentError, UsageError
   */
  async *read(corpus: string, file: string, start: Bytes, end: Bytes): AsyncGenerator<Buffer> {
    const pieces = await this.#pieces(`${this.#prefix}${corpus}/${file}/`, start);
    const chain = chainOf(pieces, start, end);
    if (chain === null)
      throw new StoreError(
        'STORE_CORRUPT',
        `${this.url}/${corpus}/${file}: the bucket lacks bytes before ${end}; restore its objects from a copy`,
      );
    const asked: Promise<Buffer>[] = [];
    for (let next = 0; next < chain.length || asked.length > 0; ) {
      for (; asked.length < AT_ONCE && next < chain.length; next++) asked.push(handled(this.#get(chain[next] as Piece)));
      yield await (asked.shift() as Promise<Buffer>);
    }
  }

  async close(): Promise<void> {
    await this.#bucket.close();
  }

  /** Pieces of a file by their first byte. */
  async #pieces(prefix: string, start: Bytes): Promise<ReadonlyMap<Bytes, Piece>> {
    const pieces = new Map<Bytes, Piece>();
    // The key of a piece is longer than that of its byte, so it comes after it.
    for await (const { key, bytes } of this.#bucket.list(prefix, `${prefix}${digits(start)}`)) {
      if (!key.startsWith(prefix) || !Number.isSafeInteger(bytes)) continue;
      const [, first, worker, sum = null] = /^(\d{1,16})-(\d{1,19})(?:-([0-9a-f]{8}))?$/.exec(key.slice(prefix.length)) ?? [];
      if (first === undefined || worker === undefined) continue;
      const before = pieces.get(Number(first));
      if (before === undefined || before.worker < BigInt(worker)) pieces.set(Number(first), { key, bytes, worker: BigInt(worker), sum });
    }
    return pieces;
  }

  async #get({ key, bytes, sum }: Piece): Promise<Buffer> {
    const ask = async () => {
      const body = await this.#bucket.get(key);
      return body?.length === bytes && (sum === null || digitsOf(body) === sum) ? body : null;
    };
    const body = await askAgain(ask, (found, tries) => (found !== null || tries === ASKED ? null : ASK_AFTER));
    if (body === null)
      throw new StoreError('STORE_CORRUPT', `${this.url}: the object ${key} has changed or is gone; restore it from a copy`);
    return body;
  }
}

/** The corpus of one worker, as the bucket has it. */
export class CorpusCopy {
  readonly #bucket: CorpusBucket;
  readonly #id: string;
  readonly #folder: string;
  readonly #worker: string;
  readonly #onGone: (why: string | null) => void;
  readonly #piece: Bytes;
  readonly #tellAfter: Ms;
  #sizes: CorpusOffsets;
  #isGone = false;

  /**
   * @param corpus its id and folder
   * @param worker the number of the worker; later ones have higher numbers
   * @param sizes of the files at the last commit in the log
   * @param onGone the bucket does not answer; null: it does again
   * @param limits the largest object, and the time after which `onGone` is called for a commit that waits
   */
  constructor(
    bucket: CorpusBucket,
    corpus: { readonly id: string; readonly folder: string },
    worker: string,
    sizes: CorpusOffsets,
    onGone: (why: string | null) => void,
    { piece = PIECE, tellAfter = TELL_AFTER }: { readonly piece?: Bytes; readonly tellAfter?: Ms } = {},
  ) {
    [this.#bucket, this.#id, this.#folder, this.#worker, this.#sizes] = [bucket, corpus.id, corpus.folder, worker, sizes];
    [this.#onGone, this.#piece, this.#tellAfter] = [onGone, piece, tellAfter];
  }

  /**
   * Stores the bytes of the files up to these sizes, which are on the disk. While the bucket is gone it tries again. Calls must not overlap.
   * @param signal ends the attempts
   * @throws StoreError, EnvironmentError, UsageError; StoreAwayError when `signal` aborts
   */
  async keep(sizes: CorpusOffsets, signal: AbortSignal): Promise<void> {
    const pieces = Object.entries(sizes).flatMap(([file, size]) => this.#piecesOf(file, size));
    const late = setTimeout(() => this.#gone(`${this.#bucket.url}: no answer for ${this.#tellAfter / 1000} s`), this.#tellAfter);
    try {
      await inParallel(pieces, AT_ONCE, async ({ file, start, bytes }) => {
        const body = await readRange(join(this.#folder, file), start, bytes);
        const key = `${this.#id}/${file}/${digits(start)}-${this.#worker}-${digitsOf(body)}`;
        await persistently(
          () => this.#bucket.put(key, body),
          signal,
          (error) => error && this.#gone(error instanceof StoreAwayError ? error.why : error.message),
        );
      });
    } finally {
      clearTimeout(late);
    }
    this.#gone(null);
    this.#sizes = sizes;
  }

  #piecesOf(file: string, size: Bytes): { readonly file: string; readonly start: Bytes; readonly bytes: Bytes }[] {
    const from = this.#sizes[file] ?? 0;
    const starts = Array.from({ length: Math.ceil((size - from) / this.#piece) }, (_, i) => from + i * this.#piece);
    return starts.map((start) => ({ file, start, bytes: Math.min(this.#piece, size - start) }));
  }

  #gone(why: string | null): void {
    if (this.#isGone === (why !== null)) return;
    this.#isGone = why !== null;
    this.#onGone(why);
  }
}

/** The pieces that follow one another from a byte to another; null if there are none. */
function chainOf(pieces: ReadonlyMap<Bytes, Piece>, start: Bytes, end: Bytes): readonly Piece[] | null {
  const chain: Piece[] = [];
  let at = start;
  while (at < end) {
    const piece = pieces.get(at);
    if (piece === undefined || piece.bytes === 0) return null;
    chain.push(piece);
    at += piece.bytes;
  }
  return at === end ? chain : null;
}

function digits(byte: Bytes): string {
  return String(byte).padStart(DIGITS, '0');
}

/** A rejection is met later, when its turn comes. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
