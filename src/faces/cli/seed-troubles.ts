/** Seeds that gave no page, for the user who named them: one message at the first failure, and a progress line while they wait. */

import { failureText } from '../../base/core/failure-words.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { counted } from '../../base/text/number-text.ts';

type SeedFailed = Extract<CrawlEvent, { type: 'seed-failed' }>;

/** Hosts of failed seeds that get a message each. */
const NAMED_HOSTS = 10;
/** Waiting seeds to remember. With more of them, nobody wants to see the next one. */
const REMEMBERED = 1000;

/** The cause alone, for a line with little room: `timed out`. */
function causeText(reason: string, status: number | null): string {
  return failureText(reason.replace(/^robots-unreachable:/, ''), status);
}

export class SeedTroubles {
  readonly #now: () => EpochMs;
  readonly #named = new Set<string>();
  /** Waiting seeds by URL: host, cause, time of the next try by the user's clock, and time after which the seed is given up. */
  readonly #waiting = new Map<
    string,
    { readonly host: string; readonly cause: string; readonly until: EpochMs; readonly givenUp: EpochMs }
  >();

  /** @param now the current date */
  constructor(now: () => EpochMs) {
    this.#now = now;
  }

  /** @returns a message about the event; null if there is nothing to report */
  take(event: CrawlEvent): string | null {
    if (event.type === 'settled' && event.fate !== null) this.#waiting.delete(event.url);
    return event.type === 'seed-failed' ? this.#failed(event) : null;
  }

  #failed({ url, reason, status, at, until, givenUp }: SeedFailed): string | null {
    const { host } = new URL(url);
    const here = (time: EpochMs) => this.#now() + time - at;
    const next = until === null ? null : { until: here(until), givenUp: here(givenUp ?? until) };
    if (next === null) this.#waiting.delete(url);
    else if (this.#waiting.size < REMEMBERED || this.#waiting.has(url))
      this.#waiting.set(url, { host, cause: causeText(reason, status), ...next });
    if (this.#named.size > NAMED_HOSTS || this.#named.has(host)) return null;
    this.#named.add(host);
    if (this.#named.size > NAMED_HOSTS) return `seeds of more hosts give no page; ${foragerCommand('ledger')} names them all`;
    return `seed ${url}: ${failureText(reason, status)} (${reason}); ${next === null ? 'it is not tried again' : triesText(next)}`;
  }

  /** A progress line with the waiting seeds. If nothing else waits, they come first: a terminal cuts the end of the line. */
  beside(line: string, { waiting, leased }: Pick<FrontierCounts, 'waiting' | 'leased'>): string {
    const seeds = this.waitingText();
    if (seeds === '') return line;
    return waiting + leased <= this.#waiting.size ? `${seeds}; ${line}` : `${line}; ${seeds}`;
  }

  /** `example.org: timed out; next try at 20:31:07, given up at 20:46:07 or later`: the seed that is tried next; '' if none waits. */
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

/** Local time of the day. */
function timeText(at: EpochMs): string {
  return new Date(at).toTimeString().slice(0, 8);
}
