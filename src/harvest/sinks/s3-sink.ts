import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../../core/errors.ts';
import type { Bytes } from '../../core/types.ts';
import type { S3Credentials } from '../aws-signature.ts';
import { BucketUpload, JOURNAL, type Journal, journalIn, type UploadTarget } from '../bucket-upload.ts';
import { CARD_FILE } from '../card-markdown.ts';
import { HarvestFolder } from '../harvest-folder.ts';
import type { HarvestSink, OpenSink, SinkContext } from '../harvest-sink.ts';
import type { Bucket } from '../object-store.ts';

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
      return new BucketUpload(bucket, target, folder, spool, { ...context, now });
    } catch (error) {
      await bucket.close();
      throw error;
    }
  },
} as const satisfies HarvestSink;

/** @throws UsageError */
function targetOf(out: string): UploadTarget & { readonly bucket: string } {
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
async function refuseOccupied(bucket: Bucket, { prefix, url }: UploadTarget, { force }: SinkContext): Promise<Journal | null> {
  const journal = journalIn(await bucket.get(`${prefix}${JOURNAL}`));
  const hasCard = (await bucket.digests(`${prefix}${CARD_FILE}`)) !== null;
  if (hasCard && !force)
    throw new UsageError(`${url}: holds a harvest already; give another --out, or see in forager harvest --help how to replace it`);
  if (hasCard || journal !== null) return journal;
  for await (const { key } of bucket.list(prefix))
    throw new UsageError(`${url}: holds something that is not a harvest (${key}); give another prefix`);
  return null;
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
