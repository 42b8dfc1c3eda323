/** What a crawl's relevances come to when topics are rarer, or less rare, than in training. */
import { logOdds, sigmoid } from '../core/odds.ts';
import { seededRng } from '../core/rng.ts';
import type { Unit } from '../core/types.ts';
import { estimatePrior, type PriorEstimate } from '../topic/prior.ts';

export interface PriorCorrection extends PriorEstimate {
  /** Mean chance of the kept pages to be on topic after the shift: what precision to expect of them. null when none is kept. */
  readonly keptPrecision: Unit | null;
}

/** A judged page, whether it was kept or not. */
export interface JudgedFate {
  readonly relevance: Unit;
  readonly kept: boolean;
}

/** The prior of a crawl by EM over the relevances of its pages, labels unseen; null of too few. Deterministic. */
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
