import { UsageError } from '../../base/core/errors.ts';
import { isFolder } from '../../corpus/harvest/harvest-sinks.ts';
import type { CorpusOutput } from '../app/harvest-crawl.ts';

/**
 * The date of reproducible builds (https://reproducible-builds.org/specs/source-date-epoch/), and the keys of an object store.
 * @throws UsageError
 */
export function outputFromEnvironment(out: string): Pick<CorpusOutput, 'now' | 's3Credentials'> {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  if (epoch && !/^\d{1,11}$/.test(epoch))
    throw new UsageError(`SOURCE_DATE_EPOCH ${epoch}: is not a number of seconds since 1970; set it again or unset it`);
  return { ...(epoch && { now: Number(epoch) * 1000 }), ...(!isFolder(out) && keysFromEnvironment()) };
}

/** The keys of an object store, by the names that its other clients have. */
export function keysFromEnvironment(): Pick<CorpusOutput, 's3Credentials'> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (!accessKeyId || !secretAccessKey) return {};
  return { s3Credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
}
