import type { Clock } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { Settlement } from '../../base/core/parts/queueing.ts';
import type { RefreshPlan } from '../../base/core/refresh-plan.ts';
import {
  type CanonicalUrl,
  type EpochMs,
  type Fate,
  type FrontierEntry,
  isAbsence,
  type RecordId,
  type Revisit,
  type RevisitTask,
} from '../../base/core/types.ts';
import { type HintClaims, type HintSource, withAnswer } from '../revisits/change-evidence.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { UrlName } from './log-entry.ts';
import { Refreshing } from './refreshing.ts';
import { revisitKindOf } from './revisit-kind.ts';
import type { Slot } from './url-table.ts';

const NO_CLAIMS: HintClaims = { sitemap: null, feed: null };

/**
 * Kept pages, lists of URLs, and seeds that are off topic, that are revisited. They keep their state and the fate of their first visit. So everything that follows from fates
 * (lessons, parked patterns, estimates) stays the same. The outcome of the last revisit is stored separately. Only this process knows which are due.
 */
export class Revisits {
  readonly #parts: FrontierParts;
  /** Leased pages. */
  readonly #held = new Set<Slot>();
  /** null unless the crawl is continuous. */
  #refreshing: Refreshing | null = null;

  constructor(parts: FrontierParts) {
    this.#parts = parts;
  }

  /** See `Queue.revisit`. O(settled URLs). */
  begin(before: EpochMs, now: EpochMs, what: 'pages' | 'all'): RecordId[] {
    const { reader, store } = this.#parts;
    const versions: RecordId[] = [];
    for (const [slot, { fate }] of store.fates()) {
      const kind = store.reopened(slot) === null ? revisitKindOf(slot, fate, this.#parts) : null;
      if (kind === null || (kind !== 'page' && what === 'pages') || this.isDue(slot) || this.#held.has(slot)) continue;
      const kept = kind === 'page' ? reader.kept(slot) : null;
      if (kind === 'page' && kept === null) continue;
      const at = store.revisit(slot)?.at ?? fate.fetchedAt ?? 0;
      // A time as far ahead as `before` is back: a wrong clock wrote it, and waiting for that day could take years.
      if (at >= before && at <= 2 * now - before) continue;
      if (kept !== null) versions.push(kept.recordId);
      this.#beDue(slot, now);
    }
    return versions;
  }

  /** See `Queue.refresh`. O(settled URLs). */
  refresh(plan: RefreshPlan, clock: Clock): void {
    this.#refreshing = new Refreshing(this.#parts, plan, clock);
  }

  /** See `Queue.hint`. */
  hint(url: CanonicalUrl, changedAt: EpochMs, source: HintSource): void {
    // A sitemap has up to 50,000 URLs, and most crawls are not continuous.
    if (this.#refreshing === null) return;
    const slot = this.#parts.urls.find(url);
    if (slot >= 0) this.#refreshing.hint(slot, changedAt, source);
  }

  /** Makes the pages due that a continuous crawl revisits by now. @param mayVisitNew may the crawl visit new pages? */
  turn(now: EpochMs, mayVisitNew: boolean): void {
    // As long as a due page may be requested, no other one need be due.
    if (this.#refreshing === null || this.#parts.queue.hasReady('revisit', now)) return;
    for (const slot of this.#refreshing.next(mayVisitNew, (one) => this.#mayBeDue(one))) this.#beDue(slot, now);
  }

  /** Time from which `turn` may make a page due; null unless the crawl is continuous. */
  get nextTurn(): EpochMs | null {
    return this.#refreshing?.nextAt ?? null;
  }

  /** A URL was settled at its first visit. */
  settled(slot: Slot, { visited }: Fate): void {
    this.#refreshing?.settled(slot);
    if (visited) this.#refreshing?.visited();
  }

  /** A step of another worker settled a URL, or answered to its revisit. */
  taken(slot: Slot): void {
    this.#refreshing?.settled(slot);
  }

  /** See `LoggedFrontier.shareChanged`. */
  shareChanged(): void {
    this.#refreshing?.shareChanged();
  }

  /** Number of leased pages. */
  get held(): number {
    return this.#held.size;
  }

  isDue(slot: Slot): boolean {
    return this.#parts.urls.isDue(slot);
  }

  /** Is it due, or being revisited? */
  isBusy(slot: Slot): boolean {
    return this.isDue(slot) || this.#held.has(slot);
  }

  /** The entry of a kept page, due or not. @throws InvariantError if it is leased */
  takeAtOnce(slot: Slot, now: EpochMs): FrontierEntry {
    if (this.#held.has(slot)) throw new InvariantError(`frontier: kept page ${slot} is already leased`);
    if (!this.isDue(slot)) this.#beDue(slot, now);
    return this.take(slot);
  }

  /** The entry for a lease of a due page, which is then no longer due. */
  take(slot: Slot): FrontierEntry {
    const entry = this.#parts.reader.asLeased(slot, this.#parts.reader.ended(slot));
    const task = this.#taskOf(slot, entry);
    this.#parts.urls.beDueNoMore(slot);
    this.#held.add(slot);
    this.#parts.waiting.countDue(this.#parts.hosts.known(this.#parts.urls.hostOf(slot)), -1);
    return { ...entry, task };
  }

  #taskOf(slot: Slot, { task }: FrontierEntry): RevisitTask {
    const { state, reason } = this.#parts.store.fate(slot)?.fate ?? {};
    if (state === 'off-topic') return { kind: 'revisit', of: 'seed' };
    // A seed that turned out to be a list has the task of a page.
    if (typeof reason === 'object' && reason.kind === 'list')
      return { kind: 'revisit', of: 'list', list: task.kind === 'list' ? task : { kind: 'list', list: reason.list, level: 0 } };
    const kept = this.#parts.reader.kept(slot);
    if (!kept) throw new InvariantError(`frontier: URL ${slot} is due for a revisit, but is not kept`);
    const last = this.#parts.store.revisit(slot)?.result ?? null;
    return { kind: 'revisit', of: 'page', kept, last, ...(task.kind === 'alternate' && { alternate: task }) };
  }

  /** @throws InvariantError for a settlement that would change the state of the page */
  end(slot: Slot, settlement: Settlement, name: UrlName, now: EpochMs): void {
    this.#held.delete(slot);
    if (settlement.kind === 'released') this.#beDue(slot, now);
    else if (settlement.kind === 'revisited') this.#note(slot, settlement, name, now);
    else throw new InvariantError(`frontier: kept page ${slot} was settled as ${settlement.kind}`);
  }

  #note(slot: Slot, settlement: Extract<Settlement, { kind: 'revisited' }>, name: UrlName, now: EpochMs): void {
    const { revisit, discovered, modified = null } = settlement;
    const { store, sightings } = this.#parts;
    if (discovered) sightings.add(discovered, now);
    if (!revisit) {
      this.#refreshing?.failed(slot);
      return;
    }
    const last = store.revisit(slot);
    const version = revisit.version ?? last?.version ?? null;
    const seenAt = last?.at ?? store.fate(slot)?.fate.fetchedAt ?? revisit.at;
    const answer = {
      seenAt,
      at: revisit.at,
      changed: isChange(last, revisit),
      modified,
      claims: this.#refreshing?.claims(slot) ?? NO_CLAIMS,
    };
    store.putRevisit(slot, { ...revisit, version, evidence: withAnswer(last?.evidence, answer) }, name);
    this.#refreshing?.settled(slot);
  }

  /** A host that is given up, or that another worker asks, is not asked again. */
  #mayBeDue(slot: Slot): boolean {
    const { health, away } = this.#parts.hosts.known(this.#parts.urls.hostOf(slot));
    // A seed that was off topic may wait as an alternate.
    return !health.givenUp && !away && !this.isBusy(slot) && this.#parts.urls.state(slot) !== 'waiting';
  }

  #beDue(slot: Slot, now: EpochMs): void {
    this.#parts.urls.beDue(slot);
    this.#parts.waiting.countDue(this.#parts.hosts.known(this.#parts.urls.hostOf(slot)), 1);
    this.#parts.queue.offer(slot, now);
  }
}

/** Is the page other than at the answer before? A page that is still gone has not changed. */
function isChange(last: Revisit | null, { result }: Revisit): boolean {
  return result === 'changed' || isAbsence(result) !== isAbsence(last?.result ?? 'same');
}
