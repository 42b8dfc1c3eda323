import type { RefusalReason, Unit, UrlState } from '../core/types.ts';
import { type Fingerprint, fingerprint } from '../web/fingerprint.ts';

/** Position of a URL in the order of discovery, from 0. */
export type Slot = number;

const STATES = [
  'queued',
  'leased',
  'fetched',
  'kept',
  'off-topic',
  'duplicate',
  'refused',
  'failed',
] as const satisfies readonly UrlState[];
const REFUSALS = [
  'robots',
  'robots-unreachable',
  'scope',
  'max-depth',
  'tunnel',
  'private-address',
  'content-type',
  'too-large',
  'redirect-limit',
  'noindex',
  'opt-out',
] as const satisfies readonly RefusalReason[];

const START_CAPACITY = 1024;
/** Hash index cells per slot of capacity: at most half full, so that probes stay short. */
const CELLS_PER_SLOT = 2;

/**
 * Everything about each discovered URL that scheduling needs, in columns: 34 bytes a URL and 8 of index.
 * The URL strings themselves are in the store. Claiming a URL is the seen-test and the insertion in one step.
 */
export class UrlTable {
  size = 0;
  #capacity = START_CAPACITY;
  #hi = new Uint32Array(START_CAPACITY);
  #lo = new Uint32Array(START_CAPACITY);
  #cells = new Int32Array(START_CAPACITY * CELLS_PER_SLOT).fill(-1);
  #state = new Uint8Array(START_CAPACITY);
  #refusal = new Uint8Array(START_CAPACITY);
  readonly #counts = new Map<UrlState, number>(STATES.map((state) => [state, 0]));
  readonly #scratch: Fingerprint = { hi: 0, lo: 0 };
  priority = new Float32Array(START_CAPACITY);
  host = new Uint32Array(START_CAPACITY);
  /** Which discovery holds the winning sighting, and where in it. */
  discovery = new Uint32Array(START_CAPACITY);
  position = new Uint16Array(START_CAPACITY);
  depth = new Uint16Array(START_CAPACITY);
  offTopicDepth = new Uint16Array(START_CAPACITY);
  attempts = new Uint8Array(START_CAPACITY);
  /** Pages the link scorer had learned from when it gave `priority`. */
  learnedFrom = new Uint32Array(START_CAPACITY);
  /** 1 for a waiting URL that is passed over: its pattern is parked. */
  aside = new Uint8Array(START_CAPACITY);

  /** @returns the slot of a URL, or -1 when it was never claimed. */
  find(url: string): Slot {
    return this.#cells[this.#cellOf(fingerprint(url, this.#scratch))] ?? -1;
  }

  /** Test and set: the slot of `url`, and whether this call made it. A new slot is `queued`. Amortised O(1). */
  claim(url: string): { readonly slot: Slot; readonly isNew: boolean } {
    const print = fingerprint(url, this.#scratch);
    const cell = this.#cellOf(print);
    const found = this.#cells[cell] ?? -1;
    if (found >= 0) return { slot: found, isNew: false };
    const slot = this.size++;
    this.#cells[cell] = slot;
    this.#count('queued', 1);
    if (this.size > this.#capacity) this.#grow();
    this.#hi[slot] = print.hi;
    this.#lo[slot] = print.lo;
    return { slot, isNew: true };
  }

  state(slot: Slot): UrlState {
    return STATES[this.#state[slot] ?? 0] ?? 'queued';
  }

  setState(slot: Slot, state: UrlState): void {
    this.#count(this.state(slot), -1);
    this.#count(state, 1);
    this.#state[slot] = STATES.indexOf(state);
  }

  refusal(slot: Slot): RefusalReason | null {
    return REFUSALS[(this.#refusal[slot] ?? 0) - 1] ?? null;
  }

  setRefusal(slot: Slot, reason: RefusalReason | null): void {
    this.#refusal[slot] = reason === null ? 0 : REFUSALS.indexOf(reason) + 1;
  }

  /** How many URLs are in each state. Their sum is `size`. */
  countOf(state: UrlState): number {
    return this.#counts.get(state) ?? 0;
  }

  priorityOf(slot: Slot): Unit {
    return this.priority[slot] ?? 0;
  }

  #count(state: UrlState, by: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }

  /** The cell that holds this fingerprint, or the free one where it belongs. Linear probing. */
  #cellOf({ hi, lo }: Fingerprint): number {
    const mask = this.#cells.length - 1;
    let cell = lo & mask;
    for (;;) {
      const slot = this.#cells[cell] ?? -1;
      if (slot < 0 || (this.#hi[slot] === hi && this.#lo[slot] === lo)) return cell;
      cell = (cell + 1) & mask;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    const to = this.#capacity;
    this.#hi = resized(this.#hi, new Uint32Array(to));
    this.#lo = resized(this.#lo, new Uint32Array(to));
    this.#state = resized(this.#state, new Uint8Array(to));
    this.#refusal = resized(this.#refusal, new Uint8Array(to));
    this.priority = resized(this.priority, new Float32Array(to));
    this.host = resized(this.host, new Uint32Array(to));
    this.discovery = resized(this.discovery, new Uint32Array(to));
    this.position = resized(this.position, new Uint16Array(to));
    this.depth = resized(this.depth, new Uint16Array(to));
    this.offTopicDepth = resized(this.offTopicDepth, new Uint16Array(to));
    this.attempts = resized(this.attempts, new Uint8Array(to));
    this.learnedFrom = resized(this.learnedFrom, new Uint32Array(to));
    this.aside = resized(this.aside, new Uint8Array(to));
    this.#reindex(to * CELLS_PER_SLOT);
  }

  /** The last slot has no fingerprint yet when this runs: `claim` writes its cell again through the new index. */
  #reindex(cells: number): void {
    this.#cells = new Int32Array(cells).fill(-1);
    const last = this.size - 1;
    for (let slot = 0; slot < last; slot++) this.#cells[this.#cellOf({ hi: this.#hi[slot] ?? 0, lo: this.#lo[slot] ?? 0 })] = slot;
    this.#cells[this.#cellOf(this.#scratch)] = last;
  }
}

function resized<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
