import { counted } from '../../../base/text/number-text.ts';
import { AUDITED } from '../../../crawling/settings/commands.ts';
import { given as onlyGiven } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { askPerson, layoutOf } from '../label-questions.ts';
import { retrainAtEnd, retrainBetween, retrainingOf, type TrainingChoice, warnUntrainable } from '../label-retraining.ts';
import { auditLines, countsText } from '../label-screen.ts';
import { inLabelSession, type LabelSession, labelAlone, sayLabels } from '../label-session.ts';

export function runLabel(given: CommandOptions<'label'>): Promise<number> {
  return inLabelSession(given, askingOf(given), asks(given));
}

/** Asks about a crawl as `label` does. The outcome is printed for people. */
export function labelPages(given: CommandOptions<'label'>): Promise<number> {
  return labelAlone(given, askingOf(given), asks(given), false);
}

function askingOf({ newHosts }: CommandOptions<'label'>): { readonly newHosts?: boolean } {
  return onlyGiven({ newHosts });
}

function asks(given: CommandOptions<'label'>): (session: LabelSession) => Promise<void> {
  const retraining = retrainingOf(given, true);
  return (session) => ask(session, given, retraining);
}

async function ask(session: LabelSession, given: CommandOptions<'label'>, retraining: TrainingChoice): Promise<void> {
  warnUntrainable(session, retraining);
  const { count = Number.POSITIVE_INFINITY, every = Number.POSITIVE_INFINITY, top } = given;
  await askPerson(session, {
    screen: layoutOf(session, top),
    count,
    every,
    between: () => retrainBetween(session, retraining),
    none: () => 'No page is left to ask about: all judged pages of the crawl are labelled or skipped.',
  });
  sayAnswered(session);
  sayLabels(session);
  await retrainAtEnd(session, retraining);
}

export function runAudit(given: CommandOptions<'label audit'>): Promise<number> {
  const { count = AUDITED, top } = given;
  return inLabelSession(given, { audit: count }, async (session) => {
    const { labelling, crawl } = session;
    await askPerson(session, {
      screen: layoutOf(session, top),
      count: Number.POSITIVE_INFINITY,
      every: Number.POSITIVE_INFINITY,
      between: async () => undefined,
      none: () => (labelling.questions.audited < count ? 'No kept page is left to draw.' : null),
    });
    sayAnswered(session);
    sayLabels(session, auditLines(crawl, labelling.answers.estimate()));
  });
}

function sayAnswered({ outcome, labelling, json, say }: LabelSession): void {
  if (!json) say(`${counted(outcome.answered, 'answer')}; the crawl has ${countsText(labelling.answers.counts)}`);
}
