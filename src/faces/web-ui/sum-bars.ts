/** An explanation as bars: each begins where the one before ended, so that the last ends at the logit. */

import type { Explanation } from '../../base/core/parts/reading.ts';
import { countText } from '../../base/text/number-text.ts';
import type { KindSum } from '../../study/inspect/kind-sums.ts';
import { featureText, shownSum } from '../../study/inspect/shown-sum.ts';
import { html, type Markup } from './markup.ts';
import { spanBar, table } from './pieces.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.why;

interface Step {
  readonly name: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** @param top contributions of each sign, as in `forager why` */
export function sumBars(caption: string, explanation: Explanation, top: number): Markup {
  const { shown, smaller, bias, logit } = shownSum(explanation, top);
  const parts = shown.map((one) => ({ name: featureText(one), value: one.contribution }));
  const rest = smaller.count > 0 ? [{ name: TEXT.smaller(countText(smaller.count)), value: smaller.contribution }] : [];
  return bars(caption, [...parts, ...rest, { name: TEXT.bias, value: bias }], logit);
}

/** Bars of a sum by kind: the whole reason in a few rows. */
export function kindBars(caption: string, { bias, logit }: Explanation, kinds: readonly KindSum[]): Markup {
  const parts = kinds.map((one) => ({
    name: `${one.kind} (${TEXT.kindParts(countText(one.for.count), countText(one.against.count))})`,
    value: one.sum,
  }));
  return bars(caption, [...parts, { name: TEXT.bias, value: bias }], logit);
}

type Part = Pick<Step, 'name' | 'value'>;

function bars(caption: string, parts: readonly Part[], logit: number): Markup {
  const steps = stepsOf(parts, logit);
  const ends = [0, ...steps.flatMap(({ from, to }) => [from, to])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const share = (value: number) => (high === low ? 0 : (value - low) / (high - low));
  return table<Step>(
    caption,
    [
      { head: TEXT.feature, cell: ({ name }) => html`<bdi>${name}</bdi>` },
      { head: TEXT.contribution, cell: ({ value }) => signed(value), isNumber: true },
      { head: TEXT.sum, cell: ({ value, from, to }) => spanBar(share(from), share(to), value < 0 ? 'against' : 'for') },
    ],
    steps,
  );
}

function stepsOf(parts: readonly Part[], logit: number): Step[] {
  let sum = 0;
  const steps = parts.map((part) => {
    const from = sum;
    sum += part.value;
    return { ...part, from, to: sum };
  });
  return [...steps, { name: TEXT.logit, value: logit, from: 0, to: logit }];
}

/** A number with its sign, as `forager why` prints it. */
function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6)}`;
}
