import { createHash } from 'node:crypto';
import { beganAt, type Clock, isoTime } from '../../base/core/clock.ts';
import { MAX_ROBOTS_PAUSE } from '../../base/core/failure-policy.ts';
import type { RobotsLoad, RobotsPolicy, UnreachableRobots } from '../../base/core/parts/fetching.ts';
import type {
  Bytes,
  CanonicalUrl,
  EpochMs,
  FetchedPage,
  FetchOutcome,
  HostKey,
  Ms,
  RefusalReason,
  RightsStatement,
} from '../../base/core/types.ts';
import { unpacked } from '../../base/web/content-coding.ts';
import { ALLOW_ALL, DENY_ALL, parseRobots } from '../../base/web/robots.ts';
import { canonicalize, hostKeyOf } from '../../base/web/url.ts';
import { type Known, type RobotsFile, RobotsFiles, type RobotsPlace, robotsAt } from './robots-files.ts';

/** Source of robots.txt files; `HttpFetcher` is one. */
export interface FileFetcher {
  fetchFile(url: CanonicalUrl, maxBytes: Bytes, signal: AbortSignal): Promise<FetchOutcome>;
}

export interface RobotsCacheOptions {
  /** Number of URLs remembered: a robots.txt of each host, and targets of redirects. The one loaded longest ago is dropped first. Default 50,000. */
  readonly maxHosts?: number;
  /** Bytes of robots.txt whose rules are remembered. Default 64 MB. */
  readonly maxBytes?: Bytes;
}

const SECOND: Ms = 1000;
const DAY: Ms = 24 * 3600 * SECOND;
/** RFC 9309 §2.5: parse at least 500 KiB. One more byte tells the parser that a file was cut, perhaps within a rule. */
const MAX_ROBOTS_BYTES: Bytes = 500 * 1024 + 1;
/** RFC 9309 §2.4: not longer than 24 hours, unless robots.txt is unreachable. */
const FRESH: Ms = DAY;
/** First wait before an unreachable robots.txt is requested again; doubled each time up to `MAX_ROBOTS_PAUSE`. */
const FIRST_RETRY: Ms = 60 * SECOND;
/** RFC 9309 §2.3.1.4: after "a reasonably long period of time (for example, 30 days)" an unreachable file counts as absent. */
const GIVE_UP: Ms = 30 * DAY;

/** The meaning of a host's response: a file, no file, a file elsewhere, or unknown. */
type Answer =
  | { readonly kind: 'file'; readonly page: FetchedPage; readonly sha256: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'redirect'; readonly to: CanonicalUrl }
  /** `retryAfter`: the pause that the host requests; null without one. */
  | { readonly kind: 'unreachable'; readonly cause: UnreachableRobots['cause']; readonly retryAfter: Ms | null };

/**
 * robots.txt by RFC 9309, remembered for 24 hours for each host.
 *
 * A 2xx response is parsed with any media type (an HTML page contains no rules). 4xx, a redirect without a target and more than five redirects mean
 * allow-all (§2.3.1.2, §2.3.1.3). 429, 5xx, timeouts and failed connections mean deny-all (§2.3.1.4), or the last known rules if there are any. They
 * are tried again after a minute, then two, four, up to a day, but not before their `Retry-After` is over. After 30 days: allow-all.
 *
 * `load` makes one request. Where a robots.txt redirects, the next `load` requests the target, whose host `asks` names. If that is another host, its
 * own robots.txt is requested first, and decides: a target that it forbids is unreachable, with the cause `robots`. Each hop passes the fetcher's
 * private-address guard. Answers are remembered by URL, so many hosts that redirect to one file cost one request for it.
 */
export class RobotsCache implements RobotsPolicy {
  readonly #fetcher: FileFetcher;
  readonly #productToken: string;
  readonly #clock: Clock;
  readonly #files: RobotsFiles;

  /** @param productToken the crawler's name as robots.txt files spell it, e.g. `Forager` */
  constructor(fetcher: FileFetcher, productToken: string, clock: Clock, options: RobotsCacheOptions = {}) {
    this.#fetcher = fetcher;
    this.#productToken = productToken;
    this.#clock = clock;
    this.#files = new RobotsFiles(options.maxHosts ?? 50_000, options.maxBytes ?? 64 * 1024 * 1024);
  }

  verdict(url: CanonicalUrl): 'allow' | 'deny' | 'unknown' {
    const { file } = this.#files.follow(hostKeyOf(url), this.#clock.now());
    if (file === null) return 'unknown';
    return file.rules.allows(url) ? 'allow' : 'deny';
  }

  /** The host that the next `load` requests: another one if the robots.txt redirects there. */
  asks(host: HostKey): HostKey {
    return this.#files.follow(host, this.#clock.now()).host;
  }

  /**
   * Reason why a host's robots.txt was not available, and the time of its next request; null if it was reached or never tried. Until then
   * `deny` means "not now" rather than "never": a caller may rest the host instead of dropping its URLs.
   */
  unreachable(host: HostKey): UnreachableRobots | null {
    const file = this.#lastOf(host);
    return file?.trouble ? { until: file.due, cause: file.trouble.cause } : null;
  }

  /** The Crawl-delay of the file that is known; null without one. */
  crawlDelay(host: HostKey): Ms | null {
    return this.#lastOf(host)?.rules.crawlDelay ?? null;
  }

  /** Distinct; relative ones are resolved, and anything other than http(s) URLs is omitted. */
  sitemaps(host: HostKey): readonly CanonicalUrl[] {
    const written = this.#lastOf(host)?.rules.sitemaps ?? [];
    return [...new Set(written.flatMap((text) => canonicalize(text, host) ?? []))];
  }

  /** Statements of the host's file; of a host that redirects, those of the file to which it redirects. */
  statements(url: CanonicalUrl): readonly RightsStatement[] {
    const file = this.#lastOf(hostKeyOf(url));
    if (!file?.text) return NONE;
    const { fetchedAt } = file.text;
    return file.rules.statements(url).map((statement) => ({ ...statement, fetchedAt }));
  }

  /**
   * Makes one request. If the answer is a redirect, the verdict may stay unknown: then `load` is to be called once more.
   * @throws the reason of the signal when it aborts; then nothing is remembered
   */
  async load(host: HostKey, signal: AbortSignal): Promise<RobotsLoad> {
    const place = this.#files.follow(host, this.#clock.now());
    const before = this.#lastAt(place);
    const asked = await this.#ask(place.url, signal);
    if (asked !== null) this.#files.remember(place.url, this.#judge(asked.answer, before));
    const { file } = this.#files.follow(host, this.#clock.now());
    const answer = asked === null ? null : this.#toKeep(asked, before);
    return { crawlDelay: file?.rules.crawlDelay ?? null, sitemaps: file?.rules.sitemaps ?? [], ...(answer && { answer }) };
  }

  #lastOf(host: HostKey): RobotsFile | null {
    return this.#files.follow(host, Number.NEGATIVE_INFINITY).file;
  }

  /** A host that redirected before and now fails has the rules to which it redirected. */
  #lastAt({ url, host }: RobotsPlace): RobotsFile | null {
    const last = url === robotsAt(host) ? this.#lastOf(host) : this.#files.at(url);
    return last?.trouble?.cause === 'robots' ? null : last;
  }

  /** @returns null if the file is to be requested once more: then the verdict stays unknown */
  async #ask(address: string, signal: AbortSignal): Promise<Asked | null> {
    const url = canonicalize(address);
    if (url === null) return { url, answer: ABSENT, outcome: null };
    const outcome = await this.#fetcher.fetchFile(url, MAX_ROBOTS_BYTES, signal);
    if (outcome.kind !== 'page' && outcome.kind !== 'refused' && outcome.again) return null;
    return { url, answer: outcome.kind === 'redirect' ? { kind: 'redirect', to: outcome.to } : answerOf(outcome), outcome };
  }

  /** The answer as the corpus keeps it: null if nobody was asked. */
  #toKeep({ url, answer, outcome }: Asked, before: RobotsFile | null): RobotsLoad['answer'] | null {
    if (url === null || outcome === null || outcome.kind === 'refused') return null;
    const page = answer.kind === 'file' ? answer.page : null;
    const sha256 = answer.kind === 'file' ? answer.sha256 : null;
    return {
      kind: 'robots',
      answer: {
        url,
        fetchedAt: isoTime(page?.startedAt ?? beganAt(this.#clock, outcome.kind === 'page' ? 0 : outcome.ms)),
        outcome: answer.kind,
        status: outcome.kind === 'page' ? outcome.page.status : outcome.status,
        to: answer.kind === 'redirect' ? answer.to : null,
        cause: answer.kind === 'unreachable' ? answer.cause : null,
        sha256,
      },
      page: sha256 === before?.text?.sha256 ? null : page,
    };
  }

  #judge(answer: Answer, before: RobotsFile | null): Known {
    const now = this.#clock.now();
    if (answer.kind === 'unreachable') return this.#inTrouble(before, answer, now);
    if (answer.kind === 'redirect') return { to: answer.to, weight: answer.to.length, due: now + FRESH };
    if (answer.kind === 'absent') return { rules: ALLOW_ALL, weight: 0, due: now + FRESH, text: null, trouble: null };
    const { page, sha256 } = answer;
    const body = unpacked(page.body, MAX_ROBOTS_BYTES);
    const text = { sha256, fetchedAt: isoTime(page.startedAt) };
    return { rules: parseRobots(body, this.#productToken), weight: body.byteLength, due: now + FRESH, text, trouble: null };
  }

  #inTrouble(before: RobotsFile | null, { cause, retryAfter }: Answer & { kind: 'unreachable' }, now: EpochMs): RobotsFile {
    const tries = before?.trouble?.tries ?? 0;
    const trouble = { since: before?.trouble?.since ?? now, tries: tries + 1, cause };
    const due = now + Math.max(retryAfter ?? 0, Math.min(MAX_ROBOTS_PAUSE, FIRST_RETRY * 2 ** tries));
    if (now - trouble.since >= GIVE_UP) return { rules: ALLOW_ALL, weight: 0, due, text: null, trouble };
    return { rules: before?.rules ?? DENY_ALL, weight: before?.weight ?? 0, due, text: before?.text ?? null, trouble };
  }
}

/** A request for a robots.txt. No URL and no outcome: nobody could be asked. */
interface Asked {
  readonly url: CanonicalUrl | null;
  readonly answer: Answer;
  readonly outcome: FetchOutcome | null;
}

const NONE: readonly RightsStatement[] = [];
const ABSENT: Answer = { kind: 'absent' };

function digestOf({ body }: FetchedPage): string {
  return createHash('sha256').update(body).digest('hex');
}

/**
 * RFC 9309 §2.3.1.2 wants the target of a redirect fetched and its rules followed, and §2.3.1.3 lets a 4xx allow all. A target that we ourselves do not
 * ask is neither: its rules exist and may forbid all (§2.3.1.4). A private host's own robots.txt counts as absent: see `RobotsFiles`.
 */
function isNotAsked(reason: RefusalReason): reason is 'private-address' | 'opt-out' {
  return reason === 'private-address' || reason === 'opt-out';
}

function answerOf(outcome: Exclude<FetchOutcome, { kind: 'redirect' }>): Answer {
  if (outcome.kind === 'page') return { kind: 'file', page: outcome.page, sha256: digestOf(outcome.page) };
  if (outcome.kind === 'refused')
    return isNotAsked(outcome.reason) ? { kind: 'unreachable', cause: outcome.reason, retryAfter: null } : ABSENT;
  const { code, status, retryAfter } = outcome;
  if (code === 'http-4xx') return ABSENT;
  // A complete response without a file (204, a 3xx without a Location) means that there is none; a broken one, or a 999, means nothing.
  const empty = code === 'protocol' && status !== null && status >= 204 && status < 400;
  return empty ? ABSENT : { kind: 'unreachable', cause: code, retryAfter };
}
