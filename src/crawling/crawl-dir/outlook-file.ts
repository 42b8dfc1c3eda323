/** Outlooks that were made while the crawl ran, to be compared with the visits that followed. */
import * as z from 'zod';
import type { CrawlPaths } from './crawl-directory.ts';
import { readJsonList, writeList } from './json-list.ts';

const outlookSchema = z.strictObject({
  /** Visits of the crawl when it was made. */
  visits: z.number().int(),
  /** Figures as in `Outlook`. */
  requests: z.number().int(),
  onTopic: z.number(),
  low: z.number(),
  high: z.number(),
});

export type NotedOutlook = z.infer<typeof outlookSchema>;

/** 40 of them last for a million visits (`nextOutlookAt`). */
const MOST = 100;

/** Oldest first. */
export function readOutlooks({ outlooks }: Pick<CrawlPaths, 'outlooks'>): readonly NotedOutlook[] {
  return readJsonList(outlooks, outlookSchema);
}

/** Only for the process that has the lock of the crawl. @throws the error of the file system */
export function noteOutlook(paths: Pick<CrawlPaths, 'outlooks'>, outlook: NotedOutlook): void {
  writeList(paths.outlooks, [...readOutlooks(paths), outlook].slice(-MOST));
}
