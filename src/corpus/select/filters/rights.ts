import type { HarvestFilter } from '../harvest-filter.ts';

export const rights = {
  name: 'rights',
  leaves: 'mining rights reserved',
  begin({ reserved, reservations }) {
    return {
      // Counted also where such pages are included: the card warns of them.
      see: ({ record }) => (reservations.add(record) && reserved === 'omit' ? { by: record.reservation?.by } : null),
    };
  },
} as const satisfies HarvestFilter;
