import type { EpochMs } from '../core/types.ts';

const ISO = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ].*)?$/;
const WITH_MONTH_NAME = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const WITH_ZONE = /(?:\b(?:GMT|UTC|Z|[ECMP][SD]T)|[+-]\d{2}:?\d{2})\s*\)?$/;
/** The first web page is of 6 August 1991; what claims to be older dates its subject, not itself. */
const FIRST_PAGE: EpochMs = Date.UTC(1991, 7, 6);
/** The longest date anybody writes. */
const MAX_LENGTH = 64;

/**
 * The day a page says it was published, as midnight UTC; null when it cannot be told without guessing.
 * Read are ISO 8601 and dates with an English month name; `03/04/2020` is a guess and is not read.
 * @param notAfter when the page was fetched; a later date (but for a day of time zones) is not believed
 */
export function declaredDay(text: string, notAfter: EpochMs): EpochMs | null {
  const written = text.trim();
  if (written.length > MAX_LENGTH) return null;
  const day = isoDay(written) ?? namedDay(written);
  return day !== null && day >= FIRST_PAGE && day <= notAfter + 86_400_000 ? day : null;
}

function isoDay(written: string): EpochMs | null {
  const match = ISO.exec(written);
  if (match === null) return null;
  const at = Date.parse(`${match[1]}-${match[2]}-${match[3] ?? '01'}`);
  return Number.isNaN(at) ? null : at;
}

/** The engine reads a date without a zone as local; the same page must give the same day everywhere. */
function namedDay(written: string): EpochMs | null {
  if (!WITH_MONTH_NAME.test(written) || !/\b\d{4}\b/.test(written)) return null;
  const at = Date.parse(WITH_ZONE.test(written) ? written : `${written} UTC`);
  return Number.isNaN(at) ? null : at - (((at % 86_400_000) + 86_400_000) % 86_400_000);
}
