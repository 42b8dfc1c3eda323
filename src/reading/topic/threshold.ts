import { sigmoid } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';
import { ASSUMED_PRIOR } from './calibrate.ts';
import { bestF1, type Scored } from './evaluate.ts';
import { thresholdForPrecision } from './precision.ts';
import { withPrior } from './reliability.ts';

/** A threshold and its origin. */
export interface ThresholdDecision {
  readonly threshold: Unit;
  readonly kind: 'f1' | 'precision' | 'none';
  /** Precision requested for a threshold, its lower bound, and whether that is enough. */
  readonly asked: Unit | null;
  readonly lowerBound: Unit | null;
  readonly reached: boolean;
  /** Number of held-out pages behind it, and whether these are only the labelled ones. */
  readonly pages: number;
  readonly byLabels: boolean;
}

/** Held-out pages of a crawl that a person has labelled. */
export interface LabelledSample {
  readonly pages: readonly Scored[];
  /** On-topic share of the crawl's judged pages, from randomly drawn pages; null without such pages: then the labels count as a fair sample. */
  readonly share: Unit | null;
}

/**
 * Place of the threshold between the highest refused and the lowest accepted held-out logit: just below the examples. Pages of the examples' own host
 * fall into that gap. With 0.9 instead of the middle, recall fell by .01 and precision inside the host rose from .39 to .62 (8 topics, 20 examples
 * alone, plain tag stripping).
 */
const GAP_SHARE = 0.9;

/**
 * Number of labels of either kind from which on the threshold is chosen on the labelled pages alone: ten cases of the rarer kind for each fitted
 * figure (Peduzzi et al. 1996), and a threshold is one. On labelled texts F1 is then as high as with all held-out pages: .707 against .712 with ten,
 * .762 against .756 with twenty (`npm run bench -- truth`); unweighted it was .688 and .749. This is for crawls, where the background cannot replace
 * the pages of a site: there a threshold from all pages fell to .009, and nearly all pages were kept.
 */
const ENOUGH = 10;

/**
 * The threshold with the highest F1 on held-out logits, or the lowest whose precision has a lower bound of at least `precision`; the point where
 * example and background are equally likely if nothing is on topic. With enough labels it is chosen on these, weighted to the crawl's on-topic share.
 * They are pages of the crawl in which it is used; with background pages it would fall below the crawl's own off-topic pages.
 */
export function chooseThreshold(
  held: readonly Scored[],
  precision: Unit | null,
  labelled: LabelledSample | null = null,
): ThresholdDecision {
  if (labelled === null || !isEnough(labelled)) return { ...chosen(held, precision, null), pages: held.length, byLabels: false };
  return { ...chosen(labelled.pages, precision, shareOf(labelled)), pages: labelled.pages.length, byLabels: true };
}

function isEnough({ pages }: LabelledSample): boolean {
  const yes = pages.filter(({ onTopic }) => onTopic).length;
  return Math.min(yes, pages.length - yes) >= ENOUGH;
}

/** Kept half a page away from 0 and 1. */
function shareOf({ pages, share }: LabelledSample): Unit | null {
  const least = 0.5 / pages.length;
  return share === null ? null : Math.max(least, Math.min(1 - least, share));
}

/** @param share on-topic share where the threshold is used; null if the pages are a fair sample of that */
function chosen(held: readonly Scored[], precision: Unit | null, share: Unit | null): Omit<ThresholdDecision, 'pages' | 'byLabels'> {
  const forPrecision = precision === null ? null : thresholdForPrecision(held, precision, share === null ? {} : { prior: share });
  if (forPrecision !== null) {
    const { lowerBound, reached } = forPrecision;
    return { threshold: thresholdIn(forPrecision), kind: 'precision', asked: precision, lowerBound, reached };
  }
  const best = bestF1(share === null ? held : withPrior(held, share));
  return {
    threshold: best === null ? ASSUMED_PRIOR : thresholdIn(best),
    kind: best === null ? 'none' : 'f1',
    asked: precision,
    lowerBound: null,
    reached: false,
  };
}

/** Just below the lowest accepted page. */
export function thresholdIn({
  highestRefused,
  lowestAccepted,
}: {
  readonly highestRefused: number;
  readonly lowestAccepted: number;
}): Unit {
  return sigmoid(highestRefused + GAP_SHARE * (lowestAccepted - highestRefused));
}
