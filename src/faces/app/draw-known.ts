/** Draws pages at random from a list that has nothing to do with links, and asks which of them are on topic: they become the known pages of a crawl. */
import { resolve } from 'node:path';
import { DataError, StoreError, UsageError } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { canonicalizeWithRoute, hostKeyOf } from '../../base/web/url.ts';
import { activeModel, type CrawlManifest, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import type { KnownPages } from '../../crawling/crawl-dir/known-pages.ts';
import { loadOwnModel, readOwnTraining } from '../../crawling/crawl-dir/load-topic.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { type TopicPart, topicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { refuseWithoutUrls, urlsIn } from '../../crawling/input/url-list-file.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import type { KnownRecall } from '../../study/inspect/known-recall.ts';
import { recallOf } from '../../study/inspect/recall-of-crawl.ts';
import { type DrawHead, KnownDrawFile } from '../../study/label/known-draw-file.ts';
import { LabelLog } from '../../study/label/label-log.ts';
import type { Answer } from '../../study/label/label-queue.ts';
import { type Locks, releaseAll, takeLocks } from '../../study/label/labelling-locks.ts';
import { UrlDraw } from '../../study/label/url-draw.ts';
import { type DrawnPage, DrawnPages } from './drawn-pages.ts';
import { originIn } from './known-file.ts';
import { type Network, openFiles, openNetwork } from './open-parts.ts';
import { PoliteRequests } from './polite-requests.ts';
import { sitemapUrls } from './sitemap-urls.ts';

/** No crawl may run on the directory: both would request pages of the same hosts. */
export interface DrawKnownOptions extends Omit<OptionsOf<typeof COMMANDS.known>, 'json'> {
  /** Receives sitemaps that cannot be read, and other notes. */
  readonly warn?: (message: string) => void;
  /** URLs of the list so far. */
  readonly onProgress?: (listed: number) => void;
  /** Ends the reading of the list, and the requests. */
  readonly signal?: AbortSignal;
}

const DRAW_KNOWN: OptionTable<DrawKnownOptions> = {
  ...without(checksOf(COMMANDS.known), 'json'),
  warn: call,
  onProgress: call,
  signal,
};

/** A drawn page to be labelled. It has no judgement of the model: that would sway the answer. */
export interface KnownQuestion extends Pick<DrawnPage, 'title' | 'passage'> {
  readonly url: CanonicalUrl;
  /** Place in the draw, from 1. */
  readonly place: number;
}

export interface KnownCounts {
  readonly drawn: number;
  readonly yes: number;
  readonly no: number;
  readonly skipped: number;
  /** Pages without a text to ask about. */
  readonly unread: number;
}

/** Pages drawn without another number: at a third on topic, about twenty known pages. */
const DRAWN = 60;
const SITEMAP = 'sitemap';
const NEVER = new AbortController().signal;

/** A session that asks about drawn pages. Each answer is on disk before its call resolves, and the next session continues with the same page. */
export class KnownDraw {
  readonly #file: KnownDrawFile;
  readonly #crawl: OpenCrawl;
  readonly #locks: Locks;
  readonly #network: Network;
  readonly #pages: DrawnPages;
  readonly #name: string | undefined;
  #asked: { readonly url: CanonicalUrl; readonly sha256: string } | null = null;

  private constructor(opened: Opened, file: KnownDrawFile, options: DrawKnownOptions) {
    const { crawl, part, locks, network, requests } = opened;
    [this.#file, this.#crawl, this.#locks, this.#network, this.#name] = [file, crawl, locks, network, options.name];
    this.#pages = new DrawnPages(crawl, part, opened.model, requests, options.signal ?? NEVER);
  }

  /**
   * Draws the pages, if `out` does not have them yet.
   * @throws UsageError for a list that the crawl was given, another list or seed than those of `out`, or a crawl that is not here; DataError for a
   * list without URLs to draw; StoreError STORE_LOCKED while the crawl runs or is labelled; DamageError, ModelError; the reason of `signal`
   */
  static async open(options: DrawKnownOptions): Promise<KnownDraw> {
    checkOptions('openKnownDraw', DRAW_KNOWN, options, 'dir', 'out');
    const file = KnownDrawFile.open(options.out);
    const head = headOf(file, options);
    const opened = await openToDraw(options);
    try {
      if ((options.draw ?? DRAWN) > file.drawn.length && (file.head === null || options.draw !== undefined))
        await drawInto(file, { ...head, ...(isFollowed(head, opened.crawl.manifest) && { followed: true }) }, opened, options);
      return new KnownDraw(opened, file, options);
    } catch (error) {
      await closeAll(opened);
      throw error;
    }
  }

  /** The page to ask about: the same until it is answered. null if all are answered. Pages without a text are noted and skipped. @throws StoreError, DataError */
  async next(): Promise<KnownQuestion | null> {
    for (const [i, url] of this.#file.drawn.entries()) {
      if (this.#file.answerTo(url) !== null) continue;
      this.#pages.readAhead(this.#file.drawn.slice(i).filter((one) => this.#file.answerTo(one) === null));
      const page = await this.#pages.of(url);
      if (page.unread === null) {
        this.#asked = { url, sha256: page.sha256 };
        return { url, title: page.title, passage: page.passage, place: i + 1 };
      }
      await this.#file.answer({ url, answer: 'skip', unread: page.unread, at: new Date().toISOString() });
    }
    this.#asked = null;
    return null;
  }

  /** Stores the answer to the page of `next`. @throws StoreError */
  async answer(answer: Answer): Promise<void> {
    if (this.#asked === null) return;
    const { url, sha256 } = this.#asked;
    this.#asked = null;
    const name = this.#name === undefined ? {} : { name: this.#name };
    await this.#file.answer({ url, answer, ...name, sha256, at: new Date().toISOString() });
  }

  /** Takes the last answer back, also one of an earlier session. @returns false if there is none. @throws StoreError */
  async undo(): Promise<boolean> {
    this.#asked = null;
    return (await this.#file.undo(new Date().toISOString())) !== null;
  }

  get counts(): KnownCounts {
    const { drawn, yes, no, skipped, unread } = this.#file.counts;
    return { drawn, yes, no, skipped, unread };
  }

  /** Drawn pages on topic so far, and how they were drawn; null without one. */
  get known(): KnownPages | null {
    return this.counts.yes === 0 ? null : this.#file.known;
  }

  /** Recall of the crawl by these pages; null without one. O(known pages). */
  get recall(): KnownRecall | null {
    const { known } = this;
    return known === null ? null : recallOf(known, this.#crawl.manifest, this.#crawl.frontier);
  }

  /** A second call does nothing. */
  async close(): Promise<void> {
    this.#pages.close();
    await this.#file.close();
    await closeAll({ crawl: this.#crawl, locks: this.#locks, network: this.#network });
  }
}

/** A crawl at rest, with the means to request pages as it does. */
interface Opened {
  readonly crawl: OpenCrawl;
  readonly part: TopicPart;
  readonly model: Awaited<ReturnType<typeof loadOwnModel>>;
  readonly locks: Locks;
  readonly network: Network;
  readonly requests: PoliteRequests;
}

async function openToDraw({ dir, topicName, warn = () => undefined }: DrawKnownOptions): Promise<Opened> {
  const manifest = readManifest(dir);
  if (manifest.at !== null)
    throw new UsageError(`${dir}: is the directory of one of several machines; gather the crawl into a directory of its own first`);
  const part = topicPart(dir, manifest, topicName);
  const locks = await takeLocks(part.paths, part.paths.labelling, warn);
  let crawl: OpenCrawl | null = null;
  try {
    if (locks.crawl === null)
      throw new StoreError('STORE_LOCKED', `${dir}: the crawl is running, and both would request pages of its hosts; end it first`);
    refuseBrokenTrees(part.paths.database);
    crawl = openCrawl(dir);
    const model = await loadOwnModel(part.paths, part.manifest);
    const network = await openNetwork(manifest, { dir }, await openFiles(manifest, { dir }), null, null);
    return { crawl, part, model, locks, network, requests: new PoliteRequests(network, manifest) };
  } catch (error) {
    await crawl?.close();
    await releaseAll(locks);
    throw error;
  }
}

async function closeAll({ crawl, locks, network }: Pick<Opened, 'crawl' | 'locks' | 'network'>): Promise<void> {
  await network.fetcher.close();
  await crawl.close();
  await releaseAll(locks);
}

/** @throws UsageError without a list, or with another one than that of the file */
function headOf({ path, head }: KnownDrawFile, { from, rngSeed }: DrawKnownOptions): DrawHead {
  if (head === null && from === undefined)
    throw new UsageError(`--from: is missing; give sitemap, or a file with the URLs to draw from, since ${path} has no pages yet`);
  const { origin, path: list } = originIn(from ?? '');
  const given = { from: list === SITEMAP ? list : resolve(list), origin, seed: rngSeed ?? head?.seed ?? 1 };
  if (head === null) return given;
  if (from !== undefined && given.from !== head.from)
    throw new UsageError(`--from ${from}: the pages of ${path} are drawn from ${head.from}; omit --from, or give another --out`);
  if (given.seed !== head.seed)
    throw new UsageError(`--seed-rng: ${path} was drawn with seed ${head.seed}; omit it, or give another --out`);
  return head;
}

function isFollowed({ from }: DrawHead, { sitemaps }: CrawlManifest): boolean {
  return from === SITEMAP && sitemaps !== 'never';
}

/** @throws UsageError for a list that the crawl visits; DataError if nothing is left to draw */
async function drawInto(file: KnownDrawFile, head: DrawHead, opened: Opened, options: DrawKnownOptions): Promise<void> {
  const { manifest } = opened.crawl;
  if (manifest.urlLists.some(({ path }) => path === head.from))
    throw new UsageError(
      `--from ${head.from}: the crawl was given this list with --url-list, so it finds its pages without a link; give another one`,
    );
  const scope = scopeOf(manifest);
  const given = await givenTo(opened, options.dir);
  const draw = new UrlDraw(head.seed, options.draw ?? DRAWN);
  const turns = new EventLoopYielder();
  for await (const url of listOf(head, opened, options)) {
    options.signal?.throwIfAborted();
    if (!given.has(url) && scope.refuses(url) === null) draw.offer(url);
    options.onProgress?.(draw.listed);
    await turns.take();
  }
  const before = new Set(file.drawn);
  const fresh = draw.drawn.filter((url) => !before.has(url)).slice(0, (options.draw ?? DRAWN) - before.size);
  if (fresh.length === 0)
    throw new DataError(
      `--from ${head.from}: has no page to draw: none is in the scope of the crawl${given.size > 0 ? ', apart from those it was given' : ''}; give another list`,
    );
  await file.draw(head, fresh, draw.listed, new Date().toISOString());
}

async function* listOf({ from }: DrawHead, { crawl, requests }: Opened, options: DrawKnownOptions): AsyncGenerator<CanonicalUrl> {
  if (from !== SITEMAP) {
    await refuseWithoutUrls(from);
    for await (const { urls } of urlsIn(from)) for (const { url } of urls) yield url;
    return;
  }
  const hosts = [...new Set(seedsOf(crawl.paths, crawl.manifest).map(hostKeyOf))];
  yield* sitemapUrls(hosts, requests, options.signal ?? NEVER, options.warn ?? (() => undefined));
}

/** Pages that the crawl did not have to find: seeds, pages that models were trained with, pages with labels. */
async function givenTo({ crawl: { paths, manifest } }: Pick<Opened, 'crawl'>, dir: string): Promise<ReadonlySet<CanonicalUrl>> {
  const given = new Set<CanonicalUrl>(seedsOf(paths, manifest));
  const take = (urls: readonly (string | null)[]) => {
    for (const url of urls) {
      const canonical = url === null ? null : canonicalizeWithRoute(url);
      if (canonical !== null) given.add(canonical);
    }
  };
  for (const part of topicParts(dir, manifest)) {
    for (const folder of new Set([part.paths.model, activeModel(part.paths, part.manifest)]))
      take(((await readOwnTraining(folder, part.manifest))?.rows ?? []).map(({ url }) => url));
    take(LabelLog.ofTopic(part).entries.map(({ url }) => url));
  }
  return given;
}
