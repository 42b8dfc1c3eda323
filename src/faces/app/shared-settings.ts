/** The settings that reach all workers of a crawl in a database while it runs: the active model, and the opt-out list. */

import { readFileSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { engineFiles, findEngineCrawl, putFile, putModel } from '../../crawling/cluster/crawl-list.ts';
import { readEngineAddress } from '../../crawling/cluster/engine-address.ts';
import { SqlClient } from '../../crawling/cluster/sql-client.ts';
import type { CrawlSnapshot, EngineCrawl } from '../../crawling/cluster/worker.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  OWN_OPT_OUT,
  readManifest,
  rejudgedBy,
  writeManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModels } from '../../crawling/crawl-dir/load-topic.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { LmdbStore } from '../../crawling/frontier/lmdb-store.ts';
import { withoutJudgements } from '../../crawling/frontier/write-rejudgement.ts';
import { judgeAgain } from '../../study/label/activate-model.ts';
import { bringFiles, filesOf, sharedManifest, writeInto } from './engine-files.ts';

/** The part of a manifest that changes when a model is activated. */
type ModelFacts = Pick<CrawlManifest, 'topic' | 'topics' | 'relabelled' | 'keptBeside'>;

const modelFacts = ({ topic, topics, relabelled, keptBeside }: CrawlManifest): ModelFacts => ({ topic, topics, relabelled, keptBeside });

const MODELS = 'models/';
const LABELS = 'labels.jsonl';

/** The opt-out list of one worker, in step with the others. */
export class SharedOptOut {
  readonly #client: SqlClient;
  readonly #crawl: EngineCrawl;
  readonly #path: string;
  /** The number of changes that this worker has seen; -1: it has looked at none. */
  #notices = -1;
  /** Text of the file when this worker last read or wrote it. */
  #text = '';
  #version = '';

  constructor(client: SqlClient, crawl: EngineCrawl, { optOut }: CrawlPaths) {
    [this.#client, this.#crawl, this.#path] = [client, crawl, optOut];
  }

  /**
   * Takes a change of another worker, and passes on one of this machine. Of two changes at one time, and when a worker joins, all lines stay.
   * @throws EngineGoneError, StoreError
   */
  async follow({ notices }: Pick<CrawlSnapshot, 'notices'>): Promise<void> {
    const version = versionOf(this.#path);
    const here = version === this.#version ? this.#text : readIfThere(this.#path);
    const isChanged = here !== this.#text || this.#notices < 0;
    this.#version = version;
    if (!isChanged && notices === this.#notices) return;
    const there = notices === this.#notices ? this.#text : await this.#stored();
    const text = !isChanged ? there : notices === this.#notices ? here : allLines(there, here);
    if (text !== here) writeInto(this.#path, text);
    this.#notices = text === there ? notices : await putFile(this.#client, this.#crawl, OWN_OPT_OUT, Buffer.from(text));
    [this.#text, this.#version] = [text, versionOf(this.#path)];
  }

  async #stored(): Promise<string> {
    const files = await engineFiles(this.#client, this.#crawl, OWN_OPT_OUT);
    return Buffer.from(files.get(OWN_OPT_OUT) ?? []).toString('utf8');
  }
}

function readIfThere(path: string): string {
  return isThere(path) ? readFileSync(path, 'utf8') : '';
}

function allLines(first: string, second: string): string {
  const lines = new Set(`${first}\n${second}`.split(/\r?\n/).filter((line) => line !== ''));
  return [...lines].map((line) => `${line}\n`).join('');
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : '';
}

/**
 * Copies the user's opt-out list into the crawl directory. There a shared crawl always has one, so that a host can opt out at any time.
 * @returns the manifest that names it
 */
export function withOwnOptOut({ optOut }: CrawlPaths, manifest: CrawlManifest): CrawlManifest {
  if (manifest.optOut !== optOut) writeInto(optOut, manifest.optOut === null ? '' : readFileSync(manifest.optOut));
  return { ...manifest, optOut };
}

/**
 * Brings the active model of a crawl into a directory, and lets it judge all pages and links there. No frontier may be open on it.
 * @throws StoreError, DataError, ModelError
 */
export async function adoptModel(client: SqlClient, name: string, paths: CrawlPaths, mayWrite: () => void): Promise<void> {
  const crawl = await findEngineCrawl(client, name);
  if (crawl === null) throw new UsageError(`${client.shown}: the crawl ${name} was dropped`);
  const there = sharedManifest(crawl);
  const files = await engineFiles(client, crawl);
  bringFiles(paths.dir, new Map([...files].filter(([path, body]) => path.startsWith(MODELS) || isLonger(paths.dir, path, body))));
  const own = readManifest(paths.dir);
  // A gathered directory may have trained a model of its own since.
  const manifest = own.relabelled.length > there.relabelled.length ? own : { ...own, ...modelFacts(there) };
  const settled = await judgeAgain(openCrawl(paths.dir), await loadOwnModels(paths, manifest), mayWrite, {});
  const [last, ...earlier] = [...manifest.relabelled].reverse();
  // Each directory settles in an order of its own.
  const relabelled = last === undefined ? [] : [...earlier.reverse(), { ...last, settled }];
  mayWrite();
  writeManifest(paths.dir, { ...manifest, relabelled });
}

/** Are they the labels of a directory, with further ones? Labels of its own stay. */
function isLonger(dir: string, path: string, body: Uint8Array): boolean {
  const own = join(dir, ...path.split('/'));
  if (basename(own) !== LABELS) return false;
  const there = isThere(own) ? readFileSync(own) : Buffer.alloc(0);
  return body.length > there.length && there.equals(body.subarray(0, there.length));
}

/** A view that was made again from the log has no judgements of the active model yet. @throws StoreError */
export async function noteModel({ frontier }: CrawlPaths, manifest: CrawlManifest): Promise<void> {
  const judgedBy = rejudgedBy(manifest);
  if (judgedBy === null) return;
  const store = LmdbStore.open(frontier, null, manifest.id);
  try {
    if (!store.hasRejudgement(judgedBy)) await store.putRejudgement(withoutJudgements(judgedBy, manifest.topic.threshold));
  } finally {
    await store.close();
  }
}

export interface ShareModelOptions {
  /** A gathered directory. */
  readonly dir: string;
  /** Address of the crawl, as `--at` of a crawl. */
  readonly at: string;
}

export interface SharedModel {
  /** Id of the model that all workers use from now on; null if the directory has no newer one. */
  readonly model: string | null;
}

/**
 * Activates the model of a gathered directory for all workers of its crawl, if it was trained there since it was gathered. They follow within seconds.
 * @throws UsageError if another model was activated meanwhile; StoreError, CrawlerError
 */
export async function shareModel({ dir, at }: ShareModelOptions): Promise<SharedModel> {
  const paths = crawlPaths(dir);
  const address = readEngineAddress(at);
  const client = await SqlClient.connect(address);
  try {
    const crawl = await findEngineCrawl(client, address.crawl);
    if (crawl === null) throw new UsageError(`${address.shown}: there is no crawl of this name; correct --at`);
    const there = sharedManifest(crawl);
    const here = readManifest(dir);
    const isNext = there.relabelled.every(({ to }, i) => here.relabelled[i]?.to === to);
    if (isNext && here.relabelled.length === there.relabelled.length) return { model: null };
    const manifest = JSON.stringify({ ...there, ...modelFacts(here) });
    const labels = topicParts(dir, here).flatMap((part) => (isThere(part.paths.labels) ? [part.paths.labels] : []));
    const files = new Map([...filesOf(paths)].filter(([path]) => path.startsWith(MODELS)));
    for (const path of labels) files.set(relative(dir, path).split(sep).join('/'), readFileSync(path));
    if (!isNext || !(await putModel(client, crawl, there.relabelled.length, here.relabelled.length, manifest, files)))
      throw new UsageError(
        `${address.shown}: another model was activated meanwhile; gather the crawl into a new directory, and label there`,
      );
    return { model: here.topic.id };
  } finally {
    await client.close();
  }
}
