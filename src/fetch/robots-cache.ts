import type { Clock } from '../core/clock.ts';
import { MAX_ROBOTS_PAUSE } from '../core/failure-policy.ts';
import type { RobotsPolicy, UnreachableRobots } from '../core/parts/fetching.ts';
import type { Bytes, CanonicalUrl, EpochMs, FetchOutcome, HostKey, Ms } from '../core/types.ts';
import { unpacked } from '../web/content-coding.ts';
import { ALLOW_ALL, DENY_ALL, parseRobots, type RobotsRules } from '../web/robots.ts';
import { canonicalize, hostKeyOf } from '../web/url.ts';

/** Source of robots.txt files; `HttpFetcher` is one. */
export interface FileFetcher {
  fetchFile(url: CanonicalUrl, maxBytes: Bytes, signal: AbortSignal): Promise<FetchOutcome>;
}

export interface RobotsCacheOptions {
  /** Number of hosts remembered; the one loaded longest ago is dropped first. Default 50,000. */
  readonly maxHosts?: number;
  /** Bytes of robots.txt whose rules are remembered. Default 64 MB. */
  readonly maxBytes?: Bytes;
}

const SECOND: Ms = 1000;
const DAY: Ms = 24 * 3600 * SECOND;
/** RFC 9309 §2.5: parse at least 500 KiB. One more byte tells the parser that a file was cut, perhaps within a rule. */
const MAX_ROBOTS_BYTES: Bytes = 500 * 1024 + 1;
/** RFC 9309 §2.3.1.2. */
const MAX_REDIRECTS = 5;
/** RFC 9309 §2.4: not longer than 24 hours, unless robots.txt is unreachable. */
const FRESH: Ms = DAY;
/** First wait before an unreachable robots.txt is requested again; doubled each time up to `MAX_ROBOTS_PAUSE`. */
const FIRST_RETRY: Ms = 60 * SECOND;
/** RFC 9309 §2.3.1.4: after "a reasonably long period of time (for example, 30 days)" an unreachable file counts as absent. */
const GIVE_UP: Ms = 30 * DAY;

interface Cached {
  readonly rules: RobotsRules;
  readonly weight: Bytes;
  /** After that time the verdict is unknown again. */
  readonly due: EpochMs;
  /** Since when, how often in a row, and finally why the file could not be reached. */
  readonly trouble: { readonly since: EpochMs; readonly tries: number; readonly cause: UnreachableRobots['cause'] } | null;
}

/** The meaning of a host's response: a file, no file, or unknown. */
type Answer =
  | { readonly kind: 'file'; readonly body: Uint8Array }
  | { readonly kind: 'absent' }
  /** `retryAfter`: the pause that the host requests; null without one. */
  | { readonly kind: 'unreachable'; readonly cause: UnreachableRobots['cause']; readonly retryAfter: Ms | null };

/**
 * robots.txt by RFC 9309, remembered for 24 hours for each host.
 *
 * A 2xx response is parsed with any media type (an HTML page contains no rules). 4xx, a redirect without a target and more than five redirects mean
 * allow-all (§2.3.1.2, §2.3.1.3). 429, 5xx, timeouts and failed connections mean deny-all (§2.3.1.4), or the last known rules if there are any. They
 * are tried again after a minute, then two, four, up to a day, but not before their `Retry-After` is over. After 30 days: allow-all.
 *
 * `load` follows redirects of robots.txt, so a load is up to six requests, some perhaps to other hosts. This is the one exception from "one lease is
 * one request". Each hop passes the fetcher's private-address guard.
 */
export class RobotsCache implements RobotsPolicy {
  readonly #fetcher: FileFetcher;
  readonly #productToken: string;
  readonly #clock: Clock;
  readonly #maxHosts: number;
  readonly #maxBytes: Bytes;
  readonly #hosts = new Map<HostKey, Cached>();
  #bytes: Bytes = 0;

  /** @param productToken the crawler's name as robots.txt files spell it, e.g. `Forager` */
  constructor(fetcher: FileFetcher, productToken: string, clock: Clock, options: RobotsCacheOptions = {}) {
    this.#fetcher = fetcher;
    this.#productToken = productToken;
    this.#clock = clock;
    this.#maxHosts = options.maxHosts ?? 50_000;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  }

  verdict(url: CanonicalUrl): 'allow' | 'deny' | 'unknown' {
    const cached = this.#hosts.get(hostKeyOf(url));
    if (cached === undefined || this.#clock.now() >= cached.due) return 'unknown';
    return cached.rules.allows(url) ? 'allow' : 'deny';
  }

  /**
   * Why a host's robots.txt was not available, and when it is due for another request; null if it was reached or never tried. Until then `deny` means
   * "not now" rather than "never": a caller may rest the host instead of dropping its URLs.
   */
  unreachable(host: HostKey): UnreachableRobots | null {
    const cached = this.#hosts.get(host);
    return cached?.trouble ? { until: cached.due, cause: cached.trouble.cause } : null;
  }

  /** Distinct; relative ones are resolved, and anything other than http(s) URLs is omitted. */
  sitemaps(host: HostKey): readonly CanonicalUrl[] {
    const written = this.#hosts.get(host)?.rules.sitemaps ?? [];
    return [...new Set(written.flatMap((text) => canonicalize(text, host) ?? []))];
  }

  /** @throws the reason of the signal when it aborts; then nothing is remembered */
  async load(host: HostKey, signal: AbortSignal): Promise<{ readonly crawlDelay: Ms | null; readonly sitemaps: readonly string[] }> {
    const answer = await this.#ask(host, signal);
    if (answer === null) return { crawlDelay: null, sitemaps: [] };
    const cached = this.#judge(answer, this.#hosts.get(host));
    this.#remember(host, cached);
    return { crawlDelay: cached.rules.crawlDelay, sitemaps: cached.rules.sitemaps };
  }

  /** @returns null if the file is to be requested once more: then the verdict stays unknown */
  async #ask(host: HostKey, signal: AbortSignal): Promise<Answer | null> {
    let url = canonicalize(`${host}/robots.txt`);
    for (let hop = 0; url !== null && hop <= MAX_REDIRECTS; hop++) {
      const outcome = await this.#fetcher.fetchFile(url, MAX_ROBOTS_BYTES, signal);
      if (outcome.kind === 'failed' && outcome.again) return null;
      if (outcome.kind !== 'redirect') return answerOf(outcome, hop);
      url = outcome.to;
    }
    return { kind: 'absent' };
  }

  #judge(answer: Answer, before: Cached | undefined): Cached {
    const now = this.#clock.now();
    if (answer.kind === 'unreachable') return this.#inTrouble(before, answer, now);
    if (answer.kind === 'absent') return { rules: ALLOW_ALL, weight: 0, due: now + FRESH, trouble: null };
    const rules = parseRobots(answer.body, this.#productToken);
    return { rules, weight: answer.body.byteLength, due: now + FRESH, trouble: null };
  }

  #inTrouble(before: Cached | undefined, { cause, retryAfter }: Answer & { kind: 'unreachable' }, now: EpochMs): Cached {
    const tries = before?.trouble?.tries ?? 0;
    const trouble = { since: before?.trouble?.since ?? now, tries: tries + 1, cause };
    const due = now + Math.max(retryAfter ?? 0, Math.min(MAX_ROBOTS_PAUSE, FIRST_RETRY * 2 ** tries));
    if (now - trouble.since >= GIVE_UP) return { rules: ALLOW_ALL, weight: 0, due, trouble };
    return { rules: before?.rules ?? DENY_ALL, weight: before?.weight ?? 0, due, trouble };
  }

  #remember(host: HostKey, cached: Cached): void {
    this.#forget(host);
    this.#hosts.set(host, cached);
    this.#bytes += cached.weight;
    for (const oldest of this.#hosts.keys()) {
      if (oldest === host || (this.#hosts.size <= this.#maxHosts && this.#bytes <= this.#maxBytes)) return;
      this.#forget(oldest);
    }
  }

  #forget(host: HostKey): void {
    this.#bytes -= this.#hosts.get(host)?.weight ?? 0;
    this.#hosts.delete(host);
  }
}

const ABSENT: Answer = { kind: 'absent' };
const ELSEWHERE: Answer = { kind: 'unreachable', cause: 'private-address', retryAfter: null };

function answerOf(outcome: Exclude<FetchOutcome, { kind: 'redirect' }>, hop: number): Answer {
  if (outcome.kind === 'page') return { kind: 'file', body: unpacked(outcome.page.body, MAX_ROBOTS_BYTES) };
  // A private host: the page's own request will be refused with the right reason. A redirect into a private network is an attack or a mistake.
  if (outcome.kind === 'refused') return outcome.reason === 'private-address' && hop > 0 ? ELSEWHERE : ABSENT;
  const { code, status, retryAfter } = outcome;
  if (code === 'http-4xx') return ABSENT;
  // A complete response without a file (204, a 3xx without a Location) means that there is none; a broken one, or a 999, means nothing.
  const empty = code === 'protocol' && status !== null && status >= 204 && status < 400;
  return empty ? ABSENT : { kind: 'unreachable', cause: code, retryAfter };
}
