/** A crawl that several workers share, as the loop of one of them sees it. */
import type { FrontierEntry, HostKey, Unit } from '../types.ts';

/** The lesson of a settled URL for the link scorer. */
export interface Lesson {
  readonly entry: FrontierEntry;
  readonly relevance: Unit;
}

/** The loop of a worker. `outbid`: it waits, since other workers have clearly better URLs. `idle`: it has nothing to do and nothing in flight. */
export type Doing = 'busy' | 'outbid' | 'idle';

export interface SharedCrawl {
  /** May a request begin now? No longer when the leases of this worker may have run out, the crawl is paused, or a commit takes long. */
  readonly mayAsk: boolean;
  /** Visits that this worker may still make, those in flight included. Infinity without a limit. It grows when others give some back. */
  readonly visitsLeft: number;
  /** Have all visits of the limit been made? */
  readonly isSpent: boolean;
  /** Has no worker anything to do, now or later? */
  readonly isDrained: boolean;
  /** Priority of the best URL of other workers, as of the last look at the crawl. null: there is none, or they make no visits. */
  readonly elsewhere: Unit | null;
  /** The next look at the crawl tells the others. A worker that is not busy is given no visits. */
  reportState(what: Doing): void;
  /** A URL was settled that used up a visit. */
  visited(): void;
  /**
   * A settled URL has a lesson. All workers learn all lessons in one order: a worker that is alone at once, others after the commit.
   * @returns whether to learn it now
   */
  teach(lesson: Lesson): boolean;
  /** Lessons that have their place now, to be learned in this order. Each is returned once. */
  learned(): Iterable<Lesson>;
  /** The groups of a host are known, at its first lease in this process. */
  setGroups(host: HostKey, groups: readonly string[]): Promise<void>;
  /** Waits until this worker may ask a host. Hosts of one address that several workers have are asked one after the other. */
  acquireAddress(host: HostKey): Promise<void>;
  /** The visit to a host that `enter` let in has ended. */
  releaseAddress(host: HostKey): void;
  /** Sets the function that is called when anything above may have changed. */
  onChange(ring: () => void): void;
}
