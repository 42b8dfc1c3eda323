import { createHash } from 'node:crypto';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../../core/errors.ts';
import type { Bytes, EpochMs } from '../../core/types.ts';
import type { S3Credentials } from '../aws-signature.ts';
import { CARD_FILE } from '../card-markdown.ts';
import { HarvestFolder, type LocalFile } from '../harvest-folder.ts';
import type { HarvestSink, OpenSink, SinkContext } from '../harvest-sink.ts';
import type { Bucket, ObjectDigests, UploadedPart } from '../object-store.ts';

/** Is in the bucket while a harvest is uploaded. It says that all other objects there belong to that harvest. */
const JOURNAL = 'harvest-in-progress.json';
const JOURNAL_FORMAT = 'forager-harvest-in-progress/1';
const PART: Bytes = 16 * 1024 * 1024;
/** Amazon S3 User Guide, "Multipart upload limits". */
const MAX_PARTS = 10_000;
/** Files at once: each has one part in memory. */
const AT_ONCE = 4;
const DEFAULT_REGION = 'us-east-1';
/** Amazon S3 User Guide, "General purpose bucket naming rules"; other stores also have upper case and underscores. */
const TARGET = /^s3:\/\/([A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9])\/(.*)$/s;
const MAX_PREFIX: Bytes = 900;

/**
 * The harvest is written to a temporary folder (`TMPDIR`), and then sent. `corpus-card.json` is sent last: without it there is no corpus. A second try sends
 * only the rest, if crawl and options are the same.
 */
export const s3Sink = {
  name: 's3',
  help: 's3://BUCKET/PREFIX',
  takes: (out) => /^s3:/i.test(out),
  async open(context): Promise<OpenSink> {
    const target = targetOf(context.out);
    const bucket = await bucketOf(target.bucket, context);
    try {
      const journal = await refuseOccupied(bucket, target, context);
      const now = journal?.fingerprint === context.fingerprint ? journal.at : context.now;
      const spool = await spoolOf(context.out);
      const folder = await HarvestFolder.create(join(spool, 'corpus'), context.sources, false);
      return new Uploading(bucket, target, folder, spool, { ...context, now });
    } catch (error) {
      await bucket.close();
      throw error;
    }
  },
} as const satisfies HarvestSink;

interface Target {
  readonly bucket: string;
  /** With its slash. */
  readonly prefix: string;
  readonly url: string;
}

interface Journal {
  readonly at: EpochMs;
  readonly fingerprint: string;
}

/** @throws UsageError */
function targetOf(out: string): Target {
  const [, bucket, path = ''] = TARGET.exec(out) ?? [];
  const prefix = path.replace(/\/+$/, '');
  if (bucket === undefined || prefix === '') throw new UsageError(`--out ${out}: is not s3://BUCKET/PREFIX; give both`);
  if (/[\p{Cc}\p{Cs}]/u.test(prefix) || Buffer.byteLength(prefix) > MAX_PREFIX || prefix.split('/').some((part) => /^\.{1,2}$/.test(part)))
    throw new UsageError(
      `--out: the prefix of s3://${bucket} has control characters, a part . or .., or over ${MAX_PREFIX} bytes; give another`,
    );
  return { bucket, prefix: `${prefix}/`, url: `s3://${bucket}/${prefix}` };
}

/** Errors never quote the credentials. @throws UsageError */
async function bucketOf(
  bucket: string,
  { out, s3Endpoint, s3Region = DEFAULT_REGION, s3Credentials, signal }: SinkContext,
): Promise<Bucket> {
  if (s3Credentials === undefined)
    throw new UsageError(`--out ${out}: needs credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
  refuseBadCredentials(s3Credentials);
  if (!/^[a-z0-9-]{1,40}$/.test(s3Region))
    throw new UsageError(`--s3-region ${s3Region}: is no name of a region; give one such as eu-central-1`);
  const endpoint = s3Endpoint === undefined ? null : endpointOf(s3Endpoint);
  const { Bucket } = await import('../object-store.ts');
  return new Bucket({ bucket, endpoint, region: s3Region, credentials: s3Credentials, signal });
}

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(
      '--s3-endpoint: is not an http(s) URL without a query; give the base URL of the store, such as http://localhost:9000',
    );
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      '--s3-endpoint: has a user name or password in it; keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY alone',
    );
  return url;
}

function refuseBadCredentials(credentials: S3Credentials): void {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials as { readonly [K in keyof S3Credentials]?: unknown };
  const isText = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
  if (!isText(accessKeyId) || /[/,]/.test(String(accessKeyId)))
    throw new UsageError('AWS_ACCESS_KEY_ID: has characters that no key has; set it again');
  if (!isText(secretAccessKey)) throw new UsageError('AWS_SECRET_ACCESS_KEY: is empty or has characters that no key has; set it again');
  if (sessionToken !== undefined && !isText(sessionToken))
    throw new UsageError('AWS_SESSION_TOKEN: is empty or has characters that no token has; set it again');
}

/** @returns the journal of an interrupted harvest; null if there is none. @throws UsageError if the prefix has something else */
async function refuseOccupied(bucket: Bucket, { prefix, url }: Target, { force }: SinkContext): Promise<Journal | null> {
  const journal = journalIn(await bucket.get(`${prefix}${JOURNAL}`));
  const hasCard = (await bucket.digests(`${prefix}${CARD_FILE}`)) !== null;
  if (hasCard && !force)
    throw new UsageError(`${url}: holds a harvest already; give another --out, or see in forager harvest --help how to replace it`);
  if (hasCard || journal !== null) return journal;
  for await (const { key } of bucket.list(prefix))
    throw new UsageError(`${url}: holds something that is not a harvest (${key}); give another prefix`);
  return null;
}

function journalIn(bytes: Buffer | null): Journal | null {
  try {
    const { format, at, fingerprint } = JSON.parse(bytes?.toString('utf8') ?? '') as Partial<Record<string, unknown>>;
    return format === JOURNAL_FORMAT && Number.isSafeInteger(at) ? { at: Number(at), fingerprint: String(fingerprint) } : null;
  } catch {
    return null;
  }
}

/**
 * A folder that only this user can read. It is the same for each try, so that the next one removes the files of a killed one.
 * @throws StoreError, UsageError
 */
async function spoolOf(out: string): Promise<string> {
  const user = process.getuid?.();
  const path = join(tmpdir(), `forager-${createHash('sha256').update(`${user} ${out}`).digest('hex').slice(0, 16)}`);
  try {
    await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
    const found = await lstat(path);
    if (!found.isDirectory() || (user !== undefined && found.uid !== user))
      throw new UsageError(`${path}: belongs to another user of this machine; set TMPDIR to a folder of your own`);
    return path;
  } catch (error) {
    throw error instanceof UsageError ? error : storeErrorFrom(error, 'making a temporary folder', path);
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

/** A harvest on its way to a bucket. */
class Uploading implements OpenSink {
  readonly folder: HarvestFolder;
  readonly place: string;
  readonly now: EpochMs;
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
    target: Target,
    folder: HarvestFolder,
    spool: string,
    { now, fingerprint, signal, s3PartBytes = PART }: SinkContext,
  ) {
    this.#bucket = bucket;
    this.#prefix = target.prefix;
    this.place = target.url;
    this.folder = folder;
    this.#spool = spool;
    this.now = now;
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

  /** After Ctrl-C, parts of files are removed from the bucket; after a failure they stay, for the next try. */
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
    const begun = this.#uploads.get(key);
    const id = begun ?? (await this.#bucket.beginUpload(key));
    this.#uploads.set(key, id);
    try {
      const there = new Map((begun === undefined ? [] : await this.#bucket.parts(key, id)).map((part) => [part.number, part]));
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

/** A file on this machine, read by parts. */
class FileParts {
  readonly #path: string;
  readonly #bytes: Bytes;
  readonly #size: Bytes;

  constructor({ path, bytes }: LocalFile, size: Bytes) {
    this.#path = path;
    this.#bytes = bytes;
    this.#size = size;
  }

  /** An empty file has one part. */
  get count(): number {
    return Math.max(1, Math.ceil(this.#bytes / this.#size));
  }

  /** @param number from 1. @throws StoreError */
  async read(number: number): Promise<Buffer> {
    const start = (number - 1) * this.#size;
    const part = Buffer.alloc(Math.min(this.#size, this.#bytes - start));
    try {
      const file = await open(this.#path, 'r');
      try {
        for (let at = 0; at < part.length; ) {
          const { bytesRead } = await file.read(part, at, part.length - at, start + at);
          if (bytesRead === 0) throw new Error('the file became shorter');
          at += bytesRead;
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw storeErrorFrom(error, 'reading a file of the harvest', this.#path);
    }
    return part;
  }

  /** Those of an object that was written in these parts. */
  async digests(): Promise<ObjectDigests> {
    if (this.count === 1) return digestsOf(await this.read(1));
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    for (let number = 1; number <= this.count; number++) {
      const part = await this.read(number);
      md5.update(createHash('md5').update(part).digest());
      sha256.update(createHash('sha256').update(part).digest());
    }
    return { etag: `${md5.digest('hex')}-${this.count}`, sha256: `${sha256.digest('base64')}-${this.count}` };
  }
}

function digestsOf(bytes: Buffer): ObjectDigests {
  return { etag: createHash('md5').update(bytes).digest('hex'), sha256: createHash('sha256').update(bytes).digest('base64') };
}

/** By SHA-256 if the store tells it, otherwise by ETag: one that is no MD5 equals none. */
function isSame(stored: ObjectDigests, { etag, sha256 }: ObjectDigests): boolean {
  return stored.sha256 === null ? stored.etag === etag : stored.sha256 === sha256;
}

/** Ends when all that began have ended. After an error, none begins. */
async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined && errors.length === 0; item = items[next++])
      await work(item).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (errors.length > 0) throw errors[0];
}
