import { Worker } from 'node:worker_threads';
import { EXIT } from '../core/errors.ts';

/** Ctrl-C, what a system sends to end a process, and what a terminal sends that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface SignalThreadData {
  /** For standard error, at the first signal; null says nothing. */
  readonly message: string | null;
  /** How many signals came, in memory the threads share. */
  readonly taken: Int32Array;
}

/** It takes Ctrl-C now; one came that was the first signal of all; another signal had come before. */
export type SignalNews = 'ready' | 'first' | 'second';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Resolves once Ctrl-C is taken however busy this thread is; before, when it is not. Never rejects. */
  readonly ready: Promise<void>;
  close(): void;
}

/**
 * The first Ctrl-C (or SIGTERM, SIGHUP) aborts, so that work under way is finished and stored. A second one ends the process at once, with
 * `EXIT.interrupted`; Ctrl-C does so within two seconds when this thread is busy, by SIGINT, which shells report as the same 130. What was committed stays.
 * @param message for standard error, at the first; null says nothing
 */
export function onInterrupt(message: string | null): Interrupt {
  const controller = new AbortController();
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const handle = () => {
    if (Atomics.add(taken, 0, 1) > 0) process.exit(EXIT.interrupted);
    if (message !== null) process.stderr.write(`\n${message}\n`);
    controller.abort();
  };
  // Ctrl-C too, until the thread takes it.
  for (const signal of SIGNALS) process.on(signal, handle);
  const data: SignalThreadData = { message, taken };
  const thread = new Worker(new URL('../cli/signal-thread.js', import.meta.url), { workerData: data });
  const ready = new Promise<void>((resolve) => {
    thread.on('message', (news: SignalNews) => {
      if (news === 'second') process.exit(EXIT.interrupted);
      if (news === 'first') controller.abort();
      else resolve();
    });
    // Without a thread this one goes on to take Ctrl-C, when it is not busy.
    thread.on('error', () => resolve());
  });
  // It does not keep the process from ending.
  void ready.then(() => thread.unref());
  const close = () => {
    void thread.terminate();
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  return { signal: controller.signal, ready, close };
}
