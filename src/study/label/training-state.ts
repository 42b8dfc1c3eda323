/** Compares the labels of a crawl with its active model. */
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { modelAnswerFacts } from './judge/agreement.ts';
import type { Label, LabelLog } from './label-log.ts';
import { learnedLabels, learnedModelAnswers } from './learned-labels.ts';

/** Was the last training taken back, without an answer since? */
export function isUndone({ relabelled }: CrawlManifest, { lines }: LabelLog): boolean {
  const last = relabelled.at(-1);
  return last?.undone === true && last.lines === lines;
}

/** Was the last trained model not activated, without an answer since? */
export function isKeptBeside({ keptBeside }: CrawlManifest, log: LabelLog): boolean {
  return keptBeside !== null && log.isUnansweredSince(keptBeside.lines);
}

/** Do the labels, and the answers of a language model if they may teach, differ from those that the model was trained with? */
export function hasUnused(manifest: CrawlManifest, log: LabelLog): boolean {
  const taught = modelAnswerFacts(log)?.untaught === null ? log.modelAnswers() : [];
  return differs(log.labels, learnedLabels(manifest, log)) || differs(taught, learnedModelAnswers(manifest, log));
}

function differs(labels: readonly Pick<Label, 'url' | 'answer'>[], learned: ReadonlyMap<string, Label['answer']>): boolean {
  return labels.length !== learned.size || labels.some(({ url, answer }) => learned.get(url) !== answer);
}
