/** Probabilities and their natural-log odds. */
import type { Unit } from './types.ts';

/** Keeps the log-odds finite for a probability that was rounded to 0 or 1. */
const LEAST: Unit = 1e-12;

/** The logistic function, without overflow at either end. */
export function sigmoid(logit: number): Unit {
  if (logit >= 0) return 1 / (1 + Math.exp(-logit));
  const odds = Math.exp(logit);
  return odds / (1 + odds);
}

/** The inverse of `sigmoid`. @param least smallest distance from 0 and 1; nearer values are moved to it */
export function logOdds(share: Unit, least: Unit = LEAST): number {
  const p = Math.min(1 - least, Math.max(least, share));
  return Math.log(p / (1 - p));
}
