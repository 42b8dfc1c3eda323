import { hostNameOf } from '../../base/web/url.ts';
import type { SplitPart } from '../select/harvested-page.ts';
import type { AlignedPages } from './aligned-pages.ts';
import type { ChosenPairs } from './chosen-pairs.ts';
import type { DropReason } from './pair-filters.ts';

/** Sentence pairs by the reason for which they are dropped. */
export type DropCounts = Readonly<Partial<Record<DropReason, number>>>;

/** Counts of some page pairs. `sentences` of a side are those in the beads of `aligned`, and those `alone`. */
export interface PairCounts {
  readonly pagePairs: number;
  /** Page pairs without a sentence pair that stays. */
  readonly empty: number;
  /** Page pairs whose texts are aligned up to a limit of size only. */
  readonly capped: number;
  readonly sentences: { readonly left: number; readonly right: number };
  readonly alone: { readonly left: number; readonly right: number };
  /** Beads with sentences on both sides: each is kept, or dropped for one reason. */
  readonly aligned: number;
  readonly dropped: DropCounts;
  readonly kept: number;
}

interface Sums {
  pagePairs: number;
  empty: number;
  capped: number;
  sentences: { left: number; right: number };
  alone: { left: number; right: number };
  aligned: number;
  dropped: Partial<Record<DropReason, number>>;
  kept: number;
}

/** The counts of all page pairs, and of each host by its left pages. */
export class PairsTally {
  readonly all = noCounts();
  readonly hosts = new Map<string, Sums>();
  /** Sentence pairs that stay, by numbers of sentences and by part of the split. */
  readonly #kinds = new Map<string, number>();
  readonly #parts = new Map<SplitPart, number>();

  /** @param part of the split; null without one. @returns the counts of the page pair */
  add(pages: AlignedPages, number: number, chosen: ChosenPairs, part: SplitPart | null): PairCounts {
    const own = countsOf(pages, number, chosen);
    const host = hostNameOf(pages.left.url);
    const ofHost = this.hosts.get(host) ?? noCounts();
    this.hosts.set(host, ofHost);
    for (const sums of [this.all, ofHost]) addTo(sums, own);
    pages.beads.forEach(([, , , , left, right], i) => {
      if (chosen.dropped(number, i) === null) increase(this.#kinds, `${left}-${right}`, 1);
    });
    if (part !== null) increase(this.#parts, part, own.kept);
    return own;
  }

  /** Most frequent kind first. */
  kinds(): Record<string, number> {
    return Object.fromEntries([...this.#kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }

  parts(): Record<string, number> {
    return Object.fromEntries(this.#parts);
  }
}

function noCounts(): Sums {
  const none = () => ({ left: 0, right: 0 });
  return { pagePairs: 0, empty: 0, capped: 0, sentences: none(), alone: none(), aligned: 0, dropped: {}, kept: 0 };
}

function countsOf({ left, right, isCapped, beads }: AlignedPages, number: number, chosen: ChosenPairs): Sums {
  const dropped: Partial<Record<DropReason, number>> = {};
  for (let i = 0; i < beads.length; i++) {
    const reason = chosen.dropped(number, i);
    if (reason !== null) dropped[reason] = (dropped[reason] ?? 0) + 1;
  }
  const kept = chosen.keptOf(number);
  return {
    pagePairs: 1,
    empty: kept === 0 ? 1 : 0,
    capped: isCapped ? 1 : 0,
    sentences: { left: left.sentences, right: right.sentences },
    alone: { left: left.alone, right: right.alone },
    aligned: beads.length,
    dropped,
    kept,
  };
}

function addTo(sums: Sums, more: PairCounts): void {
  for (const name of ['pagePairs', 'empty', 'capped', 'aligned', 'kept'] as const) sums[name] += more[name];
  for (const name of ['sentences', 'alone'] as const) for (const side of ['left', 'right'] as const) sums[name][side] += more[name][side];
  for (const [reason, count] of Object.entries(more.dropped) as [DropReason, number][])
    sums.dropped[reason] = (sums.dropped[reason] ?? 0) + count;
}

function increase<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
