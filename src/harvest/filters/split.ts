/** Parts for training and evaluation, such that no copy of a page is in another part. */
import type { HarvestColumn, SplitBy } from '../harvest-filter.ts';
import type { SplitPart } from '../harvested-page.ts';
import { PageClusters } from '../page-clusters.ts';
import { PageDraw } from '../page-draw.ts';

const DEFAULT_SEED = 1;
/** A group of more than this share of the smallest part is placed before the small ones, which then fill the rest. */
const LARGE_SHARE = 0.1;

export const split = {
  name: 'split',
  describe: ({ split: shares, splitBy = 'cluster', rngSeed = DEFAULT_SEED }) =>
    shares === undefined
      ? null
      : `split: ${partsOf(shares)
          .map((part, i) => `${part} ${shares[i]} %`)
          .join(
            ', ',
          )}, at random with seed ${rngSeed}; near-duplicates${splitBy === 'host' ? ' and pages of one host' : ''} are in one part`,
  begin({ split: shares, splitBy = 'cluster', rngSeed = DEFAULT_SEED, index }) {
    if (shares === undefined) return null;
    const draw = new PageDraw(rngSeed);
    const parts = partsOf(shares);
    let placed: ReadonlyMap<number, number> = new Map();
    return {
      see({ ordinal, record }) {
        draw.add(ordinal, record.url, splitBy === 'host' ? new URL(record.url).host : '');
        return null;
      },
      settle(isIn) {
        placed = placedGroups(groupsOf(draw, isIn, index.clusters, splitBy), shares);
        return new Map();
      },
      adds: ['split'],
      present: (page, ordinal) => ({ ...page, split: parts[placed.get(ordinal) ?? 0] as SplitPart }),
      notes: () => [splitCounts(parts, placed)],
    };
  },
} as const satisfies HarvestColumn;

function partsOf(shares: readonly number[]): SplitPart[] {
  return shares.length === 2 ? ['train', 'test'] : ['train', 'validation', 'test'];
}

interface Group {
  readonly pages: readonly number[];
  /** The least chance of its pages: the same in any order of pages. */
  readonly chance: number;
}

function groupsOf(draw: PageDraw, isIn: (ordinal: number) => boolean, clusters: PageClusters, by: SplitBy): Group[] {
  const joined = new PageClusters();
  const strata = draw.strata(isIn);
  for (const { pages } of strata)
    for (const page of pages) {
      // The page that stands for a cluster may be omitted: it still joins the others.
      joined.join(page, clusters.find(page));
      if (by === 'host') joined.join(page, pages[0] as number);
    }
  const groups = new Map<number, number[]>();
  for (const page of strata.flatMap(({ pages }) => pages)) {
    const root = joined.find(page);
    const known = groups.get(root);
    if (known) known.push(page);
    else groups.set(root, [page]);
  }
  return [...groups.values()].map((pages) => ({
    pages,
    chance: pages.reduce((least, page) => Math.min(least, draw.chance(page)), 1),
  }));
}

/** Large groups first, by size, the others in random order; each to the part that lacks most pages. @returns number of the part by page */
function placedGroups(groups: readonly Group[], shares: readonly number[]): Map<number, number> {
  const total = groups.reduce((sum, { pages }) => sum + pages.length, 0);
  const sum = shares.reduce((a, b) => a + b, 0);
  const lacking = shares.map((share) => (share / sum) * total);
  const large = LARGE_SHARE * Math.min(...lacking);
  const rank = ({ pages }: Group) => (pages.length > Math.max(1, large) ? pages.length : 0);
  const placed = new Map<number, number>();
  for (const { pages } of groups.toSorted((a, b) => rank(b) - rank(a) || a.chance - b.chance)) {
    const part = lacking.indexOf(Math.max(...lacking));
    lacking[part] = (lacking[part] as number) - pages.length;
    for (const page of pages) placed.set(page, part);
  }
  return placed;
}

function splitCounts(parts: readonly SplitPart[], placed: ReadonlyMap<number, number>): string {
  const counts = parts.map(() => 0);
  for (const part of placed.values()) counts[part] = (counts[part] ?? 0) + 1;
  return `pages of the split: ${parts.map((part, i) => `${part} ${counts[i]}`).join(', ')}`;
}
