/** The texts of `forager label judge`: the session of a language model, and its agreement with the person. Pure. */

import { counted, countText } from '../../base/text/number-text.ts';
import { kappaText } from '../../corpus/describe/coding-words.ts';
import { type Labelled, labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import type { Disagreement, ModelAnswerFacts } from '../../study/label/judge/agreement.ts';
import type { JudgingProgress, JudgingReport } from '../../study/label/judge/judge-crawl.ts';

/** Disagreements that are shown. */
const SHOWN = 5;

const STOPPED: Readonly<Record<JudgingReport['stop'], string | null>> = {
  count: null,
  all: 'no page is left to ask about',
  calls: 'stopped: the budget of calls is spent (--judge-calls)',
  tokens: 'stopped: another call might exceed the budget of tokens (--judge-tokens)',
  time: 'stopped: the time is up, or a pause would outlast it (--judge-time)',
  interrupted: 'stopped: interrupted',
  server: 'stopped: the server does not answer',
};

/** `41 answers, 0 pages without one, 44 calls, 61,003 tokens`. */
export function judgingProgressText({ answered, failed, calls, tokens }: JudgingProgress): string {
  return `${counted(answered, 'answer')}, ${counted(failed, 'page')} without one, ${counted(calls, 'call')}, ${countText(tokens)} tokens`;
}

/** The outcome of a session. */
export function judgingLines(report: JudgingReport): string[] {
  const { yes, no, cached, stop, failure } = report;
  const stored = cached === 0 ? '' : `; ${countText(cached)} of the answers ${cached === 1 ? 'was' : 'were'} stored before`;
  const why = STOPPED[stop];
  return [
    `language model: ${judgingProgressText(report)}; ${countText(yes)} y, ${countText(no)} n${stored}`,
    ...(why === null ? [] : [why]),
    ...(failure === null ? [] : [`last failure: ${failure}`]),
  ];
}

/** The agreement with the person, and its consequence. @param crawl as commands name it */
export function modelAnswerLines(crawl: Labelled, { languageModel, yes, no, agreement, untaught }: ModelAnswerFacts): string[] {
  const { pages, kappa, interval, yesYes, yesNo, noYes, noNo } = agreement;
  const shared =
    kappa === null
      ? kappaText(kappa, interval)
      : `${kappaText(kappa, interval)}; equal answers ${countText(yesYes + noNo)}, model y and person n ${countText(noYes)}, model n and person y ${countText(yesNo)}`;
  return [
    `answers of ${languageModel}: ${countText(yes)} y, ${countText(no)} n; they count in no estimate`,
    `  ${counted(pages, 'page')} that both you and it answered: ${shared}`,
    untaught === null
      ? `  they train the topic with weight ${(kappa ?? 0).toFixed(2)}, where your answers have weight 1`
      : `  they do not train the topic: ${untaught}. To answer more pages yourself: ${labellingCommand('label', crawl)}`,
  ];
}

/** Pages on which the two disagree, with the reason of the model. */
export function disagreementLines(disagreements: readonly Disagreement[]): string[] {
  const more = disagreements.length - SHOWN;
  return [
    ...disagreements.slice(0, SHOWN).map(({ url, person, model, reason }) => `  you ${person}, model ${model}: ${url} (${reason})`),
    ...(more > 0 ? [`  and ${countText(more)} more`] : []),
  ];
}
