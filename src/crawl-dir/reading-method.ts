/** How pages are read for topic models. Reading threads load it too, so it loads little. */
import { InvariantError, ModelError, UsageError } from '../core/errors.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../extract/text-methods.ts';
import type { LinearTopicModel } from '../topic/model.ts';

/** How pages are read for a model: as those it was trained on. @throws ModelError naming `dir` when this program has no such method. */
export function methodOf({ settings: { extractor } }: LinearTopicModel, dir: string): MainTextMethod {
  const method = MAIN_TEXT_METHODS.find((known) => known === extractor);
  if (method) return method;
  throw new ModelError(
    `${dir}: was trained on text of the extractor ${JSON.stringify(extractor)}, this program has ${MAIN_TEXT_METHODS.join(', ')}; use the version that trained it, or train the topic again`,
  );
}

/** How pages are read for several models: they are read once. @throws UsageError when not all were trained on text of the same extractor; ModelError */
export function commonMethod(models: readonly LinearTopicModel[], dirs: readonly string[]): MainTextMethod {
  const [first, ...others] = models.map((model, i) => methodOf(model, dirs[i] ?? ''));
  if (first === undefined) throw new InvariantError('no topic model to read pages for');
  const other = others.findIndex((method) => method !== first);
  if (other < 0) return first;
  throw new UsageError(
    `${dirs[other + 1]}: was trained on text of the extractor ${others[other]}, ${dirs[0]} on that of ${first}; topics of one crawl need the same: train one of them again with --extractor`,
  );
}
