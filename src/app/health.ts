/** Does a crawl go on as it should? For those who watch it from outside. */
import type { CrawlEvent } from '../core/parts.ts';
import type { EpochMs, Ms } from '../core/types.ts';
import type { RunningCrawl } from '../crawl/running.ts';

/** The longest step that is lawful: a robots.txt with five redirects, each request up to the deadline of 30 s. With a little more. */
const STILL_FOR: Ms = 200_000;
/** A commit takes some 10 ms, and comes within a quarter of a second; a disk that keeps one for so long hangs. */
const COMMITS_WITHIN: Ms = 30_000;

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

  /** @param running null before the crawl has begun */
  look(running: RunningCrawl | null, now: EpochMs): Health {
    if (running === null) return { healthy: false, reason: 'the crawl is being opened' };
    const wrong = this.#whatIsWrong(running, now);
    return wrong === null ? { healthy: true, reason: doingOf(running) } : { healthy: false, reason: wrong };
  }

  #whatIsWrong(running: RunningCrawl, now: EpochMs): string | null {
    if (running.failure !== null) return running.failure;
    if (running.waiting?.for === 'room') return 'the disk is nearly full: no new request until there is space';
    const since = this.#uncommittedSince;
    if (since !== null && now - since > COMMITS_WITHIN) return `nothing could be committed for ${seconds(now - since)}`;
    const still = now - running.movedAt;
    if (still <= STILL_FOR || isResting(running)) return null;
    return `nothing has happened for ${seconds(still)}, with ${running.inFlight} visits under way`;
  }
}

/** Nothing is under way, and hosts are given their time: that may take hours. */
function isResting({ inFlight, waiting }: RunningCrawl): boolean {
  return inFlight === 0 && waiting?.for === 'hosts';
}

function doingOf({ inFlight, waiting }: RunningCrawl): string {
  const visits = `${inFlight} visits under way`;
  return waiting?.for === 'hosts' ? `${visits}, hosts are resting` : visits;
}

function seconds(ms: Ms): string {
  return `${Math.round(ms / 1000)} s`;
}
