/** What figures rest on, in words: the model's own word is called so on the line that has it. */
import type { Grounds } from '../app/grounds.ts';
import type { Doubt } from '../topic/doubts.ts';
import { counted, countText, percentText } from './progress.ts';

/** Behind a figure that no label stands for. */
export const BY_MODEL = 'by the model; not measured';

const WHY: Readonly<Record<Doubt, string>> = {
  'one-host': 'all examples are of one host',
  'two-hosts': 'the examples are of two hosts',
  'unknown-hosts': 'the hosts of the examples are not known',
  'unlike-training': 'relevances are spread unlike those of training',
};

/** `all examples are of one host`. */
export function doubtText(doubts: readonly Doubt[]): string {
  return doubts.map((doubt) => WHY[doubt]).join(', and ');
}

/** `harvest rate 37.3 % (by the model; not measured)`, or that there is none to tell, and why. */
export function harvestRateText(rate: number, doubts: readonly Doubt[]): string {
  return doubts.length === 0 ? `harvest rate ${percentText(rate)} (${BY_MODEL})` : `harvest rate not known: ${doubtText(doubts)}`;
}

/** What is known of the precision, and what to do about it. @param several topics: labels are of one */
export function precisionText(dir: string, { precision, drawn }: Pick<Grounds, 'precision' | 'drawn'>, several: boolean): string {
  if (precision !== null) {
    const { share, low, high, answers } = precision;
    return `precision of the pages the crawl kept: ${percentText(share)} (95 % interval ${percentText(low)} to ${percentText(high)}), measured by ${counted(answers, 'answer')} to pages drawn at random`;
  }
  return several
    ? 'precision: not measured; labels are of one topic, so look at pages of each: forager harvest <dir> --topic <name>'.replace(
        '<dir>',
        dir,
      )
    : `precision: not measured${drawn === null ? '' : ` (${drawnText(drawn)})`}; to measure it: forager label ${dir}`;
}

/** `answers to kept pages drawn at random: 1; needed: 5`. */
function drawnText({ kept, needed }: NonNullable<Grounds['drawn']>): string {
  return `answers to kept pages drawn at random: ${countText(kept)}; needed: ${needed}`;
}
