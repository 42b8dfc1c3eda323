/** The two forms of a judge: the function `judge` of a module, in a thread of its own, and a command of the shell. */
import { UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type CommandFault, runLineCommand } from '../input/line-command.ts';
import { type HookCause, type HookLimits, HookThread, type ModuleUse } from './hook-thread.ts';
import { type JudgeCall, Judgements } from './judgements.ts';

export interface OwnJudge {
  readonly call: JudgeCall;
  close(): Promise<void>;
}

/** A model on one core judges eight pages in that time. Loading it takes as long. */
export const JUDGE_LIMITS: HookLimits = { time: 60_000, start: 60_000, heap: 256 * 2 ** 20 };
/** Eight judgements, each with a reason, are far below. */
const MOST_OUTPUT: Bytes = 2 ** 20;
const NAME = 'judge';
const JUDGE: ModuleUse = { noun: 'a judge', option: 'judge-by' };

/** @throws UsageError for a module that cannot be loaded, or that exports no function `judge` */
export async function openModuleJudge(file: string, limits: HookLimits): Promise<OwnJudge> {
  const thread = new HookThread(file, JUDGE, limits);
  const names = await thread.open();
  if (!names.includes(NAME)) {
    await thread.close();
    throw new UsageError(`${file}: exports no judge; export a function named ${NAME}, which gets a list of pages`);
  }
  const call: JudgeCall = async (pages) => {
    const judgements = new Judgements(pages);
    const answer = await thread.call(NAME, pages);
    if (!('value' in answer)) return { judgements, fault: answer };
    if (Array.isArray(answer.value)) for (const value of answer.value as unknown[]) judgements.take(value);
    else judgements.refuse('not a list of judgements');
    return { judgements, fault: null };
  };
  return { call, close: () => thread.close() };
}

/** Runs the command once for each call. */
export function commandJudge(command: string, { time }: Pick<HookLimits, 'time'>): OwnJudge {
  const end = new AbortController();
  const call: JudgeCall = async (pages) => {
    const judgements = new Judgements(pages);
    const lines = pages.map((page) => JSON.stringify(page));
    const fault = await runLineCommand(command, lines, { time, output: MOST_OUTPUT }, end.signal, (line) => takeLine(line, judgements));
    return { judgements, fault: fault && { cause: CAUSES[fault.cause], detail: fault.detail } };
  };
  return { call, close: async () => end.abort() };
}

const CAUSES: Readonly<Record<CommandFault['cause'], HookCause>> = { late: 'hung', wordy: 'rubbish', stopped: 'exited', failed: 'failed' };

function takeLine(line: string, judgements: Judgements): void {
  try {
    judgements.take(JSON.parse(line));
  } catch {
    judgements.refuse('a line is not JSON');
  }
}
