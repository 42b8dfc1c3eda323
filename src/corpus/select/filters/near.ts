import type { HarvestFilter, OmissionGrounds } from '../harvest-filter.ts';
import type { NearIndex } from '../near-index.ts';
import type { SamePages } from '../same-pages.ts';

/** Share of shingles from which pages are near-duplicates: .8, as in the corpora of GPT-3 (Brown et al. 2020) and MassiveText (Rae et al. 2021). */
export const DEFAULT_NEAR = 0.8;

/** Copies with some words changed. Of a cluster, the page of the highest relevance stays; then the longest text, the shortest URL, the first. */
export const near = {
  name: 'near',
  leaves: 'nearly the same text as another page',
  describe: ({ dedupe, near: least = DEFAULT_NEAR }) =>
    dedupe === 'near' || dedupe === 'contained'
      ? `near-duplicates: ${least} or more of the shingles of five words in common; the most relevant page of a cluster stays, then the longest, then that of the shortest URL`
      : null,
  begin({ dedupe, near: least = DEFAULT_NEAR, split, index, pages, onWork }) {
    const omits = dedupe === 'near' || dedupe === 'contained';
    // A split needs the clusters even if all of their pages stay.
    if (!omits && split === undefined) return null;
    const sizes = new Map<number, number>();
    return {
      see({ ordinal, record }) {
        index.add(ordinal, record);
        return null;
      },
      async settle(isIn) {
        await index.cluster(least, onWork);
        return omits ? omitted(index, pages, isIn, sizes) : new Map();
      },
      ...(omits && { adds: ['copies'] as const }),
      present: (page, ordinal) => (omits ? { ...page, copies: sizes.get(ordinal) ?? 1 } : page),
    };
  },
} as const satisfies HarvestFilter;

/** @param sizes receives the number of pages of each cluster of several, by the page that stays. Exact copies count, and other versions of the page do not. */
function omitted(
  index: NearIndex,
  pages: SamePages,
  isIn: (ordinal: number) => boolean,
  sizes: Map<number, number>,
): Map<number, OmissionGrounds> {
  const members = new Map<number, number[]>();
  for (let page = 0; page < index.pages; page++) {
    if (index.copyOf(page) === null) continue;
    const cluster = index.clusters.find(page);
    const known = members.get(cluster);
    if (known) known.push(page);
    else members.set(cluster, [page]);
  }
  const out = new Map<number, OmissionGrounds>();
  for (const all of members.values()) {
    const [kept, ...others] = all.filter(isIn).sort((a, b) => index.compare(a, b));
    if (kept === undefined) continue;
    const copies = others.filter((page) => !pages.areOne(page, kept));
    sizes.set(kept, all.length - (others.length - copies.length));
    for (const page of copies) out.set(page, groundsOf(index, page, kept));
  }
  return out;
}

/** `similarity` is that with the page that stays. In a chain of copies it may be low; then `via` names the page that this one is a near-duplicate of. */
function groundsOf(index: NearIndex, page: number, kept: number): OmissionGrounds {
  const similarity = Number(index.similarity(page, kept).toFixed(4));
  const nearest = index.copyOf(page);
  const via = nearest === null || nearest === kept ? {} : { via: index.id(nearest) };
  return { duplicateOf: index.id(kept), similarity, ...via };
}
