import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError, UsageError } from '../core/errors.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../extract/extractor.ts';
import { loadModel } from '../topic/files.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import { readTraining, type StoredTraining, TRAINING_FILE } from '../topic/training-file.ts';
import { type CrawlManifest, type CrawlPaths, modelInForce } from './crawl-directory.ts';

/**
 * A topic model the user named. Its folder is looked through as a whole: a crawl copies it, and labels would meet what is damaged after all the work.
 * @throws UsageError when there is none; ModelError when it is damaged or of another version, as to `methodOf` too
 */
export async function loadTopic(dir: string): Promise<LinearTopicModel> {
  if (!existsSync(join(dir, 'model.json')))
    throw new UsageError(`${dir}: no topic model is here; give the folder of one, or make it with: forager train <examples> --out ${dir}`);
  const model = await loadModel(dir);
  methodOf(model, dir);
  await readTraining(dir);
  return model;
}

/** How pages are read for a model: as those it was trained on. @throws ModelError naming `dir` when this program has no such method. */
export function methodOf({ settings: { extractor } }: LinearTopicModel, dir: string): MainTextMethod {
  const method = MAIN_TEXT_METHODS.find((known) => known === extractor);
  if (method) return method;
  throw new ModelError(
    `${dir}: was trained on text of the extractor ${JSON.stringify(extractor)}, this program has ${MAIN_TEXT_METHODS.join(', ')}; use the version that trained it, or train the topic again`,
  );
}

/**
 * A crawl's own copy of its topic model, the one in force. Loaded before any page is read: the reading threads could only fail page after page.
 * @throws ModelError when it is missing, damaged, or not the one the crawl's manifest names.
 */
export async function loadOwnModel(paths: CrawlPaths, manifest: CrawlManifest): Promise<LinearTopicModel> {
  const { topic, relabelled, software } = manifest;
  const dir = modelInForce(paths, manifest);
  const remedy = `this is the crawl's copy of its topic model: copy ${topic.name} (model ${topic.id}) to ${dir} again, or start a new crawl directory`;
  const otherVersion = `this is the crawl's copy of its topic model: go on with the version that began the crawl (${software}), or train the topic again with this one and start a new crawl directory`;
  const model = await loadModel(dir, remedy, otherVersion);
  const came = relabelled.length === 0 ? 'was begun with' : 'came to by its labels';
  if (model.id !== topic.id) throw new ModelError(`${dir}: is another model (${model.id}) than the crawl ${came}; ${remedy}`);
  methodOf(model, dir);
  return model;
}

/** What a crawl's own copy of a model was trained on; null when its folder does not say. @param dir `model/`, or one of `models/` @throws ModelError when it is damaged */
export function readOwnTraining(dir: string, { topic }: Pick<CrawlManifest, 'topic'>): Promise<StoredTraining | null> {
  const path = join(dir, TRAINING_FILE);
  return readTraining(
    dir,
    `put ${TRAINING_FILE} of the model that ${topic.name} was crawled with there again, from its own folder or a copy of the crawl; or delete ${path}: without it, answers are stored but not trained with`,
  );
}
