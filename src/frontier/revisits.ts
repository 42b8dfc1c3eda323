import { InvariantError } from '../core/errors.ts';
import type { Settlement } from '../core/parts.ts';
import type { CanonicalUrl, EpochMs, FrontierEntry, RecordId, Revisit } from '../core/types.ts';
import type { EntryReader } from './entry-reader.ts';
import type { HostTable } from './hosts.ts';
import type { PoliteQueue } from './polite-queue.ts';
import type { Sightings } from './sightings.ts';
import type { FrontierStore } from './store.ts';
import { AGAIN, type Slot, type UrlTable } from './url-table.ts';
import type { Waiting } from './waiting.ts';

/**
 * Kept pages that are asked for again. They stay in their state, and their fate stays that of the first visit, so that all that follows from fates
 * (lessons, parked patterns, estimates) is as it was; what the last answer came to stands beside it. What is due is known to this process alone.
 */
export class Revisits {
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #waiting: Waiting;
  readonly #queue: PoliteQueue;
  readonly #reader: EntryReader;
  readonly #sightings: Sightings;
  readonly #store: FrontierStore;
  /** Leased. */
  readonly #held = new Set<Slot>();

  constructor(
    urls: UrlTable,
    hosts: HostTable,
    waiting: Waiting,
    queue: PoliteQueue,
    reader: EntryReader,
    sightings: Sightings,
    store: FrontierStore,
  ) {
    this.#urls = urls;
    this.#hosts = hosts;
    this.#waiting = waiting;
    this.#queue = queue;
    this.#reader = reader;
    this.#sightings = sightings;
    this.#store = store;
  }

  /** See `Frontier.revisit`. O(settled URLs). */
  begin(before: EpochMs, now: EpochMs): RecordId[] {
    const versions: RecordId[] = [];
    for (const [slot, { fate }] of this.#store.fates()) {
      const kept = fate.state === 'kept' ? this.#reader.kept(slot) : null;
      if (!kept || this.isDue(slot) || this.#held.has(slot) || (this.#store.revisit(slot)?.at ?? fate.fetchedAt ?? 0) >= before) continue;
      versions.push(kept.recordId);
      this.#beDue(slot, now);
    }
    return versions;
  }

  /** How many are leased. */
  get held(): number {
    return this.#held.size;
  }

  isDue(slot: Slot): boolean {
    return this.#urls.due.has(slot);
  }

  /** The entry to lease of a page that is due, and is no longer. */
  take(slot: Slot): FrontierEntry {
    const kept = this.#reader.kept(slot);
    if (!kept) throw new InvariantError(`frontier: URL ${slot} is to be asked for again, and is not kept`);
    this.#urls.due.delete(slot);
    this.#held.add(slot);
    this.#waiting.countDue(this.#hosts.known(this.#urls.host[slot] ?? 0), -1);
    return { ...this.#reader.asLeased(slot, this.#reader.ended(slot)), kept };
  }

  /** @throws InvariantError for a settlement that would change the state of the page */
  end(slot: Slot, settlement: Settlement, now: EpochMs): void {
    this.#held.delete(slot);
    if (settlement.kind === 'released') this.#beDue(slot, now);
    else if (settlement.kind === 'revisited') this.#note(slot, settlement, now);
    else throw new InvariantError(`frontier: kept page ${slot} was settled as ${settlement.kind}`);
  }

  *all(): Generator<{ readonly url: CanonicalUrl; readonly revisit: Revisit }> {
    for (const [slot, revisit] of this.#store.revisits()) yield { url: this.#reader.entry(slot).url, revisit };
  }

  #note(slot: Slot, { revisit, discovered }: Extract<Settlement, { kind: 'revisited' }>, now: EpochMs): void {
    if (discovered) this.#sightings.add(discovered, now);
    if (revisit) this.#store.putRevisit(slot, { ...revisit, version: revisit.version ?? this.#store.revisit(slot)?.version ?? null });
  }

  #beDue(slot: Slot, now: EpochMs): void {
    this.#urls.due.add(slot);
    // The one it had when it was leased is stored with its fate.
    this.#urls.priority[slot] = AGAIN;
    this.#waiting.countDue(this.#hosts.known(this.#urls.host[slot] ?? 0), 1);
    this.#queue.offer(slot, now);
  }
}
