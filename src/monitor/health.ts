/** Does a crawl go on as it should? For those who watch it from outside. */
import { LONGEST_WAIT } from '../core/failure-policy.ts';
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import type { EpochMs, Ms } from '../core/types.ts';
import type { RunningCrawl } from '../crawl/running.ts';

/** The longest step that is lawful: a robots.txt with five redirects, each request up to the deadline of 30 s. With a little more. */
const STILL_FOR: Ms = 200_000;
/** A commit takes some 10 ms, and comes within a quarter of a second; a disk that keeps one for so long hangs. */
const COMMITS_WITHIN: Ms = 30_000;
/** A wait is over some time before the loop goes on: clocks tick in milliseconds, and a busy machine is late. */
const SLACK: Ms = 10_000;

export interface Health {
  readonly healthy: boolean;
  /** What it is at, or what is wrong. */
  readonly reason: string;
}

export class HealthWatch {
  #uncommitted = 0;
  #uncommittedSince: EpochMs | null = null;

  /** As an `Emit`. */
  take(event: CrawlEvent): void {
    if (event.type === 'settled') {
      this.#uncommitted += 1;
      this.#uncommittedSince ??= event.at;
    } else if (event.type === 'committed') {
      // Others may have been settled while it ran.
      this.#uncommitted = Math.max(0, this.#uncommitted - event.settlements);
      this.#uncommittedSince = this.#uncommitted === 0 ? null : event.at;
    }
  }

  /** @param running null before the crawl has begun @param delay the rest of a host that the user asked for */
  look(running: RunningCrawl | null, now: EpochMs, delay: Ms = 0): Health {
    if (running === null) return { healthy: false, reason: 'the crawl is being opened' };
    const wrong = this.#whatIsWrong(running, now, delay);
    return wrong === null ? { healthy: true, reason: doingOf(running) } : { healthy: false, reason: wrong };
  }

  #whatIsWrong(running: RunningCrawl, now: EpochMs, delay: Ms): string | null {
    if (running.failure !== null) return running.failure;
    if (running.waiting?.for === 'room') return 'the disk is nearly full: no new request until there is space';
    const since = this.#uncommittedSince;
    if (since !== null && now - since > COMMITS_WITHIN) return `nothing could be committed for ${seconds(now - since)}`;
    const still = now - running.movedAt;
    const until = restsUntil(running);
    if (until !== null) return overlongRest(until, still, now, delay);
    if (still <= STILL_FOR) return null;
    return `nothing has happened for ${seconds(still)}, with ${running.inFlight} visits under way`;
  }
}

/** Nothing is under way, and hosts are given their time: that may take hours. @returns until when; null where it is otherwise */
function restsUntil({ inFlight, waiting }: RunningCrawl): EpochMs | null {
  return inFlight === 0 && waiting?.for === 'hosts' ? waiting.until : null;
}

/** What is wrong with a crawl that only waits: it does for longer than any rule has it wait, or has not gone on when it was to. */
function overlongRest(until: EpochMs, still: Ms, now: EpochMs, delay: Ms): string | null {
  const longest = Math.max(LONGEST_WAIT, delay);
  if (until - now > longest + SLACK || still > longest + SLACK)
    return `nothing has happened for ${seconds(still)}, and no host is to be asked for ${seconds(until - now)}: no rule has a crawl wait so long; stop it, see to the clock of the machine, and go on`;
  return now - until > STILL_FOR ? `a host was to be asked ${seconds(now - until)} ago, and nothing has happened` : null;
}

function doingOf({ inFlight, waiting }: RunningCrawl): string {
  const visits = `${inFlight} visits under way`;
  return waiting?.for === 'hosts' ? `${visits}, hosts are resting` : visits;
}

function seconds(ms: Ms): string {
  return Number.isFinite(ms) ? `${Math.round(ms / 1000)} s` : 'ever';
}
