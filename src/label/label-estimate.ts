/** Estimates for all pages of a crawl from the randomly drawn ones. Pure. */
import type { Unit } from '../core/types.ts';
import { type Interval, wilson } from '../topic/wilson.ts';
import { type JudgedPage, type LabelState, type Strata, strataOf } from './label-queue.ts';

/** A share of pages, with the numbers behind it. */
export interface ShareEstimate {
  /** Number of pages that it describes. */
  readonly pages: number;
  /** Number of these that were drawn at random and answered with y or n. */
  readonly answered: number;
  /** Drawn and skipped: the estimate is unbiased only if these are like the others. */
  readonly skipped: number;
  /** Number of `answered` pages that are on topic. */
  readonly onTopic: number;
  /** null without answers. */
  readonly share: Unit | null;
  /** Of the share, at the requested level; [0, 1] without answers. */
  readonly interval: Interval;
}

/** A share of all judged pages, combined from both strata. */
export interface WholeEstimate {
  readonly pages: number;
  readonly share: Unit;
  readonly interval: Interval;
}

export interface CrawlEstimate {
  /** On-topic share of the pages in the corpus: its precision. */
  readonly kept: ShareEstimate;
  /** On-topic share of the pages that were read and not kept. */
  readonly notKept: ShareEstimate;
  /** On-topic share of all judged pages; null while a stratum with pages has no answer. */
  readonly judged: WholeEstimate | null;
}

/**
 * Number of answers to randomly drawn pages from which on a share counts as measured. With fewer than four equal answers, the 95 % interval goes
 * below one half: the answers say less than a coin. One more, as many as training needs.
 */
export const LEAST_DRAWN = 5;

/** Does a share rest on enough answers to count as measured? All pages of a small stratum are enough. */
export function isMeasured({ answered, pages }: Pick<ShareEstimate, 'answered' | 'pages'>): boolean {
  return answered > 0 && answered >= Math.min(LEAST_DRAWN, pages);
}

/**
 * Estimates from the random third. In each stratum (kept, not kept), those pages count that come first in its draw order and have all been drawn, see
 * `drawOrder`. Labels of the other two queues say nothing about shares, and count only if the draw also selected them. Intervals are Wilson's, with
 * the number of answers corrected for a finite population: unchanged if few of many were drawn, a single point if all were. The two strata are
 * weighted by their sizes; the interval of the sum is combined from theirs (MOVER, Zou and Donner 2008).
 *
 * Unbiased for the pages in the corpus as they are now. A page that was fetched again because a label changed the model is in it because of that
 * label, and these figures ignore that.
 */
export function estimateShares(pages: readonly JudgedPage[], state: LabelState, seed: number, level: Unit = 0.95): CrawlEstimate {
  return sharesOf(strataOf(pages, seed), state, level);
}

/** The same, of pages that are in their order already. O(draws). */
export function sharesOf({ kept, notKept }: Strata, state: LabelState, level: Unit = 0.95): CrawlEstimate {
  const shares = { kept: shareOf(kept, state, level), notKept: shareOf(notKept, state, level) };
  return { ...shares, judged: together([shares.kept, shares.notKept].filter((stratum) => stratum.pages > 0)) };
}

function shareOf(ordered: readonly JudgedPage[], { answers, drawn }: LabelState, level: Unit): ShareEstimate {
  const end = ordered.findIndex(({ url }) => !drawn.has(url));
  const sample = (end < 0 ? ordered : ordered.slice(0, end)).map(({ url }) => answers.get(url) ?? 'skip');
  const onTopic = sample.filter((answer) => answer === 'y').length;
  const skipped = sample.filter((answer) => answer === 'skip').length;
  return estimated(ordered.length, sample.length - skipped, skipped, onTopic, level);
}

/** Half the width of an interval that `label --audit` works toward: ten points. */
export const AUDIT_MARGIN: Unit = 0.1;

/**
 * The number of further answers y or n after which the interval of a share is at most twice the margin wide. This assumes that the later answers have
 * the same share of y as the earlier ones; without any answer, that half of them are y, which takes the most answers. O(answers).
 */
export function missingForMargin({ pages, answered, onTopic }: ShareEstimate, margin: Unit, level: Unit = 0.95): number {
  const share = answered === 0 ? 0.5 : onTopic / answered;
  for (let n = answered; n < pages; n++) {
    const { low, high } = finiteInterval(pages, n, share * n, level);
    if (high - low <= 2 * margin) return n - answered;
  }
  return pages - answered;
}

/** A share of `pages` pages from `answered` of them that were drawn without replacement. */
function estimated(pages: number, answered: number, skipped: number, onTopic: number, level: Unit): ShareEstimate {
  const share = answered === 0 ? null : onTopic / answered;
  return { pages, answered, skipped, onTopic, share, interval: finiteInterval(pages, answered, onTopic, level) };
}

/** The variance of a share drawn without replacement is (N - n) / (N - 1) of one drawn with it (Cochran 1977, §3.2): as if n were larger by that. */
function finiteInterval(pages: number, answered: number, onTopic: number, level: Unit): Interval {
  if (answered > 0 && answered === pages) return { low: onTopic / answered, high: onTopic / answered };
  const factor = answered === 0 ? 1 : (pages - 1) / (pages - answered);
  return wilson(onTopic * factor, answered * factor, level);
}

function together(strata: readonly ShareEstimate[]): WholeEstimate | null {
  const pages = strata.reduce((sum, stratum) => sum + stratum.pages, 0);
  const sums = { share: 0, below: 0, above: 0 };
  for (const stratum of strata) {
    if (stratum.share === null) return null;
    const weight = stratum.pages / pages;
    sums.share += weight * stratum.share;
    sums.below += (weight * (stratum.share - stratum.interval.low)) ** 2;
    sums.above += (weight * (stratum.interval.high - stratum.share)) ** 2;
  }
  if (pages === 0) return null;
  const interval = { low: Math.max(0, sums.share - Math.sqrt(sums.below)), high: Math.min(1, sums.share + Math.sqrt(sums.above)) };
  return { pages, share: sums.share, interval };
}
