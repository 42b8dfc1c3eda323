import { logOdds, sigmoid } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';

/** A held-out score. */
export interface CalibrationCase {
  readonly score: number;
  readonly onTopic: boolean;
  /** The weights of each class must sum to the number of on-topic cases. */
  readonly weight: number;
}

/** calibrated logit = slope × score + intercept. */
export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
  /**
   * False if the held-out scores do not separate the classes, and the slope is only limited so that it does not reverse the order. It does not show
   * how right relevances are elsewhere: on labelled texts, the calibration error of held-out pages, .02 to .1, said nothing about that on other
   * texts, .19 on average (correlation .11 over 288 cases: `npm run bench -- truth`). Labels of a crawl measure that.
   */
  readonly separates: boolean;
}

/**
 * The share of on-topic pages that relevance assumes. A choice, not a measurement: of four topics on a labelled university web, 2 to 14 % of the
 * pages were on topic. It changes no decision about pages, because thresholds move with it; but the link scorer learns relevances, and learns better
 * if most of them are near 0. Compared with ½, expected calibration error fell from .537 to .202 from examples alone and from .231 to .056 with
 * unlabelled pages (`npm run bench -- topic --sets reuters,brown,spam --sizes 10,30 --draws 1 --methods forager`), and the harvest rate of the
 * apprentice rose from .695 to .762 (`npm run bench -- harvest --runs 3`).
 */
export const ASSUMED_PRIOR: Unit = 0.1;

/** Least slope of the fitted line, which means nothing below it. It also keeps the order of pages if chance gives a negative slope. */
const MIN_SLOPE = 0.05;
const MAX_STEPS = 100;
/** Lin, Lin and Weng (2007) use the same ridge on the Hessian and the same stopping rule. */
const RIDGE = 1e-12;
const TOLERANCE = 1e-9;

/**
 * Platt scaling (Platt 1999, with the Newton method of Lin, Lin and Weng 2007): logistic regression of the truth on held-out scores. Both classes
 * have the same weight in the fit, because the share of on-topic pages of a crawl is unknown beforehand; then the line is moved to `ASSUMED_PRIOR`.
 * Platt's smoothed targets (n + 1) / (n + 2) prevent certainty from few examples. Needs both classes.
 * @param n number of independent on-topic cases: fewer than all of them if whole hosts are held out. With the number of hosts instead of examples,
 *   calibration error fell from .13 to .07 with a pool and from .21 to .12 from examples alone (debian-web, as at `meanFit`)
 */
export function plattScaling(cases: readonly CalibrationCase[], n = cases.filter(({ onTopic }) => onTopic).length): Calibration {
  const targetOf = (onTopic: boolean) => (onTopic ? (n + 1) / (n + 2) : 1 / (n + 2));
  let at: Line = { slope: 0, intercept: 0 };
  let loss = lossOf(cases, at, targetOf);
  for (let i = 0; i < MAX_STEPS; i++) {
    const next = newtonStep(cases, at, loss, targetOf);
    if (next === null || loss - next.loss < TOLERANCE) break;
    at = next.line;
    loss = next.loss;
  }
  const prior = logOdds(ASSUMED_PRIOR);
  return at.slope >= MIN_SLOPE
    ? { slope: at.slope, intercept: at.intercept + prior, separates: true }
    : { slope: MIN_SLOPE, intercept: prior, separates: false };
}

interface Line {
  readonly slope: number;
  readonly intercept: number;
}
type TargetOf = (onTopic: boolean) => number;

/** Weighted cross-entropy with the smoothed targets. */
function lossOf(cases: readonly CalibrationCase[], line: Line, targetOf: TargetOf): number {
  let loss = 0;
  for (const { score, onTopic, weight } of cases) {
    const logit = line.slope * score + line.intercept;
    loss += weight * (Math.max(logit, 0) - logit * targetOf(onTopic) + Math.log1p(Math.exp(-Math.abs(logit))));
  }
  return loss;
}

/** One Newton step, halved until the loss falls. @returns null if it does not fall. */
function newtonStep(cases: readonly CalibrationCase[], line: Line, loss: number, targetOf: TargetOf): { line: Line; loss: number } | null {
  let [gs, gi, hss, hsi, hii] = [0, 0, RIDGE, 0, RIDGE];
  for (const { score, onTopic, weight } of cases) {
    const p = sigmoid(line.slope * score + line.intercept);
    const pull = weight * (p - targetOf(onTopic));
    const curve = weight * p * (1 - p);
    gs += pull * score;
    gi += pull;
    hss += curve * score * score;
    hsi += curve * score;
    hii += curve;
  }
  const determinant = hss * hii - hsi * hsi;
  const [ds, di] = [(hii * gs - hsi * gi) / determinant, (hss * gi - hsi * gs) / determinant];
  for (let size = 1; size > 1e-10; size /= 2) {
    const tried = { slope: line.slope - size * ds, intercept: line.intercept - size * di };
    const triedLoss = lossOf(cases, tried, targetOf);
    if (triedLoss < loss) return { line: tried, loss: triedLoss };
  }
  return null;
}
