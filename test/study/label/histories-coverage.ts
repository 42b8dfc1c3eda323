/** How often the intervals of random histories hold the truth, and whether each random answer counts. */
import { type Checked, history } from './histories.ts';

export interface Coverage {
  readonly of: Checked['of'];
  /** Number of histories with that figure, and of those whose interval holds the truth. */
  readonly figures: number;
  readonly held: number;
  /** Mean of the width of the intervals, and of estimate less truth. */
  readonly width: number;
  readonly bias: number;
}

export interface Histories {
  readonly coverage: readonly Coverage[];
  /** Histories in which an answer to a page drawn from the kept pages is not in their figure. */
  readonly uncounted: readonly number[];
}

/** Sums of floating-point shares. */
const ROUNDING = 1e-9;

/** @param first seed of the first of them */
export async function coverageOf(first: number, count: number): Promise<Histories> {
  const figures: Checked[] = [];
  const uncounted: number[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const end = await history(seed);
    figures.push(...end.figures);
    if (end.counted !== end.drawn) uncounted.push(seed);
  }
  return { coverage: (['kept', 'harvest', 'corpus'] as const).map((of) => covered(of, figures)), uncounted };
}

function covered(of: Checked['of'], all: readonly Checked[]): Coverage {
  const own = all.filter((one) => one.of === of);
  const mean = (value: (one: Checked) => number) => own.reduce((sum, one) => sum + value(one), 0) / Math.max(1, own.length);
  return {
    of,
    figures: own.length,
    held: own.filter(holds).length,
    width: mean(({ figure }) => figure.high - figure.low),
    bias: mean(({ figure, truth }) => figure.share - truth),
  };
}

function holds({ figure: { low, high }, truth }: Checked): boolean {
  return low - ROUNDING <= truth && truth <= high + ROUNDING;
}
