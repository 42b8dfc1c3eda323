/** Checks a topic model before there is a crawl: on random pages of the hosts that its examples come from. */
import { UsageError } from '../../base/core/errors.ts';
import { grouped } from '../../base/core/grouped.ts';
import type { Ms } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { activeModel, crawlPaths, findCrawl, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadTopic } from '../../crawling/crawl-dir/load-topic.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { loadCard, loadModel, saveModel } from '../../reading/topic/files.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import type { CrawlOptions, CrawlReport } from './crawl-options.ts';
import { exampleUrls } from './example-seeds.ts';
import { crawl } from './run-crawl.ts';

/** Pages that a check fetches. With 20 of each kind, the model's F1 on the site equals that of all held-out pages: see `ENOUGH` of reading/topic/threshold.ts. */
export const CHECKED_PAGES = 40;
/** A site that asks for long pauses gives fewer pages. Ten minutes suffice for 40 pages of one host at a delay of 15 s. */
const MAX_TIME: Ms = 600_000;
/** Examples to start from; more would be asked about themselves. Several hosts have one each. */
const STARTS = 3;

/** The crawl directory of the check: next to the model. */
export function checkDirectory(model: string): string {
  return `${model}.check`;
}

/**
 * Did an earlier run begin the check of the model in this folder?
 * @throws UsageError if the folder of the check has something else, or the check of another model; DataError, ModelError if a file is damaged
 */
export async function isCheckStarted(model: string): Promise<boolean> {
  const dir = checkDirectory(model);
  const manifest = findCrawl(dir);
  if (manifest === null) return false;
  const { id } = await loadTopic(model);
  const own = [manifest.topic.id, ...manifest.relabelled.map(({ from }) => from)];
  if (own.includes(id)) return true;
  throw new UsageError(`${dir}: checks another model than the one in ${model}; remove this folder to begin a new check`);
}

export interface SiteCheckOptions
  extends Pick<CrawlOptions, 'delay' | 'userAgent' | 'contact' | 'proxy' | 'allowPrivate' | 'render' | 'browser' | 'sandbox' | 'rngSeed'> {
  /** Folder of the model, with its training rows. */
  readonly model: string;
  /** Begins again, without an earlier check. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  readonly onStart: NonNullable<CrawlOptions['onStart']>;
  readonly onEvent: NonNullable<CrawlOptions['onEvent']>;
}

/**
 * Visits up to 40 random pages of the examples' hosts, the same number of each. It is a crawl like any other: polite and resumable. An
 * earlier check is continued.
 * @throws UsageError if no example has a URL; DataError, ModelError, StoreError, EnvironmentError as `crawl`
 */
export async function visitSites({ model, replace, rngSeed, ...options }: SiteCheckOptions): Promise<CrawlReport> {
  const isStarted = !replace && (await isCheckStarted(model));
  const begin = isStarted ? {} : { ...(await sitesOf(model)), topic: model, force: replace, ...(rngSeed !== undefined && { rngSeed }) };
  return crawl({ ...options, ...begin, dir: checkDirectory(model), maxPages: CHECKED_PAGES, maxTime: MAX_TIME });
}

/** The sites of a model's examples, as settings of a crawl. @throws UsageError if there are none */
async function sitesOf(model: string) {
  const byHost = grouped(await exampleUrls(model), hostKeyOf);
  if (byHost.size === 0)
    throw new UsageError(
      `${model}: is trained, but no example has a URL, so --check-site knows no site; give URLs as examples, or JSON lines with url`,
    );
  const each = Math.max(1, Math.floor(STARTS / byHost.size));
  return {
    seeds: [...byHost.values()].flatMap((urls) => urls.slice(0, each)),
    scope: [...byHost.keys()].map((host) => `host:${new URL(host).host}`),
    strategy: 'random',
    warmUp: 0,
    maxPagesPerHost: Math.ceil(CHECKED_PAGES / byHost.size),
  } as const;
}

/**
 * Replaces the model by the one that the answers trained.
 * @returns its card; null if the answers trained no better model
 * @throws ModelError, DataError, StoreError
 */
export async function adoptChecked(model: string): Promise<ModelCard | null> {
  const dir = checkDirectory(model);
  const folder = activeModel(crawlPaths(dir), readManifest(dir));
  const [trained, first] = [await loadModel(folder), await loadModel(model)];
  if (trained.id === first.id) return null;
  const card = await loadCard(folder);
  const training = await readTraining(folder);
  await saveModel(model, trained, card, { force: true, ...(training !== null && { training }) });
  return card;
}
