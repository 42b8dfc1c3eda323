/** Judgements of each labelled page by models without its label: a file for each model trained with labels. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isThere } from '../../base/core/on-disk.ts';
import type { Unit } from '../../base/core/types.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type CheckedFile, readChecked, writeChecked } from './checked-json.ts';

const fileSchema = z.strictObject({
  format: z.literal('forager-held-out'),
  version: z.literal(1),
  relevances: z.record(z.string(), z.number()),
});
const FILE: CheckedFile = { what: 'held-out relevances', remedy: 'delete it, and train again to measure the precision of a harvest' };

function pathOf({ labelling }: Pick<CrawlPaths, 'labelling'>, modelId: string): string {
  return join(labelling, `held-out-${modelId}.json`);
}

/** Ids of the models that have such a file. */
export function heldOutModels({ labelling }: Pick<CrawlPaths, 'labelling'>): string[] {
  const names = isThere(labelling) ? readdirSync(labelling) : [];
  return names.flatMap((name) => /^held-out-(.+)\.json$/.exec(name)?.[1] ?? []);
}

/** Relevances by URL, to be compared with the threshold of that model; null for a model that has none. @throws DamageError */
export function readHeldOut(paths: Pick<CrawlPaths, 'labelling'>, modelId: string): ReadonlyMap<string, Unit> | null {
  const content = readChecked(pathOf(paths, modelId), fileSchema, FILE);
  return content && new Map(Object.entries(content.relevances));
}

/** Replaces the file in one step. @throws StoreError */
export function writeHeldOut(paths: Pick<CrawlPaths, 'labelling'>, modelId: string, relevances: ReadonlyMap<string, Unit>): void {
  writeChecked(pathOf(paths, modelId), { format: 'forager-held-out', version: 1, relevances: Object.fromEntries(relevances) }, FILE);
}
