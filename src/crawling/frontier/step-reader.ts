/** The only reader of a log: it repeats steps in the columns of a frontier. At the opening these are its own, at a takeover those of another worker. */
import { InvariantError } from '../../base/core/errors.ts';
import type { CanonicalUrl, EpochMs, RecordId, Unit } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { HostState } from './hosts.ts';
import type { LogEntry } from './log-entry.ts';
import { notBeforeRestored, restoreHealth, visitsBefore } from './replay.ts';
import type { SettledCounts } from './settled-counts.ts';
import type { LinkPriorities, StoredFate, StoredRetry } from './store.ts';
import type { Slot } from './url-table.ts';

export class StepReader {
  readonly #parts: FrontierParts;
  readonly #settlements: SettledCounts;
  readonly #now: EpochMs;
  /** Did a settled URL wait again? */
  #anyAgain = false;

  constructor(parts: FrontierParts, settlements: SettledCounts, now: EpochMs) {
    [this.#parts, this.#settlements, this.#now] = [parts, settlements, now];
  }

  /**
   * Repeats a step. The store must have all steps before it, and must not have this one.
   * @param since priorities that rescoring gave the links of a discovery later; null for none
   * @throws InvariantError for a step of a URL whose discovery did not come before
   */
  repeat(entry: LogEntry, since: LinkPriorities | null = null): void {
    if (entry.kind === 'discovery') this.#parts.sightings.again(entry.discovery, since);
    else if (entry.kind === 'fate') this.#end(this.slotOf(entry.url), entry);
    else if (entry.kind === 'retry') this.#wait(this.slotOf(entry.url), entry.retry);
    else if (entry.kind === 'health') restoreHealth(this.#parts.waiting, this.#parts.hosts.get(entry.host), entry.health, this.#now);
    else if (entry.kind === 'lost') this.#lose(this.slotOf(entry.url), entry.record);
    else if (entry.kind === 'unparking') this.#unpark(entry.unparking.pattern);
    else if (entry.kind === 'unsettled') this.#takeBack(this.slotOf(entry.url));
  }

  /** @throws InvariantError for an unknown URL */
  slotOf(url: CanonicalUrl): Slot {
    const slot = this.#parts.urls.find(url);
    if (slot < 0) throw new InvariantError(`frontier: the log has an entry of ${url}, and no discovery of it`);
    return slot;
  }

  /** Call it after all steps of an opening. O(settled URLs) if any of them waited again, or may. */
  finish(): void {
    const { guard, reader, store } = this.#parts;
    if (store.mayReopen) this.#reopen();
    // A fate that was taken back or reopened is no evidence about its pattern.
    if (this.#anyAgain) guard?.startAgain(reader.settled(), store.unparkings());
  }

  /** Lets pages wait that the active model reopens. */
  #reopen(): void {
    const { store, urls } = this.#parts;
    for (const [slot, stored] of store.fates()) {
      const relevance = urls.state(slot) === 'waiting' ? null : store.reopened(slot);
      if (relevance === null) continue;
      this.#waitAgain(slot, stored, relevance);
      // Of its next visit. While its steps were repeated, it did not wait.
      const retry = store.retry(slot);
      if (retry) this.delay(slot, retry);
    }
  }

  /** A URL that waits for a retry is offered when its time has come. */
  delay(slot: Slot, retry: StoredRetry): void {
    const { queue, urls } = this.#parts;
    const notBefore = notBeforeRestored(retry, this.#now);
    if (urls.state(slot) === 'waiting' && notBefore > this.#now) queue.offerLater(slot, notBefore);
  }

  #hostOf(slot: Slot): HostState {
    const { hosts, urls } = this.#parts;
    return hosts.known(urls.hostOf(slot));
  }

  #end(slot: Slot, { url, stored }: Extract<LogEntry, { kind: 'fate' }>): void {
    const { guard, reader, store, urls, waiting } = this.#parts;
    const host = this.#hostOf(slot);
    const before = store.fate(slot);
    // A model reopened the page, and was replaced since.
    if (urls.state(slot) !== 'waiting' && before !== null) this.#waitAgain(slot, before, 0);
    if (before !== null) this.#settlements.visitAgain();
    // A log that was converted has only the last fate of a URL.
    this.#settlements.countEarlier(visitsBefore(stored) - (before === null ? 0 : visitsBefore(before) + 1));
    waiting.count(host, -1);
    waiting.countEdge(slot, -1);
    this.#settlements.mark(slot, host, stored.fate);
    this.#settlements.reach(stored.order);
    if (guard?.settled(reader.found(slot, url), stored)) waiting.readmitAll();
  }

  /** A page that was read waits for another visit. */
  #waitAgain(slot: Slot, { fate }: StoredFate, relevance: Unit): void {
    this.#anyAgain = true;
    this.#settlements.waitAgain(slot, this.#hostOf(slot), fate, relevance);
  }

  #wait(slot: Slot, retry: StoredRetry): void {
    this.#parts.urls.retry(slot, retry.attempts);
    this.delay(slot, retry);
  }

  /** A page that has another record by now, or waits already, stays. */
  #lose(slot: Slot, record: RecordId | null): void {
    const { store } = this.#parts;
    const fate = store.fate(slot)?.fate;
    if (fate?.recordId !== record || store.reopened(slot) !== null) return;
    // The fate of an alternate stays evidence about its pattern, as it was when the page began to wait.
    if (record !== null) this.#anyAgain = true;
    this.#settlements.waitAgain(slot, this.#hostOf(slot), fate, fate.relevance ?? 0);
  }

  #unpark(pattern: string): void {
    const { guard, waiting } = this.#parts;
    if ((guard?.unpark(pattern) ?? []).length > 0) waiting.readmitAll();
  }

  /** Neither its fate nor its earlier ones count: it waits by its link. */
  #takeBack(slot: Slot): void {
    const { reader, store, urls } = this.#parts;
    const stored = store.fate(slot);
    if (stored === null) return;
    this.#settlements.countEarlier(-visitsBefore(stored));
    if (urls.state(slot) === 'waiting') {
      this.#settlements.visitAgain();
      this.#settlements.countEarlier(-1);
    } else {
      this.#anyAgain = true;
      this.#settlements.putBack(slot, this.#hostOf(slot), stored.fate);
    }
    urls.reopen(slot, reader.linkPriority(slot));
  }
}
