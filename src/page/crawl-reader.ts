/**
 * Reads the crawl for the page, in a process of its own: a walk over a million URLs takes seconds, and neither the crawl's event loop nor its memory
 * should pay for it. LMDB allows one opening of a file a process, so a thread would not do.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { CrawlerError, type ErrorCode } from '../core/errors.ts';
import type { Answered, ReadingName, Readings } from './readings.ts';

export type Reply =
  | { readonly id: number; readonly kind: 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly code: ErrorCode | null; readonly message: string };

export interface Request {
  readonly id: number;
  readonly dir: string;
  readonly name: ReadingName;
  readonly given: unknown;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export class CrawlReader {
  readonly #dir: string;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #asked = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Asks the process, which is started when it is first needed. Questions are answered one after the other.
   * @throws the error of the reading; EnvironmentError if the process ended
   */
  ask<N extends ReadingName>(name: N, given: Parameters<Readings[N]>[0]): Promise<Answered<N>> {
    const child = this.#child ?? this.#start();
    const request: Request = { id: ++this.#asked, dir: this.#dir, name, given };
    return new Promise<Answered<N>>((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      child.send(request, (error) => {
        if (error) this.#settle({ id: request.id, kind: 'failed', code: null, message: error.message });
      });
    });
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.disconnect();
    });
  }

  #start(): ChildProcess {
    // Ctrl-C reaches a whole group of processes: the child ends with its channel instead.
    const child = fork(new URL('../page/reader-process.js', import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [],
      detached: true,
    });
    child.on('message', (reply) => this.#settle(reply as Reply));
    child.on('exit', () => {
      if (this.#child === child) this.#child = null;
      for (const id of [...this.#waiting.keys()]) this.#settle({ id, kind: 'failed', code: 'ENVIRONMENT', message: ENDED });
    });
    this.#child = child;
    return child;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') waiting?.resolve(reply.value as never);
    else waiting?.reject(reply.code === null ? new Error(reply.message) : new CrawlerError(reply.code, reply.message));
  }
}

const ENDED = 'the process that reads the crawl for the page has ended; load the page again';
