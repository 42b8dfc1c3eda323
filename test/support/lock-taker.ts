import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

type Child = ChildProcessByStdio<Writable, Readable, null>;

const SCRIPT = fileURLToPath(new URL('./lock-taker.mjs', import.meta.url));
/** A PID namespace of its own with its own /proc, as a container has; all in it ends with the one that made it. */
export const CONTAINED: readonly string[] = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** null where processes may have PID namespaces of their own; else why not. */
export function whyNotContained(): string | null {
  const [command = '', ...args] = CONTAINED;
  const { status, stderr, error } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** The process in a container, by its id out here. @param pid of the `unshare` that made it */
export function insideOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** Another process that takes locks, see lock-taker.mjs. */
export class LockTaker {
  readonly #child: Child;
  readonly #lines: AsyncIterator<string>;
  /** As it knows itself. */
  readonly pid: number;

  private constructor(child: Child, lines: AsyncIterator<string>, pid: number) {
    this.#child = child;
    this.#lines = lines;
    this.pid = pid;
  }

  /** @param within a command that it is started by */
  static async start(within: readonly string[] = []): Promise<LockTaker> {
    const [command = '', ...args] = [...within, process.execPath, SCRIPT];
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new LockTaker(child, lines, Number((await lines.next()).value));
  }

  async tell(order: object): Promise<string> {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    return String((await this.#lines.next()).value);
  }

  take(path: string, options: { readonly os?: boolean; readonly takeOver?: boolean; readonly at?: number } = {}): Promise<string> {
    return this.tell({ do: 'take', path, ...options });
  }

  /** The process that was started: in a container `unshare`, whose child it is. */
  get outerPid(): number {
    return this.#child.pid ?? 0;
  }

  /** Without a chance to let go. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}
