import { type Reason, wordOf } from './reason.ts';
import type { EpochMs, FailureCode, Ms, RobotsTrouble } from './types.ts';

export interface FailurePolicy {
  /** Number of tries after the first failure. */
  readonly retries: number;
  /** First pause; doubled with each attempt. */
  readonly backoff: Ms;
  /** Object of the pause: only the URL, or the whole host after `BLAME_AFTER` consecutive failures. */
  readonly blame: 'url' | 'host';
}

const SECOND = 1000;

/**
 * The reaction to each failure. The values follow common practice (Nutch retries 3 times, Scrapy 2). A host is blamed only after consecutive
 * failures: in the design's simulation, resting a host for a single timeout cut the harvest rate from 0.81 to 0.33.
 */
export const FAILURE_POLICY = {
  dns: { retries: 1, backoff: 10 * SECOND, blame: 'host' },
  connect: { retries: 2, backoff: 5 * SECOND, blame: 'host' },
  tls: { retries: 0, backoff: 0, blame: 'host' },
  'certificate-expired': { retries: 0, backoff: 0, blame: 'host' },
  'certificate-self-signed': { retries: 0, backoff: 0, blame: 'host' },
  'certificate-name': { retries: 0, backoff: 0, blame: 'host' },
  'certificate-issuer': { retries: 0, backoff: 0, blame: 'host' },
  proxy: { retries: 3, backoff: 5 * SECOND, blame: 'url' },
  timeout: { retries: 2, backoff: 5 * SECOND, blame: 'host' },
  reset: { retries: 2, backoff: 2 * SECOND, blame: 'host' },
  protocol: { retries: 0, backoff: 0, blame: 'url' },
  'http-4xx': { retries: 0, backoff: 0, blame: 'url' },
  'http-429': { retries: 5, backoff: 30 * SECOND, blame: 'host' },
  'http-5xx': { retries: 2, backoff: 10 * SECOND, blame: 'host' },
  // The host challenges the crawl, so it does not want requests now: a longer pause than after a 429, and fewer retries.
  blocked: { retries: 2, backoff: 60 * SECOND, blame: 'host' },
  'needs-cookies': { retries: 0, backoff: 0, blame: 'url' },
  decode: { retries: 0, backoff: 0, blame: 'url' },
  'read-timeout': { retries: 0, backoff: 0, blame: 'url' },
  'read-crash': { retries: 0, backoff: 0, blame: 'url' },
  hook: { retries: 0, backoff: 0, blame: 'url' },
  internal: { retries: 0, backoff: 0, blame: 'url' },
} as const satisfies Record<FailureCode, FailurePolicy>;

/** Consecutive failures of a host before the whole host rests. */
export const BLAME_AFTER = 3;
/** First pause of a whole host if the host names none; doubled with each pause in a row. */
export const FIRST_HOST_PAUSE: Ms = 30 * SECOND;
/** Limits after which a run gives a host up: so many pauses in a row, if the trouble has also lasted so long. */
export interface HostPatience {
  readonly pauses: number;
  readonly trouble: Ms;
  /** The pauses alone after which a run gives up a host that answers but never returned a page. Infinity: a host without pages counts as healthy. */
  readonly fruitless: number;
}
/**
 * 30 s doubled five times is a quarter of an hour, the same time that a crawl waits for an unreachable robots.txt. A host that answers without a page
 * will hardly change its answer within an hour: the crawl tries two more of its URLs, within at most a minute and a half.
 */
export const HOST_PATIENCE: HostPatience = { pauses: 5, trouble: 15 * 60 * SECOND, fruitless: 2 };
/** Longest pause, even if Retry-After asks for more: one hour. */
export const MAX_PAUSE: Ms = 3600 * SECOND;

/** The pause before a URL is tried again. If it is refused again, it waits longer than its host asks for, so that others of the host are tried meanwhile. */
export function pauseOf(retryAfter: Ms | null, backoff: Ms, attempts: number): Ms {
  const growing = backoff * 2 ** attempts;
  return Math.min(attempts === 0 ? (retryAfter ?? growing) : Math.max(retryAfter ?? 0, growing), MAX_PAUSE);
}

/**
 * Longest wait before the crawl requests an unreachable robots.txt again, and then the URLs of its host. A day, the time for which a fetched one is
 * valid (RFC 9309 §2.4).
 */
export const MAX_ROBOTS_PAUSE: Ms = 24 * 3600 * SECOND;
/** The longest wait of anything in a crawl, except for a longer `--delay`. A time further ahead comes from a clock that was wrong. */
export const LONGEST_WAIT: Ms = Math.max(MAX_PAUSE, MAX_ROBOTS_PAUSE);

/** Number of waits of a URL for an unreachable robots.txt. The waits double, starting at a minute: about a quarter of an hour in total. */
export const ROBOTS_RETRIES = 4;

/** A URL whose request failed and that waits for a retry. */
export interface Waits {
  /** A failure code, or `robots-unreachable` with its cause. */
  readonly reason: Reason;
  /** Number of failed requests. */
  readonly attempts: number;
  readonly notBefore: EpochMs;
  /** Time from the last try to `notBefore`. */
  readonly pause: Ms;
}

/**
 * Time at which the crawl gives a URL up if each further try fails: waits double. waits double. This is the earliest time, since its host
 * may rest longer or ask for more.
 */
export function givenUpAt({ reason, attempts, notBefore, pause }: Waits): EpochMs {
  const word = wordOf(reason);
  const retries = word === 'robots-unreachable' ? ROBOTS_RETRIES : isFailure(word) ? FAILURE_POLICY[word].retries : attempts;
  const left = Math.max(0, retries - attempts);
  return notBefore + Math.min(pause * (2 ** (left + 1) - 2), left * LONGEST_WAIT);
}

/** Is a failure of a host's robots.txt final? A certificate is mended by people or accepted by an option, rules of a host are valid for a day, and an opt-out stays: waiting does not help. */
export function isFinal(cause: RobotsTrouble): boolean {
  return cause === 'robots' || cause === 'opt-out' || cause === 'tls' || cause.startsWith('certificate-');
}

function isFailure(word: string): word is FailureCode {
  return Object.hasOwn(FAILURE_POLICY, word);
}
