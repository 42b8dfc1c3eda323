/** Opens a crawl directory for reading. */
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../base/core/clock.ts';
import type { OnDamaged } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { LiveLedger, OpenLedger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { areOfOneProcess, lockState } from '../../base/disk/lock.ts';
import { readMarks } from '../../corpus/records/commit-marks.ts';
import { openLmdbLedger } from '../frontier/frontier.ts';
import type { FrontierOptions } from '../frontier/frontier-parts.ts';
import { refuseUnseenReading } from '../frontier/lmdb-read.ts';
import { refuseBrokenFrontier } from './broken-frontier.ts';
import { type CorpusFaults, faultsBetween, refuseEmptyFrontier } from './corpus-soundness.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  labelsLock,
  readManifest,
  refuseLostFrontier,
  refuseOlderManifest,
  refuseUnstarted,
  rejudgedBy,
  ungathered,
} from './crawl-directory.ts';
import { resumeLinkScorer } from './crawl-scorer.ts';

/** Stop reasons of a crawl on several machines in the directory that it was gathered into: workers ran at that moment, or none. */
export const RUNNING_ELSEWHERE = 'running-elsewhere';
export const GATHERED = 'gathered';
/** Stop reason while a gather is not at its end: it runs, or was killed. */
const GATHERING = 'gathering';

/** A crawl opened for reading; the crawl itself may be running. */
export interface OpenCrawl {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: OpenLedger;
  /** Is it running, or perhaps running? */
  readonly running: boolean;
  /** True if its lock does not show whether it runs: the owner is from another container or machine, or from before a restart. */
  readonly unclear: boolean;
  readonly corpusFaults: CorpusFaults;
  /** Receives damaged records, which are then skipped; undefined if damage ends the work. */
  readonly onDamaged: OnDamaged | undefined;
  /** Kept pages whose text is lost, if they were looked for. */
  readonly lost: ReadonlySet<CanonicalUrl>;
  close(): Promise<void>;
}

/** A crawl whose frontier can be followed. */
export interface LiveCrawl extends OpenCrawl {
  readonly frontier: LiveLedger;
}

/** @throws UsageError if there is no crawl; DataError, StoreError if it is damaged. */
export function openCrawl(dir: string, onDamaged?: OnDamaged): LiveCrawl {
  const found = foundIn(dir);
  const { manifest, paths } = found;
  const frontier = openLmdbLedger(paths.frontier, { clock: systemClock, ...optionsIn(manifest) }, rejudgedBy(manifest));
  try {
    return opened(found, frontier, onDamaged);
  } catch (error) {
    void frontier.close();
    throw error;
  }
}

/**
 * Follows a crawl by the steps since. The former object is of no more use.
 * @returns the crawl as it is now; null if it must be opened again
 * @throws as `openCrawl`
 */
export function followedCrawl({ manifest: before, paths, frontier, onDamaged }: LiveCrawl): LiveCrawl | null {
  const found = foundIn(paths.dir);
  const { manifest } = found;
  const isSame = isDeepStrictEqual([optionsIn(manifest), rejudgedBy(manifest)], [optionsIn(before), rejudgedBy(before)]);
  return isSame && frontier.follow() ? opened(found, frontier, onDamaged) : null;
}

/** The facts about a crawl that are read before its frontier. */
interface FoundCrawl extends Pick<OpenCrawl, 'manifest' | 'paths'> {
  readonly marks: ReturnType<typeof readMarks>;
  readonly state: ReturnType<typeof lockState>;
}

function foundIn(dir: string): FoundCrawl {
  const stored = readManifest(dir);
  const paths = crawlPaths(dir);
  const state = lockState(paths.lock);
  // A run writes its end before it releases its lock.
  const manifest = state === 'free' ? readManifest(dir) : stored;
  refuseLostFrontier(manifest, paths);
  refuseUnstarted(paths);
  refuseBrokenFrontier(paths);
  const marks = readMarks(paths.corpus);
  if (state !== 'free') refuseUnseenReading(paths.frontier);
  return { manifest, paths, marks, state };
}

function optionsIn({ id, delay, maxPagesPerHost, traps }: CrawlManifest): Omit<FrontierOptions, 'clock'> {
  return { delay, ...(id !== null && { crawl: id }), maxPagesPerHost: maxPagesPerHost ?? Number.POSITIVE_INFINITY, traps };
}

function opened({ manifest, paths, marks, state }: FoundCrawl, frontier: LiveLedger, onDamaged: OnDamaged | undefined): LiveCrawl {
  const running = state !== 'free' && !isLabelled(paths, manifest) && !isGathered(manifest, paths);
  refuseOlderManifest(frontier, paths.dir);
  if (isGathering(manifest, paths) && frontier.lastCommit() === null) throw ungathered(paths.dir);
  if (!running) refuseEmptyFrontier(paths, frontier);
  const corpusFaults = faultsBetween(manifest, paths, marks, frontier);
  const unclear = running && state === 'unclear';
  return { manifest, paths, frontier, corpusFaults, onDamaged, lost: new Set(), running, unclear, close: () => frontier.close() };
}

/** Does a labelling session hold the crawl at rest? It has the lock of the labels as well, and the last run has ended. */
export function isLabelled({ lock, labelling }: CrawlPaths, { runs }: Pick<CrawlManifest, 'runs'>): boolean {
  const last = runs.at(-1);
  return last !== undefined && last.endedAt !== null && areOfOneProcess(lock, labelsLock(labelling));
}

/** Is it in the state that a gather left? Then the lock belongs to the next gather: a crawl would have noted its run. */
function isGathered({ runs }: Pick<CrawlManifest, 'runs'>, paths: CrawlPaths): boolean {
  const reason = runs.at(-1)?.stopReason;
  return reason === RUNNING_ELSEWHERE || reason === GATHERED || isGathering({ runs }, paths);
}

/** A gather notes its run at its end. */
function isGathering({ runs }: Pick<CrawlManifest, 'runs'>, { gathered }: CrawlPaths): boolean {
  return runs.length === 0 && isThere(gathered);
}

/**
 * Gives the waiting links the priorities that the crawl gave them, in order to show them. They are stored. After a retraining since the last run, and for a
 * crawl of Forager 0.1, they are computed again: see `resumeLinkScorer`.
 */
export function withPriorities(crawl: OpenCrawl): OpenCrawl {
  const { manifest, paths, frontier } = crawl;
  if (frontier.scoredBy !== manifest.topic.id) resumeLinkScorer(manifest, paths, frontier);
  return crawl;
}

/**
 * Reason why the last run ended; `running` or `perhaps-running` if it has not, `killed` if it recorded no reason, `gathering` before the
 * end of a gather.
 */
export function stopReasonOf({ manifest, paths, running, unclear }: Pick<OpenCrawl, 'manifest' | 'paths' | 'running' | 'unclear'>): string {
  if (running) return unclear ? 'perhaps-running' : 'running';
  return manifest.runs.at(-1)?.stopReason ?? (isGathering(manifest, paths) ? GATHERING : 'killed');
}
