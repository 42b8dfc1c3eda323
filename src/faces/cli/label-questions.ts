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
export function layoutOf({ json }: Pick<LabelSession, 'json'>, top = SHOWN): ScreenLayout {
  const output = outputOf(json);
  return {
    // A terminal that does not know its size reports 0.
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, output.columns || WIDTH)),
    // no-color.org: any value except the empty one.
    colours: output.isTTY === true && !process.env['NO_COLOR'],
    top,
  };
}

/** Pages that a person is asked about. */
export interface AskedPages {
  /** Lines of the next page, the prompt last; null if the session ends. @param number of the question, from 1 */
  readonly next: (number: number) => Promise<readonly string[] | null>;
  readonly answer: (reply: 'y' | 'n' | 'skip') => Promise<void>;
  /** @returns false if there is no answer to take back */
  readonly undo: () => Promise<boolean>;
  readonly say: (line: string) => void;
  readonly json: boolean;
}

/** Number of answers that count, and whether Ctrl-C ended the session. */
export interface Answered {
  answered: number;
  interrupted: boolean;
}

/** Asks until the count is reached, no page is left, or the person ends the session. */
export async function askPerson(session: LabelSession, { screen, none, ...pace }: Questions): Promise<void> {
  const { labelling, say, json, outcome } = session;
  const next = async (number: number) => {
    const question = await labelling.questions.next();
    if (question !== null) return questionLines(question, number, labelling.answers.counts, screen);
    const why = none();
    if (why !== null) say(why);
    return null;
  };
  const answer = (reply: 'y' | 'n' | 'skip') => labelling.questions.answer(reply);
  await askEach({ next, answer, undo: () => labelling.answers.undo(), say, json }, outcome, pace);
}

/** @param outcome is kept up to date */
export async function askEach(asked: AskedPages, outcome: Answered, pace: Pick<Questions, 'count' | 'every' | 'between'>): Promise<void> {
  const { count, every, between } = pace;
  const interrupt = onInterrupt('Ending: the answers given are stored.');
  const answers = answersFrom(process.stdin, interrupt.signal, (what) =>
    process.stderr.write(`\n${clippedToWidth(JSON.stringify(what), MIN_WIDTH)} is not an answer: y yes, n no, s skip, u undo, q quit: `),
  );
  try {
    let pauseAt = every;
    while (outcome.answered < count && !(await askOne(asked, outcome, answers))) {
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
async function askOne({ next, answer, undo, say, json }: AskedPages, outcome: Answered, answers: Answers): Promise<boolean> {
  const lines = await next(outcome.answered + 1);
  if (lines === null) return true;
  endWorking();
  // In one piece; the prompt has no line feed.
  outputOf(json).write(lines.join('\n'));
  const reply = await answers.next();
  say(`${reply}\n`);
  outcome.interrupted = reply === 'interrupt';
  if (reply === 'quit' || reply === 'interrupt') return true;
  if (reply === 'undo') {
    if (await undo()) outcome.answered -= 1;
    else say('There is no answer to take back.');
    return false;
  }
  await answer(reply);
  outcome.answered += 1;
  return false;
}
