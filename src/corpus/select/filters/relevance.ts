import type { HarvestFilter } from '../harvest-filter.ts';

export const relevance = {
  name: 'relevance',
  leaves: 'relevance too low',
  begin({ minRelevance }) {
    if (minRelevance === null) return null;
    return { see: ({ record }) => (record.relevance < minRelevance ? { relevance: record.relevance } : null) };
  },
} as const satisfies HarvestFilter;
