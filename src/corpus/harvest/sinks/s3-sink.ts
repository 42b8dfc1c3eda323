import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../../../base/core/errors.ts';
import { foragerCommand } from '../../../base/text/forager-command.ts';
import { CARD_FILE } from '../../describe/card-markdown.ts';
import type { Bucket } from '../../object-store/bucket.ts';
import { type BucketAddress, openBucket, readBucketAddress } from '../../object-store/open-bucket.ts';
import { BucketUpload, JOURNAL, type Journal, journalIn } from '../bucket-upload.ts';
import { claimHarvestFolder } from '../harvest-output.ts';
import type { HarvestSink, OpenSink, SinkContext } from '../harvest-sink.ts';

const OUT = '--out';

/**
 * The harvest is written to a temporary folder (`TMPDIR`), and then sent. `corpus-card.json` is sent last: without it there is no corpus. A second try sends
 * only the rest, if crawl and options are the same.
 */
export const s3Sink = {
  name: 's3',
  help: 's3://BUCKET/PREFIX',
  takes: (out) => /^s3:/i.test(out),
  async open(context): Promise<OpenSink> {
    const target = readBucketAddress(context.out, OUT);
    const bucket = await openBucket(target, OUT, context);
    try {
      const { journal, hasCard } = await refuseOccupied(bucket, target, context);
      const now = journal?.fingerprint === context.fingerprint ? journal.at : context.now;
      const spool = await spoolOf(context.out);
      const folder = await claimHarvestFolder(join(spool, 'corpus'), context.sources, false);
      return new BucketUpload(bucket, target, folder, spool, { ...context, now, replacesPages: hasCard });
    } catch (error) {
      await bucket.close();
      throw error;
    }
  },
} as const satisfies HarvestSink;

interface Occupied {
  /** Journal of an interrupted harvest; null if there is none. */
  readonly journal: Journal | null;
  readonly hasCard: boolean;
}

/** @throws UsageError if the prefix has something else than a harvest that may be replaced */
async function refuseOccupied(bucket: Bucket, { prefix, url }: BucketAddress, { force }: SinkContext): Promise<Occupied> {
  const journal = journalIn(await bucket.get(`${prefix}${JOURNAL}`));
  const hasCard = (await bucket.digests(`${prefix}${CARD_FILE}`)) !== null;
  if (hasCard && !force)
    throw new UsageError(
      `${url}: holds a harvest already; give another --out, or see in ${foragerCommand('harvest', '--help')} how to replace it`,
    );
  if (hasCard || journal !== null) return { journal, hasCard };
  for await (const { key } of bucket.list(prefix))
    throw new UsageError(`${url}: holds something that is not a harvest (${key}); give another prefix`);
  return { journal, hasCard };
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
