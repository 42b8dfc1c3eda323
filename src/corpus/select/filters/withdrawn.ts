import type { HarvestFilter } from '../harvest-filter.ts';

/** Pages that were taken back. Other pages do not name them as the page they were found on, or are an alternate of. */
export const withdrawn = {
  name: 'withdrawn',
  leaves: 'taken back',
  // No option asks for it: the card counts it where there are such pages.
  describe: () => null,
  begin({ withdrawals }) {
    if (withdrawals === undefined || withdrawals.size === 0) return null;
    return {
      see({ record }) {
        const found = withdrawals.of(record.url);
        return found && { urlSha256: found.urlSha256, date: found.date, because: found.reason };
      },
      present: (page) => withdrawals.unnamedIn(page),
    };
  },
} as const satisfies HarvestFilter;
