/** The beat of a lock: a sign of life that any machine on the same disk can see, without synchronised clocks. */

import { fstatSync, futimesSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import { packageFile } from '../core/package-files.ts';
import type { EpochMs, Ms } from '../core/types.ts';

/** Interval of beats: that of the leader elections of Kubernetes (`RetryPeriod`). */
export const BEAT_EVERY: Ms = 2000;
/** Ten beats. Kubernetes waits for 15 s (`LeaseDuration`); here a wrong guess costs more than a wait. */
export const SILENT_FOR: Ms = 10 * BEAT_EVERY;
const LOOK_EVERY: Ms = 1000;
const TELL_EVERY: Ms = 5000;
/** Each beat is later than the last one by the resolution of the coarsest file system (FAT), even if the clock is set back. */
const STEP_SECONDS = 2;

/** The place where a lock beats. */
export interface Beating {
  readonly fd: number;
  /** Offset of the number that is raised if the time of the file cannot be set. */
  readonly counterAt: number;
}

/** Sets the time of the file: this takes no space on a full disk, and reaches file servers at once. */
export class Beat {
  readonly #at: Beating;
  #last: number;
  #count = 0;

  constructor(at: Beating) {
    this.#at = at;
    this.#last = Math.floor(fstatSync(at.fd).mtimeMs / 1000);
  }

  /** @param date the new time of the file, if it is later than the last beat */
  once(date: EpochMs): void {
    this.#last = Math.max(Math.floor(date / 1000), this.#last + STEP_SECONDS);
    try {
      futimesSync(this.#at.fd, this.#last, this.#last);
    } catch {
      this.#raise();
    }
  }

  /** Writes over existing bytes. */
  #raise(): void {
    this.#count += 1;
    try {
      writeSync(this.#at.fd, String(this.#count).padStart(10, '0'), this.#at.counterAt);
    } catch {
      // Others may see the next beat; they wait for ten.
    }
  }
}

/**
 * Beat in a thread until stopped: opening a large frontier keeps this thread busy for longer than others wait for a sign of life.
 * If the other thread fails, this one beats.
 * @param after time until the thread starts
 * @returns a function that stops the beat; it resolves when the file is no longer touched
 */
export function startBeating(at: Beating, after: Ms = 0): () => Promise<void> {
  if (after === 0) return beatInThread(at);
  let stop = (): Promise<void> => Promise.resolve();
  const start = setTimeout(() => {
    stop = beatInThread(at);
  }, after).unref();
  return () => {
    clearTimeout(start);
    return stop();
  };
}

function beatInThread(at: Beating): () => Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const worker = new Worker(packageFile('dist/base/disk/beat-worker.js'), {
    workerData: at,
    // The options of this process (an inspector, a loader, --input-type) are not for the thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  worker.unref();
  worker.on('error', () => {
    if (stopped || timer !== null) return;
    const beat = new Beat(at);
    timer = setInterval(() => beat.once(Date.now()), BEAT_EVERY).unref();
  });
  return async () => {
    stopped = true;
    if (timer !== null) clearInterval(timer);
    await worker.terminate();
  };
}

/**
 * Look for a sign of life for `SILENT_FOR`, measured by this machine's monotonic clock alone. Time in which nobody looked, because this process was
 * stopped or the machine slept, does not count: the owner may have slept too.
 * @param look returns a value that changes with each beat
 * @param onWatched receives the time watched so far, every five seconds
 * @returns whether a sign came; false also if `signal` aborted
 */
export async function givesSignOfLife(
  look: () => string | null,
  clock: Pick<Clock, 'now' | 'sleep'>,
  signal: AbortSignal,
  onWatched: (watched: Ms) => void,
): Promise<boolean> {
  const first = look();
  let tellAt = 0;
  for (let watched = 0; watched < SILENT_FOR && !signal.aborted; ) {
    if (watched >= tellAt) {
      onWatched(watched);
      tellAt += TELL_EVERY;
    }
    const from = clock.now();
    await clock.sleep(LOOK_EVERY, signal);
    if (look() !== first) return true;
    watched += Math.min(clock.now() - from, 2 * LOOK_EVERY);
  }
  return false;
}
