/** The day of the last change by the header field Last-Modified, where it is that of a file. */
import type { EpochMs } from '../../base/core/types.ts';
import { isoDate } from '../../base/text/iso-date.ts';
import { isBelievable } from './times.ts';

/** A page that a program made for the request, or for one before it in a cache, is younger. */
const LEAST_AGE: EpochMs = 86_400_000;
/** Pages that no cache may keep are made for each request. */
const MADE_EACH_TIME = /\b(?:no-store|private)\b/i;

/** ISO 8601; null without the field, and for a page that a program seems to have made for its readers. */
export function lastModified(headers: Readonly<Record<string, string>>, now: EpochMs): string | null {
  const written = headers['last-modified'];
  const date = written === undefined ? null : isoDate(written);
  if (date === null || !isBelievable(date, now) || MADE_EACH_TIME.test(headers['cache-control'] ?? '')) return null;
  const answered = Date.parse(headers['date'] ?? '');
  return (Number.isNaN(answered) ? now : answered) - Date.parse(date) >= LEAST_AGE ? date : null;
}
