import type { HarvestColumn } from '../harvest-filter.ts';

/** The versions of pages that the corpus has. The source chooses and numbers them; this is their line on the card. */
export const versions = {
  name: 'versions',
  describe({ versions: choice = 'newest' }) {
    if (choice === 'newest') return null;
    if (choice === 'all') return 'versions: all of each page, numbered in the column version';
    return `versions: the newest of each page by ${choice.at}; pages that were first kept later are not in the corpus`;
  },
  begin: () => null,
} as const satisfies HarvestColumn;
