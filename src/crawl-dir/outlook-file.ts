/** Outlooks that were made while the crawl ran, to be compared with the visits that followed. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { CrawlPaths } from './crawl-directory.ts';

const outlookSchema = z.strictObject({
  /** Visits of the crawl when it was made. */
  visits: z.number().int(),
  /** As in `Outlook`. */
  requests: z.number().int(),
  onTopic: z.number(),
  low: z.number(),
  high: z.number(),
});
const fileSchema = z.array(outlookSchema);

export type NotedOutlook = z.infer<typeof outlookSchema>;

/** 40 of them last for a million visits (`nextOutlookAt`). */
const MOST = 100;

/** Oldest first. Empty without a file, and for a file that cannot be read: no other figure of the crawl depends on it. */
export function readOutlooks({ outlooks }: Pick<CrawlPaths, 'outlooks'>): readonly NotedOutlook[] {
  try {
    return fileSchema.catch([]).parse(JSON.parse(readFileSync(outlooks, 'utf8')));
  } catch {
    return [];
  }
}

/** Only for the process that has the lock of the crawl. @throws the error of the file system */
export function noteOutlook(paths: Pick<CrawlPaths, 'outlooks'>, outlook: NotedOutlook): void {
  const noted = [...readOutlooks(paths), outlook].slice(-MOST);
  writeFileSync(`${paths.outlooks}.tmp`, JSON.stringify(noted), { flush: true });
  renameSync(`${paths.outlooks}.tmp`, paths.outlooks);
}
