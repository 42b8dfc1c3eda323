import { sigmoid } from '../core/odds.ts';
import type { Unit } from '../core/types.ts';
import { ASSUMED_PRIOR } from './calibrate.ts';
import { bestF1, type Scored } from './evaluate.ts';
import { thresholdForPrecision } from './precision.ts';

/** A threshold and how it came about. */
export interface ThresholdDecision {
  readonly threshold: Unit;
  readonly kind: 'f1' | 'precision' | 'none';
  /** Of a threshold for a precision: what was asked for, the lower bound there is, and whether that is enough. */
  readonly asked: Unit | null;
  readonly lowerBound: Unit | null;
  readonly reached: boolean;
}

/**
 * Where between the highest refused and the lowest accepted held-out logit the threshold stands: just below the examples. Pages of
 * the examples' own host fall into that gap: 0.9 instead of the middle cost .01 recall and raised precision inside the host from
 * .39 to .62 (8 topics, 20 examples alone, plain tag stripping).
 */
const GAP_SHARE = 0.9;

/** The threshold with the highest F1 on held-out logits, or the lowest whose precision is at least `precision` by its lower bound; where a page is as likely an example as background when nothing is on topic. */
export function chooseThreshold(held: readonly Scored[], precision: Unit | null): ThresholdDecision {
  const forPrecision = precision === null ? null : thresholdForPrecision(held, precision);
  if (forPrecision !== null) {
    const { lowerBound, reached } = forPrecision;
    return { threshold: justBelow(forPrecision), kind: 'precision', asked: precision, lowerBound, reached };
  }
  const best = bestF1(held);
  return {
    threshold: best === null ? ASSUMED_PRIOR : justBelow(best),
    kind: best === null ? 'none' : 'f1',
    asked: precision,
    lowerBound: null,
    reached: false,
  };
}

function justBelow({ highestRefused, lowestAccepted }: { readonly highestRefused: number; readonly lowestAccepted: number }): Unit {
  return sigmoid(highestRefused + GAP_SHARE * (lowestAccepted - highestRefused));
}
