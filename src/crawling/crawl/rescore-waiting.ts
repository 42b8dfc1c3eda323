/** The cost limit for rescoring waiting links, and how a resumed crawl restores their priorities. */
import type { Queue } from '../../base/core/parts/queueing.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { lastRescoring } from '../../base/core/rescoring-schedule.ts';
import { lessonOf, type Past, relearn } from './lessons.ts';

/**
 * Number of links that a rescoring may have after so many lessons: a link takes half a microsecond, or about 5 if it has to be read from the store
 * first; a page of a crawl takes two milliseconds. The first lessons change the weights most, so their rescorings reach most links: up to lesson 60 a
 * list of 33,000 pages is rescored as a whole each time. Up to lesson 10,000 there are a hundred rescorings of 0.9 million links: 2 % of the crawl's time
 * if the links are in memory. Later, 10 to 15 links a lesson cost as much as 16 of the newest did (`npm run bench -- rescore`). More links than that
 * have their turns.
 */
const LINKS_OF_FIRST_LESSON = 2_000_000;
const LEAST_AT_ONCE = 2000;
const LINKS_A_LESSON = 10;

/** The crawl takes no lease meanwhile: a tenth of a second if the links are in memory. */
const MOST_AT_ONCE = 100_000;

/** Number of links of the rescoring at that lesson. The lesson alone decides, so a resumed crawl has the same ones. */
export function linksToRescore(lesson: number): number {
  const since = lesson - lastRescoring(lesson - 1);
  return Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil(LINKS_OF_FIRST_LESSON / lesson)) + LINKS_A_LESSON * since);
}

/**
 * Number of waiting links to rescore at a time: about 4 ms. It is a count and not a time, because a crawl with one request at a time must always have
 * the same order.
 */
export const LINKS_AT_A_TIME = 2000;

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
