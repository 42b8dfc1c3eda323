/** The cost limit for rescoring waiting links, and how a resumed crawl restores their priorities. */
import type { Queue } from '../../base/core/parts/queueing.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { lastRescoring } from '../../base/core/rescoring-schedule.ts';
import { lessonOf, type Past, relearn } from './lessons.ts';

/**
 * The cost limit for rescoring. A link takes half a microsecond, or about 3 if it has to be read from the store first; a page of a crawl takes two
 * milliseconds. So sixteen links per lesson are at most a fortieth of the cost. The first million links are free: half a second of a crawl's life, or
 * three. With them, nearly all crawls of less than ten thousand pages rescore everything that waits.
 */
const FREE_LINKS = 1_000_000;
const LINKS_A_LESSON = 16;

/** Number of links rescored at one time, the newest first. The crawl takes no lease meanwhile: a tenth of a second if the links are in memory. */
export const MOST_AT_ONCE = 100_000;

/**
 * Number of waiting links to rescore at a time: about 4 ms. It is a count and not a time, because a crawl with one request at a time must always have
 * the same order.
 */
export const LINKS_AT_A_TIME = 2000;

/** Number of links that a run may still rescore after that many lessons of its own. @param done number of links it has rescored */
export function rescoringAllowance(lessons: number, done: number): number {
  return Math.max(0, FREE_LINKS + LINKS_A_LESSON * lessons - done);
}

/**
 * Brings a fresh scorer and the priorities of the waiting links to the state in which a crawl stopped. Links found since the last rescoring keep
 * their first priority. Exact if every rescoring reached all waiting links; otherwise some priorities may be newer than before.
 */
export function resumeScoring(scorer: LinkScorer, frontier: Pick<Queue, 'rescore'>, past: Past): void {
  if (!scorer.learn) return;
  let lessons = 0;
  for (const { fate, entry } of past.settled()) if (lessonOf(fate, entry) !== null) lessons += 1;
  const last = lastRescoring(lessons);
  relearn(scorer, past, Number.POSITIVE_INFINITY, () => {
    if (scorer.learnedFrom === last) frontier.rescore(scorer, last);
  });
}
