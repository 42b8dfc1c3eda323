import type { HarvestFilter, OmissionGrounds } from '../harvest-filter.ts';

/** Share of a page's shingles in a larger page from which it is a shortened copy: Broder 1997 calls pages above .9 "roughly contained". */
const LEAST_CONTAINED = 0.9;

/** Shortened copies: a larger page has nearly all of the text. */
export const contained = {
  name: 'contained',
  leaves: 'shortened copy of another page',
  describe: ({ dedupe }) =>
    dedupe === 'contained' ? `shortened copies: ${LEAST_CONTAINED} or more of the shingles are in a longer page, which stays` : null,
  begin({ dedupe, index, pages, onWork }) {
    if (dedupe !== 'contained') return null;
    return {
      async settle(isIn) {
        const found = await index.contained(LEAST_CONTAINED, isIn, (page, other) => !pages.areOne(page, other), onWork);
        return new Map(
          [...found].map(([page, { ordinal, similarity }]): [number, OmissionGrounds] => [
            page,
            { duplicateOf: index.id(ordinal), containment: Number(similarity.toFixed(4)) },
          ]),
        );
      },
    };
  },
} as const satisfies HarvestFilter;
