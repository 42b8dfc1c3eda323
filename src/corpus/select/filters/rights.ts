import type { HarvestFilter } from '../harvest-filter.ts';

export const rights = {
  name: 'rights',
  leaves: 'mining rights reserved',
  begin({ reserved, reservations }) {
    return {
      // Counted also where such pages are included: the card warns of them.
      see({ record }) {
        const by = reservations.add(record);
        return by !== null && reserved === 'omit' ? { by } : null;
      },
    };
  },
} as const satisfies HarvestFilter;
