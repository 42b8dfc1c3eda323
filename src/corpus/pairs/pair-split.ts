/** Parts for training and evaluation: a page pair is in one part, with those whose pages are near-duplicates of its own. */
import type { CorpusRecord } from '../../base/core/types.ts';
import { DEFAULT_NEAR } from '../select/filters/near.ts';
import { placedGroups, splitPartsOf } from '../select/filters/split.ts';
import type { SplitPart } from '../select/harvested-page.ts';
import { NearIndex } from '../select/near-index.ts';
import { chanceOf } from '../select/page-draw.ts';

export const DEFAULT_SEED = 1;

export interface SplitOptions {
  /** Percent of each part. */
  readonly split: readonly number[];
  readonly rngSeed: number;
  readonly scratchDir: string;
  readonly onWork: () => void;
}

/** A page pair with sentence pairs. */
export interface SplitPages {
  readonly left: CorpusRecord;
  readonly right: CorpusRecord;
  /** Number of its sentence pairs. */
  readonly size: number;
}

/** The part of each page pair, in their order, by shares of sentence pairs. Memory: that of `NearIndex` for both pages. @throws DataError, StoreError */
export async function dividedPages(
  pages: AsyncIterable<SplitPages>,
  { split, rngSeed, scratchDir, onWork }: SplitOptions,
): Promise<SplitPart[]> {
  const index = new NearIndex(scratchDir);
  try {
    const [sizes, chances]: [number[], number[]] = [[], []];
    for await (const { left, right, size } of pages) {
      index.add(2 * sizes.length, left);
      index.add(2 * sizes.length + 1, right);
      sizes.push(size);
      chances.push(chanceOf(rngSeed, left.url));
      onWork();
    }
    await index.cluster(DEFAULT_NEAR, onWork);
    for (const pair of sizes.keys()) index.clusters.join(2 * pair, 2 * pair + 1);
    const { partOf } = placedGroups(groupsOf(index, sizes, chances), split);
    const parts = splitPartsOf(split);
    return sizes.map((_, pair) => parts[partOf(2 * pair)] as SplitPart);
  } finally {
    index.close();
  }
}

/** The clusters of page pairs; the name of a page is the one that stands for its cluster. */
function groupsOf(index: NearIndex, sizes: readonly number[], chances: readonly number[]): Parameters<typeof placedGroups>[0] {
  const names: number[] = [];
  const ofNames = new Uint32Array(2 * sizes.length);
  const least = new Float64Array(2 * sizes.length).fill(1);
  for (const [pair, size] of sizes.entries()) {
    const name = index.clusters.find(2 * pair);
    if (ofNames[name] === 0) names.push(name);
    ofNames[name] = (ofNames[name] ?? 0) + size;
    least[name] = Math.min(least[name] ?? 1, chances[pair] ?? 1);
  }
  return { names, sizes: ofNames, chances: least, nameOf: (page) => index.clusters.find(page) };
}
