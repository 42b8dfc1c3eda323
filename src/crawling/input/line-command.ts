/** Runs a program of the user: lines in, lines out. */
import { createInterface } from 'node:readline';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { startUserCommand, type UserCommand } from './user-command.ts';

export interface CommandLimits {
  readonly time: Ms;
  /** Most bytes of its standard output. */
  readonly output: Bytes;
}

/** End of a program: `late` and `wordy` by a limit, `stopped` by the signal, `failed` by itself. */
export interface CommandFault {
  readonly cause: 'late' | 'wordy' | 'stopped' | 'failed';
  readonly detail: string;
}

/**
 * Runs a command of the shell, writes lines to its standard input, and reads its lines until its output ends. The program and its children are killed
 * at a limit, or when the signal aborts. Lines read by then count. Never rejects.
 * @param onLine gets each line of its output that is not blank. @returns null if it ended well
 */
export async function runLineCommand(
  command: string,
  lines: readonly string[],
  { time, output }: CommandLimits,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<CommandFault | null> {
  const { child, ended, kill } = startUserCommand(command, 'read');
  let fault: CommandFault | null = null;
  const stop = (cause: CommandFault['cause'], detail: string) => {
    fault ??= { cause, detail };
    kill();
  };
  const onAbort = () => stop('stopped', 'the crawl ended');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop('late', `it took longer than ${time / 1000} s`), time);
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > output) stop('wordy', `it wrote more than ${output} bytes`);
  });
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  try {
    for await (const line of linesOf(child)) if (line.trim() !== '') onLine(line);
    const how = await ended;
    return fault ?? (how === null ? null : { cause: 'failed', detail: how });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function linesOf({ stdout }: UserCommand['child']): AsyncIterable<string> | readonly string[] {
  return stdout === null ? [] : createInterface({ input: stdout, terminal: false });
}
