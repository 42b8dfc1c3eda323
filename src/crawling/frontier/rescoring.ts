import type { LinkEvidence, Rescorer } from '../../base/core/parts/scoring.ts';
import type { Bytes, DiscoveredLink } from '../../base/core/types.ts';
import type { EntryReader } from './entry-reader.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { linkCountOf } from './packed-discovery.ts';
import type { FrontierStore, LinkPriorities } from './store.ts';
import type { Slot, UrlTable } from './url-table.ts';

/** Memory for the evidence of waiting links: enough for some 250,000 links with 45 features each. Other links are read from the store each time. */
const MAX_BYTES: Bytes = 80 * 1024 * 1024;
/** Bytes of an object `WaitingLinks` with its two arrays, and of a link in these: by two heap snapshots of a crawl (`node:v8`), 240 for a discovery with one link. */
const OWN_BYTES: Bytes = 220;
const LINK_BYTES: Bytes = 16;

/** Links that are rescored at a time, or more if one discovery has more: many discoveries have a single one that waits. */
const LINKS_AT_ONCE = 128;

/** The links of one discovery that waited at the time of reading. */
interface WaitingLinks {
  /** Number of links in the discovery, including those that do not wait. */
  readonly links: number;
  readonly slots: readonly Slot[];
  /** Positions in `slots` and in the evidence of those that still wait or are leased. No other ever waits by this discovery again. */
  readonly waiting: number[];
  /** Number of pages that the scorer had learned from when the discovery was made. */
  readonly learnedFrom: number;
  /** The evidence of these links. */
  readonly evidence: LinkEvidence;
}

/** The result of rescoring some discoveries. */
export interface Rescored {
  /** Links that were scored. */
  scored: number;
  /** Links whose priority changed. */
  readonly moved: Slot[];
}

type EvidenceRescorer = Rescorer & Required<Pick<Rescorer, 'evidenceOf' | 'scoreAgain'>>;

const NEWEST = Number.POSITIVE_INFINITY;
/** No slot. */
const NONE = -1;

/** New priorities for waiting links, a discovery at a time. */
export class Rescoring {
  readonly #urls: UrlTable;
  readonly #store: FrontierStore;
  readonly #reader: EntryReader;
  readonly #parts: Pick<FrontierParts, 'sightings' | 'waiting'>;
  /** Waiting links whose evidence is known, by discovery. No `Map`: one that loses and gains keys for hours doubles its table at some moment. */
  readonly #known: (WaitingLinks | undefined)[] = [];
  /** Discoveries whose current priorities are not yet in the store. */
  readonly #toStore = new Set<number>();
  #bytes: Bytes = 0;
  /** No discovery below this number is in `#known`. */
  #lowest = 0;
  /** The discovery with which the next rescoring begins. */
  #next = NEWEST;
  /** The links that are being scored, and their positions in their evidence. Used again for each discovery. */
  readonly #slots: Slot[] = [];
  readonly #positions: number[] = [];
  #priorities = new Float32Array(LINKS_AT_ONCE);

  constructor(parts: FrontierParts) {
    this.#parts = parts;
    [this.#urls, this.#store, this.#reader] = [parts.urls, parts.store, parts.reader];
  }

  /** Rescores all waiting links. */
  all(scorer: Rescorer, learnedFrom: number, foundBefore: number): Rescored {
    const all = [...this.inTurns(scorer, () => learnedFrom, Number.POSITIVE_INFINITY, foundBefore)];
    return { scored: all.reduce((sum, { scored }) => sum + scored, 0), moved: all.flatMap(({ moved }) => moved) };
  }

  /**
   * Rescores some discoveries at a time, the newest first, until `limit` links have a new priority. If links remain, the next call continues with them,
   * then with the newest ones: every link has its turn.
   * @param foundBefore see `#discovery`
   * @returns the links of each step
   */
  *inTurns(scorer: Rescorer, learnedFrom: () => number, limit: number, foundBefore?: number): Generator<Rescored> {
    const { discoveries } = this.#parts.sightings;
    const first = limit === Number.POSITIVE_INFINITY ? NEWEST : this.#next;
    let left = limit;
    let some = nothing();
    for (let turn = 0; turn < discoveries && left > 0; turn++) {
      const index = (Math.min(first, discoveries - 1) - turn + discoveries) % discoveries;
      this.#next = index === 0 ? NEWEST : index - 1;
      if (!this.#parts.waiting.anyBy(index)) {
        this.#settled(index);
        continue;
      }
      left -= this.#discovery(index, scorer, learnedFrom(), foundBefore, some);
      if (some.scored < LINKS_AT_ONCE) continue;
      yield some;
      some = nothing();
    }
    if (some.scored > 0) yield some;
    if (left > 0) this.#next = NEWEST;
  }

  /**
   * @param foundBefore a discovery keeps its priorities if the scorer had learned from at least this many pages when it was made
   * @param result is added to
   * @returns number of links that were scored
   */
  #discovery(index: number, scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom, result: Rescored): number {
    if ((this.#known[index] ?? this.#store.discovery(index)).learnedFrom >= foundBefore) return 0;
    const priorities = keepsEvidence(scorer) ? this.#scoredAgain(index, scorer) : this.#scored(index, scorer);
    const { length } = this.#slots;
    for (let i = 0; i < length; i++) {
      const slot = this.#slots[i] as Slot;
      const reopened = this.#store.reopened(slot);
      // The known relevance of a page is better than the predicted value of a link.
      const isMoved =
        reopened === null ? this.#urls.rescoreBy(slot, priorities, i, learnedFrom) : this.#urls.rescore(slot, reopened, learnedFrom);
      if (isMoved) result.moved.push(slot);
    }
    result.scored += length;
    if (length > 0) this.#toStore.add(index);
    return length;
  }

  /** Has any discovery priorities that are not in the store? */
  get hasUnstored(): boolean {
    return this.#toStore.size > 0;
  }

  /** Writes all new priorities to the store. O(links rescored since the last call). @returns whether there were any */
  storePriorities(): boolean {
    const any = this.#toStore.size > 0;
    for (const index of this.#toStore) if (this.#parts.waiting.anyBy(index)) this.#store.putPriorities(index, this.#given(index));
    this.#toStore.clear();
    return any;
  }

  /** Takes all stored priorities: another process gave them. O(URLs). */
  restore(): void {
    const next = new Int32Array(this.#urls.size);
    const first = new Int32Array(this.#parts.sightings.discoveries).fill(NONE);
    for (let slot: Slot = 0; slot < this.#urls.size; slot++) {
      if (this.#urls.state(slot) !== 'waiting') continue;
      const index = this.#urls.discoveryOf(slot);
      next[slot] = first[index] ?? NONE;
      first[index] = slot;
    }
    for (const [index, given] of this.#store.allPriorities())
      for (let slot = first[index] ?? NONE; slot !== NONE; slot = next[slot] ?? NONE) this.#take(slot, given);
  }

  #take(slot: Slot, { priorities, learnedFrom }: LinkPriorities): void {
    const position = this.#urls.positionOf(slot);
    const priority = priorities[position] ?? Number.NaN;
    if (Number.isNaN(priority)) return;
    const isReopened = this.#store.reopened(slot) !== null;
    this.#urls.rescore(slot, isReopened ? this.#urls.priorityOf(slot) : priority, learnedFrom[position] ?? 0);
  }

  /** The current priorities of a discovery's links that wait by it or are leased. */
  #given(index: number): LinkPriorities {
    const known = this.#known[index];
    const slots = known?.slots ?? this.#waitingBy(index);
    const links = known?.links ?? linkCountOf(this.#store.discovery(index));
    const priorities = new Float32Array(links).fill(Number.NaN);
    const learnedFrom = new Uint32Array(links);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] ?? 0;
      if (this.#urls.discoveryOf(slot) !== index) continue;
      const position = this.#urls.positionOf(slot);
      priorities[position] = this.#urls.priorityOf(slot);
      learnedFrom[position] = this.#urls.learnedFromOf(slot);
    }
    return { priorities, learnedFrom };
  }

  /** No link of a discovery waits any longer: nobody needs its priorities. */
  #settled(index: number): void {
    this.#toStore.delete(index);
    this.#forget(index);
  }

  #forget(index: number): void {
    const known = this.#known[index];
    if (known === undefined) return;
    this.#bytes -= bytesOf(known);
    this.#known[index] = undefined;
  }

  /** Scores the links that wait by a discovery, and leaves them in `#slots`. */
  #scored(index: number, scorer: Rescorer): Float32Array {
    this.#slots.length = 0;
    for (const slot of this.#waitingBy(index)) if (this.#urls.state(slot) === 'waiting') this.#slots.push(slot);
    return scorer.score(this.#slots.map((slot) => this.#reader.entry(slot)));
  }

  /** Scores the links that wait by a discovery again, from their evidence, and leaves them in `#slots`. */
  #scoredAgain(index: number, scorer: EvidenceRescorer): Float32Array {
    const { slots, waiting, evidence } = this.#known[index] ?? this.#read(index, scorer);
    this.#slots.length = 0;
    this.#positions.length = 0;
    let left = 0;
    for (const at of waiting) {
      const slot = slots[at] as Slot;
      const state = this.#urls.stateBy(slot, index);
      if (state === null) continue;
      waiting[left++] = at;
      if (state === 'leased') continue;
      this.#slots.push(slot);
      this.#positions.push(at);
    }
    waiting.length = left;
    if (this.#priorities.length < this.#slots.length) this.#priorities = new Float32Array(2 * this.#slots.length);
    return scorer.scoreAgain(evidence, this.#positions, this.#priorities);
  }

  /** Reads the evidence of a discovery. */
  #read(index: number, scorer: EvidenceRescorer): WaitingLinks {
    const slots = this.#waitingBy(index);
    const { referrer, learnedFrom, links } = this.#store.discovery(index);
    const evidence = scorer.evidenceOf(
      slots.map((slot) => {
        const { url, text: link } = links[this.#urls.positionOf(slot)] as DiscoveredLink;
        const edge = referrer && { referrer, link, learnedFrom: this.#urls.learnedFromOf(slot) };
        return { url, depth: this.#urls.depthOf(slot), offTopicDepth: this.#urls.offTopicDepthOf(slot), edge };
      }),
    );
    const read = { links: links.length, slots, waiting: [...slots.keys()], learnedFrom, evidence };
    this.#keep(index, read);
    return read;
  }

  /** Links that wait by an edge of a discovery, and leased ones, which may wait again. URL lists keep their own priority. */
  #waitingBy(index: number): Slot[] {
    const slots: Slot[] = [];
    const { links } = this.#store.discovery(index);
    for (let position = 0; position < links.length; position++) {
      const { url, task } = links[position] as DiscoveredLink;
      if (task.kind !== 'page') continue;
      const slot = this.#urls.find(url);
      if (this.#urls.stateBy(slot, index) !== null && this.#urls.positionOf(slot) === position) slots.push(slot);
    }
    return slots;
  }

  /** Keeps the newest discoveries: they are rescored first, and often alone. */
  #keep(index: number, links: WaitingLinks): void {
    const bytes = bytesOf(links);
    while (this.#bytes + bytes > MAX_BYTES && this.#lowest < index) this.#forget(this.#lowest++);
    if (this.#bytes + bytes > MAX_BYTES) return;
    // An array with holes would become a table of hashes.
    while (this.#known.length <= index) this.#known.push(undefined);
    this.#known[index] = links;
    this.#bytes += bytes;
    this.#lowest = Math.min(this.#lowest, index);
  }
}

function bytesOf({ evidence, slots }: WaitingLinks): Bytes {
  return evidence.bytes + OWN_BYTES + LINK_BYTES * slots.length;
}

function nothing(): Rescored {
  return { scored: 0, moved: [] };
}

function keepsEvidence(scorer: Rescorer): scorer is EvidenceRescorer {
  return scorer.evidenceOf !== undefined && scorer.scoreAgain !== undefined;
}
