import { placeInChunk, RowChunks } from '../../base/core/row-chunks.ts';
import { type Bytes, type Fate, type RefusalReason, type Unit, URL_STATES, type UrlState } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import type { Checkpointed, Columns } from './checkpoint.ts';
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
  'login',
  'consent-wall',
  'needs-javascript',
  'encrypted',
  'no-text',
  'not-in-archive',
  'hook',
  'next-round',
  'withdrawn',
  'unchanged',
] as const satisfies readonly RefusalReason[];

const HELD = REFUSALS.indexOf('next-round') + 1;

const [WAITING, LEASED] = [URL_STATES.indexOf('waiting'), URL_STATES.indexOf('leased')];

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

/** Bytes of a row; then the places of its fields, counted in words of 4 bytes, in halves of them, and in bytes. */
const ROW: Bytes = 28;
const WORDS = ROW / 4;
const HALVES = ROW / 2;
const PRIORITY = 0;
const HOST = 1;
const DISCOVERY = 2;
const POSITION = 3;
const LEARNED_FROM = 4;
const DEPTH = 10;
const OFF_TOPIC_DEPTH = 11;
const STATE = 24;
const REFUSAL = 25;
const ATTEMPTS = 26;
const MARKS = 27;
/** Mark of a waiting URL that is skipped, because its pattern is parked. It lasts for a run. */
const ASIDE = 1;
/** Mark of a URL whose edge is that of an alternate of a kept page. */
const ALTERNATE = 2;

/**
 * Everything about each discovered URL that scheduling needs: 28 bytes a URL, plus those of `UrlNumbers`. The URL strings themselves are in the store.
 * Rows change only by named steps, and each step leaves a URL consistent. The priority of a URL comes from the edge it takes (`takeEdge`). A scorer
 * that has learned gives another (`rescore`). A page that was read and waits for another visit has its relevance (`reopen`).
 */
export class UrlTable implements Checkpointed {
  readonly #numbers = new UrlNumbers();
  readonly #rows = new RowChunks(ROW);
  readonly #counts = new Map<UrlState, number>(URL_STATES.map((state) => [state, 0]));
  /** Kept pages that are due for a revisit. */
  readonly #due = new Set<Slot>();

  get size(): number {
    return this.#numbers.size;
  }

  /** @returns the slot of a URL, or -1 if it was never claimed. */
  find(url: string): Slot {
    return this.#numbers.find(url);
  }

  /** Test and set: the slot of `url`, and whether this call created it. A new slot is `waiting` and must then be admitted. O(1). */
  claim(url: string): { readonly slot: Slot; readonly isNew: boolean } {
    const known = this.size;
    const slot = this.#numbers.of(url);
    if (slot < known) return { slot, isNew: false };
    this.#count('waiting', 1);
    this.#rows.reserve(this.size);
    return { slot, isNew: true };
  }

  /** Stores the facts about a new URL from its first sighting. @param refusal why it may not be requested; null if it may */
  admit(slot: Slot, host: number, { depth, offTopicDepth }: Way, refusal: RefusalReason | null): void {
    const { words, halves } = this.#rows.of(slot);
    const at = placeInChunk(slot);
    words[WORDS * at + HOST] = host;
    halves[HALVES * at + DEPTH] = depth;
    halves[HALVES * at + OFF_TOPIC_DEPTH] = offTopicDepth;
    if (refusal === null) return;
    this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + REFUSAL] = REFUSALS.indexOf(refusal) + 1;
    this.#setState(slot, 'refused');
  }

  /** A URL that was refused for its way waits for the next round. */
  hold(slot: Slot): void {
    this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + REFUSAL] = HELD;
  }

  /** Does it wait for the next round? */
  isHeld(slot: Slot): boolean {
    return this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + REFUSAL] === HELD;
  }

  /** A refused URL may be requested after all. */
  lift(slot: Slot): void {
    this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + REFUSAL] = 0;
    this.#setState(slot, 'waiting');
  }

  /** Keeps the shorter of two ways to the URL. @returns whether the new one is shorter */
  shorten(slot: Slot, { depth, offTopicDepth }: Way): boolean {
    const { halves } = this.#rows.of(slot);
    const at = HALVES * placeInChunk(slot);
    const [deep, off] = [halves[at + DEPTH] ?? 0, halves[at + OFF_TOPIC_DEPTH] ?? 0];
    const shorter = depth < deep || offTopicDepth < off;
    halves[at + DEPTH] = Math.min(deep, depth);
    halves[at + OFF_TOPIC_DEPTH] = Math.min(off, offTopicDepth);
    return shorter;
  }

  /** Is a way to the URL shorter than the one it has? */
  isShorter(slot: Slot, { depth, offTopicDepth }: Way): boolean {
    return depth < this.depthOf(slot) || offTopicDepth < this.offTopicDepthOf(slot);
  }

  /** Is its priority lower than another, in the precision of the table? */
  isLower(slot: Slot, priority: Unit): boolean {
    return this.priorityOf(slot) < Math.fround(priority);
  }

  takeEdge(slot: Slot, { discovery, position, priority, learnedFrom }: Sighting): void {
    const { words, floats } = this.#rows.of(slot);
    const at = WORDS * placeInChunk(slot);
    words[at + DISCOVERY] = discovery;
    words[at + POSITION] = position;
    floats[at + PRIORITY] = priority;
    words[at + LEARNED_FROM] = learnedFrom;
  }

  /** Sets another priority for the same edge. @returns whether it differs */
  rescore(slot: Slot, priority: Unit, learnedFrom: number): boolean {
    const { words, floats } = this.#rows.of(slot);
    const at = WORDS * placeInChunk(slot);
    const before = floats[at + PRIORITY];
    floats[at + PRIORITY] = priority;
    words[at + LEARNED_FROM] = learnedFrom;
    return floats[at + PRIORITY] !== before;
  }

  /** Does the same with one of many priorities: a number that is handed on by itself is an object. */
  rescoreBy(slot: Slot, priorities: Float32Array, i: number, learnedFrom: number): boolean {
    const { words, floats } = this.#rows.of(slot);
    const at = WORDS * placeInChunk(slot);
    const before = floats[at + PRIORITY];
    floats[at + PRIORITY] = priorities[i] as number;
    words[at + LEARNED_FROM] = learnedFrom;
    return floats[at + PRIORITY] !== before;
  }

  /** A page that was read is due for another visit: its known relevance is better than the predicted value of its link. */
  reopen(slot: Slot, relevance: Unit): void {
    this.#rows.of(slot).floats[WORDS * placeInChunk(slot) + PRIORITY] = relevance;
  }

  lease(slot: Slot): void {
    this.#setState(slot, 'leased');
  }

  /** A lease ended, and the URL waits again. */
  putBack(slot: Slot): void {
    this.#setState(slot, 'waiting');
  }

  /** Sets the number of failed tries. */
  retry(slot: Slot, attempts: number): void {
    this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + ATTEMPTS] = attempts;
  }

  end(slot: Slot, state: Fate['state']): void {
    this.#setState(slot, state);
  }

  /** @returns whether this call excluded it. */
  exclude(slot: Slot): boolean {
    if (this.isAside(slot)) return false;
    this.#mark(slot, ASIDE, true);
    return true;
  }

  /** @returns whether it was excluded. */
  readmit(slot: Slot): boolean {
    if (!this.isAside(slot)) return false;
    this.#mark(slot, ASIDE, false);
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
    return URL_STATES[this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + STATE] ?? 0] ?? 'waiting';
  }

  /** The state of a URL that waits or is leased by a link of a discovery; null of any other. */
  stateBy(slot: Slot, discovery: number): 'waiting' | 'leased' | null {
    const { bytes, words } = this.#rows.of(slot);
    const at = placeInChunk(slot);
    if (words[WORDS * at + DISCOVERY] !== discovery) return null;
    const state = bytes[ROW * at + STATE];
    return state === WAITING ? 'waiting' : state === LEASED ? 'leased' : null;
  }

  /** Reason why a URL was refused at its sighting; null if it was not. */
  refusal(slot: Slot): RefusalReason | null {
    return REFUSALS[(this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + REFUSAL] ?? 0) - 1] ?? null;
  }

  /** Numbers of URLs that were refused at their sighting, and still are. O(size). */
  refusals(): ReadonlyMap<RefusalReason, number> {
    const counts = new Map<RefusalReason, number>();
    for (let slot: Slot = 0; slot < this.size; slot++) {
      const refusal = this.refusal(slot);
      if (refusal !== null) counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
    }
    return counts;
  }

  /** Number of URLs in each state. Their sum is `size`. */
  countOf(state: UrlState): number {
    return this.#counts.get(state) ?? 0;
  }

  /** May it be requested? */
  isWaiting(slot: Slot): boolean {
    return (this.state(slot) === 'waiting' && !this.isAside(slot)) || this.isDue(slot);
  }

  isAside(slot: Slot): boolean {
    return this.#isMarked(slot, ASIDE);
  }

  /** Notes whether the edge of a URL is now that of an alternate. */
  beAlternate(slot: Slot, is: boolean): void {
    this.#mark(slot, ALTERNATE, is);
  }

  /** Was it found as an alternate of a kept page? */
  isAlternate(slot: Slot): boolean {
    return this.#isMarked(slot, ALTERNATE);
  }

  isDue(slot: Slot): boolean {
    return this.#due.size > 0 && this.#due.has(slot);
  }

  priorityOf(slot: Slot): Unit {
    return this.#rows.of(slot).floats[WORDS * placeInChunk(slot) + PRIORITY] ?? 0;
  }

  /** Key of a URL in a queue. */
  keyOf(slot: Slot): number {
    return keyIn(this.isDue(slot) ? 'revisit' : 'waiting', this.priorityOf(slot));
  }

  /** The number of its host. */
  hostOf(slot: Slot): number {
    return this.#rows.of(slot).words[WORDS * placeInChunk(slot) + HOST] ?? 0;
  }

  discoveryOf(slot: Slot): number {
    return this.#rows.of(slot).words[WORDS * placeInChunk(slot) + DISCOVERY] ?? 0;
  }

  positionOf(slot: Slot): number {
    return this.#rows.of(slot).words[WORDS * placeInChunk(slot) + POSITION] ?? 0;
  }

  learnedFromOf(slot: Slot): number {
    return this.#rows.of(slot).words[WORDS * placeInChunk(slot) + LEARNED_FROM] ?? 0;
  }

  depthOf(slot: Slot): number {
    return this.#rows.of(slot).halves[HALVES * placeInChunk(slot) + DEPTH] ?? 0;
  }

  offTopicDepthOf(slot: Slot): number {
    return this.#rows.of(slot).halves[HALVES * placeInChunk(slot) + OFF_TOPIC_DEPTH] ?? 0;
  }

  attemptsOf(slot: Slot): number {
    return this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + ATTEMPTS] ?? 0;
  }

  /** All rows, fingerprints and their index as bytes, in pieces. They share memory with this table. */
  columns(): Columns {
    return { ...this.#numbers.columns(), urls: this.#rows.parts(this.size) };
  }

  /** Fills an empty table, without the marks of parked URLs, which last for a run. O(URLs). */
  restore({ fingerprints, cells, segments, urls }: Columns): boolean {
    if (fingerprints === undefined || cells === undefined || segments === undefined || urls === undefined) return false;
    this.#numbers.restore({ fingerprints, cells, segments });
    this.#rows.restore(urls);
    const counts = new Uint32Array(URL_STATES.length);
    for (let slot = 0; slot < this.size; slot++) {
      const { bytes } = this.#rows.of(slot);
      const at = ROW * placeInChunk(slot);
      bytes[at + MARKS] = (bytes[at + MARKS] ?? 0) & ALTERNATE;
      const state = bytes[at + STATE] ?? 0;
      counts[state] = (counts[state] ?? 0) + 1;
    }
    for (const [number, state] of URL_STATES.entries()) this.#counts.set(state, counts[number] ?? 0);
    return true;
  }

  #isMarked(slot: Slot, mark: number): boolean {
    return ((this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + MARKS] ?? 0) & mark) !== 0;
  }

  #mark(slot: Slot, mark: number, is: boolean): void {
    const { bytes } = this.#rows.of(slot);
    const at = ROW * placeInChunk(slot) + MARKS;
    bytes[at] = is ? (bytes[at] ?? 0) | mark : (bytes[at] ?? 0) & ~mark;
  }

  #setState(slot: Slot, state: UrlState): void {
    this.#count(this.state(slot), -1);
    this.#count(state, 1);
    this.#rows.of(slot).bytes[ROW * placeInChunk(slot) + STATE] = URL_STATES.indexOf(state);
  }

  #count(state: UrlState, by: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }
}
