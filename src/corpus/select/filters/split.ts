/** Parts for training and evaluation, such that no copy of a page is in another part. */
import type { HarvestColumn, SplitBy } from '../harvest-filter.ts';
import type { SplitPart } from '../harvested-page.ts';
import { PageClusters } from '../page-clusters.ts';
import { PageDraw } from '../page-draw.ts';
import type { SamePages } from '../same-pages.ts';

const DEFAULT_SEED = 1;
/** A group of more than this share of the smallest part is placed before the small ones, which then fill the rest. */
const LARGE_SHARE = 0.1;

export const split = {
  name: 'split',
  describe: ({ split: shares, splitBy = 'cluster', rngSeed = DEFAULT_SEED }) =>
    shares === undefined
      ? null
      : `split: ${splitPartsOf(shares)
          .map((part, i) => `${part} ${shares[i]} %`)
          .join(
            ', ',
          )}, at random with seed ${rngSeed}; near-duplicates${splitBy === 'host' ? ' and pages of one host' : ''} are in one part`,
  begin({ split: shares, splitBy = 'cluster', rngSeed = DEFAULT_SEED, index, pages }) {
    if (shares === undefined) return null;
    const draw = new PageDraw(rngSeed);
    const parts = splitPartsOf(shares);
    let placed: Placed | null = null;
    return {
      see({ ordinal, record }) {
        draw.add(ordinal, record.url, splitBy === 'host' ? new URL(record.url).host : '');
        return null;
      },
      settle(isIn) {
        placed = placedGroups(groupsOf(draw, isIn, { clusters: index.clusters, pages, by: splitBy }), shares);
        return new Map();
      },
      adds: ['split'],
      present: (page, ordinal) => ({ ...page, split: parts[placed?.partOf(ordinal) ?? 0] as SplitPart }),
      notes: () => [`pages of the split: ${parts.map((part, i) => `${part} ${placed?.counts[i] ?? 0}`).join(', ')}`],
    };
  },
} as const satisfies HarvestColumn;

/** Names of the parts, in the order of their shares. */
export function splitPartsOf(shares: readonly number[]): SplitPart[] {
  return shares.length === 2 ? ['train', 'test'] : ['train', 'validation', 'test'];
}

/** Pages that stay together. A group is named by its page that stands for it. Memory: 16 bytes a page. */
interface Groups {
  readonly names: readonly number[];
  /** Number of pages by name. */
  readonly sizes: Uint32Array;
  /** The least chance of its pages by name: the same in any order of pages. */
  readonly chances: Float64Array;
  nameOf(page: number): number;
}

/** Ties between pages of one part: copies, versions of a page, and its host if that is asked. */
interface Ties {
  readonly clusters: PageClusters;
  readonly pages: SamePages;
  readonly by: SplitBy;
}

function groupsOf(draw: PageDraw, isIn: (ordinal: number) => boolean, { clusters, pages: same, by }: Ties): Groups {
  const joined = new PageClusters();
  const strata = draw.strata(isIn);
  for (const { pages } of strata)
    for (const page of pages) {
      // The page that stands for a cluster may be omitted: it still joins the others.
      joined.join(page, clusters.find(page));
      joined.join(page, same.firstOf(page));
      if (by === 'host') joined.join(page, pages[0] as number);
    }
  const names: number[] = [];
  const sizes = new Uint32Array(draw.pages);
  const chances = new Float64Array(draw.pages).fill(1);
  for (const { pages } of strata)
    for (const page of pages) {
      const name = joined.find(page);
      if (sizes[name] === 0) names.push(name);
      sizes[name] = (sizes[name] as number) + 1;
      chances[name] = Math.min(chances[name] as number, draw.chance(page));
    }
  return { names, sizes, chances, nameOf: (page) => joined.find(page) };
}

interface Placed {
  /** Number of the part of a page. */
  partOf(page: number): number;
  /** Number of pages by part. */
  readonly counts: readonly number[];
}

/** Places large groups first, by size, the others in random order; each in the part that lacks most pages. */
export function placedGroups({ names, sizes, chances, nameOf }: Groups, shares: readonly number[]): Placed {
  const total = names.reduce((sum, name) => sum + (sizes[name] as number), 0);
  const sum = shares.reduce((a, b) => a + b, 0);
  const lacking = shares.map((share) => (share / sum) * total);
  const counts = shares.map(() => 0);
  const large = Math.max(1, LARGE_SHARE * Math.min(...lacking));
  const rank = (name: number) => ((sizes[name] as number) > large ? (sizes[name] as number) : 0);
  const parts = new Uint8Array(sizes.length);
  for (const name of names.toSorted((a, b) => rank(b) - rank(a) || (chances[a] as number) - (chances[b] as number))) {
    const part = lacking.indexOf(Math.max(...lacking));
    const size = sizes[name] as number;
    lacking[part] = (lacking[part] as number) - size;
    counts[part] = (counts[part] as number) + size;
    parts[name] = part;
  }
  return { partOf: (page) => parts[nameOf(page)] ?? 0, counts };
}
