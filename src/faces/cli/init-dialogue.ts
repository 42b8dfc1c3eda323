/** The dialogue of `forager init`: questions in their order, and back. */

import { createInterface } from 'node:readline';
import { CrawlerError, InvariantError } from '../../base/core/errors.ts';
import { printable } from '../../base/text/printable.ts';
import { type CheckOptions, type InitOptions, type InitReport, writeProject } from '../app/init-project.ts';
import { type Draft, QUESTIONS } from './init-questions.ts';

/** The answer that returns to the former question. */
const BACK = '<';

/** The person at the terminal. */
export interface TerminalPerson {
  /** @throws the reason of the signal, at Ctrl-C and at the end of the input */
  ask(question: string): Promise<string>;
  tell(line: string): void;
}

/** Asks for the answers that the options do not give, checks each, and writes the file. */
export async function dialogue(person: TerminalPerson, given: Partial<InitOptions>, options: CheckOptions): Promise<InitReport> {
  person.tell(`Enter ${BACK} to return to the former question.`);
  const { answers, examples, seeds } = await draftOf(person, given, options);
  const { subject, contact, proxy, ...rest } = answers;
  if (subject === undefined || contact === undefined || rest.seeds === undefined)
    throw new InvariantError('init: a question was not asked');
  const known = { ...rest, subject, contact, seeds: rest.seeds, ...(proxy !== undefined && proxy !== 'none' && { proxy }) };
  return { ...(await writeProject(known)), examples, seeds };
}

async function draftOf(person: TerminalPerson, given: Partial<InitOptions>, options: CheckOptions): Promise<Draft> {
  /** Questions that were asked, with the draft before each. */
  const asked: { readonly at: number; readonly draft: Draft }[] = [];
  let now: { at: number; draft: Draft } = { at: 0, draft: { answers: given, byKeywords: false, own: null, examples: null, seeds: [] } };
  for (let question = QUESTIONS[now.at]; question !== undefined; question = QUESTIONS[now.at]) {
    const { at, draft } = now;
    const text = question.text(draft);
    const answer = text === null ? null : await person.ask(text);
    if (answer?.trim() === BACK) {
      now = asked.pop() ?? now;
      continue;
    }
    try {
      const read = answer === null ? draft : question.read(answer, draft);
      const { contact, proxy } = read.answers;
      const network = { ...options, ...(contact !== undefined && { contact }), ...(proxy !== undefined && { proxy }) };
      const checked = (await question.check?.(read, network, person.tell)) ?? read;
      if (answer !== null) asked.push(now);
      now = { at: at + 1, draft: checked };
    } catch (error) {
      // An option that cannot be used ends the command; an answer is asked for again.
      if (answer === null || !(error instanceof CrawlerError)) throw error;
      person.tell(error.message);
    }
  }
  return now.draft;
}

/** A person at a terminal. Lines typed before their question are kept. Ctrl-C and the end of the input call `end`. */
export function personAt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, signal: AbortSignal, end: () => void) {
  const reader = createInterface({ input, output, terminal: true });
  const typed: string[] = [];
  let waiting: ((line: string) => void) | null = null;
  reader.on('line', (line) => {
    if (waiting) waiting(line);
    else typed.push(line);
  });
  reader.on('SIGINT', end);
  reader.on('close', end);
  const person: TerminalPerson = {
    tell: (line) => void output.write(`${printable(line)}\n`),
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        reader.setPrompt(question);
        reader.prompt();
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        waiting = (line) => {
          waiting = null;
          signal.removeEventListener('abort', stop);
          resolve(line);
        };
        const early = typed.shift();
        if (early !== undefined) waiting(early);
      }),
  };
  const close = () => {
    reader.off('close', end);
    reader.close();
  };
  return { person, close };
}
