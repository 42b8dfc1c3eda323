/** The part of the crawl of which a crawl started as a copy. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { counted } from '../../base/text/number-text.ts';
import { lessonOf } from '../../crawling/crawl/lessons.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';

type Origin = NonNullable<CrawlManifest['from']>;

/** The part of that crawl in the state of a URL. */
export interface WhyOrigin {
  /** Directory of that crawl. */
  readonly dir: string;
  /** Did that crawl visit the URL? Then the lesson about its link is that visit, judged by the active model. */
  readonly isItsVisit: boolean;
  /** Number of lessons behind the priority of the link, and how many of them are visits of that crawl. null for a seed. */
  readonly lessons: { readonly all: number; readonly ofIt: number } | null;
}

/** @param found the URL in the frontier. O(settled URLs) @returns null for a crawl that started with nothing */
export function crawlOriginOf(
  { manifest, frontier }: Pick<OpenCrawl, 'manifest' | 'frontier'>,
  { entry, settled }: NonNullable<ReturnType<Ledger['find']>>,
): WhyOrigin | null {
  const { from } = manifest;
  if (from === null) return null;
  const isItsVisit = settled !== null && settled <= from.settled;
  const all = entry.edge?.learnedFrom;
  return { dir: from.dir, isItsVisit, lessons: all === undefined ? null : { all, ofIt: Math.min(all, lessonsUpTo(frontier, from)) } };
}

function lessonsUpTo(frontier: Pick<Ledger, 'settled'>, { settled }: Origin): number {
  let lessons = 0;
  for (const { entry, fate, order } of frontier.settled()) if (order <= settled && lessonOf(fate, entry) !== null) lessons += 1;
  return lessons;
}

/** The crawl in a line of a report. */
export function originLine({ dir, visited, sha256 }: Origin): string {
  return `started as a copy of ${dir} with its ${counted(visited, 'visit')}, whose manifest had the SHA-256 ${sha256.slice(0, 16)}…`;
}

export function whyOriginText({ dir, isItsVisit, lessons }: WhyOrigin): string {
  if (isItsVisit)
    return `visited by ${dir}, of which this crawl started as a copy: the lesson about its link is that visit, judged by this topic`;
  if (lessons === null) return `a seed; ${dir}, of which this crawl started as a copy, did not visit it`;
  return `its link was scored after ${counted(lessons.all, 'lesson')}; ${lessons.ofIt} of them are visits of ${dir}, judged by this topic`;
}
