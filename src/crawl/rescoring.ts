/** What giving waiting links a new priority may cost, and how a resumed crawl gets back to where it stood. */
import type { Frontier, LinkScorer } from '../core/parts.ts';
import { lastRescoring } from '../core/rescoring-schedule.ts';
import { lessonOf, type Past, relearn } from './lessons.ts';
import { priorities } from './list-priority.ts';

/**
 * What rescoring may cost. A link takes some 3 µs, a page of a crawl a millisecond: sixteen links a lesson are a twentieth of it. The first
 * million are free, three seconds of a crawl's life: with them nearly all crawls of less than ten thousand pages rescore everything that waits.
 */
const FREE_LINKS = 1_000_000;
const LINKS_A_LESSON = 16;

/** Links that a run may score anew after so many lessons of its own, when it has scored `done`. */
export function rescoringAllowance(lessons: number, done: number): number {
  return Math.max(0, FREE_LINKS + LINKS_A_LESSON * lessons - done);
}

/**
 * Bring a fresh scorer, and the priorities of the links that wait, to where a crawl left them: links found since the last rescoring keep the
 * priority they were found with. Exact as long as every rescoring reached all that waited; beyond that links may be fresher than they were.
 */
export function resumeScoring(scorer: LinkScorer, frontier: Pick<Frontier, 'rescore'>, past: Past): void {
  if (!scorer.learn) return;
  let lessons = 0;
  for (const { fate, entry } of past.settled()) if (lessonOf(fate, entry) !== null) lessons += 1;
  const last = lastRescoring(lessons);
  relearn(scorer, past, Number.POSITIVE_INFINITY, () => {
    if (scorer.learnedFrom === last) frontier.rescore((entries) => priorities(scorer, entries), last, Number.POSITIVE_INFINITY);
  });
}
