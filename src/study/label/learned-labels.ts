/** The labels that the active model of a crawl was trained with. */
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { Label, LabelLog } from './label-log.ts';

/** The relabelling that made the current model, with labels or wishes; undefined if it is the first model of the crawl. */
export function madeBy({ topic, relabelled }: CrawlManifest): CrawlManifest['relabelled'][number] | undefined {
  const isWithoutWish = ({ wishes }: CrawlManifest['relabelled'][number]) => wishes?.changed === true && wishes.active.length === 0;
  return relabelled.findLast((one) => one.to === topic.id && one.undone !== true && !isWithoutWish(one));
}

/** Labels that the active model was trained with, by URL: those given under earlier models, in the lines that the label file had at that training. */
export function learnedLabels(manifest: CrawlManifest, log: LabelLog): Map<string, Label['answer']> {
  const made = madeBy(manifest);
  const earlier = made === undefined ? [] : manifest.relabelled.slice(0, manifest.relabelled.indexOf(made) + 1);
  const before = new Set(earlier.map(({ from }) => from).filter((id) => id !== manifest.topic.id));
  return new Map(log.labelsUnder(before, made?.lines).map(({ url, answer }) => [url, answer]));
}

/** Answers of a language model that the active model was trained with, by URL. */
export function learnedModelAnswers(manifest: CrawlManifest, log: LabelLog): Map<string, Label['answer']> {
  const made = madeBy(manifest);
  if (made === undefined || (made.modelAnswers ?? 0) === 0) return new Map();
  return new Map(log.modelAnswers(made.lines).map(({ url, answer }) => [url, answer]));
}
