/** The parts of an explanation that fit before a reader: together they add up to the logit. */
import type { Contribution, Explanation } from '../../base/core/parts/reading.ts';

export interface ShownSum {
  /** The largest contributions: first those above zero, then those below. */
  readonly shown: readonly Contribution[];
  /** Number and sum of the others. */
  readonly smaller: { readonly count: number; readonly contribution: number };
  readonly bias: number;
  readonly logit: number;
}

/** @param top contributions of each sign */
export function shownSum({ bias, contributions, logit }: Explanation, top: number): ShownSum {
  const shown = [
    ...contributions.filter(({ contribution }) => contribution > 0).slice(0, top),
    ...contributions.filter(({ contribution }) => contribution < 0).slice(0, top),
  ];
  return { shown, smaller: { count: contributions.length - shown.length, contribution: total(contributions) - total(shown) }, bias, logit };
}

function total(contributions: readonly Contribution[]): number {
  return contributions.reduce((sum, { contribution }) => sum + contribution, 0);
}

/** `peatland`, or `peatland (of no given page; near bog, moss)`. */
export function featureText({ feature, unshown, near = [] }: Contribution): string {
  if (unshown !== true) return feature;
  return `${feature} (of no given page${near.length > 0 ? `; near ${near.join(', ')}` : ''})`;
}
