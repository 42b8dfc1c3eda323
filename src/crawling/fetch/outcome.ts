import type { CanonicalUrl, EpochMs, FailureCode, FetchOutcome, Ms } from '../../base/core/types.ts';
import { utf8Field } from '../../base/web/header-fields.ts';
import { canonicalize, canonicalizeWithRoute, routeOf } from '../../base/web/url.ts';
import type { ResponseHead } from './exchange.ts';
import { breakageOf } from './failures.ts';
import { parseRetryAfter } from './retry-after.ts';

/** A request without a page or a redirect. */
type Failed = Extract<FetchOutcome, { readonly kind: 'failed' }>;

/**
 * Header fields with which a service in front of a site marks a challenge, a captcha or a script instead of the page: Cloudflare ("Detect a Challenge
 * Page response") and AWS WAF ("CAPTCHA and Challenge action behavior"). The text of such bodies differs by product and month, and also occurs in
 * ordinary pages.
 */
const CHALLENGES: readonly (readonly [field: string, value: RegExp])[] = [
  ['cf-mitigated', /^challenge$/i],
  ['x-amzn-waf-action', /^(challenge|captcha)$/i],
];

/** The field that marks the response as a challenge, with any status; null if none does. */
function challengeIn(headers: ResponseHead['headers']): string | null {
  const found = CHALLENGES.find(([field, value]) => headers[field] !== undefined && value.test(headers[field]));
  return found ? `${found[0]}: ${headers[found[0]]}` : null;
}

/** The outcome of a challenge; null if the response is not one. */
export function challengeOutcome({ status, headers }: ResponseHead, now: EpochMs, ms: Ms): FetchOutcome | null {
  const challenge = challengeIn(headers);
  if (challenge === null) return null;
  return failedOutcome(
    'blocked',
    status,
    `a challenge instead of the page (${challenge})`,
    ms,
    parseRetryAfter(headers['retry-after'], now),
  );
}

export function failedOutcome(code: FailureCode, status: number | null, detail: string, ms: Ms, retryAfter: Ms | null = null): Failed {
  return { kind: 'failed', code, status, detail, retryAfter, ms };
}

/** The outcome of an error. @throws EnvironmentError as `breakageOf` */
export function brokenOutcome(error: unknown, status: number | null, ms: Ms): FetchOutcome {
  const breakage = breakageOf(error);
  if (breakage.kind === 'refused') return { kind: 'refused', reason: breakage.reason, status, ms };
  return failedOutcome(breakage.code, status, breakage.detail, ms);
}

/** The outcome of a complete response other than a page. */
export function statusOutcome(url: CanonicalUrl, { status, statusText, headers }: ResponseHead, now: EpochMs, ms: Ms): FetchOutcome {
  const { location, 'retry-after': retryAfter } = headers;
  if (status >= 300 && status < 400 && status !== 304) return redirectOutcome(url, status, location, ms);
  return failedOutcome(failureCodeOf(status), status, `${status} ${statusText}`.trim(), ms, parseRetryAfter(retryAfter, now));
}

/** The failure that a status means: any status except that of a page or a redirect. */
export function failureCodeOf(status: number): FailureCode {
  if (status === 429) return 'http-429';
  if (status >= 400 && status < 500) return 'http-4xx';
  return status >= 500 && status < 600 ? 'http-5xx' : 'protocol';
}

/** The outcome of a 3xx: a redirect, a refusal of other schemes than http(s), or a failure if `Location` is missing or unreadable. */
function redirectOutcome(from: CanonicalUrl, status: number, location: string | undefined, ms: Ms): FetchOutcome {
  const fail = (detail: string): FetchOutcome => ({ kind: 'failed', code: 'protocol', status, detail, retryAfter: null, ms });
  if (location === undefined || location.trim() === '') return fail(`${status} without a Location`);
  const target = utf8Field(location);
  const route = routeOf(from);
  const to = route === '' ? canonicalize(target, from) : canonicalizeWithRoute(target, from, route);
  if (to !== null) return { kind: 'redirect', status, to, ms };
  const other = URL.canParse(target, from) && !/^https?:$/.test(new URL(target, from).protocol);
  return other ? { kind: 'refused', reason: 'scope', status, ms } : fail(`${status} with an unusable Location: ${target.slice(0, 100)}`);
}
