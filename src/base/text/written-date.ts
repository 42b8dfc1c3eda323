/** Dates as users write them: a year, a month, a day, or a moment of a day, in UTC (ISO 8601). */
import { isoTime } from '../core/clock.ts';
import type { EpochMs } from '../core/types.ts';

/** The message for other words. */
export const NO_WRITTEN_DATE = 'not a date; write e.g. 2004, 2004-05-01 or 2004-05-01T12:00:00Z';

const WRITTEN = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?)?)?$/;
/** Characters of a year, a month and a day. */
const [YEAR, MONTH, DAY] = [4, 7, 10];

/** Is it such a date, and one of the calendar? */
export function isWrittenDate(word: string): boolean {
  const at = WRITTEN.test(word) ? Date.parse(word) : Number.NaN;
  return !Number.isNaN(at) && isoTime(at).startsWith(word.slice(0, DAY));
}

/** The last millisecond of a written year, month or day; of a moment, that moment. */
export function lastMomentOf(word: string): EpochMs {
  const start = new Date(word);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  if (word.length === YEAR) return Date.UTC(year + 1, 0) - 1;
  if (word.length === MONTH) return Date.UTC(year, month + 1) - 1;
  return word.length === DAY ? Date.UTC(year, month, start.getUTCDate() + 1) - 1 : start.getTime();
}
