/** Seeds that give no page, for the person who named them: told at the first failure, and shown while they wait. */
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import type { FrontierCounts } from '../core/parts/queueing.ts';
import type { EpochMs, FailureCode, RefusalReason } from '../core/types.ts';
import { counted } from './progress.ts';

type SeedFailed = Extract<CrawlEvent, { type: 'seed-failed' }>;

/** Hosts of seeds that are told of one by one. */
const TOLD_HOSTS = 10;
/** Seeds that are remembered while they wait. Of more of them nobody wants to see the next. */
const REMEMBERED = 1000;

const TEXTS: Readonly<Record<FailureCode | RefusalReason, string>> = {
  dns: 'no such host, or no answer of the name service',
  connect: 'connection refused, or no way to the host',
  tls: 'TLS failed',
  proxy: 'the proxy failed',
  timeout: 'timed out',
  reset: 'connection reset',
  protocol: 'no proper HTTP answer',
  'http-4xx': 'the server says that it is not there, or not for us',
  'http-429': 'the server asks for a pause',
  'http-5xx': 'the server failed',
  blocked: 'a challenge in place of the page',
  decode: 'damaged compression',
  'read-timeout': 'took too long to read',
  'read-crash': 'could not be read',
  internal: 'a bug of Forager',
  'opt-out': 'on the list of --opt-out',
  'no-sitemaps': 'a sitemap or feed, and --sitemaps is off',
  robots: 'robots.txt forbids it',
  'robots-unreachable': 'robots.txt could not be had',
  scope: 'out of scope',
  'max-depth': 'too deep',
  tunnel: 'too many pages off topic on the way',
  'private-address': 'a private address',
  'content-type': 'no HTML or plain text',
  'too-large': 'too large',
  'redirect-limit': 'too many redirects',
  noindex: 'asks not to be kept',
};

/** A reason of the ledger in words: `robots.txt could not be had: timed out`. */
export function reasonText(reason: string): string {
  const words = reason.split(':').map((word) => (isKnown(word) ? TEXTS[word] : word));
  return words.join(': ');
}

/** The cause alone, for a line that has little room: `timed out`. */
function causeText(reason: string): string {
  return reasonText(reason.replace(/^robots-unreachable:/, ''));
}

function isKnown(word: string): word is FailureCode | RefusalReason {
  return Object.hasOwn(TEXTS, word);
}

export class SeedTroubles {
  readonly #now: () => EpochMs;
  readonly #told = new Set<string>();
  /** By URL: why it waits, until when by the user's clock, and when it is given up on. */
  readonly #waiting = new Map<
    string,
    { readonly host: string; readonly cause: string; readonly until: EpochMs; readonly givenUp: EpochMs }
  >();

  /** @param now the date */
  constructor(now: () => EpochMs) {
    this.#now = now;
  }

  /** @returns what is to be told of an event; null for nothing */
  take(event: CrawlEvent): string | null {
    if (event.type === 'settled' && event.fate !== null) this.#waiting.delete(event.url);
    return event.type === 'seed-failed' ? this.#failed(event) : null;
  }

  #failed({ url, reason, at, until, givenUp }: SeedFailed): string | null {
    const { host } = new URL(url);
    const here = (time: EpochMs) => this.#now() + time - at;
    const next = until === null ? null : { until: here(until), givenUp: here(givenUp ?? until) };
    if (next === null) this.#waiting.delete(url);
    else if (this.#waiting.size < REMEMBERED || this.#waiting.has(url)) this.#waiting.set(url, { host, cause: causeText(reason), ...next });
    if (this.#told.size > TOLD_HOSTS || this.#told.has(host)) return null;
    this.#told.add(host);
    if (this.#told.size > TOLD_HOSTS) return 'seeds of more hosts give no page; forager ledger names them all';
    return `seed ${url}: ${reasonText(reason)} (${reason}); ${next === null ? 'it is not tried again' : triesText(next)}`;
  }

  /** A progress line with what waits. Where such seeds are all that waits, they come first: a terminal cuts what is behind. */
  beside(line: string, { queued, leased }: Pick<FrontierCounts, 'queued' | 'leased'>): string {
    const waiting = this.waitingText();
    if (waiting === '') return line;
    return queued + leased <= this.#waiting.size ? `${waiting}; ${line}` : `${line}; ${waiting}`;
  }

  /** `example.org: timed out; next try at 20:31:07, given up at 20:46:07 or later`: the seed that is tried next; '' where none waits. */
  waitingText(): string {
    const [first, ...others] = [...this.#waiting.values()].sort((a, b) => a.until - b.until);
    if (first === undefined) return '';
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other seed')})`;
    return `${first.host}: ${first.cause}; ${triesText(first)}${more}`;
  }
}

function triesText({ until, givenUp }: { readonly until: EpochMs; readonly givenUp: EpochMs }): string {
  return `next try at ${timeText(until)}, given up at ${timeText(givenUp)} or later`;
}

/** By the clock on the wall. */
function timeText(at: EpochMs): string {
  return new Date(at).toTimeString().slice(0, 8);
}
