import { InvariantError } from '../core/errors.ts';
import { ownString } from '../core/own-string.ts';
import type { EpochMs, HostKey, Ms } from '../core/types.ts';
import { MaxHeap } from './heap.ts';

/** What the clock reads is up to this much older than the moment it was read: it counts whole milliseconds. */
export const CLOCK_TICK: Ms = 1;

/** When a rest that begins now is over for certain. Without the tick 200 ms came to 199.9 on the server's log (bench:polite). */
export function afterRest(now: EpochMs, rest: Ms): EpochMs {
  return rest > 0 ? now + rest + CLOCK_TICK : now;
}

/** One host: its clock, its queue, and what it has had. */
export interface HostState {
  readonly key: HostKey;
  readonly index: number;
  /** Least time between the end of one request and the start of the next. */
  delay: Ms;
  restUntil: EpochMs;
  leased: boolean;
  /** Waiting URLs, best first. May hold stale items: see `PoliteQueue.best`. */
  readonly queue: MaxHeap;
  /** The key under which it stands in the heap of ready hosts, and the time under which in that of resting ones; NaN when it does not. */
  readyUnder: number;
  restingUntil: EpochMs;
  /** URLs in state queued. */
  waiting: number;
  visits: number;
}

/** Every host met, and which of them may be asked now. Host choice is by the priority of its best URL. */
export class HostTable {
  readonly #byKey = new Map<HostKey, HostState>();
  readonly #all: HostState[] = [];
  readonly #tie: 'oldest' | 'newest';
  readonly #delay: Ms;

  constructor(delay: Ms, tie: 'oldest' | 'newest') {
    this.#delay = delay;
    this.#tie = tie;
  }

  get size(): number {
    return this.#all.length;
  }

  get(key: HostKey): HostState {
    const found = this.#byKey.get(key);
    if (found) return found;
    const host: HostState = {
      key: ownString(key) as HostKey,
      index: this.#all.length,
      delay: this.#delay,
      restUntil: 0,
      leased: false,
      queue: new MaxHeap(this.#tie),
      readyUnder: Number.NaN,
      restingUntil: Number.NaN,
      waiting: 0,
      visits: 0,
    };
    this.#byKey.set(host.key, host);
    this.#all.push(host);
    return host;
  }

  /** @throws InvariantError for a number that no host has */
  known(index: number): HostState {
    const host = this.#all[index];
    if (!host) throw new InvariantError(`frontier: no host has the number ${index}`);
    return host;
  }

  at(index: number): HostState | undefined {
    return this.#all[index];
  }

  all(): readonly HostState[] {
    return this.#all;
  }
}
