/** Asks a program of the user about pages: JSON lines in, JSON lines out. */
import * as z from 'zod';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { runLineCommand } from '../../crawling/input/line-command.ts';
import { answerOf } from '../../study/label/label-import.ts';
import type { Answer } from '../../study/label/label-queue.ts';

/** A line that the program reads. */
export interface PageToAnswer {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  /** The start of the main text. */
  readonly text: string;
}

/** Answers by the ids of pages, and the reason why some are missing; null if the program ended well. */
export interface CommandAnswers {
  readonly answers: ReadonlyMap<number, Answer>;
  readonly failure: string | null;
  /** Lines that were no answer to one of the pages. */
  readonly ignored: number;
}

/** A person needs minutes for fifteen pages, and so does a large language model on one core. */
const LONGEST: Ms = 30 * 60_000;
/** An answer is about 20 bytes: a thousand answers, each with an explanation. */
const MOST_OUTPUT: Bytes = 2 ** 20;

const lineSchema = z.object({ id: z.number(), label: z.union([z.string(), z.number(), z.boolean()]) });

/**
 * Runs a command of the shell, writes one JSON line a page to its standard input, and reads its answers until its output ends. The program and its
 * children are killed after half an hour, after a megabyte of output, or when the signal aborts. Answers read by then count. Never rejects.
 */
export async function answersBy(
  command: string,
  pages: readonly PageToAnswer[],
  signal: AbortSignal,
  longest: Ms = LONGEST,
): Promise<CommandAnswers> {
  const ids = new Set(pages.map(({ id }) => id));
  const answers = new Map<number, Answer>();
  let ignored = 0;
  const lines = pages.map((page) => JSON.stringify(page));
  const fault = await runLineCommand(command, lines, { time: longest, output: MOST_OUTPUT }, signal, (line) => {
    const given = answerIn(line);
    if (given !== null && ids.has(given.id)) answers.set(given.id, given.answer);
    else ignored += 1;
  });
  return { answers, ignored, failure: fault?.detail ?? null };
}

function answerIn(line: string): { readonly id: number; readonly answer: Answer } | null {
  try {
    const { id, label } = lineSchema.parse(JSON.parse(line));
    const answer = answerOf(String(label));
    return answer === undefined ? null : { id, answer };
  } catch {
    return null;
  }
}
