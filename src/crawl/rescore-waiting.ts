/** What giving waiting links a new priority may cost, and how a resumed crawl gets back to where it stood. */
import type { Queue } from '../core/parts/queueing.ts';
import type { LinkScorer } from '../core/parts/scoring.ts';
import { lastRescoring } from '../core/rescoring-schedule.ts';
import { lessonOf, type Past, relearn } from './lessons.ts';

/**
 * What rescoring may cost. A link takes half a microsecond, or some 3 where it has to be read from the store first, a page of a crawl two milliseconds:
 * sixteen links a lesson are a fortieth of it at most. The first million are free, half a second of a crawl's life, or three: with them nearly all crawls
 * of less than ten thousand pages rescore everything that waits.
 */
const FREE_LINKS = 1_000_000;
const LINKS_A_LESSON = 16;

/** Links scored anew at one moment of rescoring, the newest: no page is leased meanwhile, for a tenth of a second where they are in memory. */
export const MOST_AT_ONCE = 100_000;

/** Links that a run may score anew after so many lessons of its own, when it has scored `done`. */
export function rescoringAllowance(lessons: number, done: number): number {
  return Math.max(0, FREE_LINKS + LINKS_A_LESSON * lessons - done);
}

/**
 * Bring a fresh scorer, and the priorities of the links that wait, to where a crawl left them: links found since the last rescoring keep the
 * priority they were found with. Exact as long as every rescoring reached all that waited; beyond that links may be fresher than they were.
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
