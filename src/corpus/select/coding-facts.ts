/** The agreement of the people who labelled a crawl, as card, status and terminal show it. */
import type { IsoTime } from '../../base/core/types.ts';

/** Agreement of two people on the pages that both answered. */
export interface CoderPair {
  readonly names: readonly [string, string];
  readonly pages: number;
  /** Pages with equal answers. */
  readonly equal: number;
  /** Cohen's kappa with its 95 % interval; null if chance alone would give complete agreement. */
  readonly kappa: number | null;
  readonly low: number;
  readonly high: number;
}

/** Krippendorff's alpha of three people or more, for the pages that two of them or more answered. */
export interface CoderAlpha {
  readonly people: number;
  readonly pages: number;
  /** Figure with its 95 % interval; null if all answers are equal, since chance alone would then agree. */
  readonly alpha: number | null;
  readonly low: number;
  readonly high: number;
}

export interface CodingFacts {
  readonly pairs: readonly CoderPair[];
  /** null for two people. */
  readonly alpha: CoderAlpha | null;
  /** Pages that people answered differently: without a decision, and with one. */
  readonly open: number;
  readonly decided: number;
  /** The decisions that count; null without any. */
  readonly decisions: { readonly names: readonly string[]; readonly first: IsoTime; readonly last: IsoTime } | null;
}
