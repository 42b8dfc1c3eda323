/** When waiting links get a new priority, because the link scorer has learned: by lessons alone, so that a resumed crawl can tell where it stood. */

/**
 * All waiting links are scored anew after ten lessons more, and then after a twentieth more: on the twelve topics that `npm run bench -- focus` keeps for
 * choosing (`--split dev`) a twentieth gave .011 more area under the recall curve than a quarter, and a fiftieth or every tenth lesson no more.
 */
const PAGES = 10;
const GROWTH = 1.05;

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
