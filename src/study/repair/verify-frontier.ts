/** Checks of a crawl's frontier: its database, and its own consistency. */

import { systemClock } from '../../base/core/clock.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { FrontierCounts, Ledger, OpenLedger } from '../../base/core/parts/queueing.ts';
import { refuseBrokenFrontier } from '../../crawling/crawl-dir/broken-frontier.ts';
import { refuseEmptyFrontier } from '../../crawling/crawl-dir/corpus-soundness.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  refuseLostFrontier,
  refuseOlderManifest,
  rejudgedBy,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { openLmdbLedger } from '../../crawling/frontier/frontier.ts';
import { refuseUnseenReading } from '../../crawling/frontier/lmdb-read.ts';
import { LmdbStore } from '../../crawling/frontier/lmdb-store.ts';
import { AT_WORK, type Check, type Examined, faultOf, type LookAt } from './verify-check.ts';
import { MANIFEST_CHECK } from './verify-own-files.ts';

const TREES = 'frontier, trees';
const VALUES = 'frontier, values';
export const LEDGER = 'frontier, ledger';

export const FRONTIER_CHECKS: readonly Check[] = [
  { name: TREES, skips: whyNotWalked, faults: treeFaults },
  { name: VALUES, needs: [TREES], faults: valueFaults },
  { name: LEDGER, needs: [MANIFEST_CHECK, VALUES], faults: ledgerFaults },
];

function whyNotWalked({ manifest, paths, running, unclear }: Examined): string | null {
  if (manifest?.runs.length === 0 && !isThere(paths.database)) return 'the crawl has not started';
  return running && !unclear ? AT_WORK : null;
}

async function* treeFaults({ manifest, paths }: Examined, look: LookAt): AsyncGenerator<string> {
  await look();
  yield* faultOf(() => {
    refuseLostFrontier({ runs: manifest?.runs ?? [null] }, paths);
    refuseBrokenFrontier(paths);
  });
}

/** Each value of each table, and the head with their number. */
async function* valueFaults({ manifest, paths, running }: Examined, look: LookAt): AsyncGenerator<string> {
  let store: LmdbStore | null = null;
  yield* faultOf(() => {
    if (running) {
      refuseLostFrontier({ runs: manifest?.runs ?? [null] }, paths);
      refuseUnseenReading(paths.frontier);
    }
    store = LmdbStore.open(paths.frontier, null, manifest?.id ?? null, 'read');
  });
  if (store !== null) yield* faultsIn(store, look);
}

async function* faultsIn(store: LmdbStore, look: LookAt): AsyncGenerator<string> {
  try {
    for (const fault of store.faults()) {
      if (fault !== null) yield fault;
      await look();
    }
  } finally {
    await store.close();
  }
}

/** Rebuilds everything from the stored values, like a crawl does; then checks the sums. */
async function* ledgerFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  const { manifest, paths } = crawl;
  if (manifest === null) return;
  yield* faultOf(() => {
    crawl.frontier = openFrontier(manifest, paths);
    refuseOlderManifest(crawl.frontier, paths.dir);
    if (!crawl.running) refuseEmptyFrontier(paths, crawl.frontier);
  });
  if (crawl.frontier !== null) yield* sumFaults(crawl.frontier, paths.database, look);
}

function openFrontier(manifest: CrawlManifest, { frontier }: CrawlPaths): OpenLedger {
  const politeness = { maxPagesPerHost: manifest.maxPagesPerHost ?? Number.POSITIVE_INFINITY, traps: manifest.traps };
  const options = { clock: systemClock, delay: manifest.delay, ...(manifest.id !== null && { crawl: manifest.id }), ...politeness };
  return openLmdbLedger(frontier, options, rejudgedBy(manifest));
}

/** Every discovered URL is in exactly one state, and every kept page has its record. */
async function* sumFaults(frontier: Ledger, database: string, look: LookAt): AsyncGenerator<string> {
  const counts = frontier.counts();
  const states = new Map<string, number>();
  for (const { state } of frontier.ledger()) {
    states.set(state, (states.get(state) ?? 0) + 1);
    await look();
  }
  let visited = counts.earlierVisits;
  for (const { entry, fate } of frontier.settled()) {
    if (fate.visited) visited += 1;
    if ((fate.state === 'kept') !== (fate.recordId !== null))
      yield `${database}: ${entry.url} is ${fate.state}, and has ${fate.recordId ?? 'no record'}`;
    await look('again');
  }
  const sums: Record<string, number> = {
    ...Object.fromEntries(states),
    discovered: [...states.values()].reduce((sum, n) => sum + n, 0),
    visited,
  };
  for (const [what, count] of Object.entries(expectedOf(counts)))
    if ((sums[what] ?? 0) !== count) yield `${database}: the ledger has ${sums[what] ?? 0} ${what} where ${count} were counted`;
}

function expectedOf({ discovered, visited, fetched, kept, offTopic, duplicate, refused, failed }: FrontierCounts): Record<string, number> {
  return { discovered, visited, fetched, kept, 'off-topic': offTopic, duplicate, refused, failed };
}
