/** The beat of a lock: a sign of life that any machine on the same disk sees change, and that needs no clocks that agree. */
import { fstatSync, futimesSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import type { EpochMs, Ms } from '../core/types.ts';

/** As often as the leader elections of Kubernetes (`RetryPeriod`). */
export const BEAT_EVERY: Ms = 2000;
/** Ten beats. Kubernetes waits for 15 s (`LeaseDuration`); here a wrong guess costs more than a wait. */
export const SILENT_FOR: Ms = 10 * BEAT_EVERY;
const LOOK_EVERY: Ms = 1000;
const TELL_EVERY: Ms = 5000;
/** Each beat is later than the one before by what the coarsest file system (FAT) tells apart, also by a clock that is set back. */
const STEP_SECONDS = 2;

/** Where a lock beats. */
export interface Beating {
  readonly fd: number;
  /** Of the number that is raised where the time of the file cannot be set. */
  readonly counterAt: number;
}

/** Sets the time of the file, which takes no space on a full disk, and which file servers are told at once. */
export class Beat {
  readonly #at: Beating;
  #last: number;
  #count = 0;

  constructor(at: Beating) {
    this.#at = at;
    this.#last = Math.floor(fstatSync(at.fd).mtimeMs / 1000);
  }

  /** @param date by which the file is dated, where that is later than the beat before */
  once(date: EpochMs): void {
    this.#last = Math.max(Math.floor(date / 1000), this.#last + STEP_SECONDS);
    try {
      futimesSync(this.#at.fd, this.#last, this.#last);
    } catch {
      this.#raise();
    }
  }

  /** Over bytes that are there already. */
  #raise(): void {
    this.#count += 1;
    try {
      writeSync(this.#at.fd, String(this.#count).padStart(10, '0'), this.#at.counterAt);
    } catch {
      // The next beat may be seen again; who looks waits for ten.
    }
  }
}

/**
 * Beat until stopped, in a thread: opening a large frontier keeps this one busy for longer than others wait for a sign of life.
 * Where there can be no thread, this one does it.
 * @returns stops it; resolves when the file is no longer touched
 */
export function startBeating(at: Beating): () => Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const worker = new Worker(new URL('../crawl-dir/beat-worker.js', import.meta.url), {
    workerData: at,
    // What this process was started with (an inspector, a loader, --input-type) is not for it.
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
 * Look for a sign of life for `SILENT_FOR`, by this machine's monotonic clock alone. Time in which nobody looked, since this process was stopped
 * or the machine slept, does not count: the owner may have slept with it.
 * @param look what changes with each beat
 * @param told how long it was looked already, every five seconds
 * @returns whether one came; false too when `signal` aborted
 */
export async function givesSignOfLife(
  look: () => string | null,
  clock: Pick<Clock, 'now' | 'sleep'>,
  signal: AbortSignal,
  told: (watched: Ms) => void,
): Promise<boolean> {
  const first = look();
  let tellAt = 0;
  for (let watched = 0; watched < SILENT_FOR && !signal.aborted; ) {
    if (watched >= tellAt) {
      told(watched);
      tellAt += TELL_EVERY;
    }
    const from = clock.now();
    await clock.sleep(LOOK_EVERY, signal);
    if (look() !== first) return true;
    watched += Math.min(clock.now() - from, 2 * LOOK_EVERY);
  }
  return false;
}
