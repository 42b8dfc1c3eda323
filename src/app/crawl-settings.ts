/** What a crawl is begun with, and what a later run of it may say anew. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { messageOf, UsageError } from '../core/errors.ts';
import type { Strategy } from '../core/parts.ts';
import type { CanonicalUrl, Ms, Unit } from '../core/types.ts';
import { hostnameIsLoopback, hostnameIsPrivate } from '../fetch/ssrf.ts';
import { AIMLESS, BY_GRAPH } from '../links/strategies.ts';
import { Committee } from '../topic/committee.ts';
import { parseScope } from '../web/scope.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { checkOwnFieldRules, openFieldRules } from './field-rules.ts';
import { loadTopics, ownMethod } from './load-topic.ts';
import { stopYieldOf } from './stop-yield.ts';
import { openLinkModel } from './taught-scorer.ts';
import { isContact, userAgentOf, VERSION } from './version.ts';

/**
 * A host has at least as much time off as its last answer took: the example of Heritrix's "Politeness parameters". Its default is 5, with 3 s
 * as the least delay; BUbiNG and Nutch have fixed delays. 5 would slow every host that takes over 200 ms, which is most.
 */
const DELAY_FACTOR = 1;
const DEFAULTS = { delay: 1000, strategy: 'apprentice', tunnel: 4, rngSeed: 1 } as const;
const NONE = 'none';

/** The manifest of a new crawl, without its seeds: all that is wrong with its options is found before anything is written. @throws UsageError, DataError, ModelError */
export async function newManifest(options: CrawlOptions): Promise<CrawlManifest> {
  const topics = topicFolders(options);
  if (topics.length === 0)
    throw new UsageError(`${options.dir}: a new crawl needs a topic; give --topic models/<name> (make one with: forager train)`);
  if (!options.seeds || options.seeds.length === 0)
    throw new UsageError(`${options.dir}: a new crawl needs seeds; give --seeds <url or file>`);
  if (options.unpark) throw new UsageError(`${options.dir}: --unpark is for a crawl to go on with, and there is none; leave it out`);
  const models = await loadTopics(topics);
  const { name, id, threshold } = new Committee(models);
  const strategy = options.strategy ?? DEFAULTS.strategy;
  const tunnel = options.focus === 'hard' ? 0 : (options.tunnel ?? (AIMLESS.includes(strategy) ? null : DEFAULTS.tunnel));
  parseScope(options.scope ?? []);
  const delayMs = options.delay ?? DEFAULTS.delay;
  return {
    format: 1,
    id: randomUUID(),
    software: `forager/${VERSION}`,
    createdAt: new Date().toISOString(),
    topic: { name, id, threshold },
    topics: models.length === 1 ? [] : models.map((model) => ({ name: model.name, id: model.id, threshold: model.threshold })),
    relabelled: [],
    keptBeside: null,
    seeds: [],
    seedFile: null,
    strategy,
    rngSeed: options.rngSeed ?? DEFAULTS.rngSeed,
    userAgent: userAgentOf(options.userAgent ?? null, options.contact ?? null),
    contact: options.contact ?? null,
    proxy: withoutSecret(options.proxy),
    allowPrivate: options.allowPrivate ?? false,
    patienceMs: options.patience === undefined || options.patience === 'auto' ? defaultPatience(strategy) : options.patience,
    traps: options.traps !== 'off',
    explore: options.explore ?? 0,
    gamma: gammaOf(options, strategy),
    expansion: { maxDepth: options.maxDepth ?? null, tunnel },
    scope: [...(options.scope ?? [])],
    delayMs,
    // Who wants no delay at all wants none for a slow answer either.
    delayFactor: delayFactorOf(options) ?? (delayMs === 0 ? 0 : DELAY_FACTOR),
    perIp: options.perIp !== 'off',
    perDomain: options.perDomain ?? false,
    optOut: fileOf(options.optOut, null),
    hosts: fileOf(options.hosts, null),
    cookies: options.cookies ?? false,
    http2: options.http2 ?? false,
    maxPagesPerHost: options.maxPagesPerHost ?? null,
    fieldRules: options.fieldRules === undefined ? null : (await openFieldRules(options.fieldRules)).sha256,
    linkModel: options.linkModel === undefined ? null : newLinkModel(strategy, options.linkModel),
    record: options.record === true || BY_GRAPH.includes(strategy),
    sitemaps: options.sitemaps ?? false,
    stopYield: stopYieldOf(options.stopYield, null),
    runs: [],
  };
}

/** What a crawl was begun with stays, but for what the command says again: limits and manners are replaced. Its seeds are those of before. @throws UsageError, DataError, ModelError */
export async function resumedManifest(found: CrawlManifest, paths: CrawlPaths, options: CrawlOptions): Promise<CrawlManifest> {
  if (options.strategy && options.strategy !== found.strategy) {
    throw new UsageError(`${options.dir}: was begun with --strategy ${found.strategy}; go on with that, or start a new crawl directory`);
  }
  if (options.gamma !== undefined && options.gamma !== found.gamma)
    throw new UsageError(`${options.dir}: was begun with --gamma ${found.gamma}; go on with that, or start a new crawl directory`);
  await ownMethod(paths, found);
  await refuseOtherTopics(found, options);
  await checkOwnFieldRules(paths, found);
  if (options.linkModel !== undefined) refuseOtherLinkModel(found, options.dir, options.linkModel);
  if (options.fieldRules !== undefined) await refuseOtherFieldRules(found, options.dir, options.fieldRules);
  const scope = resumedScope(found, options);
  const tunnel = options.focus === 'hard' ? 0 : options.tunnel;
  return {
    ...found,
    id: found.id ?? randomUUID(),
    userAgent:
      options.userAgent || options.contact ? userAgentOf(options.userAgent ?? null, options.contact ?? found.contact) : found.userAgent,
    contact: resumedContact(found, options),
    proxy: options.proxy === NONE ? null : (withoutSecret(options.proxy) ?? found.proxy),
    allowPrivate: options.allowPrivate || found.allowPrivate,
    patienceMs: options.patience === 'auto' ? defaultPatience(found.strategy) : (options.patience ?? found.patienceMs),
    traps: options.traps === undefined ? found.traps : options.traps === 'on',
    explore: options.explore ?? found.explore,
    expansion: { maxDepth: options.maxDepth ?? found.expansion.maxDepth, tunnel: tunnel ?? found.expansion.tunnel },
    scope,
    delayMs: options.delay ?? found.delayMs,
    delayFactor: delayFactorOf(options) ?? found.delayFactor,
    perIp: options.perIp === undefined ? found.perIp : options.perIp === 'on',
    perDomain: options.perDomain || found.perDomain,
    optOut: fileOf(options.optOut, found.optOut),
    hosts: fileOf(options.hosts, found.hosts),
    cookies: options.cookies || found.cookies,
    http2: options.http2 || found.http2,
    maxPagesPerHost: options.maxPagesPerHost ?? found.maxPagesPerHost,
    record: options.record || found.record,
    sitemaps: options.sitemaps || found.sitemaps,
    stopYield: stopYieldOf(options.stopYield, found.stopYield),
  };
}

/** Folders of topic models, as the options name them. */
export function topicFolders({ topic = [] }: CrawlOptions): readonly string[] {
  return [topic].flat().filter((folder) => folder !== '');
}

/** The set is that of the crawl, in any order; of one topic, a model that was in force will do. @throws UsageError, ModelError */
async function refuseOtherTopics({ topic, topics, relabelled }: CrawlManifest, options: CrawlOptions): Promise<void> {
  const folders = topicFolders(options);
  if (folders.length === 0) return;
  const own = topics.length > 0 ? topics : [topic];
  const known = new Set([...own.map(({ id }) => id), ...relabelled.map(({ from }) => from)]);
  const given = await loadTopics(folders);
  if (given.length === own.length && given.every(({ id }) => known.has(id))) return;
  const [another, that] = own.length === 1 ? ['another topic model', 'that'] : ['other topic models', 'those'];
  const names = own.map(({ name, id }) => `${name}, ${id}`).join('; ');
  throw new UsageError(`${options.dir}: was begun with ${another} (${names}); go on with ${that}, or start a new crawl directory`);
}

/** @throws UsageError */
function gammaOf({ dir, gamma = 0 }: CrawlOptions, strategy: Strategy): Unit {
  if (!(gamma >= 0 && gamma < 1)) throw new UsageError(`--gamma ${gamma}: not a number from 0 to below 1`);
  if (gamma > 0 && strategy !== 'apprentice')
    throw new UsageError(`${dir}: --gamma is of the apprentice, and ${strategy} gives no credit; leave it out, or --strategy`);
  return gamma;
}

/** @throws UsageError, DataError */
function newLinkModel(strategy: Strategy, path: string): string {
  if (strategy !== 'apprentice')
    throw new UsageError(`--link-model ${path}: ${strategy} does not learn of links; leave it out, or --strategy`);
  return openLinkModel(path).sha256;
}

/** Lessons build on what the crawl began with. @throws UsageError, DataError */
function refuseOtherLinkModel({ linkModel }: CrawlManifest, dir: string, path: string): void {
  if (openLinkModel(path).sha256 === linkModel) return;
  const begun = linkModel === null ? 'without a link model' : 'with another link model';
  throw new UsageError(`${dir}: was begun ${begun} than ${path}; go on without --link-model, or start a new crawl directory`);
}

/** Pages that are in the corpus already were read by the rules the crawl was begun with. @throws UsageError, DataError */
async function refuseOtherFieldRules({ fieldRules }: CrawlManifest, dir: string, path: string): Promise<void> {
  if ((await openFieldRules(path)).sha256 === fieldRules) return;
  const begun = fieldRules === null ? 'without field rules' : 'with other field rules';
  throw new UsageError(`${dir}: was begun ${begun} than ${path}; go on without --fields, or start a new crawl directory`);
}

/** What this run goes through: said now, else as the crawl was begun. */
export function proxyOf({ proxy }: CrawlOptions, manifest: CrawlManifest): string | null {
  return proxy === NONE ? null : (proxy ?? manifest.proxy);
}

/**
 * A crawl that may go everywhere says who runs it. It need not where it is of the user's own machine or net: by way of a proxy on a loopback address, or
 * when the seeds are private addresses or names under `localhost`.
 * @throws UsageError
 */
export function refuseAnonymous(
  { contact, scope }: CrawlManifest,
  seeds: readonly CanonicalUrl[],
  proxy: string | null,
  dir: string,
): void {
  if (contact?.trim() || scope.some((rule) => !rule.startsWith('not:'))) return;
  if (proxy !== null && hostnameIsLoopback(hostnameOf(proxy))) return;
  if (seeds.every((seed) => hostnameIsPrivate(hostnameOf(seed)))) return;
  throw new UsageError(
    `${dir}: a crawl that may go everywhere has to say who runs it; give --contact <mail address or URL>, or --scope to stay on certain sites`,
  );
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** @throws UsageError */
function delayFactorOf({ delayFactor }: CrawlOptions): number | undefined {
  if (delayFactor !== undefined && !(delayFactor >= 0 && delayFactor < Number.POSITIVE_INFINITY))
    throw new UsageError(`--delay-factor ${delayFactor}: not a number of at least 0`);
  return delayFactor;
}

/** The crawl may be gone on with from elsewhere, so the path is a full one. */
function fileOf(path: string | undefined, before: string | null): string | null {
  if (path === undefined) return before;
  return path === NONE ? null : resolve(path);
}

function withoutSecret(proxy: string | undefined): string | null {
  if (proxy === undefined || !URL.canParse(proxy)) return null;
  const { username, password } = new URL(proxy);
  return username === '' && password === '' ? proxy : null;
}

/** @throws UsageError for a crawl's own contact that reaches nobody: an earlier version took any. */
function resumedContact(found: CrawlManifest, { dir, contact }: CrawlOptions): string | null {
  if (contact !== undefined || !found.contact?.trim() || isContact(found.contact)) return contact ?? found.contact;
  throw new UsageError(
    `${dir}: was begun with --contact ${found.contact}, which is no mail address and no http(s) URL; give --contact anew, e.g. you@example.org`,
  );
}

/** @throws UsageError also for a crawl's own scope, which an earlier version may have understood. */
function resumedScope(found: CrawlManifest, { dir, scope = [] }: CrawlOptions): string[] {
  const rules = scope.length > 0 ? [...scope] : found.scope;
  try {
    parseScope(rules);
  } catch (error) {
    if (rules !== found.scope) throw error;
    throw new UsageError(`${dir}: was begun with a scope that cannot be used: ${messageOf(error)}; give all its rules anew with --scope`, {
      cause: error,
    });
  }
  return rules;
}

/** null: by the limits of each run. Strategies that do not look at the topic have nothing to wait for. */
function defaultPatience(strategy: Strategy): Ms | null {
  return AIMLESS.includes(strategy) ? 0 : null;
}
