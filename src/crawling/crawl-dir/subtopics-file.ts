/** The subtopics that were found last, so that their ids and names stay while the crawl grows. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import type { CrawlPaths } from './crawl-directory.ts';

export const subtopicSchema = z.strictObject({
  /** Short name for commands. */
  id: z.string(),
  /** Two or three most telling terms. */
  name: z.string(),
  terms: z.array(z.string()),
  /** See `SubtopicWords`. */
  buckets: z.array(z.number().int().nonnegative()),
  weights: z.array(z.number()),
});

const fileSchema = z.strictObject({
  /** Kept pages, and the seed and number of groups as asked, when they were found. */
  pages: z.number().int(),
  seed: z.number(),
  groups: z.number().int().nullable(),
  subtopics: z.array(subtopicSchema),
});

export type NamedSubtopic = z.infer<typeof subtopicSchema>;
export type StoredSubtopics = z.infer<typeof fileSchema>;

/** null without a file, and for a file that cannot be read: they are found again. */
export function storedSubtopics({ subtopics }: Pick<CrawlPaths, 'subtopics'>): StoredSubtopics | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(subtopics, 'utf8')));
  } catch {
    return null;
  }
}

/** @throws the error of the file system */
export function storeSubtopics({ subtopics }: Pick<CrawlPaths, 'subtopics'>, found: StoredSubtopics): void {
  replaceFile(subtopics, JSON.stringify(found));
}
