import { counted } from '../../../base/text/number-text.ts';
import type { CoderDisagreement } from '../../../study/label/coder-answers.ts';
import type { LabellingSession } from '../../../study/label/labelling-session.ts';
import type { AskedPage } from '../../../study/label/page-questions.ts';
import { answersText } from '../coding-text.ts';
import type { CommandOptions } from '../define.ts';
import { askEach, layoutOf } from '../label-questions.ts';
import { pageLines } from '../label-screen.ts';
import { inLabelSession, type LabelSession, sayLabels } from '../label-session.ts';

export function runDecide({ count = Number.POSITIVE_INFINITY, top, ...given }: CommandOptions<'label decide'>): Promise<number> {
  return inLabelSession(given, {}, async (session) => {
    const { outcome, json, say } = session;
    const asked = { ...deciding(session, top), say, json };
    await askEach(asked, outcome, { count, every: Number.POSITIVE_INFINITY, between: async () => undefined });
    if (!json) say(counted(outcome.answered, 'decision'));
    sayLabels(session);
  });
}

/** The open disagreements one by one; each answer is a decision. */
function deciding(session: LabelSession, top: number | undefined) {
  const { labelling, say } = session;
  const { answers } = labelling;
  let shown: Open | null = null;
  return {
    next: async (number: number) => {
      shown = await nextOpen(labelling);
      if (shown === null) say('No page is left to decide about: nobody has answered one differently, or all have a decision.');
      return shown && pageLines(shown.page, `page ${number}`, [answersText(shown)], layoutOf(session, top));
    },
    answer: async (reply: 'y' | 'n' | 'skip') => {
      if (shown !== null) await answers.decide(shown.url, reply);
    },
    undo: () => answers.undo(),
  };
}

type Open = CoderDisagreement & { readonly page: AskedPage };

/** The first disagreement without a decision whose page the crawl still has; null without one. */
async function nextOpen({ questions, answers }: LabellingSession): Promise<Open | null> {
  for (const one of answers.coding.disagreements.filter(({ isOpen }) => isOpen)) {
    const page = await questions.about(one.url);
    if (page !== null) return { ...one, page };
  }
  return null;
}
