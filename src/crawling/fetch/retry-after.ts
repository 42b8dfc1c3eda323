import { MAX_PAUSE } from '../../base/core/failure-policy.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';

const MIN_PAUSE: Ms = 1000;
/** The three forms of an HTTP-date (RFC 9110 §5.6.7) start with a day name; asctime has no zone and means GMT. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

function secondsOf(value: string, now: EpochMs): number | null {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  if (value.length > 40 || !HTTP_DATE.test(value)) return null;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : (at - now) / 1000;
}

/**
 * The pause that a `Retry-After` field requests (RFC 9110 §10.2.3), between one second and one hour.
 * @returns null if it is absent, invalid, zero or in the past: the caller's own backoff is then the better guess
 */
export function parseRetryAfter(value: string | undefined, now: EpochMs): Ms | null {
  const seconds = value === undefined ? null : secondsOf(value.trim(), now);
  if (seconds === null || seconds <= 0) return null;
  return Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, Math.ceil(seconds * 1000)));
}
