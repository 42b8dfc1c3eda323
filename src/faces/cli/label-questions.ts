/** Questions to the person at the terminal, or to those who write into the pipe. */

import { type Answers, answersFrom } from './answers.ts';
import { onInterrupt } from './interrupt.ts';
import { questionLines, type ScreenLayout } from './label-screen.ts';
import { type LabelSession, outputOf } from './label-session.ts';
import { clippedToWidth } from './terminal-text.ts';
import { endWorking } from './working.ts';

/** Reasons shown for and against. */
const SHOWN = 6;
/** Columns if the output is not a terminal, the fewest that hold a reason, and the most that are easy to read. */
const WIDTH = 80;
const MIN_WIDTH = 30;
const MAX_WIDTH = 100;

export interface Questions {
  readonly screen: ScreenLayout;
  readonly count: number;
  /** Number of answers between two calls of `between`. */
  readonly every: number;
  readonly between: () => Promise<void>;
  /** Says that no page is left; null if the session then simply ends. */
  readonly none: () => string | null;
}

/** @param top reasons for and against */
export function layoutOf({ json }: LabelSession, top = SHOWN): ScreenLayout {
  const output = outputOf(json);
  return {
    // A terminal that does not know its size reports 0.
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, output.columns || WIDTH)),
    // no-color.org: any value except the empty one.
    colours: output.isTTY === true && !process.env['NO_COLOR'],
    top,
  };
}

/** Asks until the count is reached, no page is left, or the person ends the session. */
export async function askPerson(session: LabelSession, questions: Questions): Promise<void> {
  const { outcome } = session;
  const { count, every, between } = questions;
  const interrupt = onInterrupt('Ending: the answers given are stored.');
  const answers = answersFrom(process.stdin, interrupt.signal, (what) =>
    process.stderr.write(`\n${clippedToWidth(JSON.stringify(what), MIN_WIDTH)} is not an answer: y yes, n no, s skip, u undo, q quit: `),
  );
  try {
    let pauseAt = every;
    while (outcome.answered < count && !(await askOne(session, questions, answers))) {
      if (outcome.answered < pauseAt || outcome.answered >= count) continue;
      pauseAt = outcome.answered + every;
      answers.suspend();
      await between();
    }
  } finally {
    answers.close();
    interrupt.close();
  }
}

/** Shows a page and stores the answer. @returns true if the session ends */
async function askOne({ labelling, say, json, outcome }: LabelSession, { screen, none }: Questions, answers: Answers): Promise<boolean> {
  const question = await labelling.questions.next();
  if (question === null) {
    const why = none();
    if (why !== null) say(why);
    return true;
  }
  endWorking();
  // In one piece; the prompt has no line feed.
  outputOf(json).write(questionLines(question, outcome.answered + 1, labelling.answers.counts, screen).join('\n'));
  const reply = await answers.next();
  say(`${reply}\n`);
  outcome.interrupted = reply === 'interrupt';
  if (reply === 'quit' || reply === 'interrupt') return true;
  if (reply === 'undo') {
    if (await labelling.answers.undo()) outcome.answered -= 1;
    else say('There is no answer to take back.');
    return false;
  }
  await labelling.questions.answer(reply);
  outcome.answered += 1;
  return false;
}
