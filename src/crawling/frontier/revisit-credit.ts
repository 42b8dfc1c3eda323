import type { CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { RevisitBudget } from '../../base/core/refresh-plan.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';

const DAY: Ms = 86_400_000;

/** State of the crawl that a budget depends on. */
export interface BudgetBasis {
  /** Number of pages and lists that are revisited. */
  readonly pages: number;
  /** Does a URL wait for its first visit, and may it have one? */
  readonly anyNew: boolean;
}

/**
 * Time after the last first visit from which a share of the requests is one of the pages a day, though URLs wait: one that waits for a retry would hold back
 * all revisits.
 */
const NEW_WITHIN: Ms = DAY;

/**
 * The revisits that a budget allows by now. It grows with time, or with first visits, up to that of one day: a crawl that was stopped for a month makes up for a
 * day. A crawl that was never continuous begins with the credit of the time since its first answer. A clock that is set back takes nothing.
 */
export class RevisitCredit {
  readonly #budget: RevisitBudget;
  #credit = 0;
  #at: EpochMs;
  /** Time of the last first visit; that of the start of the run without any. */
  #visitedAt: EpochMs;

  /**
   * @param noted those of the run before; undefined for the first one
   * @param age time since the first answer of the crawl @param idle time since the last first visit
   */
  constructor(
    budget: RevisitBudget,
    noted: CrawlNotes['revisitCredit'],
    basis: BudgetBasis,
    { now, age, idle }: { readonly now: EpochMs; readonly age: Ms; readonly idle: Ms },
  ) {
    this.#budget = budget;
    this.#at = noted?.at ?? now;
    this.#visitedAt = now - idle;
    this.#credit = noted?.credit ?? (this.#growsFrom(basis) > now ? 0 : this.#aDay(basis) * Math.min(1, age / DAY));
  }

  /** Number of revisits that may be made now. */
  at(now: EpochMs, basis: BudgetBasis): number {
    const passed = Math.max(0, now - Math.max(this.#at, this.#growsFrom(basis)));
    this.#at = now;
    this.#grow((passed / DAY) * this.#aDay(basis), basis);
    return Math.floor(this.#credit);
  }

  #grow(by: number, basis: BudgetBasis): void {
    this.#credit = Math.min(Math.max(this.most(basis), this.#credit), this.#credit + by);
  }

  /** The credit that is not exceeded: that of one day, and at least one revisit. */
  most({ pages }: BudgetBasis): number {
    return Math.max(1, this.#budget.kind === 'a-day' ? this.#budget.count : this.#budget.share * pages);
  }

  /** Time at which so many revisits may be made; Infinity without pages. */
  timeOf(count: number, basis: BudgetBasis): EpochMs {
    if (this.#credit >= count) return this.#at;
    return Math.max(this.#at, this.#growsFrom(basis)) + Math.ceil(((count - this.#credit) / this.#aDay(basis)) * DAY);
  }

  /** @returns the credit that is left, for the notes of the crawl */
  spend(count: number): NonNullable<CrawlNotes['revisitCredit']> {
    this.#credit -= count;
    return { at: this.#at, credit: this.#credit };
  }

  /** A URL was visited for the first time. */
  visited(now: EpochMs, basis: BudgetBasis): void {
    const budget = this.#budget;
    this.#visitedAt = now;
    if (budget.kind === 'of-requests') this.#grow(budget.share / (1 - budget.share), basis);
  }

  /** Revisits that a day brings. */
  #aDay({ pages }: BudgetBasis): number {
    return this.#budget.kind === 'a-day' ? this.#budget.count : this.#budget.share * pages;
  }

  /** Time from which days bring revisits: at once, but by a share of the requests only without other requests. They are how new pages are found. */
  #growsFrom({ anyNew }: BudgetBasis): EpochMs {
    return this.#budget.kind === 'of-requests' && anyNew ? this.#visitedAt + NEW_WITHIN : 0;
  }
}
