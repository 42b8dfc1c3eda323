/** Opens the parts of a crawl, and closes them. */

import { availableParallelism } from 'node:os';
import { systemClock } from '../../base/core/clock.ts';
import { packageFile } from '../../base/core/package-files.ts';
import type { CommitMark, Durable } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { type HostPolicy, NO_EXTRAS, type Parts } from '../../base/core/parts.ts';
import { SettledUrls } from '../../base/core/settled-urls.ts';
import type { Bytes, CanonicalUrl, Ms, Topic } from '../../base/core/types.ts';
import { PRODUCT_TOKEN, VERSION } from '../../base/core/version.ts';
import type { HeldLock } from '../../base/disk/lock.ts';
import { PageFileNames } from '../../base/web/page-file-names.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { type CorpusWriterOptions, FileCorpusWriter } from '../../corpus/records/corpus-writer.ts';
import { type CorpusInfo, newRecordId } from '../../corpus/records/warc-record.ts';
import { keptPayloads } from '../../crawling/crawl/kept-payloads.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  type OwnTopic,
  refuseOlderManifest,
  rejudgedBy,
  topicsOf,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { expansionOf, frontierOptionsOf, isOfArchive, scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { freshScorer, resumeLinkScorer } from '../../crawling/crawl-dir/crawl-scorer.ts';
import { proxyOf } from '../../crawling/crawl-dir/crawl-settings.ts';
import { commonMethod, loadOwnModels } from '../../crawling/crawl-dir/load-topic.ts';
import type { Cookies } from '../../crawling/fetch/cookies.ts';
import { type HostLists, hostPolicyOf } from '../../crawling/fetch/host-policy.ts';
import type { HostSettings } from '../../crawling/fetch/host-settings.ts';
import { HttpFetcher } from '../../crawling/fetch/http-fetcher.ts';
import { OptOutList } from '../../crawling/fetch/opt-out.ts';
import type { RequestSigner } from '../../crawling/fetch/request-signer.ts';
import type { Requests, WebAccess } from '../../crawling/fetch/requests.ts';
import { RobotsCache } from '../../crawling/fetch/robots-cache.ts';
import { WithdrawnList } from '../../crawling/fetch/withdrawn-list.ts';
import { openLmdbFrontier } from '../../crawling/frontier/frontier.ts';
import type { JudgeOwner } from '../../crawling/openings/open-judge.ts';
import { alternateSource } from '../../crawling/reader/alternate-source.ts';
import { listSource, reservationSource, seedSource } from '../../crawling/reader/list-source.ts';
import { ReadPool } from '../../crawling/reader/read-pool.ts';
import type { ReadWorkerData } from '../../crawling/reader/read-worker.ts';
import type { AnsweringParts } from '../../crawling/render/machine-renderer.ts';
import type { ClusterWorker } from './cluster-worker.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { EarlierCorpus } from './open-earlier.ts';
import type { Replacement } from './replaced-parts.ts';

/** A page that takes longer to read fails: the extractor's own limit is 2 s for the worst known input. */
const MAX_READ_TIME: Ms = 10_000;
const MAX_WORKER_HEAP = 512 * 2 ** 20;

/** Files about hosts and pages; null if not given. */
export interface HostFiles extends HostLists {
  readonly hosts: HostSettings | null;
  /** null: requests are not signed. */
  readonly signer: RequestSigner | null;
}

/** @throws UsageError, DataError */
export async function openFiles(
  { optOut, hosts, signKey, signAgent }: CrawlManifest,
  { dir, onEvent, environment = {} }: CrawlOptions,
): Promise<HostFiles> {
  const warn = (message: string) => onEvent?.({ type: 'warning', at: systemClock.now(), message });
  return {
    withdrawn: new WithdrawnList(crawlPaths(dir).withdrawn, systemClock, warn),
    optOut: optOut === null ? null : new OptOutList(optOut, systemClock, warn),
    signer:
      signKey === null && signAgent === null
        ? null
        : (await import('../../crawling/fetch/request-signer.ts')).openSigner(signKey, signAgent, systemClock, warn),
    // The YAML parser and the cookie jar are loaded only if needed.
    hosts: hosts === null ? null : (await import('../../crawling/fetch/host-settings-file.ts')).openHostSettings(hosts, environment),
  };
}

/** The parts that know the web. They outlast a retraining: a new robots cache would ask all hosts again. */
export type Network = Pick<Parts, 'robots'> & { readonly fetcher: WebAccess; readonly hostPolicy: HostPolicy };
/** The network of a crawl, which may ask for changes since an earlier one. */
export type CrawlNetwork = Network & Pick<Parts, 'since'>;

/** @param earlier the corpus of `since`; null without one */
export async function openNetwork(
  manifest: CrawlManifest,
  options: CrawlOptions,
  files: HostFiles,
  joined: ClusterWorker | null,
  earlier: EarlierCorpus | null,
): Promise<CrawlNetwork> {
  const web = isOfArchive(manifest)
    ? await (await import('./open-archive.ts')).openArchive(manifest, options, files)
    : await openWeb(manifest, options, files, joined);
  if (earlier === null) return { ...web, since: null };
  const { pages, responses } = earlier;
  if (responses === null) return { ...web, since: pages };
  const { sinceFetcher } = await import('../../crawling/archive/earlier-fetcher.ts');
  return { ...web, fetcher: sinceFetcher(web.fetcher, responses), since: pages };
}

async function openWeb(manifest: CrawlManifest, options: CrawlOptions, files: HostFiles, joined: ClusterWorker | null): Promise<Network> {
  const { userAgent, contact, allowPrivate, http2, documents } = manifest;
  const proxy = proxyOf(options, manifest);
  const cookies = await cookiesOf(manifest);
  const fetcher = new HttpFetcher({
    ...{ userAgent, contact, clock: systemClock, allowPrivate, http2, documents },
    ...(proxy !== null && { proxy, ...(options.concurrency !== undefined && { proxyConnections: options.concurrency }) }),
    ...(files.hosts && { hosts: files.hosts }),
    ...(files.optOut && { optOut: files.optOut }),
    ...(files.signer && { signer: files.signer }),
    ...(cookies && { cookies }),
  });
  const hostPolicy = hostPolicyOf(manifest, fetcher, files);
  return { fetcher, hostPolicy, robots: new RobotsCache(joined?.guarded(fetcher) ?? fetcher, PRODUCT_TOKEN, systemClock) };
}

/** The run for which parts are opened. */
export interface PartsOwner {
  readonly paths: CrawlPaths;
  readonly options: CrawlOptions;
  readonly network: CrawlNetwork;
  readonly lock: HeldLock;
  /** null for a crawl of one machine. */
  readonly joined: ClusterWorker | null;
  /** null: no program replaces parts. */
  readonly replacement: Replacement | null;
  readonly warn: (message: string) => void;
}

/** @throws UsageError, DataError, StoreError, ModelError; FencedError and EngineGoneError in a crawl on several machines; errors of a program that replaces parts */
export async function openParts(owner: PartsOwner, manifest: CrawlManifest): Promise<Parts> {
  const { paths, options, network, joined, replacement, warn } = owner;
  const plain = await openPlainParts(owner, manifest);
  if (joined !== null) return joined.share(plain);
  const parts = hasCode(manifest) ? await withCode(plain, network.fetcher, manifest, { paths, judgeBy: options.judgeBy, warn }) : plain;
  return replacement === null ? parts : replacement.apply(parts, manifest, paths).catch(closed(parts));
}

/** Parts without code of the user. @throws as `openParts` */
async function openPlainParts({ paths, options, network, lock, joined, warn }: PartsOwner, manifest: CrawlManifest): Promise<Parts> {
  const { topic, topics, userAgent } = manifest;
  const ofTopics = topicsOf(paths, manifest);
  const models = await loadOwnModels(paths, manifest);
  const alternates = await alternateSource(manifest.alternates);
  const fetcher = joined?.guarded(network.fetcher) ?? network.fetcher;
  const logged = (await joined?.openFrontier(paths, manifest)) ?? null;
  const frontier = logged ?? openLmdbFrontier(paths.frontier, frontierOptionsOf(manifest), rejudgedBy(manifest));
  const closing = async (error: unknown): Promise<never> => {
    await frontier.close();
    throw error;
  };
  const committed = logged && joined ? await joined.corpusCommit(logged).catch(closing) : frontier.lastCommit();
  const info = { software: `forager/${VERSION}`, robots: 'obey', description: descriptionOf(ofTopics), userAgent };
  const writing = {
    record: manifest.record,
    ...(manifest.id !== null && { crawl: manifest.id }),
    mayWrite: () => lock.check(),
    // A view that lagged need not know the last record: its partition may be with another worker since then.
    ...(joined === null && { recordIdOf: (url: CanonicalUrl) => frontier.find(url)?.fate?.recordId ?? null }),
    onCut: (folder: string, bytes: Bytes) =>
      warn(`${bytes} bytes of the corpus were not committed when the crawl stopped; they are now in ${folder}`),
  };
  const corpus = await openCorpus(paths, frontier, committed, info, writing).catch(closing);
  const scorer = logged ? freshScorer(manifest, paths) : resumeLinkScorer(manifest, paths, frontier);
  await (logged && joined?.open(logged, corpus, scorer))?.catch(async (error: unknown) => {
    await joined?.pause();
    await corpus.close();
    await frontier.close();
    throw error;
  });
  // Most links of most pages lead to settled URLs. A recording has all links, and so it serves a scorer that observes them.
  const settled = manifest.record ? null : new SettledUrls();
  const pool = openReader({ paths, options }, manifest, ofTopics, models, scorer, settled);
  const reader = manifest.render === 'never' ? pool : await withBrowser(pool, manifest, options, { ...network, fetcher }, frontier);
  return {
    ...NO_EXTRAS,
    clock: systemClock,
    frontier,
    ...network,
    fetcher,
    reader,
    lists: listSource(fetcher, pool),
    followsLists: manifest.sitemaps,
    seeds: seedSource(fetcher, manifest.documents),
    alternates,
    reservations: reservationSource(fetcher),
    topic: topics.length === 0 ? topic : { ...topic, topics },
    scorer,
    scope: scopeOf(manifest),
    fileNames: new PageFileNames(() => frontier.counts().visited),
    expansion: expansionOf(manifest),
    kept: joined?.payloads(topics) ?? keptPayloads(frontier, topics),
    corpus,
    lost: joined ? AbortSignal.any([lock.lost, joined.lost]) : lock.lost,
    newRecordId,
    hostKeyOf,
    emit: options.onEvent ?? (() => undefined),
  };
}

/** A reader with a browser, whose code only such a crawl loads. @throws UsageError */
async function withBrowser(
  pool: ReadPool,
  manifest: CrawlManifest,
  options: CrawlOptions,
  network: AnsweringParts,
  frontier: Pick<Parts['frontier'], 'settled'>,
): Promise<PageReader> {
  const { renderingReader } = await import('./open-renderer.ts');
  return renderingReader(pool, manifest, options, network, frontier);
}

/** Closes parts after an error, which it throws again. */
function closed(parts: Parts): (error: unknown) => Promise<never> {
  return async (error) => {
    await closeParts(parts, null);
    throw error;
  };
}

/** Has the crawl code of its user? */
function hasCode({ hooks, judgeBy, ownStrategy }: CrawlManifest): boolean {
  return hooks !== null || judgeBy !== null || ownStrategy !== null;
}

/** Parts that ask code of the user, which only such a crawl loads. @throws UsageError for a module that cannot be loaded; DamageError */
async function withCode(parts: Parts, fetcher: Requests, manifest: CrawlManifest, owner: JudgeOwner): Promise<Parts> {
  const { withOwnCode } = await import('./parts-with-code.ts');
  return withOwnCode(parts, fetcher, manifest, owner).catch(closed(parts));
}

/** Opens the threads that read pages. @param settled those that need no judgement of their links; null for none */
function openReader(
  { paths, options }: Pick<PartsOwner, 'paths' | 'options'>,
  manifest: CrawlManifest,
  own: readonly OwnTopic[],
  models: Awaited<ReturnType<typeof loadOwnModels>>,
  scorer: LinkScorer,
  settled: SettledUrls | null,
): ReadPool {
  const workerData: ReadWorkerData = {
    models: models.map(({ settings, tables }) => ({ settings, tables })),
    method: commonMethod(
      models,
      own.map(({ folder }) => folder),
    ),
    productToken: PRODUCT_TOKEN,
    judgement: scorer.judgement,
    // The scorer that learns; its features are hashes of the words.
    hashing: scorer.evidenceOf !== undefined,
    settled: settled?.memory ?? null,
    documents: manifest.documents,
    alternates: manifest.alternates.length > 0,
    fieldRules: manifest.fieldRules === null ? null : paths.fieldRules,
  };
  return new ReadPool({
    worker: packageFile('dist/bin/read-worker.js'),
    workerData,
    workers: workersOf(options),
    maxReadTime: MAX_READ_TIME,
    maxWorkerHeap: MAX_WORKER_HEAP,
    ...(settled && { markSettled: (url: CanonicalUrl) => settled.add(url) }),
  });
}

export async function closeParts({ reader, corpus, frontier }: Parts, joined: ClusterWorker | null): Promise<void> {
  await joined?.pause();
  await reader.close();
  try {
    await corpus.close();
  } finally {
    await frontier.close();
  }
}

/** @throws StoreError if the frontier does not belong to the manifest or the corpus */
async function openCorpus(
  { dir, corpus }: CrawlPaths,
  frontier: Pick<Durable, 'runs'>,
  committed: CommitMark | null,
  info: CorpusInfo,
  options: CorpusWriterOptions,
): Promise<FileCorpusWriter> {
  refuseOlderManifest(frontier, dir);
  return FileCorpusWriter.open(corpus, committed, info, options);
}

async function cookiesOf({ cookies }: CrawlManifest): Promise<Cookies | null> {
  return cookies ? new (await import('../../crawling/fetch/cookies.ts')).CookieJars() : null;
}

function descriptionOf(topics: readonly Topic[]): string {
  return `pages on ${topics.map(({ name, id }) => `${name} (model ${id})`).join(', ')}`;
}

/** Threads that read pages. */
export function workersOf({ workers }: CrawlOptions): number {
  return workers ?? Math.max(1, availableParallelism() - 1);
}
