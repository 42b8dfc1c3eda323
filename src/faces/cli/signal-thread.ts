/** The thread that handles Ctrl-C, since a busy main thread sees no signal. `onInterrupt` starts it. */
import { writeSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { Ms } from '../../base/core/types.ts';
import type { SignalNews, SignalThreadData } from './interrupt.ts';

/** Time for the main thread to end the process itself. With it, a second Ctrl-C ends the process within two seconds, even if the main thread is busy. */
const GRACE: Ms = 1000;
/** Time for SIGINT to end the process. No signal from inside ends the first process of a container; that needs an init. */
const LAST: Ms = 300;
const STANDARD_ERROR = 2;

const { message, taken } = workerData as SignalThreadData;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Runs first, once Ctrl-C would interrupt the script; then the script sleeps. */
let begin: () => void;
const sleep = new Script('sleep()');
const context = createContext({
  sleep: () => {
    begin();
    Atomics.wait(never, 0, 0);
  },
});

/**
 * Sleeps until the next Ctrl-C. A thread can neither listen to signals nor be woken by one, with one exception: SIGINT interrupts this script,
 * regardless of its thread and of the other threads.
 */
function untilInterrupted(first: () => void): void {
  begin = first;
  try {
    sleep.runInContext(context, { breakOnSigint: true });
  } catch {
    // Ctrl-C interrupted the sleep.
  }
}

function tell(news: SignalNews): void {
  parentPort?.postMessage(news);
}

function say(text: string): void {
  try {
    writeSync(STANDARD_ERROR, text);
  } catch {
    // Nobody reads standard error.
  }
}

untilInterrupted(() => tell('ready'));
if (Atomics.add(taken, 0, 1) === 0)
  untilInterrupted(() => {
    // Comes before the main thread hears of it, since that may end the process at once.
    if (message !== null) say(`\n${message}\n`);
    tell('first');
  });
tell('second');
// From here on SIGINT has its default effect: shells report it as 130.
Atomics.wait(never, 0, 0, GRACE);
process.kill(process.pid, 'SIGINT');
Atomics.wait(never, 0, 0, LAST);
process.kill(process.pid, 'SIGKILL');
