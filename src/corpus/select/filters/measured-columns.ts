/** Numbers of each page that `corpus bias` and `stability` stored in the crawl. */
import type { HarvestColumn } from '../harvest-filter.ts';
import type { MeasuredColumn } from '../measured-column-names.ts';

const MEANINGS: Readonly<Record<MeasuredColumn, string>> = {
  frameWeight: 'frameWeight evens out the bias against the frame',
  keptInRuns: 'keptInRuns counts the runs that keep the page',
};

export const measuredColumns = {
  name: 'columns',
  describe: ({ columns = [] }) => (columns.length === 0 ? null : `columns: ${columns.map((name) => MEANINGS[name]).join('; ')}`),
  begin({ columns = [], measured = {} }) {
    if (columns.length === 0) return null;
    const valuesOf = (url: string) =>
      columns.flatMap((name) => {
        const value = measured[name]?.get(url);
        return value === undefined ? [] : [[name, value] as const];
      });
    return { adds: columns, present: (page) => ({ ...page, ...Object.fromEntries(valuesOf(page.url)) }) };
  },
} as const satisfies HarvestColumn;
