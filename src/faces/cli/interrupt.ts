import { Worker } from 'node:worker_threads';
import { EXIT } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';

/** Ctrl-C; the system's signal to end a process; the signal of a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface SignalThreadData {
  /** Text for standard error at the first signal; null prints nothing. */
  readonly message: string | null;
  /** Number of signals that arrived, in memory that the threads share. */
  readonly taken: Int32Array;
}

/** The thread handles Ctrl-C now; a Ctrl-C was the first signal of all; it followed another signal. */
export type SignalNews = 'ready' | 'first' | 'second';

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Resolves once Ctrl-C works even if this thread is busy. Also resolves if the thread for it fails. Never rejects. */
  readonly ready: Promise<void>;
  close(): void;
}

/**
 * The first Ctrl-C (or SIGTERM, SIGHUP) aborts, so that current work is finished and stored. A second one ends the process at once with
 * `EXIT.interrupted`. If this thread is busy, Ctrl-C ends it within two seconds by SIGINT, which shells report as the same 130. Commits stay.
 * @param message text for standard error at the first signal; null prints nothing
 */
export function onInterrupt(message: string | null): Interrupt {
  const controller = new AbortController();
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const handle = () => {
    if (Atomics.add(taken, 0, 1) > 0) process.exit(EXIT.interrupted);
    if (message !== null) process.stderr.write(`\n${message}\n`);
    controller.abort();
  };
  // SIGINT too, until the thread handles it.
  for (const signal of SIGNALS) process.on(signal, handle);
  const data: SignalThreadData = { message, taken };
  const thread = new Worker(packageFile('dist/faces/cli/signal-thread.js'), { workerData: data });
  const ready = new Promise<void>((resolve) => {
    thread.on('message', (news: SignalNews) => {
      if (news === 'second') process.exit(EXIT.interrupted);
      if (news === 'first') controller.abort();
      else resolve();
    });
    // Without the thread, this one continues to handle Ctrl-C while it is not busy.
    thread.on('error', () => resolve());
  });
  // The thread must not keep the process alive.
  void ready.then(() => thread.unref());
  const close = () => {
    void thread.terminate();
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  return { signal: controller.signal, ready, close };
}
