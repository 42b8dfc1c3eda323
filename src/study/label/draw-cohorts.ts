/** Groups the pages of a stratum by the draws that could have chosen them. Pure. */
import type { EpochMs } from '../../base/core/types.ts';
import type { LabelCandidate, LabelState } from './label-queue.ts';

/**
 * Pages that the same draws could have chosen. Each draw takes the first page of the draw order that was not drawn before. So the drawn pages of a cohort
 * come first in its order: they are a random sample of it, regardless of the number of pages that the crawl has read since.
 */
export interface Cohort<P extends LabelCandidate = LabelCandidate> {
  readonly pages: readonly P[];
  /** Time of the newest page that its draws could have chosen. */
  readonly until: EpochMs;
  /** The furthest place of a draw. Cohorts with the same one are sampled alike: together they are a random sample too. */
  readonly reach: number;
}

export interface Cohorts<P extends LabelCandidate = LabelCandidate> {
  /** Cohorts by time, the earliest first; some may have no page. */
  readonly cohorts: readonly Cohort<P>[];
  /** Pages that no draw could have chosen: the crawl read them later. */
  readonly later: readonly P[];
}

/** @param ordered pages in their draw order. O(pages × log draws) */
export function cohortsOf<P extends LabelCandidate>(ordered: readonly P[], state: Pick<LabelState, 'drawn' | 'newest'>): Cohorts<P> {
  // The furthest place of the draws of each time: the last one in the order.
  const furthest = new Map(ordered.flatMap((page, place) => (isDrawnHere(page, state) ? [[newestOf(page, state), place] as const] : [])));
  const ends = [...furthest.keys()].sort((a, b) => a - b);
  const reaches = ends.map((end) => furthest.get(end) ?? -1);
  for (let i = ends.length - 2; i >= 0; i--) reaches[i] = Math.max(reaches[i] ?? -1, reaches[i + 1] ?? -1);
  const pages = ends.map((): P[] => []);
  const later: P[] = [];
  for (const page of ordered) (pages[firstFrom(ends, readAtOf(page))] ?? later).push(page);
  return { cohorts: ends.map((until, i) => ({ pages: pages[i] ?? [], until, reach: reaches[i] ?? -1 })), later };
}

/** Was the page drawn as one of this stratum? Not if the crawl read it again later, because of its label. */
export function isDrawnHere(page: LabelCandidate, state: Pick<LabelState, 'drawn' | 'newest'>): boolean {
  return state.drawn.has(page.url) && readAtOf(page) <= newestOf(page, state);
}

function newestOf({ url }: LabelCandidate, { newest }: Pick<LabelState, 'newest'>): EpochMs {
  return newest?.get(url) ?? Number.POSITIVE_INFINITY;
}

function readAtOf({ readAt = 0 }: LabelCandidate): EpochMs {
  return readAt;
}

/** Place of the first end that is not before that time; the number of ends if there is none. */
function firstFrom(ends: readonly EpochMs[], at: EpochMs): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
