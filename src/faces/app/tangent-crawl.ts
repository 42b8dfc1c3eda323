/** Starts a crawl as a tangent of another: a copy of it, whose visits are the lessons of another topic or other settings. */
import { createHash } from 'node:crypto';
import { constants, cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isoTime } from '../../base/core/clock.ts';
import { StoreError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { flushTree } from '../../base/core/on-disk.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { lockState } from '../../base/disk/lock.ts';
import { type OutputKind, withOutput } from '../../base/disk/output.ts';
import { counted } from '../../base/text/number-text.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  findCrawl,
  readManifest,
  refuseLostFrontier,
  writeManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicFolders } from '../../crawling/crawl-dir/crawl-settings.ts';
import { loadTopic } from '../../crawling/crawl-dir/load-topic.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { judgeAgain } from '../../study/label/activate-model.ts';
import type { CrawlOptions } from './crawl-options.ts';

const TANGENT = { form: 'folder', name: 'a crawl', earlier: () => null } as const satisfies OutputKind;
/** Settings that belong to the old topic and its files. */
const NOT_CARRIED: Partial<CrawlManifest> = {
  ...{ keptBeside: null, ask: [], stopRecall: null },
  ...{ judgeBy: null, judgeBand: null, judgeSha256: null, sink: null },
};
/** A removed corpus tail is no part of the crawl. */
const CUT = /^cut-/;

/**
 * Makes the directory of a new crawl from `options.from`, in one step: a kill leaves nothing of it. Does nothing if the directory has the crawl already.
 * The former crawl is only read.
 * @throws UsageError for a crawl that cannot be copied, or that the directory's crawl did not start from; DataError, StoreError, ModelError
 */
export async function beginTangent(options: CrawlOptions, isShared: boolean, warn: (message: string) => void): Promise<void> {
  const { dir, from } = options;
  if (from === undefined) return;
  const found = findCrawl(dir);
  if (found !== null && !options.force) return refuseOther(found, dir, from);
  const old = readManifest(from);
  refuseUnfit(old, options, isShared);
  const model = await otherModel(old, options);
  warn(`${dir}: starts as a copy of ${from}${model === null ? '' : `, whose pages and links the topic ${model.name} judges`}`);
  await withOutput(dir, TANGENT, { as: 'directory', warn, ...(options.signal && { signal: options.signal }) }, async (output) => {
    const paths = crawlPaths(output.path);
    copyCrawl(from, paths);
    const ofCode = await nameOrigin(paths, old, from, options);
    if (model !== null && ofCode > 0)
      warn(
        `${dir}: ${counted(ofCode, 'page keeps', 'pages keep')} the relevance that a judge or a hook of ${from} gave, also for another topic`,
      );
    if (model !== null) await adopt(paths, model, options, warn);
    flushTree(output.path);
    await output.publish();
  });
}

/** @throws UsageError */
function refuseOther({ from: origin }: CrawlManifest, dir: string, from: string): void {
  if (origin?.dir === resolve(from)) return;
  throw new UsageError(`${dir}: --from ${from}: the crawl here did not start from it; omit --from to resume it, or give another directory`);
}

/** @throws UsageError */
function refuseUnfit(old: CrawlManifest, options: CrawlOptions, isShared: boolean): void {
  const { from = '', topic } = options;
  const why = options.force
    ? 'makes a new directory, and replaces no crawl'
    : isShared || old.at !== null
      ? 'copies crawls of one machine; gather that crawl, and omit --at'
      : old.topics.length > 0 || [topic ?? []].flat().length > 1
        ? 'copies crawls of one topic, to one topic'
        : old.runs.length === 0
          ? 'has no visits yet'
          : lockState(crawlPaths(from).lock) !== 'free'
            ? 'is running, or may be; stop it first'
            : null;
  if (why !== null) throw new UsageError(`--from ${from}: ${why}`);
  refuseLostFrontier(old, crawlPaths(from));
}

/** The model of the new crawl; null if it is that of the old one. @throws UsageError, ModelError */
async function otherModel({ topic }: CrawlManifest, options: CrawlOptions): Promise<LinearTopicModel | null> {
  const [folder] = topicFolders(options);
  const model = folder === undefined ? null : await loadTopic(folder);
  return model === null || model.id === topic.id ? null : model;
}

/** Copies the visits with their pages and links. Labels, questions, wishes and known pages belong to the old topic, and stay with it. @throws StoreError */
function copyCrawl(from: string, to: CrawlPaths): void {
  const old = crawlPaths(from);
  const names = ['model', 'models', 'seeds', 'fieldRules', 'linkModel', 'optOut', 'withdrawn', 'frontier', 'corpus', 'archive'] as const;
  const before = manifestDigest(old);
  try {
    for (const name of names)
      if (existsSync(old[name]))
        cpSync(old[name], to[name], { recursive: true, filter: isCopied, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true });
  } catch (error) {
    throw storeErrorFrom(error, `copying ${from}`, to.dir);
  }
  if (lockState(old.lock) !== 'free' || manifestDigest(old) !== before)
    throw new StoreError('STORE_LOCKED', `${from}: another process has just worked on it; run the command again`);
}

/** LMDB makes its table of readers itself. */
function isCopied(path: string): boolean {
  const name = basename(path);
  return name !== 'lock.mdb' && !CUT.test(name);
}

/** SHA-256 of the manifest, hex: it has the id of the crawl, its model, and all its runs. */
function manifestDigest({ manifest }: CrawlPaths): string {
  return createHash('sha256').update(readFileSync(manifest)).digest('hex');
}

/** Writes the manifest of the copy. @returns the number of pages whose relevance is that of a judge or hook. @throws UsageError if the budget is below the visits that it has */
async function nameOrigin(paths: CrawlPaths, old: CrawlManifest, from: string, { maxPages }: CrawlOptions): Promise<number> {
  const origin = { dir: resolve(from), sha256: manifestDigest(crawlPaths(from)), visited: 0, settled: 0 };
  const copied: CrawlManifest = { ...old, ...NOT_CARRIED, from: origin };
  writeManifest(paths.dir, copied);
  const { frontier } = openCrawl(paths.dir);
  const { visited } = frontier.counts();
  let [settled, ofCode] = [0, 0];
  for (const { order, fate } of frontier.settled()) {
    settled = order;
    if (fate.hooked?.modelRelevance !== undefined) ofCode += 1;
  }
  await frontier.close();
  if (maxPages !== undefined && maxPages <= visited)
    throw new UsageError(`--max-pages ${maxPages}: the ${counted(visited, 'visit')} of ${from} count too; give more than that`);
  writeManifest(paths.dir, { ...copied, from: { ...origin, visited, settled } });
  return ofCode;
}

/** Lets another model judge the copy, as labels do. @throws StoreError, DataError */
async function adopt(paths: CrawlPaths, model: LinearTopicModel, options: CrawlOptions, warn: (message: string) => void): Promise<void> {
  const manifest = readManifest(paths.dir);
  const [folder = ''] = topicFolders(options);
  makeDirectory(paths.models);
  cpSync(folder, join(paths.models, model.id), { recursive: true });
  const onProgress = (step: string, done: number) => {
    if (done % 1000 === 0) warn(`${options.dir}: ${step}${done === 0 ? '' : `, ${done} so far`}`);
  };
  const { signal } = options;
  const settled = await judgeAgain(openCrawl(paths.dir), [model], () => undefined, { onProgress, ...(signal && { signal }) });
  const { name, id, threshold } = model;
  const entry = { at: isoTime(Date.now()), from: manifest.topic.id, to: id, labels: 0, lines: 0, settled, tangent: true as const };
  writeManifest(paths.dir, { ...manifest, topic: { name, id, threshold }, relabelled: [...manifest.relabelled, entry] });
}
