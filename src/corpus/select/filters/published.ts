import { publishedDate } from '../declared-date.ts';
import type { HarvestFilter } from '../harvest-filter.ts';

/** Pages by the date that they state. A year without a month is compared as a year. Pages without a date are omitted. */
export const published = {
  name: 'published',
  leaves: 'published at another time, or undated',
  begin({ published: span }) {
    if (span === undefined) return null;
    const { from, to } = span;
    return {
      see({ record: { metadata } }) {
        const date = metadata.published === null ? null : publishedDate(metadata.published);
        const isIn = date !== null && (from === null || isNotBefore(date, from)) && (to === null || isNotBefore(to, date));
        return isIn ? null : { published: date };
      },
    };
  },
  describe({ published: span }) {
    return span === undefined
      ? null
      : `published: ${span.from ?? ''}..${span.to ?? ''}, by the date that a page states; undated pages omitted`;
  },
} as const satisfies HarvestFilter;

/** Compares dates as precisely as both are written: `2005` is not before `2005-06`. */
function isNotBefore(date: string, limit: string): boolean {
  const length = Math.min(date.length, limit.length);
  return date.slice(0, length) >= limit.slice(0, length);
}
