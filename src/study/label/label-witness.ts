/** A note beside a label file: its length when it was last written. The file only grows, so a shorter or another one has lost answers. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { checkOf, checksummed } from '../../base/core/checksum.ts';
import { DamageError, storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';

const FILE = 'labels-known.json';
const REMEDY = 'restore it from a copy; nothing was trained, and nothing was changed';

const witnessSchema = z.strictObject({
  lines: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** CRC-32 of these bytes. */
  sum: z.number().int().nonnegative(),
  crc32: z.string(),
});

/** The written part of a label file. */
export interface Written {
  readonly lines: number;
  readonly bytes: Bytes;
  readonly sum: number;
}

function pathOf(labels: string): string {
  return join(dirname(labels), FILE);
}

/** A crash leaves the former note, which is still true. @throws StoreError */
export function noteWritten(labels: string, { lines, bytes, sum }: Written): void {
  try {
    replaceFile(pathOf(labels), checksummed({ lines, bytes, sum }));
  } catch (error) {
    throw storeErrorFrom(error, 'noting the number of answers', labels);
  }
}

/** Must be read before the file, which another process may write. null without a note, and for one that cannot be read. */
export function writtenOf(labels: string): Written | null {
  try {
    const text = readFileSync(pathOf(labels));
    return checkOf(text) === 'right' ? witnessSchema.parse(JSON.parse(text.toString('utf8'))) : null;
  } catch {
    return null;
  }
}

/** @param content all bytes of the file. @param before see `writtenOf`. @throws DamageError if answers are missing that were stored */
export function refuseShorterLabels(labels: string, content: Uint8Array, before: Written | null): void {
  if (before === null) return;
  if (content.length < before.bytes)
    throw new DamageError(`${labels}: has ${content.length} bytes where ${before.bytes} with ${before.lines} lines were stored; ${REMEDY}`);
  if (crc32(content.subarray(0, before.bytes)) !== before.sum)
    throw new DamageError(`${labels}: has other answers than those that were stored; ${REMEDY}`);
}

/** The largest number of lines that a model of the crawl was trained with. */
export function linesTrained({ relabelled, keptBeside }: Pick<CrawlManifest, 'relabelled' | 'keptBeside'>): number {
  return Math.max(0, keptBeside?.lines ?? 0, ...relabelled.map(({ lines }) => lines));
}

/** @throws DamageError for a label file that has fewer lines than a model was trained with */
export function refuseLostLabels(
  { labels }: Pick<CrawlPaths, 'labels'>,
  manifest: Parameters<typeof linesTrained>[0],
  lines: number,
): void {
  const trained = linesTrained(manifest);
  if (lines < trained) throw new DamageError(`${labels}: has ${lines} lines where ${trained} were trained with; ${REMEDY}`);
}
