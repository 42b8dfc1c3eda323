import { Worker } from 'node:worker_threads';
import { UsageError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import type { OwnStrategySettings } from './strategy-functions.ts';

export interface HookWorkerData {
  /** Full path of the module. */
  readonly file: string;
  /** Settings of a strategy, which the module exports. Absent for a module of functions. */
  readonly strategy?: OwnStrategySettings;
}

/** The first message of the thread: names of the functions that the module exports, or why it could not be loaded. */
export type HookStart = { readonly exports: readonly string[] } | { readonly broken: string };

export interface HookCall {
  readonly id: number;
  readonly hook: string;
  readonly argument: unknown;
}

/**
 * `threw`: an error of the hook. `hung`: no answer in time. `exited`: its thread ended, for want of memory too. `failed`: a program ended with an
 * error. `rubbish`: a result that it may not return.
 */
export type HookCause = 'threw' | 'hung' | 'exited' | 'failed' | 'rubbish';

export interface HookFault {
  readonly cause: HookCause;
  readonly detail: string;
}

export type HookAnswer = { readonly id: number } & ({ readonly value: unknown } | HookFault);

export interface HookLimits {
  /** Time for a call. */
  readonly time: Ms;
  /** Time for loading the module. */
  readonly start: Ms;
  readonly heap: Bytes;
}

export const HOOK_LIMITS: HookLimits = { time: 5000, start: 10_000, heap: 256 * 2 ** 20 };
/** The words for the functions of a module, and the option that names it. */
export interface ModuleUse {
  readonly noun: string;
  readonly option: string;
  /** A value that needs no module. Default: `none`. */
  readonly otherwise?: string;
}

/** The words for a thread that ends without an error. */
const ENDED = 'its thread ended';
/** Lateness of a timer above which the process was stopped: SIGSTOP, a debugger, swapping. */
const STOPPED: Ms = 1000;

/** A thread with the user's module. A call that hangs, or that ends the thread, costs the thread, never the crawl: the next call starts another one. */
export class HookThread {
  readonly #file: string;
  readonly #use: ModuleUse;
  readonly #limits: HookLimits;
  readonly #strategy: OwnStrategySettings | null;
  /** null: the next call starts one. */
  #worker: Worker | null = null;
  /** Error that ends the thread: it may come before a call waits for its answer. */
  #died = ENDED;
  #last: Promise<unknown> = Promise.resolve();
  #calls = 0;

  /** @param strategy settings of the strategy that the module exports; null for a module of functions */
  constructor(file: string, use: ModuleUse, limits: HookLimits = HOOK_LIMITS, strategy: OwnStrategySettings | null = null) {
    [this.#file, this.#use, this.#limits, this.#strategy] = [file, use, limits, strategy];
  }

  /** Loads the module. @returns names of the functions that it exports. @throws UsageError for a module that cannot be loaded */
  async open(): Promise<readonly string[]> {
    const start = await this.#start();
    if ('exports' in start) return start.exports;
    const why = 'broken' in start ? start.broken : start.detail;
    const { noun, option, otherwise = 'none' } = this.#use;
    throw new UsageError(`${this.#file}: cannot be loaded as ${noun} (${why}); mend it, or give --${option} ${otherwise}`);
  }

  /** Calls a hook when all calls before have ended. Never rejects. */
  call(hook: string, argument: unknown): Promise<{ readonly value: unknown } | HookFault> {
    const answer = this.#last.then(() => this.#ask(hook, argument));
    this.#last = answer;
    return answer;
  }

  async close(): Promise<void> {
    await this.#end();
  }

  async #ask(hook: string, argument: unknown): Promise<{ readonly value: unknown } | HookFault> {
    if (this.#worker === null) {
      const start = await this.#start();
      if ('broken' in start) return { cause: 'exited', detail: `its module could not be loaded again: ${start.broken}` };
      if ('cause' in start) return start;
    }
    const id = ++this.#calls;
    this.#worker?.postMessage({ id, hook, argument } satisfies HookCall);
    return this.#reply((message) => (isAnswer(message, id) ? message : null), this.#limits.time);
  }

  async #start(): Promise<HookStart | HookFault> {
    const mb = Math.ceil(this.#limits.heap / 2 ** 20);
    this.#died = ENDED;
    this.#worker = new Worker(packageFile('dist/bin/hook-worker.js'), {
      workerData: { file: this.#file, ...(this.#strategy && { strategy: this.#strategy }) } satisfies HookWorkerData,
      resourceLimits: { maxOldGenerationSizeMb: mb },
      // Standard output belongs to the report of the command.
      stdout: true,
    });
    this.#worker.stdout.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    this.#watch(this.#worker);
    const start = await this.#reply((message) => (isStart(message) ? message : null), this.#limits.start);
    if ('broken' in start) await this.#end();
    return start;
  }

  /** A thread may end between two calls: the next one starts another. The clock of a call keeps the process alive, a thread at rest does not. */
  #watch(worker: Worker): void {
    worker.unref();
    worker
      .on('error', (error) => {
        this.#died = `${error.name}: ${error.message}`;
      })
      .on('exit', () => {
        if (this.#worker === worker) this.#worker = null;
      });
  }

  /** Waits for the message that `take` takes. A thread that says nothing in time is ended. */
  async #reply<T>(take: (message: unknown) => T | null, time: Ms): Promise<T | HookFault> {
    const worker = this.#worker;
    if (worker === null) return { cause: 'exited', detail: 'the crawl ended' };
    const reply = await replyOf(worker, take, time, () => this.#died);
    if (isFault(reply) && (reply.cause === 'hung' || reply.cause === 'exited')) await this.#end();
    return reply;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/** The first message that `take` takes; or the end of the thread, or of the time. @param died why the thread ended */
function replyOf<T>(worker: Worker, take: (message: unknown) => T | null, time: Ms, died: () => string): Promise<T | HookFault> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      const taken = take(message);
      if (taken !== null) settle(taken);
    };
    const onExit = () => settle({ cause: 'exited', detail: died() });
    const stopTimer = afterRunning(time, () => settle({ cause: 'hung', detail: `no answer within ${time} ms` }));
    const settle = (reply: T | HookFault) => {
      stopTimer();
      worker.off('message', onMessage).off('exit', onExit);
      resolve(reply);
    };
    worker.on('message', onMessage).on('exit', onExit);
  });
}

/** Calls back after a time in which this process ran. @returns stops it */
function afterRunning(time: Ms, callback: () => void): () => void {
  const due = performance.now() + time;
  let timer = setTimeout(() => {
    if (performance.now() > due + STOPPED) timer = setTimeout(callback, time);
    else callback();
  }, time);
  return () => clearTimeout(timer);
}

function isStart(message: unknown): message is HookStart {
  return typeof message === 'object' && message !== null && ('exports' in message || 'broken' in message);
}

function isAnswer(message: unknown, id: number): message is HookAnswer {
  return typeof message === 'object' && message !== null && 'id' in message && message.id === id;
}

function isFault(reply: unknown): reply is HookFault {
  return typeof reply === 'object' && reply !== null && 'cause' in reply;
}
