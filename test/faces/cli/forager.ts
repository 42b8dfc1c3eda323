/** The built command line: as a child process, as its users meet it, and as one command in the test's own process. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { expect, vi } from 'vitest';
import { CrawlerError, EXIT } from '../../../dist/base/core/errors.js';
import { printable } from '../../../dist/base/text/printable.js';
import { runCommand } from '../../../dist/faces/cli/cli.js';
import '../../support/no-signal-thread.ts';

export const MAIN = fileURLToPath(new URL('../../../dist/bin/main.js', import.meta.url));

export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once standard error has said this. */
  says(text: string): Promise<void>;
  /** Standard error so far. */
  said(): string;
}

/** @param input for standard input; null leaves that open, for the caller to write to and end. */
export function start(args: readonly string[], input: string | null = ''): Running {
  return startScript(MAIN, args, input);
}

/** A script of a test's own. @param node the program that runs it */
export function startScript(script: string, args: readonly string[], input: string | null = '', node = process.execPath): Running {
  return running(spawn(node, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }), input);
}

/** The same where no file may grow beyond `kilobytes`: writes then fail as on a full disk, in the middle of what they write. */
export function startWithLimit(kilobytes: number, args: readonly string[]): Running {
  const script = `ulimit -f ${kilobytes} && exec "$@"`;
  return running(spawn('bash', ['-c', script, 'bash', process.execPath, MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }), '');
}

function running(child: ChildProcessWithoutNullStreams, input: string | null): Running {
  let stdout = '';
  let stderr = '';
  const listeners: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stdin.on('error', () => undefined); // it may have ended without reading
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (stderr.includes(text)) resolve();
      };
      listeners.push(look);
      look();
      void ended.then(() => reject(new Error(`ended without saying "${text}": ${stderr}`)));
    });
  return { child, ended, says, said: () => stderr };
}

/** One command, as `main` runs it, without a process of its own: starting one takes most of a second. Its standard input is at its end. */
export function forager(...args: string[]): Promise<Ended> {
  return foragerWith('', ...args);
}

/** What a command run here reads, and what it has written so far. */
const io = new AsyncLocalStorage<{ readonly stdin: Readable; stdout: string; stderr: string }>();

const { stdin } = process;
Object.defineProperty(process, 'stdin', { get: () => io.getStore()?.stdin ?? stdin });

for (const name of ['stdout', 'stderr'] as const) {
  const write = process[name].write.bind(process[name]);
  process[name].write = ((chunk: Uint8Array | string, ...rest: []) => {
    const texts = io.getStore();
    if (!texts) return write(chunk, ...rest);
    texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  }) as typeof write;
}

/** Vitest's console does not write to standard output; that of a process does, and yargs prints help by it. */
const { log } = console;
console.log = (...values: unknown[]) => {
  const texts = io.getStore();
  if (texts) texts.stdout += `${format(...values)}\n`;
  else log(...values);
};

/** The same with this on its standard input. */
export async function foragerWith(input: string | Uint8Array, ...args: readonly string[]): Promise<Ended> {
  const texts = { stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)], { objectMode: false }), stdout: '', stderr: '' };
  const code = await io.run(texts, () =>
    runCommand(args).catch((error: unknown) => {
      if (!(error instanceof CrawlerError) || error.exitCode === EXIT.bug) throw error;
      process.stderr.write(`forager: ${printable(error.message)}\n`);
      return error.exitCode;
    }),
  );
  return { code, stdout: texts.stdout, stderr: texts.stderr };
}

/** It must succeed. @returns its standard output. */
export async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await forager(...args);
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

/** It must end with `code`, nothing on standard output, and one line on standard error that has all of `parts`. */
export async function refusedByProcess(code: number, parts: readonly string[], ...args: string[]): Promise<void> {
  const ended = await forager(...args);
  expect({ args, code: ended.code, stderr: ended.code === code ? '' : ended.stderr }).toEqual({ args, code, stderr: '' });
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toMatch(/^forager: [^\n]+\n$/);
  for (const part of parts) expect(ended.stderr).toContain(part);
}

/** The same without a process of its own, at a tenth of the time: the error `main` makes one line and the exit code of. */
export async function refused(code: number, parts: readonly string[], ...args: string[]): Promise<void> {
  const written = vi.spyOn(process.stdout, 'write');
  const error: unknown = await runCommand(args).then(
    (exitCode) => ({ exitCode, message: 'ended without an error' }),
    (thrown: unknown) => thrown,
  );
  const { exitCode, message } = error as { readonly exitCode?: number; readonly message: string };
  expect({ args, code: exitCode, message: exitCode === code ? '' : message }).toEqual({ args, code, message: '' });
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
  expect(message).toMatch(/^[^\n]+$/);
  for (const part of parts) expect(message).toContain(part);
}

/** Standard output as JSON lines; throws where it is anything else. */
export function jsonLines<T>(stdout: string): T[] {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
