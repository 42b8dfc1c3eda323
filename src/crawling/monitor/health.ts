/** Does a crawl make progress? For observers outside. */
import { LONGEST_WAIT } from '../../base/core/failure-policy.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import type { RunningCrawl, Waiting } from '../crawl/running.ts';

/** The longest legal step, with a margin: a robots.txt with five redirects, where each request may take up to the deadline of 30 s. */
const STILL_FOR: Ms = 200_000;
/** A commit takes about 10 ms, and comes within a quarter of a second; a disk that delays one for so long hangs. */
const COMMITS_WITHIN: Ms = 30_000;
/** The loop resumes a little after a wait ends: clocks tick in milliseconds, and a busy machine is late. */
const SLACK: Ms = 10_000;

export interface Health {
  readonly healthy: boolean;
  /** Current work of the crawl, or the fault. */
  readonly reason: string;
}

export class HealthWatch {
  #uncommitted = 0;
  #uncommittedSince: EpochMs | null = null;

  /** Takes events, as an `Emit`. */
  take(event: CrawlEvent): void {
    if (event.type === 'settled') {
      this.#uncommitted += 1;
      this.#uncommittedSince ??= event.at;
    } else if (event.type === 'committed') {
      // More URLs may have been settled during the commit.
      this.#uncommitted = Math.max(0, this.#uncommitted - event.settlements);
      this.#uncommittedSince = this.#uncommitted === 0 ? null : event.at;
    }
  }

  /** @param running null before the crawl starts @param delay the user's host delay */
  look(running: RunningCrawl | null, now: EpochMs, delay: Ms = 0): Health {
    if (running === null) return { healthy: false, reason: 'the crawl is being opened' };
    const wrong = this.#whatIsWrong(running, now, delay);
    return wrong === null ? { healthy: true, reason: doingOf(running) } : { healthy: false, reason: wrong };
  }

  #whatIsWrong(running: RunningCrawl, now: EpochMs, delay: Ms): string | null {
    if (running.failure !== null) return running.failure;
    if (running.waiting?.for === 'room') return 'the disk is nearly full: no new request until there is space';
    const since = this.#uncommittedSince;
    if (since !== null && now - since > COMMITS_WITHIN) return `no commit has succeeded for ${seconds(now - since)}`;
    if (running.waiting !== null && IS_WELL.has(running.waiting.for)) return null;
    const still = now - running.movedAt;
    const until = restsUntil(running);
    if (until !== null) return overlongRest(until, still, now, delay);
    if (still <= STILL_FOR) return null;
    return `nothing has happened for ${seconds(still)}, with ${running.inFlight} running visits`;
  }
}

/** Waits that may take any time. */
const IS_WELL: ReadonlySet<Waiting['for']> = new Set(['leave', 'others', 'revisits']);

/** Returns the end of a wait without running visits while hosts rest, which may take hours. @returns null if the crawl does not only wait */
function restsUntil({ inFlight, waiting }: RunningCrawl): EpochMs | null {
  return inFlight === 0 && waiting?.for === 'hosts' ? waiting.until : null;
}

/** The fault of a crawl that only waits: the wait is longer than any rule allows, or the crawl has not resumed after it. */
function overlongRest(until: EpochMs, still: Ms, now: EpochMs, delay: Ms): string | null {
  const longest = Math.max(LONGEST_WAIT, delay);
  if (until - now > longest + SLACK || still > longest + SLACK)
    return `nothing has happened for ${seconds(still)}, and no host may be asked for ${seconds(until - now)}; no rule makes a crawl wait so long. Stop it, check the clock of the machine, and resume it`;
  return now - until > STILL_FOR ? `a host was due ${seconds(now - until)} ago, but nothing has happened` : null;
}

function doingOf({ inFlight, waiting }: RunningCrawl): string {
  const visits = `${inFlight} running visits`;
  if (waiting?.for === 'leave') return `${visits}, paused`;
  if (waiting?.for === 'revisits') return `${visits}, no page is due for a revisit`;
  if (waiting?.for === 'others') return `${visits}, other workers have the rest of the crawl or better URLs`;
  return waiting?.for === 'hosts' ? `${visits}, hosts are resting` : visits;
}

function seconds(ms: Ms): string {
  return Number.isFinite(ms) ? `${Math.round(ms / 1000)} s` : 'ever';
}
