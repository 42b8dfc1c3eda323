import { type Reason, wordOf } from './reason.ts';
import type { EpochMs, FailureCode, Ms } from './types.ts';

export interface FailurePolicy {
  /** How often to try again after the first failure. */
  readonly retries: number;
  /** First pause; doubled with each attempt. */
  readonly backoff: Ms;
  /** Who is rested: only the URL, or its whole host after `BLAME_AFTER` consecutive failures. */
  readonly blame: 'url' | 'host';
}

const SECOND = 1000;

/**
 * What to do about each failure. The values follow common practice (Nutch retries 3 times, Scrapy 2);
 * a host is blamed only after consecutive failures, since resting it for a single timeout cut the
 * harvest rate from 0.81 to 0.33 in the design's simulation.
 */
export const FAILURE_POLICY = {
  dns: { retries: 1, backoff: 10 * SECOND, blame: 'host' },
  connect: { retries: 2, backoff: 5 * SECOND, blame: 'host' },
  tls: { retries: 0, backoff: 0, blame: 'host' },
  proxy: { retries: 3, backoff: 5 * SECOND, blame: 'url' },
  timeout: { retries: 2, backoff: 5 * SECOND, blame: 'host' },
  reset: { retries: 2, backoff: 2 * SECOND, blame: 'host' },
  protocol: { retries: 0, backoff: 0, blame: 'url' },
  'http-4xx': { retries: 0, backoff: 0, blame: 'url' },
  'http-429': { retries: 5, backoff: 30 * SECOND, blame: 'host' },
  'http-5xx': { retries: 2, backoff: 10 * SECOND, blame: 'host' },
  // Whoever is challenged is not wanted just now: a longer pause than for a 429, and fewer tries.
  blocked: { retries: 2, backoff: 60 * SECOND, blame: 'host' },
  decode: { retries: 0, backoff: 0, blame: 'url' },
  'read-timeout': { retries: 0, backoff: 0, blame: 'url' },
  'read-crash': { retries: 0, backoff: 0, blame: 'url' },
  internal: { retries: 0, backoff: 0, blame: 'url' },
} as const satisfies Record<FailureCode, FailurePolicy>;

/** Consecutive failures of a host before it is rested as a whole. */
export const BLAME_AFTER = 3;
/** First pause of a host as a whole, where it names none; doubled with each pause in a row. */
export const FIRST_HOST_PAUSE: Ms = 30 * SECOND;
/** When a host is given up on for the run: when it is still in trouble after so many pauses in a row, and so long. */
export interface HostPatience {
  readonly pauses: number;
  readonly trouble: Ms;
  /** One that answers, but never gave a page, after so many pauses alone; Infinity: that it gives none is no trouble. */
  readonly fruitless: number;
}
/**
 * 30 s doubled five times are a quarter of an hour, as long as a robots.txt that cannot be had is waited for. What a host answers it will hardly answer
 * otherwise in an hour: two more of its URLs are tried, a minute and a half at most.
 */
export const HOST_PATIENCE: HostPatience = { pauses: 5, trouble: 15 * 60 * SECOND, fruitless: 2 };
/** No pause is longer than this, whatever Retry-After says: one hour. */
export const MAX_PAUSE: Ms = 3600 * SECOND;
/** Longest wait before a robots.txt that cannot be had is asked for again, and with it the URLs of its host: a day, as long as one that was had is believed (RFC 9309 §2.4). */
export const MAX_ROBOTS_PAUSE: Ms = 24 * 3600 * SECOND;
/** Nothing in a crawl waits longer than this, but for a longer `--delay`. A time further ahead was written by a clock that was wrong. */
export const LONGEST_WAIT: Ms = Math.max(MAX_PAUSE, MAX_ROBOTS_PAUSE);

/** How often a URL waits for a robots.txt that cannot be had. The waits double, from a minute on: about a quarter of an hour in all. */
export const ROBOTS_RETRIES = 4;

/** A URL that could not be had and waits to be tried again. */
export interface Waits {
  /** A failure code, or `robots-unreachable:` and one. */
  readonly reason: Reason;
  /** Times that it could not be had. */
  readonly attempts: number;
  readonly notBefore: EpochMs;
  /** How long that was from the last try on. */
  readonly pause: Ms;
}

/** When a URL is given up on if each further try fails too: waits double. Its host may rest longer, or ask for more; so this is the earliest. */
export function givenUpAt({ reason, attempts, notBefore, pause }: Waits): EpochMs {
  const word = wordOf(reason);
  const retries = word === 'robots-unreachable' ? ROBOTS_RETRIES : isFailure(word) ? FAILURE_POLICY[word].retries : attempts;
  const left = Math.max(0, retries - attempts);
  return notBefore + Math.min(pause * (2 ** (left + 1) - 2), left * LONGEST_WAIT);
}

function isFailure(word: string): word is FailureCode {
  return Object.hasOwn(FAILURE_POLICY, word);
}
