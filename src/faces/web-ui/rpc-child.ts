/**
 * A process that works for the page, by questions and answers: a walk over a million URLs takes seconds, and neither the crawl's event loop nor its memory
 * should pay for it. LMDB allows one opening of a file in each process, so a thread would not do. `rpc-server.ts` is the other end.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { CrawlerError, type ErrorCode } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';
import { locksAreTakenOver } from '../../base/disk/take-over.ts';
import { programName } from '../../base/text/forager-command.ts';
import type { Tables } from './rpc-server.ts';

export type RpcReply =
  | { readonly id: number; readonly kind: 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly code: ErrorCode | null; readonly message: string };

export interface RpcRequest {
  readonly id: number;
  readonly dir: string;
  readonly table: keyof Tables;
  readonly name: string;
  readonly given: unknown;
  /** Name of Forager in messages: the command that the user calls. */
  readonly program: string;
  /** Does the page take over locks whose owner cannot be checked? */
  readonly takesOver: boolean;
  /** Port of the page; 0 for any. */
  readonly port: number;
}

/** Functions that a process answers with: each takes one value, and its answer can be sent between processes. */
export type RpcHandlers = Readonly<Record<string, (given: never) => Promise<unknown>>>;

interface Waiting {
  /** Another one may be asked while this one ends. */
  readonly child: ChildProcess;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

const ENDED = 'the process that works for the page has ended; load the page again';

export class RpcChild<K extends keyof Tables> {
  readonly #dir: string;
  readonly #table: K;
  readonly #port: number;
  readonly #cwd: string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #asked = 0;

  /** @param port of the page, for locks @param cwd its working directory; absent: ours */
  constructor(dir: string, table: K, port = 0, cwd?: string) {
    this.#dir = dir;
    this.#table = table;
    this.#port = port;
    this.#cwd = cwd;
  }

  /** Was it asked before? */
  get isRunning(): boolean {
    return this.#child !== null;
  }

  /**
   * Asks the process, which is started when it is first needed. Questions are answered one after the other.
   * @throws the error of the answering function; CrawlerError ENVIRONMENT if the process ended
   */
  ask<N extends keyof Tables[K] & string>(name: N, given: ParameterOf<Tables[K][N]>): Promise<AnswerOf<Tables[K][N]>> {
    const child = this.#child ?? this.#start();
    const request: RpcRequest = {
      id: ++this.#asked,
      dir: this.#dir,
      table: this.#table,
      name,
      given,
      program: programName(),
      takesOver: locksAreTakenOver(),
      port: this.#port,
    };
    return new Promise<AnswerOf<Tables[K][N]>>((resolve, reject) => {
      this.#waiting.set(request.id, { child, resolve, reject });
      child.send(request, (error) => {
        if (error) this.#settle({ id: request.id, kind: 'failed', code: null, message: error.message });
      });
    });
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || !child.connected) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.disconnect();
    });
  }

  #start(): ChildProcess {
    // Ctrl-C reaches a whole group of processes: this one ends with its channel instead.
    const program = packageFile('dist/bin/rpc-server.js');
    const child = fork(program, [], { serialization: 'advanced', execArgv: [], detached: true, cwd: this.#cwd });
    child.on('message', (reply) => this.#settle(reply as RpcReply));
    const ended = () => {
      if (this.#child === child) this.#child = null;
      for (const [id, waiting] of [...this.#waiting])
        if (waiting.child === child) this.#settle({ id, kind: 'failed', code: 'ENVIRONMENT', message: ENDED });
    };
    // One that could not be started has no exit.
    child.on('error', ended);
    child.on('exit', ended);
    this.#child = child;
    return child;
  }

  #settle(reply: RpcReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') waiting?.resolve(reply.value as never);
    else waiting?.reject(reply.code === null ? new Error(reply.message) : new CrawlerError(reply.code, reply.message));
  }
}

type ParameterOf<F> = F extends (given: infer G) => unknown ? G : never;
type AnswerOf<F> = F extends (given: never) => Promise<infer A> ? A : never;
