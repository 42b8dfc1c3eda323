/**
 * Moments at which waiting links get a new priority because the link scorer has learned. Only the number of lessons decides, so a resumed
 * crawl can tell where it was.
 */

/**
 * All waiting links are rescored after ten more lessons, and later after a twentieth more. Measured on the twelve topics that `npm run bench --
 * focus` keeps for choosing (`--split dev`): a twentieth gave .011 more area under the recall curve than a quarter. A fiftieth, or every tenth
 * lesson, gave no more.
 */
const PAGES = 10;
const GROWTH = 1.05;

/** The first rescoring after `lessons`, in lessons. */
export function nextRescoring(lessons: number): number {
  let at = PAGES;
  while (at <= lessons) at = Math.max(at + PAGES, Math.ceil(at * GROWTH));
  return at;
}

/** The last rescoring up to and including `lessons`; 0 if there was none. */
export function lastRescoring(lessons: number): number {
  let [at, next] = [0, PAGES];
  while (next <= lessons) [at, next] = [next, Math.max(next + PAGES, Math.ceil(next * GROWTH))];
  return at;
}
