/** The order in which kept pages are visited again. */
import { grown } from '../../base/core/columns.ts';
import type { RefreshTarget } from '../../base/core/refresh-plan.ts';
import type { EpochMs, Ms, Unit } from '../../base/core/types.ts';
import { type Days, expectedAge, expectedFreshness, type RateBelief, refreshIndex } from './age-index.ts';
import { type ChangeEvidence, DAY, HINT_SOURCES, type HintClaims, type HintSource, seenChanges } from './change-evidence.ts';
import { ChangePrior } from './change-prior.ts';
import { HintTrust, withFactor } from './hint-trust.ts';
import { PageHints } from './page-hints.ts';

/** The facts about a kept page that its order depends on. */
export interface PageToRefresh {
  /** The last answer, of a first visit or a revisit. */
  readonly seenAt: EpochMs;
  /** Evidence of its last revisit; absent before the first one. */
  readonly evidence?: ChangeEvidence;
  /** Number of the host. */
  readonly host: number;
  /** Pattern of its URL on the host, see `refreshPattern`. */
  readonly pattern: string;
}

/** Figures over all pages, by the beliefs about their rates. */
export interface RefreshEstimates {
  readonly pages: number;
  /** Mean chance that a page is current. */
  readonly freshness: Unit;
  /** Mean age. */
  readonly age: Ms;
}

/**
 * All kept pages of a run in typed arrays. The order follows from the facts of the pages alone, so that it is the same after a restart. Hints are read
 * again from their lists.
 */
export class RefreshOrder {
  readonly #target: RefreshTarget;
  readonly #prior = new ChangePrior();
  readonly #trust = new HintTrust();
  /** Row of each page; rows are dense. */
  readonly #rows = new Map<number, number>();
  #pages = new Uint32Array(0);
  #hosts = new Uint32Array(0);
  #groups = new Uint32Array(0);
  #seenAt = new Float64Array(0);
  #changes = new Float32Array(0);
  #exposures = new Float32Array(0);
  readonly #hints = new PageHints();

  constructor(target: RefreshTarget) {
    this.#target = target;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Number of pages of which something is true. O(pages). */
  count(is: (page: number) => boolean): number {
    let count = 0;
    for (let row = 0; row < this.size; row++) count += Number(is(this.#pages[row] ?? 0));
    return count;
  }

  /** Adds a page, or replaces its facts. Its hints stay, if they are newer than its last answer. */
  set(page: number, { seenAt, evidence, host, pattern }: PageToRefresh): void {
    const row = this.#rows.get(page) ?? this.#newRow(page);
    this.#trust.clear(row, this.#hosts[row] ?? 0);
    this.#trust.set(row, host, evidence);
    const { shape, exposure } = seenChanges(evidence);
    this.#hosts[row] = host;
    this.#groups[row] = this.#prior.groupOf(host, pattern);
    this.#seenAt[row] = seenAt;
    this.#changes[row] = shape;
    this.#exposures[row] = exposure;
  }

  /** Forgets a page: it is gone, or on its way. */
  remove(page: number): void {
    const row = this.#rows.get(page);
    if (row === undefined) return;
    this.#trust.clear(row, this.#hosts[row] ?? 0);
    this.#hints.clear(row);
    const last = this.#rows.size - 1;
    const moved = this.#pages[last] ?? 0;
    if (last !== row) {
      this.#trust.move(last, row);
      this.#hints.move(last, row);
    }
    for (const column of [this.#pages, this.#hosts, this.#groups, this.#seenAt, this.#changes, this.#exposures])
      column[row] = column[last] ?? 0;
    this.#rows.set(moved, row);
    this.#rows.delete(page);
  }

  /** A sitemap or feed, read at `readAt`, says that the page changed last at `changedAt`. A page that is not there is ignored. */
  hint(page: number, changedAt: EpochMs, source: HintSource, readAt: EpochMs): void {
    const row = this.#rows.get(page);
    if (row !== undefined) this.#hints.set(row, source, changedAt, readAt);
  }

  /** The words of the sources about a page since its last answer, for the evidence of the next one. */
  claims(page: number): HintClaims {
    const row = this.#rows.get(page);
    const seenAt = this.#seenAt[row ?? 0] ?? 0;
    const word = (source: HintSource) => {
      const i = HINT_SOURCES.indexOf(source);
      return row !== undefined && this.#hints.readAfter(row, i, seenAt) > 0 ? this.#hints.changedAt(row, i) > seenAt : null;
    };
    return { sitemap: word('sitemap'), feed: word('feed') };
  }

  /**
   * The pages of the greatest index, greatest first; those of the same index in the order of their numbers. O(pages).
   * @param weightOf factor of the index of a page, at least 0; 0 for one that may not be visited. Default: 1
   * @param leastAge time since the last answer, at least
   */
  best(now: EpochMs, count: number, weightOf: (page: number) => number = () => 1, leastAge: Ms = 0): readonly number[] {
    const scores = new Float64Array(this.size);
    this.#eachBelief((row, belief) => {
      const weight = this.#days(row, now) * DAY < leastAge ? 0 : weightOf(this.#pages[row] ?? 0);
      scores[row] = weight === 0 ? 0 : weight * this.#score(row, belief, now);
    });
    return highest(scores, this.#pages, count);
  }

  estimates(now: EpochMs): RefreshEstimates {
    let freshness = 0;
    let age = 0;
    this.#eachBelief((row, belief) => {
      const days = this.#days(row, now);
      freshness += expectedFreshness(belief, days);
      age += expectedAge(belief, days);
    });
    const pages = this.size;
    return { pages, freshness: pages === 0 ? 1 : freshness / pages, age: pages === 0 ? 0 : (age * DAY) / pages };
  }

  /** The belief about the rate of a page. O(pages); null for a page that is not there. */
  beliefOf(page: number): RateBelief | null {
    const wanted = this.#rows.get(page);
    let found: RateBelief | null = null;
    this.#eachBelief((row, belief) => {
      if (row === wanted) found = { ...belief };
    });
    return found;
  }

  #newRow(page: number): number {
    const row = this.#rows.size;
    this.#rows.set(page, row);
    this.#pages = grown(this.#pages, row + 1, Uint32Array);
    this.#hosts = grown(this.#hosts, row + 1, Uint32Array);
    this.#groups = grown(this.#groups, row + 1, Uint32Array);
    this.#seenAt = grown(this.#seenAt, row + 1, Float64Array);
    this.#changes = grown(this.#changes, row + 1, Float32Array);
    this.#exposures = grown(this.#exposures, row + 1, Float32Array);
    this.#pages[row] = page;
    return row;
  }

  /** Calls `use` for each row. The belief is one object, with other numbers each time. */
  #eachBelief(use: (row: number, belief: RateBelief) => void): void {
    const rows = this.size;
    this.#prior.begin();
    for (let row = 0; row < rows; row++) this.#prior.add(this.#groups[row] ?? 0, this.#changes[row] ?? 0, this.#exposures[row] ?? 0);
    const priors = this.#prior.beliefs();
    const belief = { shape: 1, exposure: 1 };
    for (let row = 0; row < rows; row++) {
      const prior = priors[this.#groups[row] ?? 0];
      belief.shape = (prior?.shape ?? 1) + (this.#changes[row] ?? 0);
      belief.exposure = (prior?.exposure ?? 1) + (this.#exposures[row] ?? 0);
      use(row, belief);
    }
  }

  /** A time as far ahead of now is back: a wrong clock wrote it, and waiting for that day could take years. */
  #days(row: number, now: EpochMs): Days {
    return Math.abs(now - (this.#seenAt[row] ?? 0)) / DAY;
  }

  #score(row: number, belief: RateBelief, now: EpochMs): number {
    const days = this.#days(row, now);
    let score = refreshIndex(this.#target, belief, days);
    for (let source = 0; source < HINT_SOURCES.length; source++) score = this.#heard(row, belief, days, score, source);
    return score;
  }

  /**
   * The index with the word of a source. A claim of a change at c: up to c as before, then changed by the chance p that the claim leaves. By age that is
   * index(c) + p(x² − c²)/2, by freshness index(c) + p·c. A claim of no change: as if visited when the claim was read, by the weight of the claim.
   */
  #heard(row: number, belief: RateBelief, days: Days, score: number, source: number): number {
    const seenAt = this.#seenAt[row] ?? 0;
    const readAt = this.#hints.readAfter(row, source, seenAt);
    if (readAt === 0) return score;
    const since = (this.#hints.changedAt(row, source) - seenAt) / DAY;
    const factor = this.#trust.factor(this.#hosts[row] ?? 0, HINT_SOURCES[source] ?? 'sitemap', since > 0);
    if (factor === 1) return score;
    const indexAt = (x: Days) => refreshIndex(this.#target, belief, x);
    if (since <= 0) return score * factor + (1 - factor) * indexAt(Math.max(0, days - (readAt - seenAt) / DAY));
    const from = Math.min(days, since);
    const chance = withFactor(1 - expectedFreshness(belief, days), factor);
    return Math.max(score, indexAt(from) + chance * (this.#target === 'age' ? (days ** 2 - from ** 2) / 2 : from));
  }
}

/** The pages of the highest scores over 0, highest first, equal ones by number. */
function highest(scores: Float64Array, pages: Uint32Array, count: number): readonly number[] {
  if (count <= 0) return [];
  const least = count >= scores.length ? 0 : nthHighest(scores.slice(), count);
  const rows: number[] = [];
  for (let row = 0; row < scores.length; row++) if ((scores[row] ?? 0) >= least && (scores[row] ?? 0) > 0) rows.push(row);
  rows.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (pages[a] ?? 0) - (pages[b] ?? 0));
  return rows.slice(0, count).map((row) => pages[row] ?? 0);
}

/** The n-th highest of some values, whose order it changes (Hoare 1961, Find). O(values) in the mean; n is from 1 to their number. */
function nthHighest(values: Float64Array, n: number): number {
  const wanted = n - 1;
  for (let low = 0, high = values.length - 1; low < high; ) {
    const pivot = values[(low + high) >> 1] ?? 0;
    let [i, j] = [low, high];
    while (i <= j) {
      while ((values[i] ?? 0) > pivot) i++;
      while ((values[j] ?? 0) < pivot) j--;
      if (i > j) break;
      const held = values[i] ?? 0;
      values[i++] = values[j] ?? 0;
      values[j--] = held;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return values[wanted] ?? 0;
}
