/** The agreement of the people who label a crawl, on the terminal. Pure. */
import { countText } from '../../base/text/number-text.ts';
import { codingText } from '../../corpus/describe/coding-words.ts';
import type { CodingFacts } from '../../corpus/select/coding-facts.ts';
import { type Labelled, labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import type { CoderDisagreement } from '../../study/label/coder-answers.ts';

/** Disagreements that are shown. */
const SHOWN = 5;

/** Agreement, and the command that decides where people disagree; [] without a page that two people answered. @param crawl as commands name it */
export function codingLines(crawl: Labelled, coding: CodingFacts | null): string[] {
  if (coding === null) return [];
  const open = coding.open === 0 ? [] : [`  to decide about these pages: ${labellingCommand('label decide', crawl)}`];
  return [...codingText(coding), ...open];
}

/** Pages without a decision, with the answer of each person. */
export function openLines(disagreements: readonly CoderDisagreement[]): string[] {
  const open = disagreements.filter(({ isOpen }) => isOpen);
  const more = open.length - SHOWN;
  const shown = open.slice(0, SHOWN).map((one) => `  ${answersText(one)}: ${one.url}`);
  return [...shown, ...(more > 0 ? [`  and ${countText(more)} more`] : [])];
}

/** `anna y, ben n` */
export function answersText({ answers }: Pick<CoderDisagreement, 'answers'>): string {
  return answers.map(({ name, answer }) => `${name} ${answer}`).join(', ');
}
