/** The third stage: the sentence pairs that stay, by their scores and by comparison with each other. */
import { grown } from '../../base/core/columns.ts';
import type { Fingerprint } from '../../base/core/fingerprint.ts';
import type { Unit } from '../../base/core/types.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { type AlignedBead, type AlignedPages, alignedPagesIn } from './aligned-pages.ts';
import { type DropReason, LEAST_ALIKE, PAIR_FILTERS } from './pair-filters.ts';
import type { PairsWork } from './pairs-work.ts';
import { RepeatedSentences } from './repeated-sentences.ts';

/** A decision: this, or one more than the number of the filter that drops the pair. */
const STAYS = 0;

const DECISION_OF = Object.fromEntries(PAIR_FILTERS.map(({ name }, i) => [name, i + 1])) as Readonly<Record<DropReason, number>>;

/** The decision on each bead. Memory: a byte a bead, and eight a page pair. */
export class ChosenPairs {
  #decisions = new Uint8Array(0);
  #count = 0;
  /** Number of the first bead of each page pair. */
  #firsts = new Uint32Array(0);
  #kept = new Uint32Array(0);
  #pagePairs = 0;

  /** Adds the next bead of a page pair; page pairs come in their order. */
  add(pagePair: number, decision: number): void {
    this.#begin(pagePair);
    this.#decisions = grown(this.#decisions, this.#count + 1, Uint8Array);
    this.#decisions[this.#count++] = decision;
    if (decision === STAYS) this.#kept[pagePair] = (this.#kept[pagePair] ?? 0) + 1;
  }

  /** Number of pairs of a page pair that stay. */
  keptOf(pagePair: number): number {
    return this.#kept[pagePair] ?? 0;
  }

  /** The filter that drops a bead of a page pair; null if it stays. */
  dropped(pagePair: number, bead: number): DropReason | null {
    return PAIR_FILTERS[(this.#decisions[(this.#firsts[pagePair] ?? 0) + bead] ?? 0) - 1]?.name ?? null;
  }

  #begin(pagePair: number): void {
    for (; this.#pagePairs <= pagePair; this.#pagePairs++) {
      this.#firsts = grown(this.#firsts, this.#pagePairs + 1, Uint32Array);
      this.#kept = grown(this.#kept, this.#pagePairs + 1, Uint32Array);
      this.#firsts[this.#pagePairs] = this.#count;
    }
  }
}

/**
 * Decides on all beads. Reads their lines twice. Memory: some 120 bytes a bead that is compared with others.
 * @param onPair receives the number of page pairs that are done
 * @throws DataError
 */
export async function choosePairs(work: PairsWork, minScore: Unit, onPair: (done: number) => void): Promise<ChosenPairs> {
  const sides: Sides = { left: new RepeatedSentences(), right: new RepeatedSentences() };
  let pagePair = 0;
  for await (const pages of alignedPagesIn(work)) {
    const host = hostNameOf(pages.left.url);
    for (const [bead, decision] of judged(pages, minScore)) {
      if (decision !== STAYS) continue;
      const { left, right } = keysOf(bead);
      sides.left.add(left, host, pagePair);
      sides.right.add(right, host, pagePair);
    }
    onPair(++pagePair);
  }
  const chosen = new ChosenPairs();
  pagePair = 0;
  for await (const pages of alignedPagesIn(work)) {
    const host = hostNameOf(pages.left.url);
    for (const [bead, decision] of judged(pages, minScore))
      chosen.add(pagePair, decision === STAYS ? compared(sides, keysOf(bead), host) : decision);
    onPair(++pagePair);
  }
  return chosen;
}

interface Sides {
  readonly left: RepeatedSentences;
  readonly right: RepeatedSentences;
}

function keysOf([, , , , , , , , leftHi, leftLo, rightHi, rightLo]: AlignedBead): {
  readonly left: Readonly<Fingerprint>;
  readonly right: Readonly<Fingerprint>;
} {
  return { left: { hi: leftHi, lo: leftLo }, right: { hi: rightHi, lo: rightLo } };
}

/** The beads with the decisions that need no other page. */
function* judged(pages: AlignedPages, minScore: Unit): Generator<readonly [bead: AlignedBead, decision: number]> {
  const unlike = areUnlike(pages, minScore);
  for (const bead of pages.beads) {
    const [, , , , , , score, filter] = bead;
    if (filter >= 0) yield [bead, filter + 1];
    else if (score < minScore) yield [bead, DECISION_OF.score];
    else yield [bead, unlike ? DECISION_OF.pages : STAYS];
  }
}

/** Do pairs of that score have too little of the text? Text that both pages have word for word does not count. */
function areUnlike({ left, right, beads }: AlignedPages, minScore: Unit): boolean {
  let [good, same] = [0, 0];
  for (const [leftStart, leftEnd, rightStart, rightEnd, , , score, filter] of beads) {
    const chars = leftEnd - leftStart + rightEnd - rightStart;
    if (filter + 1 === DECISION_OF.identical) same += chars;
    else if (filter < 0 && score >= minScore) good += chars;
  }
  return good < LEAST_ALIKE * (left.chars + right.chars - same);
}

/** Drops a pair with a side of an earlier one. */
function compared(sides: Sides, keys: ReturnType<typeof keysOf>, host: string): number {
  const [left, right] = [sides.left.numbers(keys.left, host), sides.right.numbers(keys.right, host)];
  if (sides.left.isTaken(left) || sides.right.isTaken(right))
    return DECISION_OF[sides.left.isTemplate(left) || sides.right.isTemplate(right) ? 'template' : 'near'];
  sides.left.take(left);
  sides.right.take(right);
  return STAYS;
}
