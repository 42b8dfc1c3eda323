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
 * The revisits that a budget allows by now. It grows with time, or with first visits, up to that of one day: a crawl that was stopped for a month makes up for a
 * day, and one that was never continuous before begins with a day. A clock that is set back takes nothing.
 */
export class RevisitCredit {
  readonly #budget: RevisitBudget;
  #credit = 0;
  #at: EpochMs;

  /** @param noted those of the run before; undefined for the first one */
  constructor(budget: RevisitBudget, noted: CrawlNotes['revisitCredit'], basis: BudgetBasis, now: EpochMs) {
    this.#budget = budget;
    this.#at = noted?.at ?? now;
    this.#credit = noted?.credit ?? this.#aDay(basis);
  }

  /** Number of revisits that may be made now. */
  at(now: EpochMs, basis: BudgetBasis): number {
    const passed = Math.max(0, now - this.#at);
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

  /** Time at which so many revisits may be made; Infinity if time alone does not bring them. */
  timeOf(count: number, basis: BudgetBasis): EpochMs {
    const aDay = this.#aDay(basis);
    if (this.#credit >= count) return this.#at;
    return aDay === 0 ? Number.POSITIVE_INFINITY : this.#at + Math.ceil(((count - this.#credit) / aDay) * DAY);
  }

  /** @returns the credit that is left, for the notes of the crawl */
  spend(count: number): NonNullable<CrawlNotes['revisitCredit']> {
    this.#credit -= count;
    return { at: this.#at, credit: this.#credit };
  }

  /** A URL was visited for the first time. */
  visited(basis: BudgetBasis): void {
    const budget = this.#budget;
    if (budget.kind === 'of-requests') this.#grow(budget.share / (1 - budget.share), basis);
  }

  /** Revisits that a day brings. A share of the requests is one of the pages a day as long as there are no other requests: they are how new pages are found. */
  #aDay({ pages, anyNew }: BudgetBasis): number {
    const budget = this.#budget;
    if (budget.kind === 'a-day') return budget.count;
    return budget.kind === 'of-requests' && anyNew ? 0 : budget.share * pages;
  }
}
