import type { Rng } from '../../src/base/core/rng.ts';
import { headlineTerms, type Metric, type PageScore } from './score.ts';

/** Draws of as many domains as there are; the bounds of the interval then have a standard error of about a fiftieth of its width. */
export const RESAMPLES = 2_000;
const LEVEL = 0.95;

/** F1 of the one less F1 of the other, and where it lies in 95 of 100 draws. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** Two methods on one page. */
export interface Pair {
  readonly domain: string;
  readonly ours: PageScore;
  readonly theirs: PageScore;
}

/** Sums over pages of the terms of F1 of the one, then of the other. */
type Terms = readonly [number, number, number, number];

/**
 * Percentile bootstrap (Efron, Tibshirani 1993, §13.3) of the difference on the same pages. Registrable domains are drawn, with
 * all their pages: pages of one site come from one template and are no independent witnesses.
 */
export function pairedBootstrap(pairs: readonly Pair[], metric: Metric, rng: Rng): Difference {
  const domains = [...termsByDomain(pairs, metric).values()];
  const draws = Array.from({ length: RESAMPLES }, () =>
    differenceOf(domains.map(() => domains[Math.floor(rng() * domains.length)] ?? [0, 0, 0, 0])),
  );
  draws.sort((a, b) => a - b);
  const at = (share: number) => draws[Math.round(share * (draws.length - 1))] ?? Number.NaN;
  return { difference: differenceOf(domains), low: at((1 - LEVEL) / 2), high: at((1 + LEVEL) / 2) };
}

function termsByDomain(pairs: readonly Pair[], metric: Metric): Map<string, Terms> {
  const sums = new Map<string, Terms>();
  for (const { domain, ours, theirs } of pairs) {
    const sum = sums.get(domain) ?? [0, 0, 0, 0];
    const [a, b] = headlineTerms(ours, metric);
    const [c, d] = headlineTerms(theirs, metric);
    sums.set(domain, [sum[0] + a, sum[1] + b, sum[2] + c, sum[3] + d]);
  }
  return sums;
}

function differenceOf(draw: readonly Terms[]): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (const terms of draw) {
    a += terms[0];
    b += terms[1];
    c += terms[2];
    d += terms[3];
  }
  return a / b - c / d;
}
