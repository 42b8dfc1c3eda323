/** Beliefs about the rates of pages of which little is known: those of other pages of their pattern, their host, and the crawl. */

import type { RateBelief } from './age-index.ts';
import { USUAL_RATE } from './change-evidence.ts';

/** Changes that a group must have shown to count as much as the group around it. */
const CHANGES_TO_COUNT = 2;
/** Pages that a group must have to count as much as the group around it, when their spread is estimated. */
const PAGES_TO_COUNT = 20;
/**
 * Bounds of the squared coefficient of variation of the rates of a group. Over three decades, evenly in the logarithm, it is 2.5. Less than 1 would make
 * the prior of a page too sure of rates that drift (chosen on the trace of one manual).
 */
const LEAST_SPREAD = 1;
const MOST_SPREAD = 4;
/** Rates of pages of which nothing is known: exponential, a spread of 1. */
const USUAL_SPREAD = 1;

const SUMS = ['pages', 'changes', 'exposure', 'changesSquared', 'changesByExposure', 'exposureSquared'] as const;
/** Sums over the pages of a group. */
type GroupSums = Record<(typeof SUMS)[number], number>;

/**
 * Gamma priors by the moments of all pages: mean rate and spread of each pattern, drawn to those of its host, and these to those of all. Groups are
 * numbered; 0 is the group of all pages.
 */
export class ChangePrior {
  readonly #parents: number[] = [0];
  readonly #names = new Map<string, number>();
  #sums: GroupSums[] = [];

  get groups(): number {
    return this.#parents.length;
  }

  /** The group of a pattern on a host. */
  groupOf(host: number, pattern: string): number {
    return this.#group(`${host} ${pattern}`, () => this.#group(`${host}`, () => 0));
  }

  /** Forgets the sums, not the groups. */
  begin(): void {
    this.#sums = this.#parents.map(() => ({
      pages: 0,
      changes: 0,
      exposure: 0,
      changesSquared: 0,
      changesByExposure: 0,
      exposureSquared: 0,
    }));
  }

  /** Counts one page of a group. */
  add(group: number, changes: number, exposure: number): void {
    const sums = this.#sums[group] as GroupSums;
    sums.pages++;
    sums.changes += changes;
    sums.exposure += exposure;
    sums.changesSquared += changes * changes;
    sums.changesByExposure += changes * exposure;
    sums.exposureSquared += exposure * exposure;
  }

  /** The priors of all groups, by number, when all pages are counted. */
  beliefs(): readonly RateBelief[] {
    this.#addToParents();
    const means: number[] = [];
    const spreads: number[] = [];
    for (const [group, sums] of this.#sums.entries()) {
      const parent = this.#parents[group] ?? 0;
      const [mean, spread] = group === 0 ? [USUAL_RATE, USUAL_SPREAD] : [means[parent] ?? USUAL_RATE, spreads[parent] ?? USUAL_SPREAD];
      means.push((sums.changes + CHANGES_TO_COUNT) / (sums.exposure + CHANGES_TO_COUNT / mean));
      spreads.push(spreadOf(sums, means[group] ?? mean, spread));
    }
    return means.map((mean, group) => {
      const shape = 1 / (spreads[group] ?? USUAL_SPREAD);
      return { shape, exposure: shape / mean };
    });
  }

  /** A group comes after the one around it. */
  #addToParents(): void {
    for (let group = this.groups - 1; group > 0; group--) {
      const [sums, around] = [this.#sums[group] as GroupSums, this.#sums[this.#parents[group] ?? 0] as GroupSums];
      for (const key of SUMS) around[key] += sums[key];
    }
  }

  #group(name: string, parent: () => number): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const around = parent();
    this.#names.set(name, this.#parents.length);
    return this.#parents.push(around) - 1;
  }
}

/**
 * Squared coefficient of variation of the rates. A page with exposure T has mT changes in the mean, with the variance mT + T²v: the moments of the
 * sums give v.
 */
function spreadOf({ pages, changes, exposureSquared, changesSquared, changesByExposure }: GroupSums, mean: number, around: number): number {
  if (exposureSquared === 0) return around;
  const squares = changesSquared - 2 * mean * changesByExposure + mean ** 2 * exposureSquared;
  const own = Math.max(0, squares - changes) / exposureSquared / mean ** 2;
  const drawn = (pages * own + PAGES_TO_COUNT * around) / (pages + PAGES_TO_COUNT);
  return Math.min(MOST_SPREAD, Math.max(LEAST_SPREAD, drawn));
}
