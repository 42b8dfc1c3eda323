/** How models without its label judge each labelled page: a file for each model trained with labels. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { checkOf, checksummed } from '../core/checksum.ts';
import { DamageError, messageOf, storeErrorFrom } from '../core/errors.ts';
import { flushAtOnce } from '../core/on-disk.ts';
import type { Unit } from '../core/types.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { makeDirectory } from '../disk/directories.ts';
import { replaceFile } from '../disk/replaced-file.ts';

const fileSchema = z.strictObject({
  format: z.literal('forager-held-out'),
  version: z.literal(1),
  relevances: z.record(z.string(), z.number()),
});

function pathOf({ labelling }: Pick<CrawlPaths, 'labelling'>, modelId: string): string {
  return join(labelling, `held-out-${modelId}.json`);
}

/** Relevances by URL, to be compared with the threshold of that model; null for a model that has none. @throws DamageError */
export function readHeldOut(paths: Pick<CrawlPaths, 'labelling'>, modelId: string): ReadonlyMap<string, Unit> | null {
  const path = pathOf(paths, modelId);
  if (!existsSync(path)) return null;
  try {
    const bytes = readFileSync(path);
    if (checkOf(bytes) !== 'right') throw new Error('its checksum is wrong');
    const { crc32: _, ...content } = JSON.parse(bytes.toString('utf8')) as { readonly crc32: unknown };
    return new Map(Object.entries(fileSchema.parse(content).relevances));
  } catch (error) {
    throw new DamageError(
      `${path}: is no file of held-out relevances (${messageOf(error)}); delete it, and train again to measure the precision of a harvest`,
      { cause: error },
    );
  }
}

/** Replaces the file in one step. @throws StoreError */
export function writeHeldOut(paths: Pick<CrawlPaths, 'labelling'>, modelId: string, relevances: ReadonlyMap<string, Unit>): void {
  const path = pathOf(paths, modelId);
  makeDirectory(paths.labelling);
  try {
    replaceFile(path, checksummed({ format: 'forager-held-out', version: 1, relevances: Object.fromEntries(relevances) }));
    flushAtOnce(paths.labelling);
  } catch (error) {
    throw storeErrorFrom(error, 'writing held-out relevances', path);
  }
}
