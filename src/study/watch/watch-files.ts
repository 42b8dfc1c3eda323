/** The files of a watch in a crawl directory: each report as JSON and Markdown, and a feed. The reports are the whole state of a watch. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce, isThere } from '../../base/core/on-disk.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { FEED_ENTRIES, watchFeed } from './watch-feed.ts';
import { reportMarkdown } from './watch-markdown.ts';
import { reportSchema, type WatchReport } from './watch-report.ts';

type Watched = Pick<CrawlPaths, 'dir' | 'watch'>;

const REPORT = /^(\d{1,9})\.json$/;
export const FEED_FILE = 'feed.xml';

/** Numbers of the reports of a crawl, the newest first; empty without a watch. */
export function reportNumbers({ watch }: Watched): readonly number[] {
  if (!isThere(watch)) return [];
  const numbers = readdirSync(watch).flatMap((name) => REPORT.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((a, b) => b - a);
}

/** @throws DamageError */
export function readReport({ watch }: Watched, number: number): WatchReport {
  const path = join(watch, `${number}.json`);
  const damaged = (why: string, cause: unknown) =>
    new DamageError(
      `${path}: is damaged (${why}); restore it from a copy, or delete it: the next report then begins where the one before it ended`,
      { cause },
    );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw damaged(messageOf(error), error);
  }
  const report = reportSchema.safeParse(content);
  if (report.success) return report.data;
  const [issue] = report.error.issues;
  throw damaged(`${issue?.path.join('.') || 'content'}: ${issue?.message ?? 'not understood'}`, report.error);
}

/** The newest report; null before the first one. @throws DamageError */
export function newestReport(paths: Watched): WatchReport | null {
  const [newest] = reportNumbers(paths);
  return newest === undefined ? null : readReport(paths, newest);
}

/** Stores a report. With its JSON it is made: a kill before leaves nothing that counts, and one after a feed that the next call mends. @throws StoreError */
export function storeReport(paths: Watched, report: WatchReport): void {
  try {
    makeDirectory(paths.watch);
    if (report.number > 0) replaceFile(join(paths.watch, `${report.number}.md`), reportMarkdown(nameOf(paths), report));
    replaceFile(join(paths.watch, `${report.number}.json`), `${JSON.stringify(report)}\n`);
    flushAtOnce(paths.watch);
    writeFeed(paths);
  } catch (error) {
    throw storeErrorFrom(error, 'storing the report', paths.watch);
  }
}

/** Writes the feed again, from the newest reports. @throws DamageError, StoreError */
export function writeFeed(paths: Watched): void {
  const reports: WatchReport[] = [];
  let entries = 0;
  for (const number of reportNumbers(paths)) {
    const report = readReport(paths, number);
    reports.push(report);
    entries += report.items.length;
    if (entries >= FEED_ENTRIES) break;
  }
  if (reports.length > 0) replaceFile(join(paths.watch, FEED_FILE), watchFeed(nameOf(paths), reports));
}

/** The text of a report in one of its forms. @throws DamageError */
export function reportText(paths: Watched, report: WatchReport, format: 'json' | 'markdown' | 'feed'): string {
  if (format === 'json') return `${JSON.stringify(report)}\n`;
  if (format === 'markdown') return reportMarkdown(nameOf(paths), report);
  return readFileSync(join(paths.watch, FEED_FILE), 'utf8');
}

/** Writes the reports without the items of some pages into another folder, which takes the place of this one. @throws DamageError */
export function writeReportsWithout(paths: Watched, folder: string, isTaken: (url: string) => boolean): void {
  const other = { dir: paths.dir, watch: folder };
  for (const number of reportNumbers(paths).toReversed()) {
    const report = readReport(paths, number);
    storeReport(other, { ...report, items: report.items.filter(({ url, to }) => !isTaken(url) && (to === undefined || !isTaken(to))) });
  }
}

function nameOf({ dir }: Watched): string {
  return basename(resolve(dir));
}
