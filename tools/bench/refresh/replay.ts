/** Histories of changes, replayed day by day under a budget of visits. */

/** Moments in days of the changes of one page, in order. On the first one it appears, and every crawl sees it for the first time. */
export interface ChangingPage {
  readonly name: string;
  readonly changes: readonly number[];
}

/** A visit, in days. `modified`: the last change before it. */
export interface ReplayedVisit {
  readonly seenAt: number;
  readonly at: number;
  readonly changed: boolean;
  readonly modified: number;
}

/** An order of visits. It sees no change before its visit. */
export interface RefreshPolicy {
  appear(page: number, at: number): void;
  visited(page: number, visit: ReplayedVisit): void;
  best(at: number, count: number): readonly number[];
}

export interface Replay {
  /** Mean over pages and days, in days. */
  readonly age: number;
  /** Mean share of current pages. */
  readonly freshness: number;
  /** Visits of each page. */
  readonly visits: readonly number[];
}

/** State of a page: its last visit, and the first and last change since. */
class PageState {
  seenAt: number;
  visits = 0;
  #next = 1;
  #first: number | null = null;
  readonly #changes: readonly number[];

  constructor({ changes }: ChangingPage) {
    this.#changes = changes;
    this.seenAt = changes[0] ?? 0;
  }

  /** Age at a moment. */
  ageAt(now: number): number {
    for (let next = this.#changes[this.#next]; next !== undefined && next <= now; next = this.#changes[++this.#next]) this.#first ??= next;
    return this.#first === null ? 0 : now - this.#first;
  }

  visit(at: number): ReplayedVisit {
    this.ageAt(at);
    const visit = { seenAt: this.seenAt, at, changed: this.#first !== null, modified: this.#changes[this.#next - 1] ?? 0 };
    this.seenAt = at;
    this.#first = null;
    this.visits++;
    return visit;
  }
}

/**
 * Replays pages from the first appearance to the last change.
 * @param budget visits a day, as a share of the pages
 * @param countFrom the first day whose age and visits count
 */
export function replay(
  pages: readonly ChangingPage[],
  policy: RefreshPolicy,
  budget: number,
  countFrom = Number.NEGATIVE_INFINITY,
): Replay {
  const states = pages.map((page) => new PageState(page));
  const byBirth = pages.map((_, page) => page).sort((a, b) => (pages[a]?.changes[0] ?? 0) - (pages[b]?.changes[0] ?? 0));
  const end = Math.max(...pages.map(({ changes }) => changes.at(-1) ?? 0));
  const live: PageState[] = [];
  let [ages, current, pageDays, credit] = [0, 0, 0, 0];
  for (let day = Math.ceil(pages[byBirth[0] ?? 0]?.changes[0] ?? 0); day <= end; day++) {
    for (let page = byBirth[live.length]; page !== undefined && (pages[page]?.changes[0] ?? 0) <= day; page = byBirth[live.length]) {
      const state = states[page] as PageState;
      live.push(state);
      state.seenAt = day;
      policy.appear(page, day);
    }
    credit += budget * live.length;
    const visits = Math.floor(credit);
    credit -= visits;
    for (const page of visits > 0 ? policy.best(day, visits) : []) policy.visited(page, (states[page] as PageState).visit(day));
    if (day < countFrom) for (const state of live) state.visits = 0;
    else
      for (const state of live) {
        const age = state.ageAt(day);
        ages += age;
        current += age === 0 ? 1 : 0;
        pageDays++;
      }
  }
  return { age: ages / pageDays, freshness: current / pageDays, visits: states.map(({ visits }) => visits) };
}

/**
 * Least mean age of any schedule that knows all changes beforehand: for each page the best visits at a price, and the highest of these bounds over prices
 * (Lagrange). A visit is best at once after a change.
 */
export function clairvoyantAge(pages: readonly ChangingPage[], budget: number): number {
  const end = Math.max(...pages.map(({ changes }) => changes.at(-1) ?? 0));
  const pageDays = pages.reduce((sum, { changes }) => sum + end - (changes[0] ?? 0) + 1, 0);
  const boundAt = (price: number) =>
    (pages.reduce((sum, page) => sum + leastCost(page.changes, end, price), 0) - price * budget * pageDays) / pageDays;
  let [low, high] = [0, 1e6];
  for (let step = 0; step < 60; step++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (boundAt(a) < boundAt(b)) low = a;
    else high = b;
  }
  return Math.max(0, boundAt((low + high) / 2));
}

/** Sum of ages and prices of the best visits of one page. O(changes²). */
function leastCost(changes: readonly number[], end: number, price: number): number {
  /** Cost up to a visit at each change. */
  const upTo: number[] = [0];
  const aged = (from: number | undefined, to: number) => (from === undefined ? 0 : ((to - from) * (to - from + 1)) / 2);
  for (let to = 1; to < changes.length; to++) {
    let least = Number.POSITIVE_INFINITY;
    for (let from = 0; from < to; from++)
      least = Math.min(least, (upTo[from] ?? 0) + price + aged(changes[from + 1], (changes[to] ?? 0) - 1));
    upTo.push(least);
  }
  return Math.min(...upTo.map((cost, from) => cost + aged(changes[from + 1], end)));
}
