/** The parts of a frontier: columns and heaps in memory, strings and fates in a store. */

import type { Clock } from '../../base/core/clock.ts';
import type { Discovery, HostKey } from '../../base/core/types.ts';
import { EntryReader } from './entry-reader.ts';
import type { ExplorationOptions } from './exploration.ts';
import { ForeignLinks } from './foreign-links.ts';
import { HeapRooms } from './heap.ts';
import { type Delays, HostClocks } from './host-clocks.ts';
import { HostGroups } from './host-groups.ts';
import { HostTable } from './hosts.ts';
import { type Politeness, PoliteQueue } from './polite-queue.ts';
import { Sightings } from './sightings.ts';
import type { FrontierStore } from './store.ts';
import { TrapGuard } from './trap-guard.ts';
import { UrlTable } from './url-table.ts';
import { WaitingCounts } from './waiting.ts';

export interface FrontierOptions extends Politeness, Delays {
  readonly clock: Clock;
  /** Order of two URLs of equal priority: first the one discovered earlier (default), or the one discovered later (depth-first). */
  readonly tie?: 'oldest' | 'newest';
  /** Parks patterns of URLs whose pages have long been off topic (see `Parking`). Default: false. */
  readonly traps?: boolean;
  /** Visits that are drawn from all waiting URLs, instead of by priority. Default: none. */
  readonly explore?: ExplorationOptions;
  /** Id of its crawl: the database of another crawl is refused. Default: any. */
  readonly crawl?: string;
  /** Number of URLs from which a checkpoint is written at the end. Default: 20,000. */
  readonly checkpointFrom?: number;
}

/** The hosts of other workers. */
export interface OtherWorkers {
  /** Does another process ask this host? */
  isAway(host: HostKey): boolean;
  /** Receives links to these hosts. */
  passOn(discovery: Discovery): void;
}

export interface FrontierParts {
  readonly store: FrontierStore;
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly clocks: HostClocks;
  readonly queue: PoliteQueue;
  readonly waiting: WaitingCounts;
  readonly reader: EntryReader;
  readonly sightings: Sightings;
  /** null if no pattern is ever parked. */
  readonly guard: TrapGuard | null;
}

/** Empty parts, before `replay`. @param others null for a frontier that has all hosts */
export function partsOf(store: FrontierStore, options: FrontierOptions, others: OtherWorkers | null = null): FrontierParts {
  const tie = options.tie ?? 'oldest';
  const urls = new UrlTable();
  const rooms = new HeapRooms('priorities');
  const hosts = new HostTable(options.delay, tie, rooms, others?.isAway);
  const groups = new HostGroups(tie, rooms);
  const clocks = new HostClocks(options, groups);
  const queue = new PoliteQueue(urls, hosts, groups, options, tie, rooms);
  const waiting = new WaitingCounts(urls, hosts, queue);
  const reader = new EntryReader(urls, store);
  const foreign = others && new ForeignLinks(others.passOn);
  const sightings = new Sightings(urls, hosts, waiting, queue, store, foreign);
  const guard = options.traps ? new TrapGuard((url) => reader.settledAt(url)) : null;
  return { store, urls, hosts, clocks, queue, waiting, reader, sightings, guard };
}
