/** The thread that takes Ctrl-C, since the main thread sees no signal while it is busy. Started by `onInterrupt`. */
import { writeSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { Ms } from '../core/types.ts';
import type { SignalNews, SignalThreadData } from './interrupt.ts';

/** How long the main thread has to end the process itself. With that, a second Ctrl-C ends it within two seconds whatever it does. */
const GRACE: Ms = 1000;
/** For SIGINT to end the process. The first process of a container is ended by no signal from inside; that wants an init. */
const LAST: Ms = 300;
const STANDARD_ERROR = 2;

const { message, taken } = workerData as SignalThreadData;
const never = new Int32Array(new SharedArrayBuffer(4));

/** What is done first, once Ctrl-C would break it off; then it sleeps. */
let begin: () => void;
const sleep = new Script('sleep()');
const context = createContext({
  sleep: () => {
    begin();
    Atomics.wait(never, 0, 0);
  },
});

/**
 * Asleep until the next Ctrl-C. A thread can neither listen to signals nor be woken by one, but for this: a script that SIGINT breaks off, on
 * whichever thread it runs, and whatever the others do.
 */
function untilInterrupted(first: () => void): void {
  begin = first;
  try {
    sleep.runInContext(context, { breakOnSigint: true });
  } catch {
    // It was broken off.
  }
}

function tell(news: SignalNews): void {
  parentPort?.postMessage(news);
}

function say(text: string): void {
  try {
    writeSync(STANDARD_ERROR, text);
  } catch {
    // Nobody reads it.
  }
}

untilInterrupted(() => tell('ready'));
if (Atomics.add(taken, 0, 1) === 0)
  untilInterrupted(() => {
    // Before the main thread hears of it, which may end the process at once.
    if (message !== null) say(`\n${message}\n`);
    tell('first');
  });
tell('second');
// From here on SIGINT does what it does by default: shells report that as 130.
Atomics.wait(never, 0, 0, GRACE);
process.kill(process.pid, 'SIGINT');
Atomics.wait(never, 0, 0, LAST);
process.kill(process.pid, 'SIGKILL');
