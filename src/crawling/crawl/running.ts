/** The current state of a crawl, for monitors. The loop writes it; nothing in the crawl reads it. `added` is the way in. */
import type { Clock } from '../../base/core/clock.ts';
import type { RunningVisit, VisitStep } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs, Lease } from '../../base/core/types.ts';

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

  /** Enters the next step. */
  at(step: VisitStep): void {
    this.step = step;
    this.since = this.#running.moved();
  }
}

/** The event that the loop waits for when it takes no lease. */
export type Waiting =
  /** Waits for visits to end: all slots are in use, or nothing is waiting. */
  | { readonly for: 'visits' }
  /** Hosts rest until then; Infinity if only a visit can change that. */
  | { readonly for: 'hosts'; readonly until: EpochMs }
  /** A continuous crawl has nothing else to request until the next page is due for a revisit. */
  | { readonly for: 'revisits'; readonly until: EpochMs }
  /** The disk is nearly full. */
  | { readonly for: 'room' }
  /** The user has paused the crawl, or may not fetch at the moment. */
  | { readonly for: 'leave' }
  /** Other workers have the rest of the crawl, all visits of the limit, or clearly better URLs. */
  | { readonly for: 'others' };

export class RunningCrawl {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #visits = new Set<VisitProgress>();
  #movedAt: EpochMs;
  /** null while it takes leases. */
  waiting: Waiting | null = null;
  /** The reason why nothing can be stored any more; null if there is none. */
  failure: string | null = null;

  /** Called after seeds were added from outside: the loop commits them, and asks for its next lease at once. */
  added: () => void = () => undefined;

  /** Rings when a part may answer otherwise: the loop asks for its next lease at once. */
  changed: () => void = () => undefined;

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

  /** Records progress. @returns the time */
  moved(): EpochMs {
    this.#movedAt = this.#clock.now();
    return this.#movedAt;
  }

  /** Time at which a visit last started, entered its next step or ended. */
  get movedAt(): EpochMs {
    return this.#movedAt;
  }

  /** The visits in flight, oldest first. */
  visits(): Iterable<RunningVisit> {
    return this.#visits;
  }

  get inFlight(): number {
    return this.#visits.size;
  }
}
