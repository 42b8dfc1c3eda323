import { InvariantError } from '../../base/core/errors.ts';
import type { Settlement } from '../../base/core/parts/queueing.ts';
import type { EpochMs, FrontierEntry, RecordId } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { UrlName } from './log-entry.ts';
import type { Slot } from './url-table.ts';

/**
 * Kept pages that are revisited. They keep their state and the fate of their first visit. So everything that follows from fates (lessons, parked
 * patterns, estimates) stays the same. The outcome of the last revisit is stored separately. Only this process knows which pages are due.
 */
export class Revisits {
  readonly #parts: FrontierParts;
  /** Leased pages. */
  readonly #held = new Set<Slot>();

  constructor(parts: FrontierParts) {
    this.#parts = parts;
  }

  /** See `Queue.revisit`. O(settled URLs). */
  begin(before: EpochMs, now: EpochMs): RecordId[] {
    const versions: RecordId[] = [];
    for (const [slot, { fate }] of this.#parts.store.fates()) {
      const kept = fate.state === 'kept' ? this.#parts.reader.kept(slot) : null;
      if (!kept || this.isDue(slot) || this.#held.has(slot)) continue;
      const at = this.#parts.store.revisit(slot)?.at ?? fate.fetchedAt ?? 0;
      // A time as far ahead as `before` is back: a wrong clock wrote it, and waiting for that day could take years.
      if (at >= before && at <= 2 * now - before) continue;
      versions.push(kept.recordId);
      this.#beDue(slot, now);
    }
    return versions;
  }

  /** Number of leased pages. */
  get held(): number {
    return this.#held.size;
  }

  isDue(slot: Slot): boolean {
    return this.#parts.urls.isDue(slot);
  }

  /** The entry of a kept page, due or not. @throws InvariantError if it is leased */
  takeAtOnce(slot: Slot, now: EpochMs): FrontierEntry {
    if (this.#held.has(slot)) throw new InvariantError(`frontier: kept page ${slot} is already leased`);
    if (!this.isDue(slot)) this.#beDue(slot, now);
    return this.take(slot);
  }

  /** The entry for a lease of a due page, which is then no longer due. */
  take(slot: Slot): FrontierEntry {
    const kept = this.#parts.reader.kept(slot);
    if (!kept) throw new InvariantError(`frontier: URL ${slot} is due for a revisit, but is not kept`);
    this.#parts.urls.beDueNoMore(slot);
    this.#held.add(slot);
    this.#parts.waiting.countDue(this.#parts.hosts.known(this.#parts.urls.hostOf(slot)), -1);
    return { ...this.#parts.reader.asLeased(slot, this.#parts.reader.ended(slot)), task: { kind: 'revisit', kept } };
  }

  /** @throws InvariantError for a settlement that would change the state of the page */
  end(slot: Slot, settlement: Settlement, name: UrlName, now: EpochMs): void {
    this.#held.delete(slot);
    if (settlement.kind === 'released') this.#beDue(slot, now);
    else if (settlement.kind === 'revisited') this.#note(slot, settlement, name, now);
    else throw new InvariantError(`frontier: kept page ${slot} was settled as ${settlement.kind}`);
  }

  #note(slot: Slot, { revisit, discovered }: Extract<Settlement, { kind: 'revisited' }>, name: UrlName, now: EpochMs): void {
    if (discovered) this.#parts.sightings.add(discovered, now);
    if (!revisit) return;
    const version = revisit.version ?? this.#parts.store.revisit(slot)?.version ?? null;
    this.#parts.store.putRevisit(slot, { ...revisit, version }, name);
  }

  #beDue(slot: Slot, now: EpochMs): void {
    this.#parts.urls.beDue(slot);
    this.#parts.waiting.countDue(this.#parts.hosts.known(this.#parts.urls.hostOf(slot)), 1);
    this.#parts.queue.offer(slot, now);
  }
}
