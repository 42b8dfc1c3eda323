/** The age of a corpus in words: the same on the terminal, the page and the card. */
import type { Ms } from '../../base/core/types.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { AgeFacts } from '../select/age-facts.ts';

const DAY: Ms = 86_400_000;
const HOUR: Ms = 3_600_000;

/** Pages that were seen longest ago, a line each. */
export function unseenLines({ longestUnseen }: AgeFacts): string[] {
  return longestUnseen.map(({ url, seenAt }) => `last seen ${seenAt.slice(0, 10)}: ${url}`);
}

/** Lines about changes, the last answers and the estimates. */
export function ageLines({ at, pages, revisited, changed, freshness, age, seen, hosts }: AgeFacts): string[] {
  const byHost = hosts.filter((host) => host.revisited > 0);
  return [
    `${countText(revisited)} of ${counted(pages, 'kept page')} requested again, ${countText(changed)} of them changed or gone; last seen ${seen.median.slice(0, 10)} in the median (${seen.oldest.slice(0, 10)} to ${seen.newest.slice(0, 10)})`,
    `estimated for ${at.slice(0, 10)} by the rates of change seen so far: ${percentText(freshness)} of the pages are as in the corpus; mean age of the corpus ${daysText(age)}`,
    ...byHost.map((one) => `  ${one.host}: ${countText(one.changed)} of ${counted(one.revisited, 'revisited page')} changed or gone`),
  ];
}

/** `3.2 days`, `5 hours`. */
function daysText(time: Ms): string {
  return time < DAY ? `${(time / HOUR).toFixed(1)} hours` : `${(time / DAY).toFixed(1)} days`;
}
