/** Runs a crawl in its directory, and records the outcome. */

import { cpSync } from 'node:fs';
import { systemClock } from '../../base/core/clock.ts';
import { messageOf, StoreError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { flushTree } from '../../base/core/on-disk.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Queue } from '../../base/core/parts/queueing.ts';
import type { Parts } from '../../base/core/parts.ts';
import { isWall } from '../../base/core/reason.ts';
import type { CanonicalUrl, Ms } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { type HeldLock, takeLock } from '../../base/disk/lock.ts';
import { BEAT_EVERY } from '../../base/disk/lock-beat.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { crawl as runCrawl, type StopReason } from '../../crawling/crawl/loop.ts';
import { RunningCrawl } from '../../crawling/crawl/running.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  clearCrawl,
  crawlPaths,
  findCrawl,
  readManifest,
  refuseLabels,
  refuseLostFrontier,
  refuseLostManifest,
  topicsOf,
  writeManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { newManifest, proxyOf, refuseAnonymous, resumedManifest, topicFolders } from '../../crawling/crawl-dir/crawl-settings.ts';
import { checkOwnFieldRules } from '../../crawling/crawl-dir/field-rules-file.ts';
import { FormerCrawl, settleFormerCrawl } from '../../crawling/crawl-dir/former-crawl.ts';
import { loggedSettings } from '../../crawling/crawl-dir/logged-settings.ts';
import { addSeeds, joinedSeeds, keepSeeds, seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { labellingCommand, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { probeProxy } from '../../crawling/fetch/probe-proxy.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { readSeeds } from '../../crawling/input/url-file.ts';
import { concurrencyFor, headroomOf, writtenIn } from '../../crawling/monitor/machine.ts';
import { Operations } from '../../crawling/monitor/operations.ts';
import { watchResources } from '../../crawling/monitor/resource-watch.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { refuseIdle } from '../../crawling/settings/idle-options.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import { groundsOrWarn, withLabelsOrWarn } from '../../study/inspect/grounds.ts';
import { seedEnds } from '../../study/inspect/lost-seeds.ts';
import { beginRevisits, revisitCounts } from '../../study/inspect/revisit-counts.ts';
import { SaturationWatch, saturationIn } from '../../study/inspect/saturation.ts';
import { FateTally } from '../../study/inspect/tally.ts';
import { WallTally } from '../../study/inspect/wall-tally.ts';
import { givenFor } from '../../study/label/labelled-crawl.ts';
import { isOfKeywords } from '../../study/label/retrain.ts';
import type { ClusterConnection, ClusterWorker } from './cluster-worker.ts';
import { CrawlAnswers } from './crawl-answers.ts';
import { CRAWL, type CrawlOptions, type CrawlReport } from './crawl-options.ts';
import { CrawlQuestions } from './crawl-questions.ts';
import { CrawlRetraining } from './crawl-retraining.ts';
import { type CrawlRun, withEvents } from './crawl-run.ts';
import { addLateSeeds } from './late-seeds.ts';
import { closeParts, type HostFiles, openFiles, openNetwork, openParts, workersOf } from './open-parts.ts';
import { reporter } from './steering.ts';

const CONCURRENCY = 16;
/** The lock file is read before a lease if the last look at it is this old: half the interval of its beat. Each commit looks again. */
const LOCK_CHECK_AFTER: Ms = BEAT_EVERY / 2;

/** See `crawl` of the library. */
export function crawl(options: CrawlOptions): CrawlRun {
  return withEvents(options, crawlWatched);
}

/** The same as a promise alone. */
export async function crawlWatched(options: CrawlOptions): Promise<CrawlReport> {
  checkOptions('crawl', CRAWL, options, 'dir');
  refuseIdle('crawl', COMMANDS.crawl, options);
  const operations = await Operations.open(options, systemClock);
  try {
    return await crawlWithEvents({ ...options, onEvent: operations.emit }, operations);
  } catch (error) {
    operations.failed(error);
    throw error;
  } finally {
    await operations.close();
  }
}

async function crawlWithEvents(options: CrawlOptions, operations: Operations): Promise<CrawlReport> {
  // A crawl of one machine does not load this code.
  const isShared = options.at !== undefined || (!options.force && findCrawl(options.dir)?.at);
  const at = isShared ? await (await import('./cluster-worker.ts')).ClusterConnection.connect(options) : null;
  try {
    for (;;) {
      const report = await crawlIn(options, operations, at);
      if (report !== null) return report;
    }
  } finally {
    await at?.close();
  }
}

/**
 * @param at the database of the crawl; null for a crawl of one machine
 * @returns null if another machine started the crawl at the same moment: it is to be joined
 */
async function crawlIn(options: CrawlOptions, operations: Operations, at: ClusterConnection | null): Promise<CrawlReport | null> {
  const paths = crawlPaths(options.dir);
  const wait = { warn: (message: string) => operations.warn(message), ...(options.signal && { signal: options.signal }) };
  await settleFormerCrawl(options.dir, wait);
  await at?.bring(paths);
  const there = findCrawl(options.dir);
  if (there === null && !options.force) refuseLostManifest(paths);
  const found = options.force ? null : there;
  // A view of a log is made again from it.
  if (found && at === null) refuseLostFrontier(found, paths);
  if (!found) refuseLabels(paths);
  const given = readSeeds(options.seeds ?? []);
  const manifest = found ? await resumedManifest(found, paths, options) : await newManifest(options, given);
  const seeds = joinedSeeds(found ? seedsOf(paths, found) : [], given);
  const proxy = proxyOf(options, manifest);
  await probeProxy(
    proxy,
    proxy === options.proxy
      ? 'start it, or omit --proxy'
      : 'the crawl was started with it; start the proxy, or give another --proxy or --proxy none',
  );
  refuseAnonymous(manifest, seeds, proxy, options.dir);
  refuseUnasked(manifest, options);
  refuseNoRevisits(found, options);
  await at?.reachBucket(manifest, options);
  const asGiven = await openFiles(manifest, options);
  makeDirectory(options.dir);
  const lock = await takeLock(paths.lock, options.dir, wait);
  let former: FormerCrawl | null = null;
  try {
    refuseChanged(there, options.dir);
    former = options.force && there ? FormerCrawl.moveAside(paths) : null;
    if (found) {
      refuseBrokenTrees(paths.database);
      // Must precede the frontier and the corpus: their ids are checked against this one.
      if (found.id === null) writeManifest(paths.dir, { ...found, id: manifest.id });
      if (at && found.at === null) await at.moveIn(paths, manifest);
      else await at?.refuseOthers(paths, found);
    } else await startCrawl(paths, manifest, options, former);
    const kept = keepSeeds(paths, at ? at.ownManifest(paths, manifest) : manifest, seeds);
    const files = at ? await openFiles(kept, options) : asGiven;
    if (!found) writeManifest(paths.dir, kept);
    const running = new RunningCrawl(systemClock);
    const inDatabase = at && (await at.begin(paths, kept));
    if (at && !inDatabase) {
      if (found)
        throw new StoreError(
          'STORE_LOCKED',
          `${options.dir}: another crawl of this name was just started in the database; run the command again`,
        );
      clearCrawl(paths);
      return null;
    }
    const joined = at && inDatabase && (await at.join(inDatabase, kept.delay, options, running, (message) => operations.warn(message)));
    try {
      const watched = former === null ? options : watchedBy(former, options);
      return await run({ paths, stored: kept, seeds, options: watched, resumed: found !== null, files, operations, lock, running, joined });
    } finally {
      await joined?.close();
    }
  } finally {
    try {
      if (await former?.end()) operations.warn(`${options.dir}: the new crawl got no page, so the former crawl is back`);
    } finally {
      await lock.release();
    }
  }
}

function watchedBy(former: FormerCrawl, options: CrawlOptions): CrawlOptions {
  return {
    ...options,
    onEvent: (event) => {
      former.take(event);
      options.onEvent?.(event);
    },
  };
}

/** @throws UsageError for a run that could do nothing */
function refuseNoRevisits(found: CrawlManifest | null, { dir, revisit, revisitOnly }: CrawlOptions): void {
  if (!revisitOnly) return;
  if (revisit === undefined) throw new UsageError('--revisit-only: needs --revisit; give it too, e.g. --revisit 30d');
  if (found === null) throw new UsageError(`${dir}: a new crawl has no pages to request again; omit --revisit-only`);
}

/** @throws UsageError for a command without questions, and for such a command or a warm-up in a crawl of several topics */
function refuseUnasked({ ask, topics, warmUp }: CrawlManifest, { answersBy }: CrawlOptions): void {
  if (topics.length > 0 && warmUp > 0)
    throw new UsageError(`--warm-up: trains one topic again, and this crawl has ${topics.length}; omit --warm-up`);
  if (topics.length > 0 && answersBy !== undefined)
    throw new UsageError(`--answers-by: a program answers for one topic, and this crawl has ${topics.length}; omit --answers-by`);
  if (answersBy !== undefined && ask.length === 0)
    throw new UsageError('--answers-by: answers the questions of --ask, and the crawl asks none; give --ask, e.g. --ask 15@80');
}

/** Another process may have worked on the crawl between reading its manifest and taking the lock. @throws StoreError */
function refuseChanged(before: CrawlManifest | null, dir: string): void {
  if (JSON.stringify(findCrawl(dir)) === JSON.stringify(before)) return;
  throw new StoreError('STORE_LOCKED', `${dir}: another process has just worked on it; run the command again`);
}

/** The first writes except the manifest. The crawl keeps copies of model and field rules, so that its directory suffices to explain and repeat it. */
async function startCrawl(paths: CrawlPaths, manifest: CrawlManifest, options: CrawlOptions, former: FormerCrawl | null): Promise<void> {
  const { fieldRules, linkModel } = options;
  const placeOf = (path: string) => former?.placeOf(path) ?? path;
  if (former === null) clearCrawl(paths);
  const own = topicsOf(paths, manifest);
  for (const [i, folder] of topicFolders(options).entries()) copied(placeOf(folder), own[i]?.folder ?? paths.model, 'copying the model');
  if (fieldRules !== undefined) copied(placeOf(fieldRules), paths.fieldRules, 'copying the field rules');
  await checkOwnFieldRules(paths, manifest);
  if (manifest.warmUp > 0 && (await isOfKeywords(manifest, paths)))
    throw new UsageError('--warm-up: needs a topic of example pages, and this one is of keywords; omit --warm-up, or train with examples');
  if (linkModel !== undefined) copied(placeOf(linkModel), paths.linkModel, 'copying the link model');
}

/** On the disk before any page is: without its model, a crawl cannot be resumed. @throws StoreError */
function copied(from: string, to: string, doing: string): void {
  try {
    cpSync(from, to, { recursive: true });
    flushTree(to);
  } catch (error) {
    throw storeErrorFrom(error, doing, to);
  }
}

/** A crawl in its directory, which is locked. */
interface LockedCrawl {
  readonly paths: CrawlPaths;
  /** As it is stored before this run. */
  readonly stored: CrawlManifest;
  readonly seeds: readonly CanonicalUrl[];
  readonly options: CrawlOptions;
  readonly resumed: boolean;
  readonly files: HostFiles;
  readonly operations: Operations;
  readonly lock: HeldLock;
  readonly running: RunningCrawl;
  /** null for a crawl of one machine. */
  readonly joined: ClusterWorker | null;
}

async function run(locked: LockedCrawl): Promise<CrawlReport> {
  const { paths, stored, seeds, options, resumed, files, operations, lock, running, joined } = locked;
  const startedAt = Date.now();
  // Spans are those of the crawl's clock, which nobody sets.
  const began = systemClock.now();
  const warn = (message: string) => operations.warn(message);
  const network = await openNetwork(stored, options, files, joined);
  let manifest = stored;
  const owner = { paths, options, network, lock, joined, warn };
  let parts: Parts = await openParts(owner, manifest);
  let closed = false;
  let ended = false;
  let allSeeds = seeds;
  let answers: CrawlAnswers | null = null;
  const room = watchResources(paths, () => (closed ? null : writtenIn(paths.database, parts.corpus)));
  const entry = {
    startedAt: new Date(startedAt).toISOString(),
    endedAt: null,
    stopReason: null,
    maxPages: options.maxPages ?? null,
    maxTimeMs: options.maxTime ?? null,
  };
  const runs = [...stored.runs, entry];
  try {
    const released = unpark(parts.frontier, options.unpark ?? [], paths.dir);
    parts.frontier.readmitHosts();
    const signal = options.signal ?? new AbortController().signal;
    // In a crawl on several machines others may take over meanwhile: see `untilTakenOver`.
    if (joined === null) await addSeeds(seeds, parts, signal);
    lock.check();
    writeManifest(paths.dir, { ...manifest, runs });
    parts.frontier.noteRuns(runs.length);
    const concurrency = concurrencyFor(options.concurrency ?? CONCURRENCY, workersOf(options), warn);
    const limitsNow = () => ({
      maxPages: options.maxPages ?? Number.POSITIVE_INFINITY,
      revisitOnly: options.revisitOnly ?? false,
      maxTime: Math.max(0, (options.maxTime ?? Number.POSITIVE_INFINITY) - (systemClock.now() - began)),
      concurrency,
      stopYield: manifest.stopYield,
      patience: manifest.patience,
    });
    const counts = () => parts.frontier.counts();
    const state = { counts, running, lookups: () => network.fetcher.lookups, delay: manifest.delay };
    operations.started(state, loggedSettings(manifest, seeds.length, options, concurrency, resumed));
    const acted = reporter(parts.emit, parts.clock.now);
    if (released.length > 0) acted('unpark', 'command', released);
    const given: readonly GivenPages[] = manifest.ask.length === 0 ? [] : await Promise.all(topicParts(paths.dir, manifest).map(givenFor));
    const questions = new CrawlQuestions({ paths, manifest, emit: parts.emit, warn, given });
    questions.begin({ frontier: parts.frontier, manifest });
    answers =
      options.answersBy === undefined
        ? null
        : new CrawlAnswers({ paths, command: options.answersBy, warn, given: given[0] ?? new GivenPages([]) });
    let watch = new SaturationWatch(parts.topic.threshold, paths, parts.frontier);
    const addLate = (urls: readonly string[]) => {
      if (closed || ended) throw new UsageError(`${paths.dir}: the crawl ends or trains at the moment; add the seeds again later`);
      lock.check();
      const stored = { ...manifest, runs };
      ({ manifest, seeds: allSeeds } = addLateSeeds(urls, {
        paths,
        manifest: stored,
        seeds: allSeeds,
        proxy: proxyOf(options, manifest),
        parts,
      }));
      running.added();
    };
    options.onOpen?.(
      counts,
      resumed,
      () => running.visits(),
      () => ({
        saturated: manifest.topics.length > 0 ? null : watch.saturated(),
        questions: questions.open,
        ...(manifest.topics.length > 0 && { several: true as const }),
      }),
      (pattern) => (closed ? [] : parts.frontier.unpark(pattern)),
      { acted, addSeeds: addLate },
    );
    const visitUntilReady = async (retraining: CrawlRetraining): Promise<StopReason> => {
      const stored = await beginRevisits(parts.frontier, paths, options.revisit, startedAt, signal, options.onDamaged);
      const headroom = await headroomOf(paths, parts.corpus, options.minFree ?? null, warn);
      // Runs before each lease; a lost lock ends the crawl through `lost`.
      const mayAsk = () => parts.shared?.mayAsk ?? true;
      const verdict = () => (lock.isHeld(LOCK_CHECK_AFTER) && mayAsk() && (options.mayFetch?.() ?? true) ? headroom.verdict() : 'paused');
      const emit = (event: CrawlEvent) => {
        parts.emit(event);
        if (event.type === 'committed') {
          questions.committed(event.settlements);
          answers?.committed(questions.batches, { frontier: parts.frontier, modelId: parts.topic.id });
        }
        if (event.type !== 'settled') return;
        questions.settled({ frontier: parts.frontier, manifest });
        if (event.settlement !== 'done') return;
        watch.add(event.relevance);
        // Labels of a crawl on several machines are of a gathered directory.
        if (joined === null) retraining.settled();
      };
      const stop = AbortSignal.any([signal, retraining.ready, ...(joined ? [joined.stop, joined.newModel] : [])]);
      return runCrawl({ ...parts, emit, headroom: { verdict }, stored }, limitsNow(), stop, running).finally(() => headroom.close());
    };
    /** null if other workers took over the partitions of this one: it then joins again. */
    const untilTakenOver = async (visits: () => Promise<StopReason>): Promise<StopReason | null> => {
      try {
        return await visits();
      } catch (error) {
        if (!joined?.isFenced(error)) throw error;
        warn(`${messageOf(error)}; this worker joins again, and the URLs that it had not committed are visited again`);
        closed = true;
        await closeParts(parts, joined);
        parts = await joined.again(() => openParts(owner, manifest));
        closed = false;
        return null;
      }
    };
    const addOwnSeeds = async () => {
      if (joined) await addSeeds(allSeeds, parts, signal);
    };
    let stopReason: StopReason;
    for (;;) {
      const retraining = new CrawlRetraining({ paths, manifest, frontier: parts.frontier, warn });
      const reason = await untilTakenOver(() => addOwnSeeds().then(() => visitUntilReady(retraining))).finally(async () => {
        const waiting = await retraining.close();
        if (waiting !== null)
          warn(
            `${paths.dir}: the crawl ended before the training with labels; train with: ${labellingCommand({ dir: paths.dir, topicName: waiting.place === null ? undefined : waiting.topic.name }, '--retrain')}`,
          );
      });
      if (reason === null) continue;
      stopReason = reason;
      // A limit that was reached at the same moment counts: the model waits for the next run, which trains again.
      const isForNewModel = retraining.ready.aborted || (joined?.newModel.aborted === true && !joined.stop.aborted);
      if (stopReason !== 'interrupted' || signal.aborted || !isForNewModel) break;
      closed = true;
      await closeParts(parts, joined);
      if (joined) await joined.adoptModel(() => lock.check());
      else await retraining.activate(() => lock.check(), parts.emit);
      manifest = readManifest(paths.dir);
      parts = await openParts(owner, manifest);
      // Seeds of a person may have come after the last commit: in crawl.json, and not in the frontier.
      await addSeeds(allSeeds, parts, signal);
      closed = false;
      watch = new SaturationWatch(parts.topic.threshold, paths, parts.frontier);
    }
    ended = true;
    await answers?.close();
    operations.stopped({ reason: stopReason, counts: counts(), ms: systemClock.now() - began });
    lock.check();
    writeManifest(paths.dir, { ...manifest, runs: [...stored.runs, { ...entry, endedAt: new Date().toISOString(), stopReason }] });
    const tally = FateTally.of(parts.frontier, { threshold: parts.topic.threshold, topics: manifest.topics });
    const asked = { manifest, paths, frontier: parts.frontier, lost: new Set<CanonicalUrl>() };
    const grounds = await groundsOrWarn(asked, tally.relevances, warn);
    const { topics, ...counted } = tally.counts();
    return {
      dir: paths.dir,
      stopReason,
      resumed,
      counts: parts.frontier.counts(),
      ...counted,
      walls: Object.keys(counted.refusals).some(isWall) ? WallTally.of(parts.frontier).hosts() : [],
      topics: withLabelsOrWarn(topics, asked, warn),
      ...seedEnds(allSeeds, parts.frontier),
      revisited: revisitCounts(parts.frontier, startedAt, Date.now()),
      ms: systemClock.now() - began,
      questions: questions.open,
      saturation: await saturationIn({ manifest, paths }, watch.last, grounds),
      ...grounds,
      ...(joined && { worker: joined.report() }),
    };
  } finally {
    ended = true;
    room.close();
    await answers?.close();
    await Promise.all([network.fetcher.close(), closed ? undefined : closeParts(parts, joined)]);
  }
}

/** @returns the released patterns. @throws UsageError if one of the patterns is not parked */
function unpark(frontier: Pick<Queue, 'unpark'>, patterns: readonly string[], dir: string): readonly string[] {
  const released = new Set(['all']);
  for (const pattern of patterns) {
    for (const name of frontier.unpark(pattern)) released.add(name);
    if (!released.has(pattern))
      throw new UsageError(
        `--unpark ${pattern}: no such pattern is parked; ${commandOn('status', dir)} lists the parked patterns, and all releases all of them`,
      );
  }
  return [...released].filter((name) => name !== 'all');
}
