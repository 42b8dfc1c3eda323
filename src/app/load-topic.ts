import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ModelError, UsageError } from '../core/errors.ts';
import { loadModel } from '../topic/files.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';

/** A topic model the user named. @throws UsageError when there is none; ModelError when it is damaged or of another version. */
export async function loadTopic(dir: string): Promise<LinearTopicModel> {
  if (!existsSync(join(dir, 'model.json')))
    throw new UsageError(`${dir}: no topic model is here; give the folder of one, or make it with: forager train <examples> --out ${dir}`);
  return loadModel(dir);
}

/**
 * A crawl's own copy of its topic model. Loaded before any page is read: the reading threads could only fail page after page.
 * @throws ModelError when it is missing, damaged, or not the one the crawl was begun with.
 */
export async function loadOwnModel(paths: CrawlPaths, { topic }: Pick<CrawlManifest, 'topic'>): Promise<LinearTopicModel> {
  const remedy = `this is the crawl's copy of its topic model: copy ${topic.name} (model ${topic.id}) to ${paths.model} again, or start a new crawl directory`;
  const model = await loadModel(paths.model, remedy);
  if (model.id !== topic.id)
    throw new ModelError(`${paths.model}: is another model (${model.id}) than the crawl was begun with; ${remedy}`);
  return model;
}
