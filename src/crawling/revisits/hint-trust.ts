/** The word of a sitemap or feed, weighed by how often it was true on its host. */
import type { Unit } from '../../base/core/types.ts';
import { type ChangeEvidence, COUNTS_OF_A_SOURCE, HINT_SOURCES, type HintSource, hintCounts } from './change-evidence.ts';

/** Counts before the first answer: a claim of a change is right in three cases of four, and so is one of none. */
const FIRST_RIGHT = 1.5;
const FIRST_WRONG = 0.5;
/** A source whose claims make a change less than so much likelier is not heard: its weight is exactly zero, and it cannot move the order. */
const DEAF_BELOW = 1.5;

/**
 * Counts of claims and of true claims by host and source. A claim is worth the ratio of its chances when the page has changed and when it has not: a
 * sitemap that always says "today" claims in both cases, so that it is worth nothing, even for pages that always change.
 */
export class HintTrust {
  readonly #counts = new Map<number, Float64Array>();

  /** Counts the claims of the evidence of a page, or takes them back. */
  count(host: number, evidence: ChangeEvidence | undefined, sign: 1 | -1): void {
    if (evidence === undefined) return;
    const counts = this.#counts.get(host) ?? new Float64Array(HINT_SOURCES.length * COUNTS_OF_A_SOURCE);
    this.#counts.set(host, counts);
    for (const [i, source] of HINT_SOURCES.entries())
      for (const [j, count] of hintCounts(evidence, source).entries()) {
        const place = i * COUNTS_OF_A_SOURCE + j;
        counts[place] = (counts[place] ?? 0) + sign * count;
      }
  }

  /** Factor on the odds that a page has changed, if the source says so (over 1) or denies it (under 1). 1: the source is not heard. */
  factor(host: number, source: HintSource, claim: boolean): number {
    const start = HINT_SOURCES.indexOf(source) * COUNTS_OF_A_SOURCE;
    const counts = this.#counts.get(host);
    const at = (place: number) => counts?.[start + place] ?? 0;
    const claimedOfChanged = share(at(0) + FIRST_RIGHT, at(1) + FIRST_WRONG);
    const claimedOfSame = share(at(2) + FIRST_WRONG, at(3) + FIRST_RIGHT);
    const factor = claim ? claimedOfChanged / claimedOfSame : (1 - claimedOfChanged) / (1 - claimedOfSame);
    return factor > DEAF_BELOW || factor < 1 / DEAF_BELOW ? factor : 1;
  }
}

function share(part: number, rest: number): Unit {
  return part / (part + rest);
}

/** The chance `chance` after its odds are multiplied. */
export function withFactor(chance: Unit, factor: number): Unit {
  return (chance * factor) / (chance * factor + 1 - chance);
}
