/** Calibrates priorities: a link scorer says which link is better, and the links it chose show how good. */
import { logOdds, sigmoid } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';

/** A followed link. */
export interface FollowedLink {
  readonly priority: Unit;
  readonly onTopic: boolean;
}

/**
 * The slope to assume without data, and its weight in units of the Hessian. The last visits had the best priorities, mostly alike, so they
 * hardly show the slope, which is needed far below them. Over all visits of crawls on the topics that `npm run bench -- focus` keeps for
 * choosing, it was 1.2 to 2.3.
 */
const SLOPE = { usual: 1.5, weight: 20 } as const;
/** Keeps the intercept finite if all visits ended alike. */
const INTERCEPT_WEIGHT = 0.01;
/** Priorities are numbers in [0, 1], both ends included. */
const LEAST: Unit = 1e-4;
const MAX_STEPS = 50;
/** A longer Newton step leaves the region where the step is valid. */
const MAX_STEP = 2;
const TOLERANCE = 1e-8;

/** P(on topic) of a link by its priority: logistic regression on the log-odds of the priorities, never falling. O(links). */
export function calibratePriorities(links: readonly FollowedLink[]): (priority: Unit) => Unit {
  const cases = links.map(({ priority, onTopic }) => ({ x: logOdds(priority, LEAST), y: Number(onTopic) }));
  const line = { slope: SLOPE.usual, intercept: 0 };
  for (let i = 0; i < MAX_STEPS; i++) {
    const [slope, intercept] = newtonStep(cases, line.slope, line.intercept);
    line.slope += slope;
    line.intercept += intercept;
    if (Math.abs(slope) + Math.abs(intercept) < TOLERANCE) break;
  }
  return (priority) => sigmoid(Math.max(0, line.slope) * logOdds(priority, LEAST) + line.intercept);
}

function newtonStep(cases: readonly { readonly x: number; readonly y: number }[], slope: number, intercept: number): [number, number] {
  let gs = SLOPE.weight * (slope - SLOPE.usual);
  let gi = INTERCEPT_WEIGHT * intercept;
  let [hss, hsi, hii]: [number, number, number] = [SLOPE.weight, 0, INTERCEPT_WEIGHT];
  for (const { x, y } of cases) {
    const p = sigmoid(slope * x + intercept);
    const curve = p * (1 - p);
    gs += (p - y) * x;
    gi += p - y;
    hss += curve * x * x;
    hsi += curve * x;
    hii += curve;
  }
  const determinant = hss * hii - hsi * hsi;
  const ds = (hsi * gi - hii * gs) / determinant;
  const di = (hsi * gs - hss * gi) / determinant;
  const shrink = Math.min(1, MAX_STEP / Math.max(Math.abs(ds), Math.abs(di), Number.MIN_VALUE));
  return [ds * shrink, di * shrink];
}
