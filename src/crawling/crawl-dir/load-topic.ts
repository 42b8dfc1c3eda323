import { join } from 'node:path';
import { DamageError, damageIn, InvariantError, ModelError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { refuseFileInPath } from '../../base/disk/directories.ts';
import { endLeftovers } from '../../base/disk/output.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank, pathWord } from '../../base/text/shell-line.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod, methodNamed } from '../../reading/extract/text-method-names.ts';
import { loadModel } from '../../reading/topic/files.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { readTraining, type StoredTraining, TRAINING_FILE } from '../../reading/topic/training-file.ts';
import { activeModel, type CrawlManifest, type CrawlPaths, type OwnTopic, topicsOf } from './crawl-directory.ts';

/** Each topic costs memory in every reading thread (see `Committee`) and a judgement of every page. */
const MAX_TOPICS = 20;

/**
 * Load a topic model named by the user. Checks its whole folder: a crawl copies it, and labelling would find damage only after all the work.
 * @throws UsageError if there is none; ModelError if it is damaged or of another version, or as `methodOf`
 */
export async function loadTopic(dir: string): Promise<LinearTopicModel> {
  refuseFileInPath(dir);
  await endLeftovers(dir);
  if (!isThere(join(dir, 'model.json')))
    throw new UsageError(
      `${dir}: no topic model is here; give the folder of one, or make it with: ${foragerCommand('train', new Blank('examples'), '--out', pathWord(dir))}`,
    );
  const model = await loadModel(dir);
  if (model.settings.steering !== undefined)
    throw new UsageError(`${dir}: has wishes about subtopics of the crawl that it is of; give the model that this crawl started with`);
  methodOf(model, dir);
  await readTraining(dir);
  return model;
}

/**
 * The extractor of a model's training pages, which must also read the pages it judges. @throws ModelError that names `dir` if this program
 * has no such method.
 */
export function methodOf({ settings: { extractor } }: LinearTopicModel, dir: string): MainTextMethod {
  const method = methodNamed(extractor);
  if (method !== null) return method;
  throw new ModelError(
    `${dir}: was trained on text of the extractor ${JSON.stringify(extractor)}, but this program has ${MAIN_TEXT_METHODS.join(', ')}; use the version that trained it, or train the topic again`,
  );
}

/**
 * Load the topic models of one crawl.
 * @throws UsageError if there are too many, if two are the same or share a name, or if they read pages in different ways; or as `loadTopic`
 */
export async function loadTopics(dirs: readonly string[]): Promise<readonly LinearTopicModel[]> {
  if (dirs.length > MAX_TOPICS)
    throw new UsageError(`--topic: ${dirs.length} topics are too many for one crawl; give at most ${MAX_TOPICS}`);
  const models = await Promise.all(dirs.map(loadTopic));
  for (const [i, { id, name }] of models.entries()) {
    const same = models.findIndex((other) => other.id === id || other.name === name);
    if (same === i) continue;
    const why = models[same]?.id === id ? 'the same model' : `another model with the same name, ${name},`;
    throw new UsageError(`--topic ${dirs[i]}: is ${why} as ${dirs[same]}; give each topic once, and train it under a name of its own`);
  }
  commonMethod(models, dirs);
  return models;
}

/**
 * The one extractor of several models: pages are read once. @throws UsageError if the models were trained with different extractors;
 * ModelError
 */
export function commonMethod(models: readonly LinearTopicModel[], dirs: readonly string[]): MainTextMethod {
  const [first, ...others] = models.map((model, i) => methodOf(model, dirs[i] ?? ''));
  if (first === undefined) throw new InvariantError('no topic model to read pages for');
  const other = others.findIndex((method) => method !== first);
  if (other < 0) return first;
  throw new UsageError(
    `${dirs[other + 1]}: was trained on text of the extractor ${others[other]}, but ${dirs[0]} on text of ${first}; topics of one crawl need the same extractor. Train one of them again with --extractor`,
  );
}

/** A crawl's own copies of the models of its topics, in their order. @throws DamageError, ModelError as `loadOwnModel` */
export async function loadOwnModels(paths: CrawlPaths, manifest: CrawlManifest): Promise<readonly LinearTopicModel[]> {
  return Promise.all(topicsOf(paths, manifest).map((topic) => loadOwn(topic, manifest)));
}

/** The extractor for the pages of a crawl. @throws DamageError, ModelError as `loadOwnModel` */
export async function ownMethod(paths: CrawlPaths, manifest: CrawlManifest): Promise<MainTextMethod> {
  return commonMethod(
    await loadOwnModels(paths, manifest),
    topicsOf(paths, manifest).map(({ folder }) => folder),
  );
}

/**
 * The active model of a crawl of one topic, from the crawl's own copy. Loaded before any page is read: the reading threads could only fail page after page.
 * @throws DamageError if it is missing, damaged, or not the one that the crawl's manifest names; ModelError if it is of another version
 */
export async function loadOwnModel(paths: CrawlPaths, manifest: CrawlManifest): Promise<LinearTopicModel> {
  return loadOwn({ ...manifest.topic, folder: activeModel(paths, manifest) }, manifest);
}

/**
 * Asks the witnesses of all that a crawl needs of its models when it is resumed: the active ones, and the training that its labels add to.
 * @throws DamageError, ModelError as `loadOwnModel`
 */
export async function checkOwnModels(paths: CrawlPaths, manifest: CrawlManifest): Promise<void> {
  await ownMethod(paths, manifest);
  const active = topicsOf(paths, manifest).map(({ folder }) => folder);
  const folders = new Set(manifest.topics.length === 0 ? [paths.model, ...active] : active);
  for (const folder of folders) await readOwnTraining(folder, manifest);
}

async function loadOwn({ name, id, folder: dir }: OwnTopic, { relabelled, software }: CrawlManifest): Promise<LinearTopicModel> {
  const remedy = `this is the crawl's copy of its topic model; copy ${name} (model ${id}) to ${dir} again, or start a new crawl directory`;
  const otherVersion = `this is the crawl's copy of its topic model; use the version that started the crawl (${software}), or train the topic again with this one and start a new crawl directory`;
  const model = await ofCrawl(() => loadModel(dir, remedy, otherVersion));
  const came = relabelled.length === 0 ? 'was started with' : 'trained with its labels';
  if (model.id !== id) throw new DamageError(`${dir}: is model ${model.id}, not the one that the crawl ${came}; ${remedy}`);
  methodOf(model, dir);
  return model;
}

/** The training data of a crawl's copy of a model; null if its folder has none. @param dir `model/`, or one of `models/` @throws DamageError */
export function readOwnTraining(dir: string, { topic }: Pick<CrawlManifest, 'topic'>): Promise<StoredTraining | null> {
  const path = join(dir, TRAINING_FILE);
  const remedy = `restore ${TRAINING_FILE} of the model that ${topic.name} was crawled with, from its own folder or a copy of the crawl; or delete ${path}: without it, answers are stored but not used for training`;
  return ofCrawl(() => readTraining(dir, remedy));
}

/** Reads a file of the crawl itself. @throws DamageError */
async function ofCrawl<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw damageIn(error);
  }
}
