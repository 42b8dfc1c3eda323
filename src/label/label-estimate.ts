/** What the pages drawn at random say of all pages of a crawl. Pure. */
import type { Unit } from '../core/types.ts';
import { type Interval, wilson } from '../topic/wilson.ts';
import { drawOrder, type JudgedPage, type LabelState } from './label-queue.ts';

/** A share of pages, with what it rests on. */
export interface ShareEstimate {
  /** Pages it is about. */
  readonly pages: number;
  /** Of these, drawn at random and answered with y or n. */
  readonly answered: number;
  /** Drawn and skipped: the estimate is unbiased only if these are like the others. */
  readonly skipped: number;
  /** Of `answered`, on topic. */
  readonly onTopic: number;
  /** null when nothing was answered. */
  readonly share: Unit | null;
  /** Of the share, at the level asked for; [0, 1] when nothing was answered. */
  readonly interval: Interval;
}

/** A share of all judged pages, put together from both strata. */
export interface WholeEstimate {
  readonly pages: number;
  readonly share: Unit;
  readonly interval: Interval;
}

export interface CrawlEstimate {
  /** The share on topic of the pages in the corpus: its precision. */
  readonly kept: ShareEstimate;
  /** The share on topic of the pages that were read and not kept. */
  readonly notKept: ShareEstimate;
  /** The share on topic of all judged pages; null while a stratum that has pages has no answer. */
  readonly judged: WholeEstimate | null;
}

/**
 * Answers to pages drawn at random from which on a share is called measured. Of fewer than four that all say the same, the 95 % interval goes below one half: the answers
 * say less than a coin. One more, as many as training takes.
 */
export const LEAST_DRAWN = 5;

/** Does a share rest on enough answers to be called measured? All pages of a small stratum are enough. */
export function isMeasured({ answered, pages }: Pick<ShareEstimate, 'answered' | 'pages'>): boolean {
  return answered > 0 && answered >= Math.min(LEAST_DRAWN, pages);
}

/**
 * Estimates from the random third. Of each stratum (kept, not kept) those pages count that come first in its draw order and have all been
 * drawn, see `drawOrder`: labels of the other two queues say nothing about shares and count only where the draw came upon them as well.
 * Intervals are Wilson's, with the number of answers corrected for a finite population: the same when few of many were drawn, a single
 * point when all were. The two together are weighed by the sizes of the strata; the interval of the sum is put together from theirs
 * (MOVER, Zou and Donner 2008).
 *
 * Unbiased for the pages as they are in the corpus. A page that was fetched again because a label moved the model is in it by
 * way of that label, which these figures take no account of.
 */
export function estimateShares(pages: readonly JudgedPage[], state: LabelState, seed: number, level: Unit = 0.95): CrawlEstimate {
  const of = (kept: boolean) =>
    shareOf(
      drawOrder(
        pages.filter((page) => page.kept === kept),
        seed,
      ),
      state,
      level,
    );
  const kept = of(true);
  const notKept = of(false);
  return { kept, notKept, judged: together([kept, notKept].filter((stratum) => stratum.pages > 0)) };
}

function shareOf(ordered: readonly JudgedPage[], { answers, drawn }: LabelState, level: Unit): ShareEstimate {
  const end = ordered.findIndex(({ url }) => !drawn.has(url));
  const sample = (end < 0 ? ordered : ordered.slice(0, end)).map(({ url }) => answers.get(url) ?? 'skip');
  const onTopic = sample.filter((answer) => answer === 'y').length;
  const skipped = sample.filter((answer) => answer === 'skip').length;
  return estimated(ordered.length, sample.length - skipped, skipped, onTopic, level);
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
