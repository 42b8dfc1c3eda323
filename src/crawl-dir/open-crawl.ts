/** A crawl directory opened for reading. */
import { systemClock } from '../core/clock.ts';
import type { OnDamaged } from '../core/errors.ts';
import type { OpenLedger } from '../core/parts/queueing.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { readMarks } from '../corpus/commit-marks.ts';
import { openLmdbLedger } from '../frontier/frontier.ts';
import { refuseUnseenReading } from '../frontier/lmdb-read.ts';
import { refuseBrokenFrontier } from './broken-frontier.ts';
import { type CorpusFaults, faultsBetween } from './corpus-soundness.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  readManifest,
  refuseLostFrontier,
  refuseNotBegun,
  refuseOlderManifest,
  rejudgedBy,
} from './crawl-directory.ts';
import { resumeLinkScorer } from './crawl-scorer.ts';
import { lockState } from './lock.ts';

/** A crawl opened for reading; the crawl itself may be running meanwhile. */
export interface OpenCrawl {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: OpenLedger;
  /** Is it at work, or perhaps? */
  readonly running: boolean;
  /** Its lock is of another container or machine, or was there before a restart, and does not tell. */
  readonly unclear: boolean;
  readonly corpusFaults: CorpusFaults;
  /** Told of damaged records, which are left out; undefined where they end what is done. */
  readonly onDamaged: OnDamaged | undefined;
  /** Kept pages whose text cannot be had, where that was looked for. */
  readonly lost: ReadonlySet<CanonicalUrl>;
  close(): Promise<void>;
}

/** @throws UsageError when there is no crawl; DataError, StoreError when it is damaged. */
export function openCrawl(dir: string, onDamaged?: OnDamaged): OpenCrawl {
  const begun = readManifest(dir);
  const paths = crawlPaths(dir);
  const state = lockState(paths.lock);
  // How a run ended is written before its lock is let go.
  const manifest = state === 'free' ? readManifest(dir) : begun;
  refuseLostFrontier(manifest, paths);
  refuseNotBegun(paths);
  refuseBrokenFrontier(paths);
  const marks = readMarks(paths.corpus);
  const running = state !== 'free';
  if (running) refuseUnseenReading(paths.frontier);
  const politeness = { maxPagesPerHost: manifest.maxPagesPerHost ?? Number.POSITIVE_INFINITY, traps: manifest.traps };
  const options = { clock: systemClock, delay: manifest.delay, ...(manifest.id !== null && { crawl: manifest.id }), ...politeness };
  const frontier = openLmdbLedger(paths.frontier, options, rejudgedBy(manifest));
  let corpusFaults: CorpusFaults;
  try {
    refuseOlderManifest(frontier, dir);
    corpusFaults = faultsBetween(manifest, paths, marks, frontier);
  } catch (error) {
    void frontier.close();
    throw error;
  }
  const unclear = state === 'unclear';
  return { manifest, paths, frontier, corpusFaults, onDamaged, lost: new Set(), running, unclear, close: () => frontier.close() };
}

/**
 * Priorities of the links that wait, as the crawl had them, for those who show them. They are stored; of a crawl that was relabelled since its last run, or is of Forager
 * 0.1, they have to be worked out: see `resumeLinkScorer`.
 */
export function withPriorities(crawl: OpenCrawl): OpenCrawl {
  const { manifest, paths, frontier } = crawl;
  if (frontier.scoredBy !== manifest.topic.id) resumeLinkScorer(manifest, paths, frontier);
  return crawl;
}

/** Why the last run ended; `running` or `perhaps-running` while it does, `killed` when it left no word. */
export function stopReasonOf({ manifest, running, unclear }: Pick<OpenCrawl, 'manifest' | 'running' | 'unclear'>): string {
  if (running) return unclear ? 'perhaps-running' : 'running';
  return manifest.runs.at(-1)?.stopReason ?? 'killed';
}
