import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError, UsageError } from '../core/errors.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../extract/extractor.ts';
import { loadModel } from '../topic/files.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import { type CrawlManifest, type CrawlPaths, modelInForce } from './crawl-directory.ts';

/** A topic model the user named. @throws UsageError when there is none; ModelError when it is damaged or of another version, as to `methodOf` too. */
export async function loadTopic(dir: string): Promise<LinearTopicModel> {
  if (!existsSync(join(dir, 'model.json')))
    throw new UsageError(`${dir}: no topic model is here; give the folder of one, or make it with: forager train <examples> --out ${dir}`);
  const model = await loadModel(dir);
  methodOf(model, dir);
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
export async function loadOwnModel(paths: CrawlPaths, manifest: Pick<CrawlManifest, 'topic' | 'relabelled'>): Promise<LinearTopicModel> {
  const { topic, relabelled } = manifest;
  const dir = modelInForce(paths, manifest);
  const remedy = `this is the crawl's copy of its topic model: copy ${topic.name} (model ${topic.id}) to ${dir} again, or start a new crawl directory`;
  const model = await loadModel(dir, remedy);
  const came = relabelled.length === 0 ? 'was begun with' : 'came to by its labels';
  if (model.id !== topic.id) throw new ModelError(`${dir}: is another model (${model.id}) than the crawl ${came}; ${remedy}`);
  methodOf(model, dir);
  return model;
}
