/**
 * Work in processes of their own, each of a kind once at a time. The page shows how far it is, and keeps the last result of each kind until it closes.
 * Neither a running crawl nor the process that reads for the screens waits for it.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { UsageError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { locksAreTakenOver } from '../../base/disk/take-over.ts';
import { programName } from '../../base/text/forager-command.ts';
import type { Environment } from '../../base/text/written-file.ts';
import type { JobProgress, Worked, WorkGiven, WorkName } from './background-work.ts';
import { STRINGS } from './strings.ts';

export interface Order {
  readonly dir: string;
  readonly name: WorkName;
  readonly given: unknown;
  readonly environment: Environment;
  /** Name of Forager in messages: the command that the user calls. */
  readonly program: string;
  /** Does the page take over locks whose owner cannot be checked? */
  readonly takesOver: boolean;
}

export type JobMessage =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** A job of a kind, the running one or else the last. */
export type Job<N extends WorkName> = { readonly given: WorkGiven<N>; readonly at: EpochMs } & (
  | { readonly state: 'running'; readonly progress: JobProgress | null }
  | { readonly state: 'done'; readonly value: Worked<N> }
  | { readonly state: 'failed'; readonly message: string }
  /** The user stopped it. */
  | { readonly state: 'stopped' }
);

type Jobs = { [N in WorkName]?: Job<N> };

export class BackgroundJobs {
  readonly #dir: string;
  readonly #changed: () => void;
  readonly #of: { readonly cwd?: string; readonly environment: Environment };
  readonly #jobs: Jobs = {};
  readonly #children = new Map<WorkName, ChildProcess>();
  /** Processes that remove their half-written output. */
  readonly #stopping = new Set<ChildProcess>();

  /** @param changed called when there is something new to show. @param of the processes: their working directory, ours if absent, and the variables of files of options */
  constructor(dir: string, changed: () => void, of: { readonly cwd?: string; readonly environment: Environment }) {
    this.#dir = dir;
    this.#changed = changed;
    this.#of = of;
  }

  /** null without an earlier job. */
  last<N extends WorkName>(name: N): Job<N> | null {
    return this.#jobs[name] ?? null;
  }

  /** @throws UsageError if one of that kind is running */
  start<N extends WorkName>(name: N, given: WorkGiven<N>): void {
    const before = this.#children.get(name);
    if (this.#jobs[name]?.state === 'running' || (before !== undefined && this.#stopping.has(before)))
      throw new UsageError(STRINGS.jobs.busy);
    this.#set(name, { given, at: Date.now(), state: 'running', progress: null });
    // Ctrl-C reaches a whole group of processes: the child ends with its channel instead.
    const child = fork(packageFile('dist/bin/work-process.js'), [], {
      serialization: 'advanced',
      execArgv: [],
      detached: true,
      cwd: this.#of.cwd,
    });
    this.#children.set(name, child);
    child.on('message', (message) => {
      if (!this.#stopping.has(child)) this.#hear(name, given, message as JobMessage);
    });
    child.on('error', ({ message }) => {
      // One that could not be started has no exit.
      if (child.pid === undefined) this.#children.delete(name);
      this.#hear(name, given, { kind: 'failed', message });
    });
    child.on('exit', () => {
      this.#stopping.delete(child);
      // A process that has told its end may outlive the start of the next one.
      if (this.#children.get(name) !== child) return;
      this.#children.delete(name);
      if (this.#jobs[name]?.state === 'running') this.#hear(name, given, { kind: 'failed', message: STRINGS.jobs.ended });
    });
    const order: Order = {
      dir: this.#dir,
      name,
      given,
      environment: this.#of.environment,
      program: programName(),
      takesOver: locksAreTakenOver(),
    };
    child.send(order, () => undefined);
  }

  /** Ends a running one, which removes its half-written output. */
  stop(name: WorkName): void {
    const child = this.#children.get(name);
    if (child === undefined || !child.connected) return;
    this.#stopping.add(child);
    const job = this.#jobs[name];
    if (job?.state === 'running') this.#set(name, { given: job.given, at: Date.now(), state: 'stopped' });
    child.disconnect();
  }

  /** Ends all, and waits for them. Never rejects. */
  async close(): Promise<void> {
    const ends = [...this.#children].map(([name, child]) => {
      const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      this.stop(name);
      return end;
    });
    await Promise.all(ends);
  }

  #hear<N extends WorkName>(name: N, given: WorkGiven<N>, message: JobMessage): void {
    const common = { given, at: Date.now() };
    if (message.kind === 'progress') this.#set(name, { ...common, state: 'running', progress: message.progress });
    else if (message.kind === 'failed') this.#set(name, { ...common, state: 'failed', message: message.message });
    else this.#set(name, { ...common, state: 'done', value: message.value as Worked<N> });
  }

  #set<N extends WorkName>(name: N, job: Job<N>): void {
    const jobs: { [K in N]?: Job<K> } = this.#jobs;
    jobs[name] = job;
    this.#changed();
  }
}
