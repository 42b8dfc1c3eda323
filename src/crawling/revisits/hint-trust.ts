/** Trust in sitemaps and feeds, by how often their word was true on a host. */
import { grown } from '../../base/core/columns.ts';
import type { Unit } from '../../base/core/types.ts';
import { type ChangeEvidence, COUNTS_OF_A_SOURCE, HINT_SOURCES, type HintSource, hintCounts } from './change-evidence.ts';

/** Counts before the first answer: a claim of a change is right in five cases of eight, and so is one of none. */
const FIRST_RIGHT = 1.25;
const FIRST_WRONG = 0.75;
/** A source whose claims change the odds by less is not heard: its weight is exactly zero, and it cannot move the order. */
const LEAST_FACTOR = 1.5;
const COUNTS = HINT_SOURCES.length * COUNTS_OF_A_SOURCE;

/**
 * Counts of claims and of true claims by host and source. A claim is worth the ratio of its chances when the page has changed and when it has not. A
 * sitemap that always says "today" claims in both cases, so that it is worth nothing, even for pages that change often.
 */
export class HintTrust {
  readonly #byHost = new Map<number, Float64Array>();
  /** Counts of each row; empty until a page has some. */
  #ofRow = new Uint16Array(0);

  /** Counts the claims in the evidence of a row that has none yet. */
  set(row: number, host: number, evidence: ChangeEvidence | undefined): void {
    const counts = evidence === undefined ? [] : HINT_SOURCES.flatMap((source) => hintCounts(evidence, source));
    if (!counts.some((count) => count > 0)) return;
    this.#ofRow = grown(this.#ofRow, (row + 1) * COUNTS, Uint16Array);
    this.#ofRow.set(counts, row * COUNTS);
    this.#add(row, host, 1);
  }

  /** Takes back the claims of a row. */
  clear(row: number, host: number): void {
    if (row * COUNTS >= this.#ofRow.length) return;
    this.#add(row, host, -1);
    this.#ofRow.fill(0, row * COUNTS, (row + 1) * COUNTS);
  }

  /** Gives the claims of a row to another one, which has none. */
  move(from: number, to: number): void {
    if (from * COUNTS >= this.#ofRow.length) return;
    this.#ofRow.copyWithin(to * COUNTS, from * COUNTS, (from + 1) * COUNTS);
    this.#ofRow.fill(0, from * COUNTS, (from + 1) * COUNTS);
  }

  /** Factor on the odds that a page has changed, if the source says so (over 1) or denies it (under 1). 1: the source is not heard. */
  factor(host: number, source: HintSource, claim: boolean): number {
    const start = HINT_SOURCES.indexOf(source) * COUNTS_OF_A_SOURCE;
    const counts = this.#byHost.get(host);
    const at = (place: number) => counts?.[start + place] ?? 0;
    const claimedOfChanged = share(at(0) + FIRST_RIGHT, at(1) + FIRST_WRONG);
    const claimedOfSame = share(at(2) + FIRST_WRONG, at(3) + FIRST_RIGHT);
    const factor = claim ? claimedOfChanged / claimedOfSame : (1 - claimedOfChanged) / (1 - claimedOfSame);
    const isHeard = claim ? factor >= LEAST_FACTOR : factor <= 1 / LEAST_FACTOR;
    return isHeard ? factor : 1;
  }

  #add(row: number, host: number, sign: 1 | -1): void {
    const counts = this.#byHost.get(host) ?? new Float64Array(COUNTS);
    this.#byHost.set(host, counts);
    for (let i = 0; i < COUNTS; i++) counts[i] = (counts[i] ?? 0) + sign * (this.#ofRow[row * COUNTS + i] ?? 0);
  }
}

function share(part: number, rest: number): Unit {
  return part / (part + rest);
}

/** A chance after its odds are multiplied. */
export function withFactor(chance: Unit, factor: number): Unit {
  return (chance * factor) / (chance * factor + 1 - chance);
}
