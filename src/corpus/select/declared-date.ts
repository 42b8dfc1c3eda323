import type { EpochMs } from '../../base/core/types.ts';
import { isoDate } from '../../base/text/iso-date.ts';

/** The first web page is of 6 August 1991; an older date is that of the subject, not of the page. */
const FIRST_PAGE: EpochMs = Date.UTC(1991, 7, 6);
/** `2021-03`: a year alone is not precise enough for a day. */
const MIN_CHARS = 7;

/**
 * The day on which a page says it was published, as midnight UTC of the day as written; null if it is ambiguous.
 * @param notAfter when the page was fetched; a later date is not believed, except for one day of time zones
 */
export function declaredDay(text: string, notAfter: EpochMs): EpochMs | null {
  const date = isoDate(text);
  if (date === null || date.length < MIN_CHARS) return null;
  const day = Date.parse(date.length === MIN_CHARS ? `${date}-01` : date.slice(0, 10));
  return day >= FIRST_PAGE && day <= notAfter + 86_400_000 ? day : null;
}

/** The day, month or year of a declared date, `YYYY[-MM[-DD]]`; null if it is ambiguous. */
export function publishedDate(text: string): string | null {
  return isoDate(text)?.slice(0, 10) ?? null;
}
