/** An explanation as bars: each begins where the one before ended, so that the last ends at the logit. */
import type { Explanation } from '../core/parts/reading.ts';
import { type ShownSum, shownSum } from '../inspect/shown-sum.ts';
import { html, type Markup } from './markup.ts';
import { spanBar, table } from './pieces.ts';
import { countText, STRINGS } from './strings.ts';

const TEXT = STRINGS.why;

interface Step {
  readonly name: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** @param top contributions of each sign, as in `forager why` */
export function sumBars(caption: string, explanation: Explanation, top: number): Markup {
  const steps = stepsOf(shownSum(explanation, top));
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

function stepsOf({ shown, smaller, bias, logit }: ShownSum): Step[] {
  const parts = [
    ...shown.map(({ feature, contribution }) => ({ name: feature, value: contribution })),
    ...(smaller.count > 0 ? [{ name: TEXT.smaller(countText(smaller.count)), value: smaller.contribution }] : []),
    { name: TEXT.bias, value: bias },
  ];
  let sum = 0;
  const steps = parts.map((part) => {
    const from = sum;
    sum += part.value;
    return { ...part, from, to: sum };
  });
  return [...steps, { name: TEXT.logit, value: logit, from: 0, to: logit }];
}

/** As `forager why` prints it. */
function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6)}`;
}
