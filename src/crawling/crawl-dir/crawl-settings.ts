/** The settings of a new crawl, and the settings that a later run may change. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { VERSION } from '../../base/core/version.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { parseScope } from '../../base/web/scope.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { isContact, userAgentOf } from '../../base/web/user-agent.ts';
import { type OwnStrategyFile, type Strategy, traitsOf } from '../../reading/links/strategy-names.ts';
import { Committee } from '../../reading/topic/committee.ts';
import { loadCard, MODEL_CARD_FILE } from '../../reading/topic/files.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { hostnameIsLoopback, hostnameIsPrivate } from '../fetch/ssrf.ts';
import { COMMANDS } from '../settings/commands.ts';
import { keptSettings } from '../settings/derive.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { DEFAULT_DELAY, NOT_STORED, WARM_UP } from '../settings/settings.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';
import { openLinkModel } from './crawl-scorer.ts';
import { checkOwnFieldRules, openFieldRules } from './field-rules-file.ts';
import { checkOwnModels, loadTopics } from './load-topic.ts';

/** The crawl's options from its command. */
export type CrawlSettings = Omit<OptionsOf<typeof COMMANDS.crawl>, 'json' | 'skipDamaged' | 'page'>;

const DEFAULT_STRATEGY: Strategy = 'apprentice';
const NONE = 'none';

/**
 * The parts of a model that the crawl copies and that only later commands need: card and training pages. A crawl of a night should not end with a
 * model that cannot be trained again.
 * @throws ModelError if one is there and damaged
 */
async function refuseDamagedParts(folder: string): Promise<void> {
  if (isThere(join(folder, MODEL_CARD_FILE))) await loadCard(folder);
  await readTraining(folder);
}

/** The manifest of a new crawl, without its seeds. Finds all faults in the options before anything is written. @throws UsageError, DataError, ModelError */
export async function newManifest(options: CrawlSettings, seeds: readonly CanonicalUrl[]): Promise<CrawlManifest> {
  const topics = topicFolders(options);
  if (topics.length === 0)
    throw new UsageError(
      `${options.dir}: a new crawl needs a topic; give --topic models/<name> (make one with: ${foragerCommand('train')})`,
    );
  if (seeds.length === 0)
    throw new UsageError(`${options.dir}: a new crawl needs seeds; give --seeds <url or file>, or --seeds-from-examples`);
  if (options.corpusBucket !== undefined && options.at === undefined)
    throw new UsageError(`${options.dir}: --corpus-bucket is for crawls on several machines; give --at too, or omit it`);
  if (options.unpark) throw new UsageError(`${options.dir}: --unpark applies to an existing crawl, and there is none; omit it`);
  const models = await loadTopics(topics);
  for (const folder of topics) await refuseDamagedParts(folder);
  const { name, id, threshold } = new Committee(models);
  const strategy = options.strategy ?? DEFAULT_STRATEGY;
  // A crawl on several machines does not train.
  const trains = options.at === undefined && (await fitsWarmUp(topics, seeds, options.maxPages));
  const started = { strategy, delay: options.delay ?? DEFAULT_DELAY, fitsWarmUp: trains };
  const settings = keptSettings(COMMANDS.crawl, options.dir, options, null, started);
  parseScope(settings.scope);
  const hostLimit = hostLimitOf(options, settings, null);
  return {
    format: 2,
    id: randomUUID(),
    software: `forager/${VERSION}`,
    createdAt: new Date().toISOString(),
    topic: { name, id, threshold },
    topics: models.length === 1 ? [] : models.map((model) => ({ name: model.name, id: model.id, threshold: model.threshold })),
    from: null,
    relabelled: [],
    keptBeside: null,
    seeds: [],
    seedFile: null,
    urlLists: [],
    userAgent: userAgentOf(options.userAgent ?? null, options.contact ?? null),
    fieldRules: options.fieldRules === undefined ? null : (await openFieldRules(options.fieldRules)).sha256,
    hooksSha256: null,
    judgeSha256: null,
    ownStrategy: null,
    replaced: {},
    sinceVersion: null,
    linkModel: options.linkModel === undefined ? null : newLinkModel(strategy, options.linkModel),
    ...settings,
    ...hostLimit,
    keptAlternates: settings.alternates,
    runs: [],
  };
}

/** The manifest of a resumed crawl: stored settings stay, unless the options replace them. The seeds stay. @throws UsageError, DataError, DamageError, ModelError */
export async function resumedManifest(found: CrawlManifest, paths: CrawlPaths, options: CrawlSettings): Promise<CrawlManifest> {
  const settings = keptSettings(COMMANDS.crawl, options.dir, options, found, { ...found, fitsWarmUp: false });
  await checkOwnModels(paths, found);
  await refuseOtherTopics(found, options);
  await checkOwnFieldRules(paths, found);
  if (options.linkModel !== undefined) refuseOtherLinkModel(found, options.dir, options.linkModel);
  if (options.fieldRules !== undefined) await refuseOtherFieldRules(found, options.dir, options.fieldRules);
  refuseOldScope(found, options);
  refuseOldContact(found, options);
  return {
    ...found,
    id: found.id ?? randomUUID(),
    userAgent: options.userAgent || options.contact ? userAgentOf(options.userAgent ?? null, settings.contact) : found.userAgent,
    ...settings,
    ...hostLimitOf(options, settings, found),
  };
}

/**
 * The limit of visits to a host that a share of the budget gives: a later run with a larger budget has a higher one.
 * @throws UsageError for a share with a limit of its own
 */
function hostLimitOf(
  { dir, maxPages = Number.POSITIVE_INFINITY, maxPagesPerHost, maxSharePerHost: given }: CrawlSettings,
  { maxSharePerHost: share }: Pick<CrawlManifest, 'maxSharePerHost'>,
  found: CrawlManifest | null,
): Partial<Pick<CrawlManifest, 'maxPagesPerHost'>> {
  if (share === null)
    return found !== null && found.maxSharePerHost !== null && maxPagesPerHost === undefined ? { maxPagesPerHost: null } : {};
  if (maxPagesPerHost !== undefined)
    throw new UsageError(`${dir}: --max-share-per-host and --max-pages-per-host are two limits of the same visits; omit one, or give none`);
  if (Number.isFinite(maxPages)) return { maxPagesPerHost: Math.ceil(share * maxPages) };
  if (given === undefined) return {};
  throw new UsageError('--max-share-per-host: is a share of --max-pages, which has no limit; give --max-pages, or --max-pages-per-host');
}

/** A budget below this has no warm-up by default: its random visits would be more than a twentieth of it. */
const LEAST_BUDGET = 20 * WARM_UP;

/** Does the crawl have a warm-up by default? @param folders of the topics. @throws ModelError */
async function fitsWarmUp(
  folders: readonly string[],
  seeds: readonly CanonicalUrl[],
  maxPages = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const [folder, ...others] = folders;
  if (folder === undefined || others.length > 0 || maxPages < LEAST_BUDGET) return false;
  if (new Set(seeds.map(hostKeyOf)).size > 1) return false;
  return (await loadCard(folder)).method !== 'keywords';
}

/** @throws UsageError for the place of a bucket, in a crawl on several machines without one */
export function refusePlaceWithoutBucket(
  { corpusBucket }: Pick<CrawlManifest, 'corpusBucket'>,
  { dir, ...place }: Pick<CrawlSettings, 'dir' | 's3Endpoint' | 's3Region'>,
): void {
  if (corpusBucket !== null) return;
  const idle = place.s3Endpoint !== undefined ? '--s3-endpoint' : place.s3Region !== undefined ? '--s3-region' : null;
  if (idle !== null) throw new UsageError(`${dir}: ${idle} has no effect, for the crawl stores its pages in no bucket; omit ${idle}`);
}

/** Folders of topic models named by the options. */
export function topicFolders({ topic = [] }: CrawlSettings): readonly string[] {
  return [topic].flat().filter((folder) => folder !== '');
}

/** The set must be that of the crawl, in any order; for one topic, an earlier active model is fine too. @throws UsageError, ModelError */
async function refuseOtherTopics({ topic, topics, relabelled }: CrawlManifest, options: CrawlSettings): Promise<void> {
  const folders = topicFolders(options);
  if (folders.length === 0) return;
  const own = topics.length > 0 ? topics : [topic];
  const known = new Set([...own.map(({ id }) => id), ...relabelled.map(({ from }) => from)]);
  const given = await loadTopics(folders);
  if (given.length === own.length && given.every(({ id }) => known.has(id))) return;
  const [another, that] = own.length === 1 ? ['another topic model', 'that'] : ['other topic models', 'those'];
  const names = own.map(({ name, id }) => `${name}, ${id}`).join('; ');
  throw new UsageError(`${options.dir}: this crawl was started with ${another} (${names}); use ${that}, or start a new crawl directory`);
}

/** @throws UsageError, DataError */
function newLinkModel(strategy: Strategy | OwnStrategyFile, path: string): string {
  if (!traitsOf(strategy).takesLinkModel)
    throw new UsageError(`--link-model ${path}: ${strategy} does not learn from links; omit --link-model, or omit --strategy`);
  return openLinkModel(path).sha256;
}

/** The crawl's lessons build on the link model that it started with. @throws UsageError, DataError */
function refuseOtherLinkModel({ linkModel }: CrawlManifest, dir: string, path: string): void {
  if (openLinkModel(path).sha256 === linkModel) return;
  const started = linkModel === null ? 'without a link model' : `with a link model other than ${path}`;
  throw new UsageError(`${dir}: this crawl was started ${started}; omit --link-model, or start a new crawl directory`);
}

/** Stored pages were read with the field rules that the crawl was started with. @throws UsageError, DataError */
async function refuseOtherFieldRules({ fieldRules }: CrawlManifest, dir: string, path: string): Promise<void> {
  if ((await openFieldRules(path)).sha256 === fieldRules) return;
  const started = fieldRules === null ? 'without field rules' : `with field rules other than ${path}`;
  throw new UsageError(`${dir}: this crawl was started ${started}; omit --fields, or start a new crawl directory`);
}

/**
 * The proxy of this run: the option if given, otherwise the stored one.
 * @throws UsageError if the stored one needs a name or password: these are not stored, and a run without the proxy would show the user's own address
 */
export function proxyOf({ proxy, dir }: Pick<CrawlSettings, 'proxy' | 'dir'>, manifest: Pick<CrawlManifest, 'proxy'>): string | null {
  if (proxy === NONE) return null;
  const stored = proxy === undefined && manifest.proxy !== null && URL.canParse(manifest.proxy) ? new URL(manifest.proxy) : null;
  if (stored === null || stored.username !== NOT_STORED) return proxy ?? manifest.proxy;
  throw new UsageError(
    `${dir}: the crawl uses the proxy ${stored.host}, whose name and password are not stored; give ${foragerCommand('crawl', '--proxy', `http://name:password@${stored.host}`)} again, or --proxy none`,
  );
}

/**
 * A crawl that may go everywhere must say who runs it. This does not apply to an archive on the disk, and to the user's own machine or net: with a proxy on a loopback address, or
 * if all seeds are private addresses or names under `localhost`.
 * @throws UsageError
 */
export function refuseAnonymous(
  { contact, scope, archive, archiveIndex }: CrawlManifest,
  seeds: readonly CanonicalUrl[],
  proxy: string | null,
  dir: string,
): void {
  if (archive.length > 0 && archiveIndex === null) return;
  if (contact?.trim() || scope.some((rule) => !rule.startsWith('not:'))) return;
  if (proxy !== null && hostnameIsLoopback(hostnameOf(proxy))) return;
  if (seeds.every((seed) => hostnameIsPrivate(hostnameOf(seed)))) return;
  throw new UsageError(
    `${dir}: a crawl that may go everywhere must say who runs it; give --contact <mail address or URL>, or --scope to stay on certain sites`,
  );
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** @throws UsageError for a stored contact that reaches nobody: an earlier version accepted any text. */
function refuseOldContact(found: CrawlManifest, { dir, contact }: CrawlSettings): void {
  if (contact !== undefined || !found.contact?.trim() || isContact(found.contact)) return;
  throw new UsageError(
    `${dir}: this crawl was started with --contact ${found.contact}, which is neither a mail address nor an http(s) URL; give a new --contact, e.g. you@example.org`,
  );
}

/** @throws UsageError also for a stored scope, which an earlier version may have accepted. */
function refuseOldScope(found: CrawlManifest, { dir, scope }: CrawlSettings): void {
  try {
    parseScope(scope?.length ? scope : found.scope);
  } catch (error) {
    if (scope?.length) throw error;
    throw new UsageError(
      `${dir}: this crawl was started with an unusable scope: ${messageOf(error)}; give all its rules again with --scope`,
      {
        cause: error,
      },
    );
  }
}
