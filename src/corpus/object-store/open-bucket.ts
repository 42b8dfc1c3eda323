/** A bucket by the options of its user. */
import { UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { S3Credentials } from './aws-signature.ts';
import type { Bucket } from './bucket.ts';

/** The options that say how a bucket is reached. */
export interface BucketAccess {
  /** Base URL of the store. Default: Amazon S3. */
  readonly s3Endpoint?: string | undefined;
  /** Default: us-east-1. */
  readonly s3Region?: string | undefined;
  /** Needed. Never logged, stored or shown. */
  readonly s3Credentials?: S3Credentials | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See `BucketOptions`. */
  readonly attempts?: number;
}

/** A place in a bucket. */
export interface BucketAddress {
  readonly bucket: string;
  /** Prefix of all keys, with its slash. */
  readonly prefix: string;
  readonly url: string;
}

const DEFAULT_REGION = 'us-east-1';
/** Amazon S3 User Guide, "General purpose bucket naming rules"; other stores also have upper case and underscores. */
const ADDRESS = /^s3:\/\/([A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9])\/(.*)$/s;
const MAX_PREFIX: Bytes = 900;

/** @param option that gives the address, such as `--out`. @throws UsageError */
export function readBucketAddress(text: string, option: string): BucketAddress {
  const [, bucket, path = ''] = ADDRESS.exec(text) ?? [];
  const prefix = path.replace(/\/+$/, '');
  if (bucket === undefined || prefix === '') throw new UsageError(`${option} ${text}: is not s3://BUCKET/PREFIX; give both`);
  if (/[\p{Cc}\p{Cs}]/u.test(prefix) || Buffer.byteLength(prefix) > MAX_PREFIX || prefix.split('/').some((part) => /^\.{1,2}$/.test(part)))
    throw new UsageError(
      `${option}: the prefix of s3://${bucket} has control characters, a part . or .., or over ${MAX_PREFIX} bytes; give another`,
    );
  return { bucket, prefix: `${prefix}/`, url: `s3://${bucket}/${prefix}` };
}

/** Requests nothing. Errors never quote the credentials. @param option as for `readBucketAddress`. @throws UsageError */
export async function openBucket(
  { bucket, url }: BucketAddress,
  option: string,
  { s3Endpoint, s3Region = DEFAULT_REGION, s3Credentials: credentials, signal, attempts }: BucketAccess,
): Promise<Bucket> {
  if (credentials === undefined)
    throw new UsageError(`${option} ${url}: needs credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
  refuseBadCredentials(credentials);
  if (!/^[a-z0-9-]{1,40}$/.test(s3Region))
    throw new UsageError(`--s3-region ${s3Region}: is not the name of a region; give one such as eu-central-1`);
  const endpoint = s3Endpoint === undefined ? null : readEndpoint(s3Endpoint);
  const { Bucket } = await import('./bucket.ts');
  return new Bucket({ bucket, endpoint, region: s3Region, credentials, signal, attempts });
}

/** @throws UsageError */
export function readEndpoint(text: string): URL {
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
