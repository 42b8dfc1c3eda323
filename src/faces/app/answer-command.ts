/** Asks a program of the user about pages: JSON lines in, JSON lines out. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { startUserCommand } from '../../crawling/input/user-command.ts';
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
  const { child, ended, kill } = startUserCommand(command, 'read');
  let failure: string | null = null;
  const stop = (why: string) => {
    failure ??= why;
    kill();
  };
  const onAbort = () => stop('the crawl ended');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop(`it took longer than ${longest / 1000} s`), longest);
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT) stop(`it wrote more than ${MOST_OUTPUT} bytes`);
  });
  child.stdin?.end(pages.map((page) => `${JSON.stringify(page)}\n`).join(''));
  try {
    const { answers, ignored } = await answersIn(child, new Set(pages.map(({ id }) => id)));
    const how = await ended;
    return { answers, ignored, failure: failure ?? how };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function answersIn(
  child: ChildProcess,
  ids: ReadonlySet<number>,
): Promise<{ readonly answers: Map<number, Answer>; readonly ignored: number }> {
  const answers = new Map<number, Answer>();
  let ignored = 0;
  if (child.stdout === null) return { answers, ignored };
  for await (const line of createInterface({ input: child.stdout, terminal: false })) {
    const given = line.trim() === '' ? null : answerIn(line);
    if (given !== null && ids.has(given.id)) answers.set(given.id, given.answer);
    else if (line.trim() !== '') ignored += 1;
  }
  return { answers, ignored };
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
