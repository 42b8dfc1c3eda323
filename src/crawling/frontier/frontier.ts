/** Opens frontiers: in memory, in an LMDB directory, as a view of a shared log, or for reading. */

import type { Frontier, LiveLedger } from '../../base/core/parts/queueing.ts';
import { FollowedLedger } from './followed-ledger.ts';
import type { FrontierLog } from './frontier-log.ts';
import { type FrontierOptions, partsOf } from './frontier-parts.ts';
import { FrontierQueue } from './frontier-queue.ts';
import { undecodable } from './lmdb-file.ts';
import { LmdbStore } from './lmdb-store.ts';
import { LogOutbox } from './log-outbox.ts';
import type { HostShare, LoggedFrontier } from './logged-frontier.ts';
import { MemoryStore } from './memory-store.ts';
import { SharedQueue } from './shared-queue.ts';

/** A frontier that lives only as long as its process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  return new FrontierQueue(partsOf(new MemoryStore(), options), options);
}

/**
 * Opens the frontier of an LMDB directory in the state of its last commit.
 * @param judgedBy the model of the last `rejudgeFrontier`, to use its judgements of pages and links; null for the stored ones
 * @throws StoreError
 */
export function openLmdbFrontier(path: string, options: FrontierOptions, judgedBy: string | null = null): Frontier {
  const store = LmdbStore.open(path, judgedBy, options.crawl ?? null);
  return builtFrom(store, path, () => new FrontierQueue(partsOf(store, options), options));
}

/** Opens a frontier only for reading: nothing is committed, and nothing is written to the directory unless the database needs repair. @throws StoreError */
export function openLmdbLedger(path: string, options: FrontierOptions, judgedBy: string | null = null): LiveLedger {
  const store = LmdbStore.open(path, judgedBy, options.crawl ?? null, 'read');
  return builtFrom(store, path, () => new FollowedLedger(store, options));
}

/**
 * Opens the frontier of an LMDB directory as a view of a shared log, in the state of its last commit.
 * @param path a directory; it may be empty, as the log has everything
 * @throws StoreError
 */
export function openLoggedFrontier(
  path: string,
  options: FrontierOptions,
  judgedBy: string | null,
  log: FrontierLog,
  share: HostShare,
): LoggedFrontier {
  const outbox = new LogOutbox(log, share.held);
  const view = LmdbStore.open(path, judgedBy, options.crawl ?? null, 'write', outbox);
  return builtFrom(view, path, () => new SharedQueue(view, outbox, options, share));
}

/** A frontier is built only from its store, so an error comes from a value in it. @throws StoreError */
function builtFrom<T>(store: LmdbStore, path: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    void store.close();
    throw undecodable(path, error);
  }
}
