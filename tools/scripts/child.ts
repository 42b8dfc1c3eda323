import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Run a command on our own input and output, and wait for it. Signals are forwarded to it, but for Ctrl-C at a terminal, which it is told by the
 * terminal itself.
 * @returns its exit code; of one ended by a signal 128 and the signal's number, as shells have it
 */
export function exitCodeOf(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, forward);
  });
}
