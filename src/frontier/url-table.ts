import { type RefusalReason, type Unit, URL_STATES, type UrlState } from '../core/types.ts';
import { UrlNumbers } from '../core/url-numbers.ts';
import { keyIn } from './lanes.ts';

/** Position of a URL in the order of discovery, from 0. */
export type Slot = number;

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
  'no-sitemaps',
] as const satisfies readonly RefusalReason[];

const START_CAPACITY = 1024;

/**
 * Everything about each discovered URL that scheduling needs, in columns: 28 bytes a URL and those of `UrlNumbers`.
 * The URL strings themselves are in the store. Claiming a URL is the seen-test and the insertion in one step.
 */
export class UrlTable {
  readonly #numbers = new UrlNumbers();
  #capacity = START_CAPACITY;
  #state = new Uint8Array(START_CAPACITY);
  #refusal = new Uint8Array(START_CAPACITY);
  readonly #counts = new Map<UrlState, number>(URL_STATES.map((state) => [state, 0]));
  priority = new Float32Array(START_CAPACITY);
  host = new Uint32Array(START_CAPACITY);
  /** Which discovery holds the winning sighting, and where in it. */
  discovery = new Uint32Array(START_CAPACITY);
  position = new Uint32Array(START_CAPACITY);
  depth = new Uint16Array(START_CAPACITY);
  offTopicDepth = new Uint16Array(START_CAPACITY);
  attempts = new Uint8Array(START_CAPACITY);
  /** Pages the link scorer had learned from when it gave `priority`. */
  learnedFrom = new Uint32Array(START_CAPACITY);
  /** Kept pages that are to be asked for again. */
  readonly due = new Set<Slot>();
  /** 1 for a waiting URL that is passed over: its pattern is parked. */
  aside = new Uint8Array(START_CAPACITY);

  get size(): number {
    return this.#numbers.size;
  }

  /** @returns the slot of a URL, or -1 when it was never claimed. */
  find(url: string): Slot {
    return this.#numbers.find(url);
  }

  /** Test and set: the slot of `url`, and whether this call made it. A new slot is `queued`. Amortised O(1). */
  claim(url: string): { readonly slot: Slot; readonly isNew: boolean } {
    const known = this.size;
    const slot = this.#numbers.of(url);
    if (slot < known) return { slot, isNew: false };
    this.#count('queued', 1);
    if (this.size > this.#capacity) this.#grow();
    return { slot, isNew: true };
  }

  state(slot: Slot): UrlState {
    return URL_STATES[this.#state[slot] ?? 0] ?? 'queued';
  }

  setState(slot: Slot, state: UrlState): void {
    this.#count(this.state(slot), -1);
    this.#count(state, 1);
    this.#state[slot] = URL_STATES.indexOf(state);
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

  /** May it be asked for? */
  isWaiting(slot: Slot): boolean {
    return (this.state(slot) === 'queued' && this.aside[slot] === 0) || this.due.has(slot);
  }

  priorityOf(slot: Slot): Unit {
    return this.priority[slot] ?? 0;
  }

  /** Its place in a queue. */
  keyOf(slot: Slot): number {
    return keyIn(this.due.size > 0 && this.due.has(slot) ? 'revisit' : 'waiting', this.priorityOf(slot));
  }

  #count(state: UrlState, by: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }

  #grow(): void {
    this.#capacity *= 2;
    const to = this.#capacity;
    this.#state = resized(this.#state, new Uint8Array(to));
    this.#refusal = resized(this.#refusal, new Uint8Array(to));
    this.priority = resized(this.priority, new Float32Array(to));
    this.host = resized(this.host, new Uint32Array(to));
    this.discovery = resized(this.discovery, new Uint32Array(to));
    this.position = resized(this.position, new Uint32Array(to));
    this.depth = resized(this.depth, new Uint16Array(to));
    this.offTopicDepth = resized(this.offTopicDepth, new Uint16Array(to));
    this.attempts = resized(this.attempts, new Uint8Array(to));
    this.learnedFrom = resized(this.learnedFrom, new Uint32Array(to));
    this.aside = resized(this.aside, new Uint8Array(to));
  }
}

function resized<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
