/** A run in a process of its own: the page of a crawl at rest starts it, and ends it when the page ends. */
import { messageOf } from '../../base/core/errors.ts';
import type { ActionName } from '../../base/core/parts/crawl-events.ts';
import { RpcChild } from './rpc-child.ts';
import { isUnderWay, NO_RUN, type Run, type RunNow } from './run.ts';
import type { RunGiven } from './run-service.ts';

export class ChildProcessRun implements Run {
  readonly #process: RpcChild<'run'>;
  #last = NO_RUN;
  #shown = NO_RUN;

  /** @param port see `RpcChild` @param cwd folder that the paths in a file of options are relative to; absent: our working directory */
  constructor(dir: string, port = 0, cwd?: string) {
    this.#process = new RpcChild(dir, 'run', port, cwd);
  }

  /** @throws UsageError, DataError for a file of options that cannot be used */
  async start(given: RunGiven): Promise<void> {
    await this.#process.ask('start', given);
    this.#last = { ...NO_RUN, state: 'opening' };
  }

  /** Has it a process? Not after its end. */
  get hasProcess(): boolean {
    return this.#process.isRunning;
  }

  /** True if the run was under way in its last known state. */
  get isUnderWay(): boolean {
    return isUnderWay(this.#last);
  }

  /** Never rejects: a process that died is a run that ended. */
  async now(): Promise<RunNow> {
    if (!isUnderWay(this.#last)) return this.#last;
    try {
      this.#last = await this.#process.ask('now', null);
      // The next run starts another one.
      if (this.#last.state === 'ended') void this.#process.close();
    } catch (error) {
      this.#last = { ...this.#last, state: 'ended', warnings: [messageOf(error)] };
    }
    return this.#last;
  }

  /** Change since the last call: of the state, or else of the number of visited URLs; null for none. Never rejects. */
  async news(): Promise<'state' | 'visits' | null> {
    const before = this.#shown;
    this.#shown = await this.now();
    if (this.#shown.state !== before.state) return 'state';
    return this.#shown.visited === before.visited ? null : 'visits';
  }

  pause(): Promise<void> {
    return this.#process.ask('pause', null);
  }

  resume(): Promise<void> {
    return this.#process.ask('resume', null);
  }

  stop(): Promise<void> {
    return this.#process.ask('stop', null);
  }

  unpark(pattern: string): Promise<readonly string[]> {
    return this.#process.ask('unpark', { pattern });
  }

  addSeeds(urls: readonly string[]): Promise<void> {
    return this.#process.ask('addSeeds', { urls });
  }

  async acted(action: ActionName, subjects: readonly string[] = []): Promise<void> {
    if (isUnderWay(this.#last)) await this.#process.ask('acted', { action, subjects });
  }

  /** Ends a run as Ctrl-C does, and waits for its end. Never rejects. */
  close(): Promise<void> {
    return this.#process.close();
  }
}
