/** Runs a method over pages in a process of its own, which is ended and begun anew when a page takes it too long. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ms } from '../../src/base/core/types.ts';
import type { Method } from './extract-methods.ts';
import type { Answer } from './extract-worker.ts';

/** CPU time spent on pages before the clock runs: the compiler of a hot loop has then done its work. */
const WARM_UP: Ms = 3_000;

export type Outcome = 'text' | 'empty' | 'threw' | 'timed out' | 'died';

/** What a method made of one page. */
export interface PageRun {
  readonly outcome: Outcome;
  /** What was thrown, else ''. */
  readonly reason: string;
  readonly text: string;
  readonly cpu: Ms;
  readonly wall: Ms;
}

export interface RunOptions {
  readonly folder: string;
  /** Numbers of pages in the folder's order. */
  readonly indices: readonly number[];
  /** A page that takes longer counts as an empty text, and as this long. */
  readonly cap: Ms;
}

/** One `PageRun` for each of `indices`. */
export async function runMethod(method: Method, { folder, indices, cap }: RunOptions): Promise<PageRun[]> {
  const worker = new Worker(folder, method.name);
  try {
    await warmUp(worker, indices, cap);
    const runs: PageRun[] = [];
    for (const index of indices) runs.push(await worker.run(index, cap));
    return runs;
  } finally {
    worker.close();
  }
}

async function warmUp(worker: Worker, indices: readonly number[], cap: Ms): Promise<void> {
  let spent = 0;
  for (let i = 0; spent < WARM_UP && indices.length > 0; i++) {
    const { cpu, outcome } = await worker.run(indices[i % indices.length] ?? 0, cap);
    if (outcome === 'timed out' || outcome === 'died') return;
    // A page costs something, so this ends.
    spent += Math.max(cpu, 0.1);
  }
}

class Worker {
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;

  constructor(folder: string, method: string) {
    this.#args = [folder, method];
  }

  async run(index: number, cap: Ms): Promise<PageRun> {
    const child = await this.#started();
    child.send(index);
    const got = await nextMessage(child, cap);
    if (typeof got !== 'string') return runOf(got);
    this.close();
    return { outcome: got, reason: '', text: '', cpu: cap, wall: cap };
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #started(): Promise<ChildProcess> {
    if (this.#child !== null) return this.#child;
    const file = fileURLToPath(new URL('extract-worker.ts', import.meta.url));
    const child = fork(file, [...this.#args], { execArgv: ['--import', 'tsx'] });
    this.#child = child;
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (message !== 'ready') throw new Error(`the process for ${this.#args[1]} did not start`);
    return child;
  }
}

function runOf({ text, threw, cpu, wall }: Answer): PageRun {
  const outcome = threw !== null ? 'threw' : /[\p{L}\p{N}]/u.test(text) ? 'text' : 'empty';
  return { outcome, reason: threw ?? '', text, cpu, wall };
}

function nextMessage(child: ChildProcess, cap: Ms): Promise<Answer | 'timed out' | 'died'> {
  return new Promise((resolve) => {
    const settle = (got: Answer | 'timed out' | 'died') => {
      clearTimeout(timer);
      child.off('message', settle).off('exit', died);
      resolve(got);
    };
    const died = () => settle('died');
    const timer = setTimeout(() => settle('timed out'), cap);
    child.on('message', settle).on('exit', died);
  });
}
