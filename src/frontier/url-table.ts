import { type Fate, type RefusalReason, type Unit, URL_STATES, type UrlState } from '../core/types.ts';
import { UrlNumbers } from '../core/url-numbers.ts';
import { bytesOfColumn, fillColumn, type TypedColumn } from './checkpoint.ts';
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

/** The sighting by which a URL waits: its edge. */
export interface Sighting {
  /** The discovery that holds it, and its place there. */
  readonly discovery: number;
  readonly position: number;
  readonly priority: Unit;
  /** Number of pages that the link scorer had learned from when it gave `priority`. */
  readonly learnedFrom: number;
}

/** The distance of a URL from the seeds, and from the last on-topic page. */
export interface Way {
  readonly depth: number;
  readonly offTopicDepth: number;
}

/**
 * Everything about each discovered URL that scheduling needs, in columns: 28 bytes a URL, plus those of `UrlNumbers`. The URL strings themselves are
 * in the store. Columns change only by named steps, and each step leaves a URL consistent. The priority of a URL comes from the edge it takes
 * (`takeEdge`). A scorer that has learned gives another (`rescore`). A page that was read and waits for another visit has its relevance (`reopen`).
 */
export class UrlTable {
  readonly #numbers = new UrlNumbers();
  #capacity = START_CAPACITY;
  #state = new Uint8Array(START_CAPACITY);
  #refusal = new Uint8Array(START_CAPACITY);
  readonly #counts = new Map<UrlState, number>(URL_STATES.map((state) => [state, 0]));
  #priority = new Float32Array(START_CAPACITY);
  #host = new Uint32Array(START_CAPACITY);
  #discovery = new Uint32Array(START_CAPACITY);
  #position = new Uint32Array(START_CAPACITY);
  #depth = new Uint16Array(START_CAPACITY);
  #offTopicDepth = new Uint16Array(START_CAPACITY);
  #attempts = new Uint8Array(START_CAPACITY);
  #learnedFrom = new Uint32Array(START_CAPACITY);
  /** Kept pages that are due for a revisit. */
  readonly #due = new Set<Slot>();
  /** 1 for a waiting URL that is skipped, because its pattern is parked. */
  #aside = new Uint8Array(START_CAPACITY);

  get size(): number {
    return this.#numbers.size;
  }

  /** @returns the slot of a URL, or -1 if it was never claimed. */
  find(url: string): Slot {
    return this.#numbers.find(url);
  }

  /** Test and set: the slot of `url`, and whether this call created it. A new slot is `queued` and must then be admitted. Amortised O(1). */
  claim(url: string): { readonly slot: Slot; readonly isNew: boolean } {
    const known = this.size;
    const slot = this.#numbers.of(url);
    if (slot < known) return { slot, isNew: false };
    this.#count('queued', 1);
    if (this.size > this.#capacity) {
      this.#capacity *= 2;
      this.#resize();
    }
    return { slot, isNew: true };
  }

  /** Stores the facts about a new URL from its first sighting. @param refusal why it may not be requested; null if it may */
  admit(slot: Slot, host: number, { depth, offTopicDepth }: Way, refusal: RefusalReason | null): void {
    this.#host[slot] = host;
    this.#depth[slot] = depth;
    this.#offTopicDepth[slot] = offTopicDepth;
    if (refusal === null) return;
    this.#refusal[slot] = REFUSALS.indexOf(refusal) + 1;
    this.#setState(slot, 'refused');
  }

  /** A refused URL may be requested after all. */
  lift(slot: Slot): void {
    this.#refusal[slot] = 0;
    this.#setState(slot, 'queued');
  }

  /** Keeps the shorter of two ways to the URL. @returns whether the new one is shorter */
  shorten(slot: Slot, { depth, offTopicDepth }: Way): boolean {
    const shorter = depth < this.depthOf(slot) || offTopicDepth < this.offTopicDepthOf(slot);
    this.#depth[slot] = Math.min(this.depthOf(slot), depth);
    this.#offTopicDepth[slot] = Math.min(this.offTopicDepthOf(slot), offTopicDepth);
    return shorter;
  }

  takeEdge(slot: Slot, { discovery, position, priority, learnedFrom }: Sighting): void {
    this.#discovery[slot] = discovery;
    this.#position[slot] = position;
    this.#priority[slot] = priority;
    this.#learnedFrom[slot] = learnedFrom;
  }

  /** Sets another priority for the same edge. @returns whether it differs */
  rescore(slot: Slot, priority: Unit, learnedFrom: number): boolean {
    const before = this.priorityOf(slot);
    this.#priority[slot] = priority;
    this.#learnedFrom[slot] = learnedFrom;
    return this.priorityOf(slot) !== before;
  }

  /** A page that was read is due for another visit: its known relevance is better than the predicted value of its link. */
  reopen(slot: Slot, relevance: Unit): void {
    this.#priority[slot] = relevance;
  }

  lease(slot: Slot): void {
    this.#setState(slot, 'leased');
  }

  /** A lease ended, and the URL waits again. */
  putBack(slot: Slot): void {
    this.#setState(slot, 'queued');
  }

  /** Sets the number of failed tries. */
  retry(slot: Slot, attempts: number): void {
    this.#attempts[slot] = attempts;
  }

  end(slot: Slot, state: Fate['state']): void {
    this.#setState(slot, state);
  }

  /** @returns whether this call excluded it. */
  setAside(slot: Slot): boolean {
    if (this.isAside(slot)) return false;
    this.#aside[slot] = 1;
    return true;
  }

  /** @returns whether it was excluded. */
  readmit(slot: Slot): boolean {
    if (!this.isAside(slot)) return false;
    this.#aside[slot] = 0;
    return true;
  }

  /** Makes a kept page due for a revisit in this run. */
  beDue(slot: Slot): void {
    this.#due.add(slot);
  }

  beDueNoMore(slot: Slot): void {
    this.#due.delete(slot);
  }

  state(slot: Slot): UrlState {
    return URL_STATES[this.#state[slot] ?? 0] ?? 'queued';
  }

  /** Why it was refused at its sighting; null if it was not. */
  refusal(slot: Slot): RefusalReason | null {
    return REFUSALS[(this.#refusal[slot] ?? 0) - 1] ?? null;
  }

  /** Number of URLs in each state. Their sum is `size`. */
  countOf(state: UrlState): number {
    return this.#counts.get(state) ?? 0;
  }

  /** May it be requested? */
  isWaiting(slot: Slot): boolean {
    return (this.state(slot) === 'queued' && !this.isAside(slot)) || this.isDue(slot);
  }

  isAside(slot: Slot): boolean {
    return this.#aside[slot] === 1;
  }

  isDue(slot: Slot): boolean {
    return this.#due.size > 0 && this.#due.has(slot);
  }

  priorityOf(slot: Slot): Unit {
    return this.#priority[slot] ?? 0;
  }

  /** Its key in a queue. */
  keyOf(slot: Slot): number {
    return keyIn(this.isDue(slot) ? 'revisit' : 'waiting', this.priorityOf(slot));
  }

  /** The number of its host. */
  hostOf(slot: Slot): number {
    return this.#host[slot] ?? 0;
  }

  discoveryOf(slot: Slot): number {
    return this.#discovery[slot] ?? 0;
  }

  positionOf(slot: Slot): number {
    return this.#position[slot] ?? 0;
  }

  learnedFromOf(slot: Slot): number {
    return this.#learnedFrom[slot] ?? 0;
  }

  depthOf(slot: Slot): number {
    return this.#depth[slot] ?? 0;
  }

  offTopicDepthOf(slot: Slot): number {
    return this.#offTopicDepth[slot] ?? 0;
  }

  attemptsOf(slot: Slot): number {
    return this.#attempts[slot] ?? 0;
  }

  /** The columns as bytes, without the marks that last for a run: leases, parked and due URLs. They share memory with this table. */
  columns(): Record<string, Uint8Array> {
    const { hi, lo } = this.#numbers.fingerprints();
    const all = Object.entries({ fingerprintHigh: hi, fingerprintLow: lo, ...this.#lasting() });
    return Object.fromEntries(all.map(([name, column]) => [name, bytesOfColumn(column, this.size)]));
  }

  /** Fills an empty table with columns of another one. O(URLs). */
  restore(columns: Readonly<Record<string, Uint8Array>>): void {
    const size = (columns['fingerprintHigh']?.length ?? 0) / 4;
    const [hi, lo] = [new Uint32Array(size), new Uint32Array(size)];
    fillColumn(hi, columns['fingerprintHigh']);
    fillColumn(lo, columns['fingerprintLow']);
    this.#numbers.restore(hi, lo);
    while (this.#capacity < size) this.#capacity *= 2;
    this.#resize();
    for (const [name, column] of Object.entries(this.#lasting())) fillColumn(column, columns[name]);
    for (const [number, state] of URL_STATES.entries()) this.#counts.set(state, countOf(this.#state.subarray(0, size), number));
  }

  #lasting(): Record<string, TypedColumn> {
    return {
      state: this.#state,
      refusal: this.#refusal,
      priority: this.#priority,
      host: this.#host,
      discovery: this.#discovery,
      position: this.#position,
      depth: this.#depth,
      offTopicDepth: this.#offTopicDepth,
      attempts: this.#attempts,
      learnedFrom: this.#learnedFrom,
    };
  }

  #setState(slot: Slot, state: UrlState): void {
    this.#count(this.state(slot), -1);
    this.#count(state, 1);
    this.#state[slot] = URL_STATES.indexOf(state);
  }

  #count(state: UrlState, by: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }

  #resize(): void {
    const to = this.#capacity;
    this.#state = resized(this.#state, new Uint8Array(to));
    this.#refusal = resized(this.#refusal, new Uint8Array(to));
    this.#priority = resized(this.#priority, new Float32Array(to));
    this.#host = resized(this.#host, new Uint32Array(to));
    this.#discovery = resized(this.#discovery, new Uint32Array(to));
    this.#position = resized(this.#position, new Uint32Array(to));
    this.#depth = resized(this.#depth, new Uint16Array(to));
    this.#offTopicDepth = resized(this.#offTopicDepth, new Uint16Array(to));
    this.#attempts = resized(this.#attempts, new Uint8Array(to));
    this.#learnedFrom = resized(this.#learnedFrom, new Uint32Array(to));
    this.#aside = resized(this.#aside, new Uint8Array(to));
  }
}

function countOf(column: Uint8Array, value: number): number {
  let count = 0;
  for (let i = 0; i < column.length; i++) count += column[i] === value ? 1 : 0;
  return count;
}

function resized<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
