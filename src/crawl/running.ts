/** What a crawl is at just now, for those who watch it: the loop writes it, nothing in the crawl reads it. */
import type { Clock } from '../core/clock.ts';
import type { RunningVisit, VisitStep } from '../core/parts/crawl-events.ts';
import type { EpochMs, Lease } from '../core/types.ts';

/** A visit from its lease to its settlement. */
export class VisitProgress implements RunningVisit {
  readonly lease: Lease;
  readonly #running: RunningCrawl;
  step: VisitStep = 'address';
  since: EpochMs;

  constructor(lease: Lease, running: RunningCrawl, now: EpochMs) {
    this.lease = lease;
    this.#running = running;
    this.since = now;
  }

  /** On to the next step. */
  at(step: VisitStep): void {
    this.step = step;
    this.since = this.#running.moved();
  }
}

/** What the loop waits for when it takes no lease. */
export type Waiting =
  /** Visits are to end: all that may run at once do, or nothing waits. */
  | { readonly for: 'visits' }
  /** Hosts rest until then; Infinity where only a visit can change that. */
  | { readonly for: 'hosts'; readonly until: EpochMs }
  /** The disk is nearly full. */
  | { readonly for: 'room' };

export class RunningCrawl {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #visits = new Set<VisitProgress>();
  #movedAt: EpochMs;
  /** null while it leases. */
  waiting: Waiting | null = null;
  /** Why nothing can be stored any more; null while all is well. */
  failure: string | null = null;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#movedAt = clock.now();
  }

  begin(lease: Lease): VisitProgress {
    const visit = new VisitProgress(lease, this, this.moved());
    this.#visits.add(visit);
    return visit;
  }

  end(visit: VisitProgress): void {
    this.moved();
    this.#visits.delete(visit);
  }

  /** Something went on. @returns the time */
  moved(): EpochMs {
    this.#movedAt = this.#clock.now();
    return this.#movedAt;
  }

  /** When a visit last began, went on to its next step or ended. */
  get movedAt(): EpochMs {
    return this.#movedAt;
  }

  /** Those under way, the one that began first in front. */
  visits(): Iterable<RunningVisit> {
    return this.#visits;
  }

  get inFlight(): number {
    return this.#visits.size;
  }
}
