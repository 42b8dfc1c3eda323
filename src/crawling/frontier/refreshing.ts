import { type Clock, dateOf } from '../../base/core/clock.ts';
import type { RefreshPlan, RevisitBudget } from '../../base/core/refresh-plan.ts';
import { type EpochMs, isAbsence, type Ms } from '../../base/core/types.ts';
import type { HintClaims, HintSource } from '../revisits/change-evidence.ts';
import { RefreshOrder } from '../revisits/refresh-order.ts';
import { refreshPattern } from '../revisits/refresh-pattern.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { type BudgetBasis, RevisitCredit } from './revisit-credit.ts';
import { revisitKindOf } from './revisit-kind.ts';
import type { Slot } from './url-table.ts';

/** Most pages that one look makes due. */
const MOST_AT_ONCE = 256;
/**
 * Most pages of a host that are due at the same time. Politeness takes them one after the other, and the order of those that were due for long is old. A host
 * that rests for an hour keeps no other one waiting.
 */
const MOST_OF_HOST = 32;
/** A look at all pages takes some 150 ms for 10^6 of them: so many of them are looked at for one revisit at most. */
const PAGES_A_REVISIT = 1000;
/** Time between two looks, at least. */
const LOOK_AGAIN: Ms = 1000;
/** Time between two requests of a page by a share of the requests, at least: else a crawl that has kept three pages of a thousand would ask these all the time. */
const LEAST_AGE: Ms = 3_600_000;
/** A page that is gone is asked again as if a tenth of the others was worth as much: most stay gone. */
const GONE_WEIGHT = 0.1;
/**
 * Worth of a list, and of a seed that is off topic, against a page, since new pages are found by them. Chosen by `npm run check -- year --pages 2000 --days 120 --kills 0 --feeds`: with 1, 5, 10 and 20
 * new pages are seen after 13.7, 8.2, 5.8 and 4.8 days; the pages of the corpus have nearly as many versions with each.
 */
const LIST_WEIGHT = 10;

/** The order and the number of the revisits of a continuous crawl: pages, lists and seeds (`revisitKindOf`) whose revisit gains the most. */
export class Refreshing {
  readonly #parts: FrontierParts;
  readonly #clock: Clock;
  readonly #leastAge: Ms;
  readonly #order: RefreshOrder;
  readonly #budget: RevisitBudget;
  /** Made when it is first needed: a worker has no pages before it has partitions. */
  #opened: RevisitCredit | null = null;
  /** Time of the first answer of all, and of the last first visit by earlier runs; 0 without one. */
  #firstAt: EpochMs = Number.POSITIVE_INFINITY;
  #lastAt: EpochMs = 0;
  /** Time of the next look, at the earliest. */
  #notBefore: EpochMs = 0;
  /** May the crawl visit new pages? */
  #mayVisitNew = true;
  /** Number of pages and lists of hosts that no other worker asks. */
  #own = 0;
  /** Worth of pages and lists other than 1. */
  readonly #weights = new Map<Slot, number>();

  /** O(settled URLs). */
  constructor(parts: FrontierParts, { target, budget }: RefreshPlan, clock: Clock) {
    [this.#parts, this.#budget, this.#clock] = [parts, budget, clock];
    this.#order = new RefreshOrder(target);
    this.#leastAge = budget.kind === 'of-requests' ? LEAST_AGE : 0;
    for (const [slot, { fate }] of parts.store.fates()) {
      if (fate.visited) this.#lastAt = Math.max(this.#lastAt, fate.fetchedAt ?? 0);
      this.settled(slot);
    }
  }

  get #credit(): RevisitCredit {
    this.#opened ??= new RevisitCredit(this.#budget, this.#parts.store.notes.revisitCredit, this.#basis, {
      now: this.#clock.now(),
      age: Math.max(0, dateOf(this.#clock) - this.#firstAt),
      idle: this.#lastAt === 0 ? 0 : Math.max(0, dateOf(this.#clock) - this.#lastAt),
    });
    return this.#opened;
  }

  /** A URL was settled, or answered to a revisit. */
  settled(slot: Slot): void {
    this.#set(slot);
  }

  /** Notes the facts about a URL that is revisited. @param seenAt default: the time of the last answer */
  #set(slot: Slot, seenAt?: EpochMs): void {
    const { reader, store, urls } = this.#parts;
    const fate = reader.ended(slot)?.fate;
    const kind = fate ? revisitKindOf(slot, fate, this.#parts) : null;
    if (!fate || kind === null) return;
    const last = store.revisit(slot);
    this.#firstAt = Math.min(this.#firstAt, fate.fetchedAt ?? this.#firstAt);
    const { size } = this.#order;
    const weight = last && isAbsence(last.result) ? GONE_WEIGHT : kind === 'page' ? 1 : LIST_WEIGHT;
    if (weight === 1) this.#weights.delete(slot);
    else this.#weights.set(slot, weight);
    this.#order.set(slot, {
      seenAt: seenAt ?? last?.at ?? fate.fetchedAt ?? 0,
      ...(last?.evidence && { evidence: last.evidence }),
      host: urls.hostOf(slot),
      pattern: refreshPattern(reader.entry(slot).url),
    });
    if (this.#order.size > size && this.#isOwn(slot)) this.#own += 1;
  }

  #isOwn(slot: Slot): boolean {
    return !this.#parts.hosts.known(this.#parts.urls.hostOf(slot)).away;
  }

  /** Other hosts are those of this worker. O(pages). */
  shareChanged(): void {
    this.#own = this.#order.count((slot) => this.#isOwn(slot));
  }

  /** A revisit showed nothing: the page counts as seen now, until the end of the run, so that others have their turn. */
  failed(slot: Slot): void {
    this.#set(slot, dateOf(this.#clock));
  }

  /** A URL was visited for the first time. */
  visited(): void {
    this.#credit.visited(this.#clock.now(), this.#basis);
  }

  /** See `Queue.hint`. */
  hint(slot: Slot, changedAt: EpochMs, source: HintSource): void {
    this.#order.hint(slot, changedAt, source, dateOf(this.#clock));
  }

  /** The words of lists about a page since its last answer. */
  claims(slot: Slot): HintClaims {
    return this.#order.claims(slot);
  }

  /** Pages to be due now, best first. Called when no due page may be requested. @param mayVisitNew may the crawl visit new pages? */
  next(mayVisitNew: boolean, mayBeDue: (slot: Slot) => boolean): readonly Slot[] {
    const now = this.#clock.now();
    this.#mayVisitNew = mayVisitNew;
    const allowed = Math.min(this.#credit.at(now, this.#basis), MOST_AT_ONCE);
    if (allowed < this.#atOnce || now < this.#notBefore) return [];
    this.#notBefore = now + LOOK_AGAIN;
    const mayJoin = (slot: Slot) => mayBeDue(slot) && this.#dueOf(slot) < MOST_OF_HOST;
    const weightOf = (slot: Slot) => (mayJoin(slot) ? (this.#weights.get(slot) ?? 1) : 0);
    const chosen = this.#withinHosts(this.#order.best(dateOf(this.#clock), allowed, weightOf, this.#leastAge));
    if (chosen.length > 0) this.#parts.store.note({ revisitCredit: this.#credit.spend(chosen.length) });
    return chosen;
  }

  /** Number of pages of the host of a page that are due. */
  #dueOf(slot: Slot): number {
    return this.#parts.hosts.known(this.#parts.urls.hostOf(slot)).due;
  }

  /** The first pages of each host, as many as may be due. */
  #withinHosts(slots: readonly Slot[]): readonly Slot[] {
    const chosen = new Map<number, number>();
    return slots.filter((slot) => {
      const host = this.#parts.urls.hostOf(slot);
      const count = (chosen.get(host) ?? this.#dueOf(slot)) + 1;
      chosen.set(host, count);
      return count <= MOST_OF_HOST;
    });
  }

  /** Time from which `next` may have a page; Infinity if time alone does not bring one. */
  get nextAt(): EpochMs {
    return Math.max(this.#notBefore, this.#credit.timeOf(this.#atOnce, this.#basis));
  }

  get #basis(): BudgetBasis {
    const { urls, waiting } = this.#parts;
    return { pages: this.#own, anyNew: this.#mayVisitNew && urls.countOf('waiting') > waiting.parked };
  }

  /** Number of pages that are chosen at a time, at least, if their hosts may be asked. */
  get #atOnce(): number {
    return Math.min(MOST_AT_ONCE, Math.floor(this.#credit.most(this.#basis)), 1 + Math.floor(this.#order.size / PAGES_A_REVISIT));
  }
}
