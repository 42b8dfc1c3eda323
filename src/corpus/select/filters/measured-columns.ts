/** Numbers of each page that `corpus bias` and `stability` stored in the crawl. */
import { counted } from '../../../base/text/number-text.ts';
import type { HarvestColumn } from '../harvest-filter.ts';
import type { MeasuredColumn } from '../measured-column-names.ts';
import type { MeasuredValues } from '../measured-facts.ts';

const MEANINGS: Readonly<Record<MeasuredColumn, string>> = {
  frameWeight: 'frameWeight evens out the bias against the frame',
  keptInRuns: 'keptInRuns counts the runs that keep the page',
};

export const measuredColumns = {
  name: 'columns',
  describe: ({ columns = [] }) => (columns.length === 0 ? null : `columns: ${columns.map((name) => MEANINGS[name]).join('; ')}`),
  begin({ columns = [], measured = {} }) {
    if (columns.length === 0) return null;
    const lacking = new Map<MeasuredColumn, number[]>(columns.map((name) => [name, []]));
    let notes: readonly string[] = [];
    return {
      see({ ordinal, record }) {
        for (const [name, ordinals] of lacking) if (!measured[name]?.has(record.url)) ordinals.push(ordinal);
        return null;
      },
      settle(isIn) {
        notes = [...lacking].flatMap(([name, ordinals]) => noteOf(name, ordinals.filter(isIn).length));
        return new Map();
      },
      adds: columns,
      present: (page) => ({ ...page, ...valuesOf(page.url, columns, measured) }),
      notes: () => notes,
    };
  },
} as const satisfies HarvestColumn;

function noteOf(name: MeasuredColumn, pages: number): string[] {
  return pages === 0 ? [] : [`${name}: ${counted(pages, 'page')} without a value, since the crawl kept them after the measurement`];
}

function valuesOf(
  url: string,
  columns: readonly MeasuredColumn[],
  measured: MeasuredValues,
): Readonly<Partial<Record<MeasuredColumn, number>>> {
  const values = columns.flatMap((name) => {
    const value = measured[name]?.get(url);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}
