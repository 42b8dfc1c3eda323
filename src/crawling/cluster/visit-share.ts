/** The visits of a crawl that one worker makes: those that the others need less, as its best URL compares with theirs. */
import type { VisitBudget } from '../../base/core/parts/queueing.ts';
import type { Unit } from '../../base/core/types.ts';
import { higher } from '../frontier/log-outbox.ts';
import { isOutbid } from '../frontier/polite-queue.ts';
import type { CrawlSnapshot } from './worker.ts';

/** Visits that a worker may start during a look at the crawl: as many as it has at once by default. */
const STARTED_MEANWHILE = 16;

/** The shares of visits as of the last look at the crawl. */
type Answer = Pick<CrawlSnapshot, 'granted' | 'visited' | 'elsewhere'>;

/** The state of a worker. `outbid`: it waits, since other workers have clearly better URLs. `idle`: it has nothing to do and nothing in flight. */
export type WorkerState = 'busy' | 'outbid' | 'idle';

export class VisitShare implements VisitBudget {
  /** Limit of visits of the whole crawl; null: no limit. */
  readonly limit: number | null;
  /** The last word of the loop. */
  doing: WorkerState = 'busy';
  #answer: Answer | null = null;
  /** Number of visits, in all, that may start before the answer to a look comes. */
  #mostClaimed = Number.POSITIVE_INFINITY;
  #visits = 0;
  #fresh = 0;
  /** The best priority of links that a commit is passing on, of those that were passed on since the last look began, and of those before a running look. */
  #sending: Unit | null = null;
  #sent: Unit | null = null;
  #asked: Unit | null = null;

  constructor(limit: number | null) {
    this.limit = limit;
  }

  /** Visits of this worker since it joined. */
  get visits(): number {
    return this.#visits;
  }

  /** Visits that it may still make. Infinity without a limit. */
  get left(): number {
    if (this.limit === null) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(this.#answer?.granted ?? 0, this.#mostClaimed) - this.#visits);
  }

  get isSpent(): boolean {
    return this.limit !== null && (this.#answer?.visited ?? 0) >= this.limit;
  }

  visited(): void {
    this.#visits += 1;
    this.#fresh += 1;
  }

  /** The visits for a commit. */
  batch(): number {
    const fresh = this.#fresh;
    this.#fresh = 0;
    return fresh;
  }

  /** The best URL of other workers, by its priority, also of links that are on their way. @param waiting best priority of links that wait for a commit */
  elsewhere(waiting: Unit | null): Unit | null {
    return [this.onTheWay(waiting), this.#sent, this.#asked].reduce(higher, this.#answer?.elsewhere ?? null);
  }

  /** The best priority of links to others that are not in the database yet. @param waiting of those that wait for a commit */
  onTheWay(waiting: Unit | null): Unit | null {
    return higher(waiting, this.#sending);
  }

  /** A commit passes on links. @param best their best priority */
  sends(best: Unit | null): void {
    this.#sending = best;
  }

  /** The commit is in the database. */
  sent(): void {
    [this.#sending, this.#sent] = [null, higher(this.#sent, this.#sending)];
  }

  /**
   * A look begins.
   * @param inFlight visits at the moment
   * @param best priority of the best URL of this worker
   * @param waiting best priority of links that wait for a commit
   * @returns the visits that it claims: no more begin until the answer comes, or after it if the answer is lost, since the others may have been given the rest
   */
  ask(inFlight: number, best: Unit | null, waiting: Unit | null): { readonly claimed: number; readonly wants: boolean } {
    // Without visits the loop asks for no URL, and cannot know when it is no longer outbid. Before the first look there are no URLs yet.
    const wants = this.#answer === null || (best !== null && !(this.doing === 'outbid' && isOutbid(best, this.elsewhere(waiting))));
    const started = this.#visits + inFlight;
    const claimed = wants ? Math.min(this.#answer?.granted ?? 0, started + STARTED_MEANWHILE) : started;
    this.#mostClaimed = claimed;
    [this.#sent, this.#asked] = [null, this.#sent];
    return { claimed, wants };
  }

  answered(answer: Answer): void {
    [this.#answer, this.#asked, this.#mostClaimed] = [answer, null, Number.POSITIVE_INFINITY];
  }
}
