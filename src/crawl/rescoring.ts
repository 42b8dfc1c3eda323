/** When waiting links get a new priority, because the link scorer has learned: a schedule by lessons alone, so that a resumed crawl can tell where it stood. */
import type { Frontier, LinkScorer } from '../core/parts.ts';
import { lessonOf, relearn } from './lessons.ts';
import { priorities } from './list-priority.ts';

/**
 * All waiting links are scored anew after ten lessons more, and then after a twentieth more: on the twelve topics that bench:focus keeps for
 * choosing (`--split dev`) a twentieth gave .011 more area under the recall curve than a quarter, and a fiftieth or every tenth lesson no more.
 */
const PAGES = 10;
const GROWTH = 1.05;
/**
 * What rescoring may cost. A link takes some 3 µs, a page of a crawl a millisecond: sixteen links a lesson are a twentieth of it. The first
 * million are free, three seconds of a crawl's life: with them nearly all crawls of less than ten thousand pages rescore everything that waits.
 */
const FREE_LINKS = 1_000_000;
const LINKS_A_LESSON = 16;

/** The first moment of rescoring after `lessons`, in lessons. */
export function nextRescoring(lessons: number): number {
  let at = PAGES;
  while (at <= lessons) at = Math.max(at + PAGES, Math.ceil(at * GROWTH));
  return at;
}

/** The last moment of rescoring up to and with `lessons`; 0 when there was none. */
export function lastRescoring(lessons: number): number {
  let [at, next] = [0, PAGES];
  while (next <= lessons) [at, next] = [next, Math.max(next + PAGES, Math.ceil(next * GROWTH))];
  return at;
}

/** Links that a run may score anew after so many lessons of its own, when it has scored `done`. */
export function rescoringAllowance(lessons: number, done: number): number {
  return Math.max(0, FREE_LINKS + LINKS_A_LESSON * lessons - done);
}

/**
 * Bring a fresh scorer, and the priorities of the links that wait, to where a crawl left them: links found since the last rescoring keep the
 * priority they were found with. Exact as long as every rescoring reached all that waited; beyond that links may be fresher than they were.
 */
export function resumeScoring(scorer: LinkScorer, frontier: Pick<Frontier, 'settled' | 'rescore'>): void {
  if (!scorer.learn) return;
  let lessons = 0;
  for (const { fate, entry } of frontier.settled()) if (lessonOf(fate, entry) !== null) lessons += 1;
  const last = lastRescoring(lessons);
  relearn(scorer, frontier, lessons, () => {
    if (scorer.learnedFrom === last) frontier.rescore((entries) => priorities(scorer, entries), last, Number.POSITIVE_INFINITY);
  });
}
