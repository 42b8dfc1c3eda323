/** Finds or makes the manifest of a crawl, and refuses options that the crawl cannot follow. Nothing of the crawl is written here. */
import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { archiveFiles } from '../../crawling/archive/archive-files.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  findCrawl,
  refuseLabels,
  refuseLostFrontier,
  refuseLostManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { isOfArchive } from '../../crawling/crawl-dir/crawl-parts.ts';
import {
  newManifest,
  proxyOf,
  refuseAnonymous,
  refusePlaceWithoutBucket,
  resumedManifest,
  topicFolders,
} from '../../crawling/crawl-dir/crawl-settings.ts';
import { type KnownPages, knownOf, refuseGiven } from '../../crawling/crawl-dir/known-pages.ts';
import { codeDigests, strategyDigest } from '../../crawling/crawl-dir/own-code-files.ts';
import { joinedSeeds, seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { probeProxy } from '../../crawling/fetch/probe-proxy.ts';
import { readSeeds } from '../../crawling/input/url-file.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { COMMAND } from '../../crawling/settings/own-code.ts';
import { flagOf, type Settings } from '../../crawling/settings/setting.ts';
import { leastTrials } from '../../study/inspect/binomial.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { exampleSeeds, exampleUrls } from './example-seeds.ts';
import { readKnownFile } from './known-file.ts';
import type { EarlierCorpus } from './open-earlier.ts';
import { urlListsOf } from './url-lists.ts';

/** A crawl that may start, or be resumed. */
export interface PreparedCrawl {
  readonly paths: CrawlPaths;
  /** The manifest in the directory before this run; null for none. */
  readonly there: CrawlManifest | null;
  /** The crawl to be resumed; null for a new one, also where `force` replaces another. */
  readonly found: CrawlManifest | null;
  /** The manifest with the options of this run. */
  readonly manifest: CrawlManifest;
  readonly seeds: readonly CanonicalUrl[];
  /** Known pages that replace those of the crawl, null for none; undefined if those stay. */
  readonly known: KnownPages | null | undefined;
  /** The corpus of `since`; null without one. */
  readonly earlier: EarlierCorpus | null;
  /** Warnings of this run. */
  readonly warnings: readonly string[];
}

/**
 * @param isInDatabase the frontier of the directory is a view that is made again from a log
 * @throws UsageError, DataError, StoreError, EnvironmentError
 */
export async function prepareCrawl(paths: CrawlPaths, options: CrawlOptions, isInDatabase: boolean): Promise<PreparedCrawl> {
  const there = findCrawl(options.dir);
  if (there === null && !options.force) refuseLostManifest(paths);
  const found = options.force ? null : there;
  if (found && !isInDatabase) refuseLostFrontier(found, paths);
  if (!found) refuseLabels(paths);
  const given = joinedSeeds(readSeeds(options.seeds ?? []), await exampleSeeds(options, found));
  const settled = found ? await resumedManifest(found, paths, options) : await newManifest(options, given);
  const ownStrategy = await ownStrategyOf(settled, found, options.dir);
  const manifest = {
    ...settled,
    ...codeDigests(settled, options),
    ownStrategy,
    urlLists: await urlListsOf(settled.urlLists, options.urlList ?? []),
  };
  const seeds = joinedSeeds(found ? seedsOf(paths, found) : [], given);
  await checkArchive(manifest, options, found);
  const warnings = await browserWarnings(manifest, options);
  const proxy = proxyOf(options, manifest);
  await probeProxy(
    proxy,
    proxy === options.proxy
      ? 'start it, or omit --proxy'
      : 'the crawl was started with it; start the proxy, or give another --proxy or --proxy none',
  );
  refuseAnonymous(manifest, seeds, proxy, options.dir);
  refuseUnasked(manifest, options);
  if (isInDatabase) refuseOfOneMachine(manifest);
  await checkOwnCode(manifest);
  refuseNoRevisits(found, options);
  refuseEndless(manifest, options);
  const known = await knownGiven(options, seeds, manifest, paths);
  refusePlaceWithoutBucket(manifest, options);
  // The last one, since it reads a corpus.
  const earlier = manifest.since === null ? null : await (await import('./open-earlier.ts')).openEarlier(manifest.since, manifest, options);
  return { paths, there, found, manifest: { ...manifest, sinceVersion: earlier?.version ?? null }, seeds, known, earlier, warnings };
}

/** @throws UsageError if the crawl is given a known page, or if too few are known for the recall at which to stop; DataError */
async function knownGiven(
  options: CrawlOptions,
  seeds: readonly CanonicalUrl[],
  { stopRecall }: CrawlManifest,
  paths: CrawlPaths,
): Promise<PreparedCrawl['known']> {
  const given = options.known === undefined ? undefined : options.known === 'none' ? null : await readKnownFile(options.known);
  const known = given === undefined ? knownOf(paths) : given;
  if (known !== null) {
    refuseGiven(known, seeds, 'seeds');
    if (given !== undefined) refuseGiven(known, await examplesOf(topicFolders(options), paths), 'examples of the topic');
  }
  if (stopRecall !== null) refuseTooFew(known, stopRecall);
  return given;
}

/**
 * Known pages with which a stop takes at most 1.2 times the visits of an oracle in the median, by the recall up to which they do:
 * `npm run bench -- recall --parts stops`.
 */
const CHEAP_STOPS = [
  [0.8, 100],
  [0.9, 150],
  [0.95, 300],
] as const;
/** Number of known pages for a higher recall. */
const MOST_KNOWN = 1000;

/** @throws UsageError that says how many are needed */
function refuseTooFew(known: KnownPages | null, stopRecall: Unit): void {
  const needed = leastTrials(stopRecall);
  const better = CHEAP_STOPS.find(([recall]) => stopRecall <= recall)?.[1] ?? MOST_KNOWN;
  const share = `${Number((100 * stopRecall).toFixed(6))} %`;
  if (known === null)
    throw new UsageError(
      `--stop-recall: needs pages known to be on topic; give at least ${needed} of them with --known, better ${better}, or --stop-recall none`,
    );
  if (known.origin === 'listed')
    throw new UsageError(
      `--stop-recall: the known pages are listed, so their share is not the recall; give pages drawn at random, or --stop-recall none`,
    );
  if (known.urls.length < needed)
    throw new UsageError(
      `--stop-recall: ${known.urls.length} known pages cannot show a recall of ${share}; give at least ${needed}, better ${better} (with fewer, the crawl visits more than it has to), or a lower share`,
    );
}

/** Refuses a crawl that renders pages on a machine that cannot. @returns warnings. @throws UsageError */
async function browserWarnings({ render }: Pick<CrawlManifest, 'render'>, options: CrawlOptions): Promise<readonly string[]> {
  if (render === 'never') return [];
  const { checkBrowser } = await import('../../crawling/input/rendered-list.ts');
  return checkBrowser(options);
}

/** Options about requests to servers, which an archive on the disk does not need. Files at an address come from one. */
const OF_SERVERS = ['delayFactor', 'revisit', 'continuous', 'cookies', 'hosts', 'http2', 'at'] as const;
const OF_ONE_SERVER = ['delay', 'proxy'] as const;

/** Refuses an archive that is not there or in a crawl that began on the web, and options that an archive cannot follow. @throws UsageError, DataError */
async function checkArchive(manifest: CrawlManifest, options: CrawlOptions, found: CrawlManifest | null): Promise<void> {
  if (!isOfArchive(manifest)) return;
  if (found !== null && !isOfArchive(found))
    throw new UsageError(`${options.dir}: --archive: this crawl was started on the web; start a new crawl directory`);
  const useless = manifest.archiveFrom === null ? [...OF_SERVERS, ...OF_ONE_SERVER] : OF_SERVERS;
  const given = useless.find((name) => options[name] !== undefined && options[name] !== false);
  if (given !== undefined) {
    const settings: Settings = COMMANDS.crawl;
    const flag = `--${flagOf(given, settings[given] ?? {})}`;
    throw new UsageError(`${flag}: is about servers, and the crawl reads an archive; omit ${flag}`);
  }
  if (manifest.archive.length > 0) await archiveFiles(manifest.archive);
}

/** @throws UsageError for code of the user, rounds, and an earlier corpus, in a crawl on several machines: each worker would have its own */
function refuseOfOneMachine({ hooks, judgeBy, rounds, since, sink, strategy, ownStrategy }: CrawlManifest): void {
  if (hooks !== null) throw new UsageError(`--hooks ${hooks}: hooks are for crawls on one machine; give --hooks none, or omit --at`);
  if (judgeBy !== null) throw new UsageError(`--judge-by: a judge is for crawls on one machine; give --judge-by none, or omit --at`);
  if (ownStrategy !== null)
    throw new UsageError(`--strategy ${strategy}: a strategy of yours is for crawls on one machine; give one of Forager's, or omit --at`);
  if (rounds !== null) throw new UsageError('--rounds: rounds are for crawls on one machine; omit --rounds, or --at');
  if (since !== null) throw new UsageError(`--since ${since}: an earlier corpus is on one machine; give --since none, or omit --at`);
  if (sink !== null) throw new UsageError(`--sink ${sink}: a sink is for crawls on one machine; give --sink none, or omit --at`);
}

/** The facts about a strategy of the user that the manifest has; null for one of Forager's. @throws UsageError for one that is not usable, or not the one of the crawl */
async function ownStrategyOf(manifest: CrawlManifest, found: CrawlManifest | null, dir: string): Promise<CrawlManifest['ownStrategy']> {
  const sha256 = strategyDigest(manifest, found, dir);
  if (sha256 === null) return null;
  const { checkStrategy } = await import('../../crawling/openings/own-strategy.ts');
  const { strategy, topic, rngSeed: seed } = manifest;
  return { sha256, judgement: await checkStrategy(strategy, { threshold: topic.threshold, seed }) };
}

/** Loads the modules of the user, and forgets them: a fault in one is found before a crawl writes anything. @throws UsageError */
async function checkOwnCode({ hooks, judgeBy, sink, topics }: CrawlManifest): Promise<void> {
  if (judgeBy !== null && topics.length > 0)
    throw new UsageError(
      `--judge-by: a relevance has no topic in a crawl of ${topics.length} topics; give --judge-by none, or a crawl of one`,
    );
  if (hooks !== null) await (await import('../../crawling/openings/hooks.ts')).checkHooks(hooks);
  if (judgeBy !== null && judgeBy !== COMMAND) await (await import('../../crawling/openings/open-judge.ts')).checkJudge(judgeBy);
  if (sink !== null && sink !== COMMAND) await (await import('../../crawling/openings/sink-receivers.ts')).checkSink(sink);
}

/** Refuses `revisitOnly` without revisits. @throws UsageError for a run that could do nothing */
function refuseNoRevisits(found: CrawlManifest | null, { dir, revisit, revisitOnly }: CrawlOptions): void {
  if (!revisitOnly) return;
  if (revisit === undefined) throw new UsageError('--revisit-only: needs --revisit; give it too, e.g. --revisit 30d');
  if (found === null) throw new UsageError(`${dir}: a new crawl has no pages to request again; omit --revisit-only`);
}

/** Refuses a continuous crawl with rounds, of which it would never end the first, and since an earlier one. @throws UsageError */
function refuseEndless({ rounds, since }: CrawlManifest, { continuous, revisitOnly }: CrawlOptions): void {
  if (!continuous) return;
  if (since !== null)
    throw new UsageError(
      `--continuous: revisits kept pages, and --since ${since} keeps no page that is unchanged; continue the earlier crawl, or give --since none`,
    );
  if (rounds !== null)
    throw new UsageError('--continuous: a crawl by rounds ends its round when nothing is left; omit --continuous or --rounds');
  if (revisitOnly)
    throw new UsageError('--continuous: revisits kept pages by itself; omit --revisit-only, and give --max-pages for no new ones');
}

/** Refuses options for which there is no question or no single topic. @throws UsageError for a command without questions, and for such a command or a warm-up in a crawl of several topics */
function refuseUnasked({ ask, topics, warmUp }: CrawlManifest, { answersBy }: CrawlOptions): void {
  if (topics.length > 0 && warmUp > 0)
    throw new UsageError(`--warm-up: trains one topic again, and this crawl has ${topics.length}; omit --warm-up`);
  if (topics.length > 0 && answersBy !== undefined)
    throw new UsageError(`--answers-by: a program answers for one topic, and this crawl has ${topics.length}; omit --answers-by`);
  if (answersBy !== undefined && ask.length === 0)
    throw new UsageError('--answers-by: answers the questions of --ask, and the crawl asks none; give --ask, e.g. --ask 15@80');
}

/** URLs of the examples of the topics, where a model knows them. */
async function examplesOf(folders: readonly string[], { model }: CrawlPaths): Promise<readonly CanonicalUrl[]> {
  const known = (folders.length > 0 ? folders : [model]).map((folder) => exampleUrls(folder).catch(() => []));
  return (await Promise.all(known)).flat();
}
