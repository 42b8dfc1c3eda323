/** The ledger of a crawl that another process may be writing. */
import type { LiveLedger } from '../../base/core/parts/queueing.ts';
import type { Rescorer } from '../../base/core/parts/scoring.ts';
import { FrontierLedger } from './frontier-ledger.ts';
import { type FrontierOptions, partsOf } from './frontier-parts.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LoggedEntry } from './logged-value.ts';
import { StepReader } from './step-reader.ts';
import type { StoredFate } from './store.ts';
import type { Slot } from './url-table.ts';

export class FollowedLedger extends FrontierLedger implements LiveLedger {
  readonly #store: LmdbStore;
  readonly newEnds: number[] = [];
  #era = 0;
  /** Priorities that this process computed are not those of the steps. */
  #hasOwnPriorities = false;

  /** Replays the store. */
  constructor(store: LmdbStore, options: FrontierOptions) {
    super(partsOf(store, options), options.clock);
    this.#store = store;
  }

  get era(): number {
    return this.#era;
  }

  follow(): boolean {
    const news = this.#hasOwnPriorities ? null : this.#store.follow();
    if (news === null) return false;
    const reader = new StepReader(this.parts, this.settlements, this.clock.now());
    const { era } = this;
    for (const step of news.steps) {
      // Its URL waits as its discovery is stored now, which is perhaps not as it was settled here.
      if (step.entry.kind === 'unsettled' || (step.entry.kind === 'lost' && step.entry.record !== null)) return false;
      if (this.#changesAnEnd(step)) this.#beginEra();
      else if (step.entry.kind === 'fate') this.#note(step.key, step.entry.stored);
      reader.repeat(step.entry, step.entry.kind === 'discovery' ? this.#store.priorities(step.key) : null);
    }
    if (this.era !== era) reader.finish();
    if (news.areScored) this.priorities.restore();
    return true;
  }

  override rescore(scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom): number {
    this.#hasOwnPriorities = true;
    return super.rescore(scorer, learnedFrom, foundBefore);
  }

  #note(slot: Slot, stored: StoredFate): void {
    this.newEnds.push(slot);
    this.visitPlaces.add(slot, stored);
  }

  #beginEra(): void {
    this.#era += 1;
    this.visitPlaces.forget();
  }

  #changesAnEnd({ key, entry }: LoggedEntry): boolean {
    if (entry.kind === 'fate') return this.#store.fate(key) !== null;
    // A page that was off topic waits as an alternate: its discovery comes next.
    return entry.kind === 'revisit' || entry.kind === 'lost';
  }
}
