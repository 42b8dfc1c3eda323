/** A harvest on its way from a temporary folder to a bucket. */
import { rm } from 'node:fs/promises';
import { UsageError } from '../../base/core/errors.ts';
import type { Bytes, EpochMs } from '../../base/core/types.ts';
import { CARD_FILE } from '../describe/card-markdown.ts';
import type { HarvestFolder, LocalFile } from '../formats/harvest-folder.ts';
import type { Bucket, UploadedPart } from '../object-store/bucket.ts';
import { inParallel } from '../object-store/in-parallel.ts';
import type { BucketAddress } from '../object-store/open-bucket.ts';
import { digestsOf, FileParts, isSame } from './file-parts.ts';
import type { OpenSink, SinkContext } from './harvest-sink.ts';

/** Is in the bucket while a harvest is uploaded. It says that all other objects there belong to that harvest. */
export const JOURNAL = 'harvest-in-progress.json';
const JOURNAL_FORMAT = 'forager-harvest-in-progress/1';
const PART: Bytes = 16 * 1024 * 1024;
/** Amazon S3 User Guide, "Multipart upload limits". */
const MAX_PARTS = 10_000;
/** Files at once: each has one part in memory. */
const AT_ONCE = 4;

export interface Journal {
  readonly at: EpochMs;
  readonly fingerprint: string;
}

/** The journal comes first, then the files, and the card last. A second try sends only the files and parts that the bucket lacks. */
export class BucketUpload implements OpenSink {
  readonly folder: HarvestFolder;
  readonly place: string;
  readonly now: EpochMs;
  readonly replacesPages: boolean;
  readonly #spool: string;
  readonly #bucket: Bucket;
  readonly #prefix: string;
  readonly #fingerprint: string;
  readonly #signal: AbortSignal | undefined;
  readonly #part: Bytes;
  /** Uploads that are not complete, by key: those of an interrupted try, then also those of this one. */
  readonly #uploads = new Map<string, string>();
  #present: ReadonlyMap<string, Bytes> = new Map();

  constructor(
    bucket: Bucket,
    target: BucketAddress,
    folder: HarvestFolder,
    spool: string,
    { now, fingerprint, signal, replacesPages, s3PartBytes = PART }: SinkContext & Pick<OpenSink, 'replacesPages'>,
  ) {
    this.#bucket = bucket;
    this.#prefix = target.prefix;
    this.place = target.url;
    this.folder = folder;
    this.#spool = spool;
    this.now = now;
    this.replacesPages = replacesPages;
    this.#fingerprint = fingerprint;
    this.#signal = signal;
    this.#part = s3PartBytes;
  }

  async publish(onBytes: (done: Bytes, total: Bytes) => void): Promise<void> {
    const files = await this.folder.allFiles();
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    const sent = (bytes: Bytes) => {
      done += bytes;
      onBytes(done, total);
    };
    await this.#begin();
    const [card, others] = [files.filter(({ name }) => name === CARD_FILE), files.filter(({ name }) => name !== CARD_FILE)];
    await inParallel(others, AT_ONCE, (file) => this.#send(file, sent));
    await this.#clear(new Set(files.map(({ name }) => name)));
    for (const file of card) await this.#send(file, sent);
    await this.#bucket.delete(this.#key(JOURNAL));
    await this.#end();
  }

  /** Ends the upload. After Ctrl-C, parts of files are removed from the bucket; after a failure they stay, for the next try. */
  async discard(): Promise<void> {
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#bucket.close();
    await this.folder.discard();
    await rm(this.#spool, { recursive: true, force: true });
  }

  /** The journal comes first; then an earlier corpus is no longer one. */
  async #begin(): Promise<void> {
    const journal = { format: JOURNAL_FORMAT, at: this.now, fingerprint: this.#fingerprint };
    await this.#bucket.put(this.#key(JOURNAL), Buffer.from(`${JSON.stringify(journal)}\n`), 'replace');
    await this.#bucket.delete(this.#key(CARD_FILE));
    const present = new Map<string, Bytes>();
    for await (const { key, bytes } of this.#bucket.list(this.#prefix)) present.set(key.slice(this.#prefix.length), bytes);
    this.#present = present;
    for await (const { key, id } of this.#bucket.uploads(this.#prefix)) {
      const other = this.#uploads.get(key);
      if (other !== undefined) await this.#bucket.abortUpload(key, other);
      this.#uploads.set(key, id);
    }
  }

  /** Removes objects and unfinished uploads of an earlier try that this corpus lacks. */
  async #clear(names: ReadonlySet<string>): Promise<void> {
    const stale = [...this.#present.keys()].filter((name) => name !== JOURNAL && !names.has(name));
    await inParallel(stale, AT_ONCE, (name) => this.#bucket.delete(this.#key(name)));
    for (const [key, id] of this.#uploads) await this.#bucket.abortUpload(key, id);
  }

  async #send(file: LocalFile, sent: (bytes: Bytes) => void): Promise<void> {
    const { name, bytes } = file;
    const key = this.#key(name);
    const parts = new FileParts(file, Math.max(this.#part, Math.ceil(bytes / MAX_PARTS)));
    if (this.#present.get(name) === bytes && (await this.#has(key, parts))) return sent(bytes);
    if (this.#present.has(name)) await this.#bucket.delete(key);
    const written = parts.count === 1 ? await this.#sendWhole(key, parts, sent) : await this.#sendParts(key, parts, sent);
    // The answer to an earlier try may have been lost.
    if (written === 'exists' && !(await this.#has(key, parts)))
      throw new UsageError(`${this.place}: another program writes ${name} there; give another --out`);
  }

  async #sendWhole(key: string, parts: FileParts, sent: (bytes: Bytes) => void): Promise<'written' | 'exists'> {
    const body = await parts.read(1);
    const written = await this.#bucket.put(key, body, 'new');
    sent(body.length);
    return written;
  }

  /** Parts that an interrupted upload has are not sent again. */
  async #sendParts(key: string, parts: FileParts, sent: (bytes: Bytes) => void): Promise<'written' | 'exists'> {
    const started = this.#uploads.get(key);
    const id = started ?? (await this.#bucket.beginUpload(key));
    this.#uploads.set(key, id);
    try {
      const there = new Map((started === undefined ? [] : await this.#bucket.parts(key, id)).map((part) => [part.number, part]));
      const uploaded: UploadedPart[] = [];
      for (let number = 1; number <= parts.count; number++) {
        const body = await parts.read(number);
        const before = there.get(number);
        const isThere = before !== undefined && isSame(before, digestsOf(body));
        uploaded.push(isThere ? before : await this.#bucket.putPart(key, id, number, body));
        sent(body.length);
      }
      const written = await this.#bucket.completeUpload(key, id, uploaded);
      this.#uploads.delete(key);
      return written;
    } catch (error) {
      if (this.#signal?.aborted) await this.#bucket.abortUpload(key, id).catch(() => undefined);
      throw error;
    }
  }

  async #has(key: string, parts: FileParts): Promise<boolean> {
    const stored = await this.#bucket.digests(key);
    return stored !== null && isSame(stored, await parts.digests());
  }

  #key(name: string): string {
    return `${this.#prefix}${name}`;
  }
}

/** null if it is none. */
export function journalIn(bytes: Buffer | null): Journal | null {
  try {
    const { format, at, fingerprint } = JSON.parse(bytes?.toString('utf8') ?? '') as Partial<Record<string, unknown>>;
    return format === JOURNAL_FORMAT && Number.isSafeInteger(at) ? { at: Number(at), fingerprint: String(fingerprint) } : null;
  } catch {
    return null;
  }
}
