/** Wishes about subtopics take effect: the active model gets them, and judges the crawl again. */

import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { activeModel, type CrawlManifest, type CrawlPaths, type Wish, wishesOf } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { LinearTopicModel } from '../../reading/topic/model.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { activate, type LabelledCrawl, type RelabelOptions } from './activate-model.ts';
import { type LoggedWish, readWishes } from './wish-log.ts';

/** The wishes that hold and that the active model does not have; null if it has all of them and no other. @throws DamageError */
export function pendingWishes(paths: CrawlPaths, manifest: CrawlManifest): readonly LoggedWish[] | null {
  if (!isThere(paths.wishes)) return null;
  const wishes = readWishes(paths);
  return JSON.stringify(wishes.map(factsOfWish)) === JSON.stringify(wishesOf(manifest).map(factsOfWish)) ? null : wishes;
}

/** The wish without the words of its subtopic. */
export function factsOfWish({ way, id, name, at, by }: Wish | LoggedWish): Wish {
  return { way, id, name, at, ...(by !== undefined && { by }) };
}

/**
 * Gives the active model the wishes, and lets it judge all pages and links. Closes the crawl. They apply from the moment the manifest names them: a crash
 * before that leaves everything unchanged, and the next run gives them again.
 * @throws StoreError, DataError, ModelError
 */
export async function applyWishes(labelled: LabelledCrawl, wishes: readonly LoggedWish[], options: RelabelOptions): Promise<void> {
  const { part, model } = labelled;
  const { paths, manifest } = part;
  const folder = activeModel(paths, manifest);
  const last = manifest.relabelled.at(-1);
  const wished = { model: withWishes(model, wishes), card: await loadCard(folder), training: await readTraining(folder) };
  const change = {
    labels: last?.labels ?? 0,
    lines: last?.lines ?? 0,
    wishes: { active: wishes.map(factsOfWish), changed: true as const },
  };
  await activate(labelled, wished, change, options);
}

/** The model with these wishes and no others. */
function withWishes({ settings: { steering: _, ...settings }, tables }: LinearTopicModel, wishes: readonly LoggedWish[]): LinearTopicModel {
  const steering = wishes.map(({ way, id, name, place, subtopics }) => ({ way, id, name, place, subtopics }));
  return new LinearTopicModel(steering.length === 0 ? settings : { ...settings, steering }, tables);
}

/** Refuses crawls that cannot have wishes. @throws UsageError */
export function refuseWishes(
  { dir, gathered }: Pick<CrawlPaths, 'dir' | 'gathered'>,
  manifest: { readonly topics: readonly unknown[]; readonly at: string | null },
): void {
  if (manifest.topics.length > 0)
    throw new UsageError(`${dir}: has ${manifest.topics.length} topics; wishes about subtopics are for a crawl of one`);
  if (manifest.at !== null || isThere(gathered))
    throw new UsageError(`${dir}: is of a crawl on several machines, which takes no wishes about subtopics; label its pages instead`);
}
