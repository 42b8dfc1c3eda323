import type { LinkEvidence, Rescorer } from '../../base/core/parts/scoring.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { EntryReader } from './entry-reader.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { FrontierStore, LinkPriorities } from './store.ts';
import type { Slot, UrlTable } from './url-table.ts';

/** Memory for the evidence of waiting links: enough for some 250,000 links with 45 features each. Other links are read from the store each time. */
const MAX_BYTES: Bytes = 64 * 1024 * 1024;

/** The links of one discovery that waited at the time of reading. */
interface WaitingLinks {
  /** Number of links in the discovery, including those that do not wait. */
  readonly links: number;
  readonly slots: Uint32Array;
  /** Positions in `slots` and in the evidence of those that still wait or are leased. No other ever waits by this discovery again. */
  readonly waiting: number[];
  /** Number of pages that the scorer had learned from when the discovery was made. */
  readonly learnedFrom: number;
  /** The evidence of these links. */
  readonly evidence: LinkEvidence;
}

/** The result of rescoring a discovery. */
export interface Rescored {
  /** Links that were scored. */
  readonly scored: number;
  /** Links whose priority changed. */
  readonly moved: readonly Slot[];
}

interface Priorities {
  readonly slots: readonly Slot[];
  readonly priorities: Float32Array;
}

type EvidenceRescorer = Rescorer & Required<Pick<Rescorer, 'evidenceOf' | 'scoreAgain'>>;

const NEWEST = Number.POSITIVE_INFINITY;

const NOTHING: Rescored = { scored: 0, moved: [] };

/** New priorities for waiting links, a discovery at a time. */
export class Rescoring {
  readonly #urls: UrlTable;
  readonly #store: FrontierStore;
  readonly #reader: EntryReader;
  readonly #parts: Pick<FrontierParts, 'sightings' | 'waiting'>;
  /** Waiting links whose evidence is known, by discovery. */
  readonly #known = new Map<number, WaitingLinks>();
  /** Discoveries whose current priorities are not yet in the store. */
  readonly #toStore = new Set<number>();
  #bytes: Bytes = 0;
  /** No discovery below this number is in `#known`. */
  #lowest = 0;
  /** The discovery with which the next rescoring begins. */
  #next = NEWEST;

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
   * Rescores one discovery at a time, the newest first, until `limit` links have a new priority. If links remain, the next call continues with them,
   * then with the newest ones: every link has its turn.
   * @param foundBefore see `#discovery`
   */
  *inTurns(scorer: Rescorer, learnedFrom: () => number, limit: number, foundBefore?: number): Generator<Rescored> {
    const { discoveries } = this.#parts.sightings;
    const first = limit === Number.POSITIVE_INFINITY ? NEWEST : this.#next;
    let left = limit;
    for (let turn = 0; turn < discoveries && left > 0; turn++) {
      const index = (Math.min(first, discoveries - 1) - turn + discoveries) % discoveries;
      this.#next = index === 0 ? NEWEST : index - 1;
      if (!this.#parts.waiting.anyBy(index)) {
        this.#forget(index);
        continue;
      }
      const rescored = this.#discovery(index, scorer, learnedFrom(), foundBefore);
      left -= rescored.scored;
      yield rescored;
    }
    if (left > 0) this.#next = NEWEST;
  }

  /** @param foundBefore a discovery keeps its priorities if the scorer had learned from at least this many pages when it was made */
  #discovery(index: number, scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom): Rescored {
    if ((this.#known.get(index) ?? this.#store.discovery(index)).learnedFrom >= foundBefore) return NOTHING;
    const { slots, priorities } = keepsEvidence(scorer) ? this.#scoredAgain(index, scorer) : this.#scored(index, scorer);
    const moved: Slot[] = [];
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as Slot;
      // The known relevance of a page is better than the predicted value of a link.
      if (this.#urls.rescore(slot, this.#store.reopened(slot) ?? (priorities[i] as number), learnedFrom)) moved.push(slot);
    }
    if (slots.length > 0) this.#toStore.add(index);
    return { scored: slots.length, moved };
  }

  /** Has any discovery priorities that are not in the store? */
  get hasUnstored(): boolean {
    return this.#toStore.size > 0;
  }

  /** Writes all new priorities to the store. O(links rescored since the last call). @returns whether there were any */
  storePriorities(): boolean {
    const any = this.#toStore.size > 0;
    for (const index of this.#toStore) this.#store.putPriorities(index, this.#given(index));
    this.#toStore.clear();
    return any;
  }

  /** The current priorities of a discovery's links that wait by it or are leased. */
  #given(index: number): LinkPriorities {
    const known = this.#known.get(index);
    const slots = known?.slots ?? this.#waitingBy(index);
    const links = known?.links ?? this.#store.discovery(index).links.length;
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

  /** No link of a discovery waits any longer. */
  #forget(index: number): void {
    this.#bytes -= this.#known.get(index)?.evidence.bytes ?? 0;
    this.#known.delete(index);
  }

  /** The links that wait by a discovery, with their new priorities. */
  #scored(index: number, scorer: Rescorer): Priorities {
    const slots = this.#waitingBy(index).filter((slot) => this.#urls.state(slot) === 'waiting');
    return { slots, priorities: scorer.score(slots.map((slot) => this.#reader.entry(slot))) };
  }

  /** Scores the links that wait by a discovery again, from their evidence. */
  #scoredAgain(index: number, scorer: EvidenceRescorer): Priorities {
    const { slots, waiting, evidence } = this.#known.get(index) ?? this.#read(index, scorer);
    const scored: Slot[] = [];
    const only: number[] = [];
    let left = 0;
    for (const at of waiting) {
      const slot = slots[at] as Slot;
      const state = this.#urls.state(slot);
      if ((state !== 'waiting' && state !== 'leased') || this.#urls.discoveryOf(slot) !== index) continue;
      waiting[left++] = at;
      if (state === 'leased') continue;
      scored.push(slot);
      only.push(at);
    }
    waiting.length = left;
    return { slots: scored, priorities: scorer.scoreAgain(evidence, only) };
  }

  /** Reads the evidence of a discovery. */
  #read(index: number, scorer: EvidenceRescorer): WaitingLinks {
    const waitingBy = this.#waitingBy(index);
    const evidence = scorer.evidenceOf(waitingBy.map((slot) => this.#reader.entry(slot)));
    const { links, learnedFrom } = this.#store.discovery(index);
    const read = { links: links.length, slots: new Uint32Array(waitingBy), waiting: [...waitingBy.keys()], learnedFrom, evidence };
    this.#keep(index, read);
    return read;
  }

  /** Links that wait by an edge of a discovery, and leased ones, which may wait again. URL lists keep their own priority. */
  #waitingBy(index: number): Slot[] {
    const slots: Slot[] = [];
    for (const [position, { url, task }] of this.#store.discovery(index).links.entries()) {
      if (task.kind !== 'page') continue;
      const slot = this.#urls.find(url);
      const state = this.#urls.state(slot);
      if (state !== 'waiting' && state !== 'leased') continue;
      if (this.#urls.discoveryOf(slot) === index && this.#urls.positionOf(slot) === position) slots.push(slot);
    }
    return slots;
  }

  /** Keeps the newest discoveries: they are rescored first, and often alone. */
  #keep(index: number, links: WaitingLinks): void {
    const { bytes } = links.evidence;
    while (this.#bytes + bytes > MAX_BYTES && this.#lowest < index) this.#forget(this.#lowest++);
    if (this.#bytes + bytes > MAX_BYTES) return;
    this.#known.set(index, links);
    this.#bytes += bytes;
    this.#lowest = Math.min(this.#lowest, index);
  }
}

function keepsEvidence(scorer: Rescorer): scorer is EvidenceRescorer {
  return scorer.evidenceOf !== undefined && scorer.scoreAgain !== undefined;
}
