/** A frontier as one of several workers has it: a view of a log that all of them write. */

import type { Frontier } from '../../base/core/parts/queueing.ts';
import type { EpochMs, HostKey, Ms, Unit } from '../../base/core/types.ts';
import type { LogMark } from './frontier-log.ts';
import type { LogEntry } from './log-entry.ts';

/** The part of a crawl that a frontier has: the partitions of hosts that it holds now. It changes while the frontier is open. */
export interface HostShare {
  /** Does another process ask this host? */
  isAway(host: HostKey): boolean;
  /** The partitions whose hosts this process asks. */
  held(): Iterable<number>;
}

/** A frontier whose truth is a log that others write too. It takes their steps when it takes over a partition. */
export interface LoggedFrontier extends Frontier {
  /** The number of the last commit that this view has, by partition. */
  readonly heads: ReadonlyMap<number, number>;
  /** The last commit of the log that this view knows by its id; null for none. */
  readonly logged: LogMark | null;
  /**
   * Repeats steps of partitions that are away, from their log. Durable in the view with the next commit.
   * @param heads by partition, the number of the commit up to which these steps go
   * @param mark a commit of the log that the view knows from now on. Default: none
   * @throws InvariantError for steps that are not the next ones
   */
  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void;
  /**
   * Call this after the held partitions changed. New hosts rest first, since their former worker may have just sent a request.
   * @param restedBy time before which a new host is not asked
   */
  shareChanged(restedBy: (host: HostKey) => EpochMs): void;
  /** Is everything that changed in the log? */
  readonly isLogged: boolean;
  /** Does a URL wait, now or until a later time? */
  readonly anyWaiting: boolean;
  /** The highest priority of a URL that may be requested within a time, or whose host is leased; null if there is none. */
  best(within: Ms): Unit | null;
  /** The highest priority of links to hosts of other workers that wait for the next commit; null without any. */
  readonly bestPassedOn: Unit | null;
}
