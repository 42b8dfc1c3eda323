/** Corrects a crawl's relevances for topics that are rarer, or less rare, than in training. */
import { logOdds, sigmoid } from '../core/odds.ts';
import { seededRng } from '../core/rng.ts';
import type { Unit } from '../core/types.ts';
import { estimatePrior, type PriorEstimate } from '../topic/prior.ts';

export interface PriorCorrection extends PriorEstimate {
  /** Mean probability of the kept pages to be on topic, after the shift: their expected precision. null if none is kept. */
  readonly keptPrecision: Unit | null;
}

/** A judged page, whether it was kept or not. */
export interface JudgedFate {
  readonly relevance: Unit;
  readonly kept: boolean;
}

/** The prior of a crawl by EM over the relevances of its pages, without labels; null with too few pages. Deterministic. */
export function priorCorrection(pages: readonly JudgedFate[]): PriorCorrection | null {
  const judged = pages.map(({ relevance, kept }) => ({ logit: logOdds(relevance), kept }));
  const prior = estimatePrior(
    judged.map(({ logit }) => logit),
    { rng: seededRng(1) },
  );
  if (prior === null) return null;
  const kept = judged.filter((page) => page.kept).map(({ logit }) => sigmoid(logit + prior.shift));
  return { ...prior, keptPrecision: kept.length === 0 ? null : kept.reduce((sum, p) => sum + p, 0) / kept.length };
}
