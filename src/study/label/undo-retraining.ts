/** Takes a relabelling back: the model before it is activated again. */
import { join } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { partOf } from '../../crawling/crawl-dir/topic-part.ts';
import { loadCard, loadModel } from '../../reading/topic/files.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { activate, changesOf, type LabelledCrawl, type RelabelChanges, type RelabelOptions, standing } from './activate-model.ts';
import { madeBy } from './learned-labels.ts';

export interface UndoReport {
  /** Ids of the former model and of the one that is active now. */
  readonly from: string;
  readonly to: string;
  readonly threshold: Unit;
  readonly changes: RelabelChanges;
}

/**
 * Activates the model before the last relabelling again. It also judges all pages read since then, and the manifest names that as a further change;
 * labels stay. Closes the crawl.
 * @throws UsageError if there is no relabelling to take back; ModelError, StoreError
 */
export async function undoRelabelling(labelled: LabelledCrawl, options: RelabelOptions): Promise<UndoReport> {
  const { part, crawl, model } = labelled;
  const { paths, manifest } = part;
  const { relabelled } = manifest;
  const made = madeBy(manifest);
  if (made === undefined)
    throw new UsageError(
      `${paths.dir}: the active model ${part.place === null ? '' : `of ${part.topic.name} `}is the crawl's first one; there is no training to take back`,
    );
  if (made.wishes?.changed)
    throw new UsageError(
      `${paths.dir}: the last change of the model was a wish about a subtopic; take it back with: ${commandOn('topics', paths.dir, '--undo')}`,
    );
  const isFirst = relabelled[0]?.from === made.from;
  const dir = isFirst ? paths.model : join(paths.models, made.from);
  const earlier = { model: await loadModel(dir), card: await loadCard(dir), training: await readTraining(dir) };
  const { labels = 0, modelAnswers } = relabelled.findLast(({ to, undone }) => to === made.from && undone !== true) ?? {};
  const before = standing(crawl, part);
  await activate(labelled, earlier, { labels, ...(modelAnswers !== undefined && { modelAnswers }), undone: true }, options);
  const after = openCrawl(paths.dir);
  try {
    const { id, threshold } = earlier.model;
    return { from: model.id, to: id, threshold, changes: changesOf(before, standing(after, partOf(after, part))) };
  } finally {
    await after.close();
  }
}
