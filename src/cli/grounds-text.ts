/** What figures rest on, in words: the model's own word is called so on the line that has it. */
import type { Grounds } from '../inspect/grounds.ts';
import type { Doubt } from '../topic/doubts.ts';
import { counted, countText, percentText } from './progress.ts';

/** Behind a figure that no label stands for. */
export const BY_MODEL = 'by the model; not measured';

const WHY: Readonly<Record<Doubt, string>> = {
  'one-host': 'all example pages are of one host',
  'two-hosts': 'the example pages are of two hosts only',
  'unknown-hosts': 'Forager does not know the hosts of the example pages',
  'unlike-training': 'the model rates the pages of this crawl in another way than the pages it learned from',
};

/** `all example pages are of one host`. */
export function doubtText(doubts: readonly Doubt[]): string {
  return doubts.map((doubt) => WHY[doubt]).join('; ');
}

/** Why rates are not shown, and what helps: said once. null where they are shown. @param several topics: labels are of one */
export function doubtLine(dir: string, doubts: readonly Doubt[], several: boolean): string | null {
  if (doubts.length === 0) return null;
  const examples = doubts.some((doubt) => doubt !== 'unlike-training') ? ['examples of 3 hosts or more, with their URLs'] : [];
  const labels = several ? [] : [`labels (forager label ${dir})`];
  const helps = [...examples, ...labels].join('; ');
  return `no rates and no forecast are shown, since they would mislead: ${doubtText(doubts)}${helps === '' ? '' : `. What helps: ${helps}`}`;
}

/** `harvest rate 37.3 % (by the model; not measured)`, or that there is none to tell: `doubtLine` says why. */
export function harvestRateText(rate: number, doubts: readonly Doubt[]): string {
  return doubts.length === 0 ? `harvest rate ${percentText(rate)} (${BY_MODEL})` : 'harvest rate not known';
}

/** What is known of the precision, and what to do about it. @param several topics: labels are of one */
export function precisionText(dir: string, { precision, drawn }: Pick<Grounds, 'precision' | 'drawn'>, several: boolean): string {
  if (precision !== null) {
    const { share, low, high, answers } = precision;
    return `precision of the pages the crawl kept: ${percentText(share)} (95 % interval ${percentText(low)} to ${percentText(high)}), measured by ${counted(answers, 'answer')} to pages drawn at random`;
  }
  return several
    ? 'precision: not measured; labels are of one topic, so look at pages of each: forager harvest <dir> --topic-name <name>'.replace(
        '<dir>',
        dir,
      )
    : `precision: not measured${drawn === null ? '' : ` (${drawnText(drawn)})`}; to measure it: forager label ${dir}`;
}

/** `answers to kept pages drawn at random: 1; needed: 5`. */
function drawnText({ kept, needed }: NonNullable<Grounds['drawn']>): string {
  return `answers to kept pages drawn at random: ${countText(kept)}; needed: ${needed}`;
}
