/** Test files run in a scratch copy, one at a time, each with a time cap. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvariantError } from '../../src/base/core/errors.ts';
import type { Ms } from '../../src/base/core/types.ts';

export interface Question {
  /** From the root. */
  readonly test: string;
  /** Files that are not as they stand in the repository. */
  readonly changed: readonly string[];
}

export interface Answer {
  /** The first test that failed; null when all passed. */
  readonly failure: string | null;
  readonly ms: Ms;
}

/** Two seconds on a machine that has nothing else to do. */
const START_CAP: Ms = 300_000;

export class TestRuns {
  readonly #scratch: string;
  readonly #tmp: string;
  #process: ChildProcess | null = null;
  #tests: readonly string[] = [];
  /** As they were changed for the last question; by now they may be as they were. */
  #stale: readonly string[] = [];

  constructor(scratch: string) {
    this.#scratch = scratch;
    this.#tmp = join(scratch, 'tmp', 't');
    process.once('exit', () => this.#kill());
  }

  /** Of the test files, from the root. */
  async tests(): Promise<readonly string[]> {
    await this.#started();
    return this.#tests;
  }

  /** @returns null when it took longer than the cap: all its processes are ended then */
  async run(question: Question, cap: Ms): Promise<Answer | null> {
    const child = await this.#started();
    let timer: NodeJS.Timeout | undefined;
    const done = new AbortController();
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, cap, null);
    });
    child.send({ ...question, changed: [...question.changed, ...this.#stale] });
    this.#stale = question.changed;
    const answer = await Promise.race([heard<Answer>(child, done.signal), late]);
    clearTimeout(timer);
    done.abort();
    if (answer === null) await this.close();
    return answer;
  }

  /** All that runs here is one process group. */
  async close(): Promise<void> {
    const child = this.#kill();
    if (child) await once(child, 'exit');
    unmountIn(this.#tmp);
    rmSync(this.#tmp, { recursive: true, force: true });
  }

  /** @returns what was running */
  #kill(): ChildProcess | null {
    const child = this.#process;
    this.#process = null;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    process.kill(-child.pid, 'SIGKILL');
    return child;
  }

  async #started(): Promise<ChildProcess> {
    if (this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null) return this.#process;
    mkdirSync(this.#tmp, { recursive: true });
    const module = fileURLToPath(new URL('vitest-process.ts', import.meta.url));
    this.#process = fork(module, {
      cwd: this.#scratch,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, TMPDIR: this.#tmp },
    });
    const tests = await heard<readonly string[]>(this.#process, AbortSignal.timeout(START_CAP));
    if (tests === null) throw new InvariantError(`${this.#scratch}: Vitest does not start there`);
    this.#tests = tests;
    return this.#process;
  }
}

/** Tests of a full disk mount one, which stays where they are killed. */
function unmountIn(folder: string): void {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  const paths = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`));
  for (const path of paths) spawnSync('umount', [path]);
}

/** The next message; null when the process ends instead, or `signal` says that nobody waits any more. */
async function heard<T>(child: ChildProcess, signal: AbortSignal): Promise<T | null> {
  const done = new AbortController();
  const either = { signal: AbortSignal.any([signal, done.signal]) };
  try {
    const [message] = await Promise.race([once(child, 'message', either), once(child, 'exit', either).then(() => [null])]);
    return message as T | null;
  } catch {
    return null;
  } finally {
    done.abort();
  }
}
