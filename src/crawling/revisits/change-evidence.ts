/**
 * The answers of a page's visits, folded into a few numbers: they are stored with its last revisit, and a resumed crawl has the same order.
 */
import type { EpochMs, Ms, Unit } from '../../base/core/types.ts';
import type { ChangeRate, Days, RateBelief } from './age-index.ts';

/** Sources that say when a page changed before it is asked. */
export const HINT_SOURCES = ['sitemap', 'feed'] as const;
export type HintSource = (typeof HINT_SOURCES)[number];

/** The word of each source about one page: has it changed since its last visit? null: no word. */
export type HintClaims = Readonly<Record<HintSource, boolean | null>>;

/** Opaque, of at most 24 numbers. Folded in order; equal answers give equal numbers. */
export type ChangeEvidence = readonly number[];

/** The answer of a visit to a kept page. */
export interface ChangeAnswer {
  /** The visit before, and this one. */
  readonly seenAt: EpochMs;
  readonly at: EpochMs;
  /** Has the main text changed? */
  readonly changed: boolean;
  /** `Last-Modified`, or the date of the page; null if there is none. */
  readonly modified: EpochMs | null;
  /** Words of sitemap and feed before this visit. */
  readonly claims: HintClaims;
}

export const DAY: Ms = 86_400_000;
/** Mean rate of a page of which nothing is known: half of the pages of four months of Cho & Garcia-Molina 2000 had changed after 50 days. */
export const USUAL_RATE: ChangeRate = 1 / 60;
/**
 * The belief that undated changes are folded with, of little weight: a fifth of a change in 12 days, or in a fifth of the interval if that is less, so that
 * no rate is out of reach. With it the estimate is unbiased within 5 % from intervals of a tenth to three times the time between changes.
 */
const REFERENCE: RateBelief = { shape: 0.2, exposure: 0.2 / USUAL_RATE };
/** Time in which old evidence loses 63 % of its weight. Chosen on the trace of one manual, see docs/design/revisits.md. */
const MEMORY: Days = 2000;
/** A `Last-Modified` so near to the answer is made with it. */
const MADE_NOW: Ms = 60_000;

/** Places in the numbers: changes and days of exposure, true and false `Last-Modified`, then four counts for each source of hints. */
const CHANGES = 0;
const EXPOSURE = 1;
const TRUE_DATES = 2;
const FALSE_DATES = 3;
const HINTS = 4;
/** Counts of a source: changed and claimed, changed and not claimed, the same and claimed, the same and not claimed. */
export const COUNTS_OF_A_SOURCE = 4;
const LENGTH = HINTS + COUNTS_OF_A_SOURCE * HINT_SOURCES.length;

/** The evidence after one more answer. */
export function withAnswer(evidence: ChangeEvidence | undefined, answer: ChangeAnswer): ChangeEvidence {
  const out = Array.from({ length: LENGTH }, (_, place) => evidence?.[place] ?? 0);
  const days = Math.max(0, answer.at - answer.seenAt) / DAY;
  const kept = Math.exp(-days / MEMORY);
  const old = { shape: (out[CHANGES] ?? 0) * kept, exposure: (out[EXPOSURE] ?? 0) * kept };
  const dated = datedWord(answer);
  const trust = ((out[TRUE_DATES] ?? 0) + 2) / ((out[TRUE_DATES] ?? 0) + (out[FALSE_DATES] ?? 0) + 3);
  const added = answer.changed
    ? ofChange(old, days, dated === null ? null : (answer.at - dated.modified) / DAY, trust)
    : { shape: 0, exposure: days };
  out[CHANGES] = old.shape + added.shape;
  out[EXPOSURE] = old.exposure + added.exposure;
  if (dated !== null) {
    const place = dated.claims === answer.changed ? TRUE_DATES : FALSE_DATES;
    out[place] = (out[place] ?? 0) + 1;
  }
  for (const [i, source] of HINT_SOURCES.entries()) {
    const claim = answer.claims[source];
    if (claim === null) continue;
    const place = HINTS + i * COUNTS_OF_A_SOURCE + (answer.changed ? 0 : 2) + (claim ? 0 : 1);
    out[place] = (out[place] ?? 0) + 1;
  }
  return out;
}

/** Changes seen and days of exposure, with less weight for old ones. */
export function seenChanges(evidence: ChangeEvidence | undefined): RateBelief {
  return { shape: evidence?.[CHANGES] ?? 0, exposure: evidence?.[EXPOSURE] ?? 0 };
}

/** The counts of a source of hints, in the order of `COUNTS_OF_A_SOURCE`. */
export function hintCounts(evidence: ChangeEvidence | undefined, source: HintSource): readonly number[] {
  const start = HINTS + HINT_SOURCES.indexOf(source) * COUNTS_OF_A_SOURCE;
  return Array.from({ length: COUNTS_OF_A_SOURCE }, (_, i) => evidence?.[start + i] ?? 0);
}

/** The date of an answer, and whether it claims a change. null if there is none, or one made for each answer. */
function datedWord({ seenAt, at, modified }: ChangeAnswer): { readonly modified: EpochMs; readonly claims: boolean } | null {
  if (modified === null || modified > at - MADE_NOW) return null;
  return { modified, claims: modified > seenAt };
}

/**
 * Additions for one change. A date says when the last change was: one change, and `quiet` days without another (its likelihood is λe^(−λ·quiet)). Without a
 * date at least one change is somewhere in the interval, likelihood 1 − e^(−λ·days). The Gamma belief then takes mean and variance of the exact
 * posterior (assumed density filtering, Minka 2001). The estimator of Cho & Garcia-Molina 2003 ("Estimating frequency of change") needs regular
 * intervals; this one does not.
 */
function ofChange(old: RateBelief, days: Days, quiet: Days | null, trust: Unit): RateBelief {
  const exposure = Math.min(REFERENCE.exposure, REFERENCE.shape * days) + old.exposure;
  const censored = ofSomeChange({ shape: REFERENCE.shape + old.shape, exposure }, days);
  if (quiet === null || quiet >= days) return censored;
  return {
    shape: trust + (1 - trust) * censored.shape,
    exposure: trust * quiet + (1 - trust) * censored.exposure,
  };
}

/** The additions to a Gamma belief for at least one change within some days. */
function ofSomeChange({ shape, exposure }: RateBelief, days: Days): RateBelief {
  const ratio = exposure / (exposure + days);
  const none = Math.exp(shape * Math.log(ratio));
  const whole = -Math.expm1(shape * Math.log(ratio));
  if (!(whole > 1e-9)) return { shape: 1, exposure: days / 2 };
  const mean = (shape / exposure) * ((1 - none * ratio) / whole);
  const square = ((shape * (shape + 1)) / exposure ** 2) * ((1 - none * ratio ** 2) / whole);
  const variance = square - mean ** 2;
  return { shape: mean ** 2 / variance - shape, exposure: mean / variance - exposure };
}
