/** A command of the user, in a shell of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { messageOf } from '../../base/core/errors.ts';

/** Most characters of the command's standard error in the message of a failure. */
const SAID_CHARS = 300;

export interface UserCommand {
  readonly child: ChildProcess;
  /** Resolves at its end: null if it ended well, with exit code 0; otherwise the way in which it ended, and its last line on standard error. */
  readonly ended: Promise<string | null>;
  /** Kills the shell with its children: the shell is one process, the program another. */
  kill(): void;
}

/** Starts a command. Its standard input takes lines, and an early end of it is no error. @param output is its standard output read? */
export function startUserCommand(command: string, output: 'read' | 'ignored'): UserCommand {
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', output === 'read' ? 'pipe' : 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
  });
  child.stdin?.on('error', () => undefined);
  return { child, ended: endOf(child), kill: () => kill(child) };
}

function endOf(child: ChildProcess): Promise<string | null> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-SAID_CHARS);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(messageOf(error)));
    child.on('close', (code, signal) => {
      const last = said.trim().split('\n').at(-1) ?? '';
      const how = signal === null ? `exit code ${code}` : `ended by ${signal}`;
      resolve(code === 0 ? null : `${how}${last === '' ? '' : `: ${last}`}`);
    });
  });
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended.
  }
}
