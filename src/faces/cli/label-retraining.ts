/** Training again at the end of a command of labels, or why not. */

import { UsageError } from '../../base/core/errors.ts';
import { countText } from '../../base/text/number-text.ts';
import { labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import { adviceLine, refusedBy } from '../../reading/topic/advice.ts';
import type { RelabelOptions } from '../../study/label/activate-model.ts';
import { missingText } from '../../study/label/label-enough.ts';
import type { LabellingSession } from '../../study/label/labelling-session.ts';
import type { RelabelReport } from '../../study/label/retrain.ts';
import { warn } from './command.ts';
import { relabelLines, upheavalText } from './label-screen.ts';
import type { LabelSession } from './label-session.ts';
import { clockText, Progress } from './progress.ts';

export interface TrainingChoice {
  /** `wanted`: if there are enough answers. `required`: a lack of answers is an error. */
  readonly when: 'never' | 'wanted' | 'required';
  readonly evenIfWorse: boolean;
  readonly wordVectors?: string | undefined;
  /** Did the command collect answers in this session? Then nothing happens without a new one. */
  readonly afterAnswers: boolean;
}

/** @param collects does the command ask somebody? @throws UsageError for a model that becomes active without training */
export function retrainingOf(
  {
    retrain,
    evenIfWorse = false,
    wordVectors,
  }: { readonly retrain?: boolean; readonly evenIfWorse?: boolean; readonly wordVectors?: string },
  collects: boolean,
): TrainingChoice {
  if (evenIfWorse && retrain === false) throw new UsageError('--even-if-worse: applies to training again; omit it, or omit --no-retrain');
  return { when: retrain === undefined ? 'wanted' : retrain ? 'required' : 'never', evenIfWorse, wordVectors, afterAnswers: collects };
}

/** Answers of a model without its training rows cannot train it: the session only stores them. */
export function warnUntrainable({ labelling, dir }: LabelSession, { when }: TrainingChoice): void {
  if (when === 'never' || labelling.training.trainable) return;
  warn(
    `${dir}: its model has no training data, so answers are only stored; copy training.bin.gz from the model's own folder into ${labelling.training.modelFolder}, or use the answers in a crawl with a new topic (label import)`,
  );
}

/** Trains again, or reports why not. */
export async function retrainAtEnd(session: LabelSession, retraining: TrainingChoice): Promise<void> {
  const { labelling, outcome, json, say } = session;
  if (outcome.interrupted || retraining.when === 'never') return;
  const lack = lackOf(labelling, retraining);
  if (lack === null) await retrainNow(session, retraining);
  else if (outcome.relabelled === null) outcome.notTrained = lack;
  if (outcome.notTrained !== null && !json) say(`not trained again: ${outcome.notTrained}`);
}

/** Trains again in the midst of the questions, if the answers suffice. */
export async function retrainBetween(session: LabelSession, retraining: TrainingChoice): Promise<void> {
  if (retraining.when !== 'never' && lackOf(session.labelling, retraining) === null) await retrainNow(session, retraining);
}

/** Reason not to train the topic again; null if it is trained. If it is required, training itself reports a lack as an error. */
function lackOf({ answers: { counts }, training }: LabellingSession, { afterAnswers, when, evenIfWorse }: TrainingChoice): string | null {
  const { unused, undone, keptBeside, trainable, missing } = training;
  const again = keptBeside && evenIfWorse;
  if (!again && counts.yes + counts.no === 0) return 'no page is labelled y or n';
  if (!again && !unused) return 'the active model was already trained with all labels';
  if (afterAnswers && !trainable) return 'the model has no training data';
  if (afterAnswers && undone) return 'the last training was undone, and there are no answers since; label train uses the stored ones';
  if (afterAnswers && keptBeside && !evenIfWorse)
    return 'the last trained model is kept beside as worse, and there are no answers since; label train --even-if-worse activates it';
  if (missing !== null && when !== 'required')
    return `the answers are stored, and ${missingText(missing)} are needed; until then the model stays as it is`;
  return null;
}

async function retrainNow(session: LabelSession, { evenIfWorse, wordVectors }: TrainingChoice): Promise<void> {
  const { labelling, outcome, json, say, dir, crawl } = session;
  if (labelling.isRunning) {
    outcome.trainingRequested = true;
    const sees = await labelling.training.request();
    if (!json)
      say(
        sees ? SEEN : `the crawl has ended meanwhile; its next run trains with the answers, or: ${labellingCommand('label train', crawl)}`,
      );
    return;
  }
  const report = await withProgress('training', (given) =>
    labelling.training.run({ ...given, evenIfWorse, ...(wordVectors !== undefined && { wordVectors }) }),
  );
  outcome.relabelled = report;
  if (!json) for (const line of relabelLines(dir, report, crawl)) say(line);
  warnOf(dir, report);
}

const SEEN = 'the running crawl trains with the answers; it sees them within ten visits';

function warnOf(dir: string, { changes, card: { warnings, advice } }: RelabelReport): void {
  const upheaval = upheavalText(dir, changes);
  if (upheaval !== null) warn(`warning: ${upheaval}`);
  for (const left of warnings) warn(`note: ${left}`);
  for (const one of refusedBy(advice)) warn(`${one.severity}: ${adviceLine(one)}`);
}

/** Shows progress during `work`. */
export async function withProgress<T>(first: string, work: (options: RelabelOptions) => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let at = first;
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    return await work({
      warn,
      onProgress: (step, done) => {
        at = done === 0 ? step : `${step}, ${countText(done)}`;
      },
    });
  } finally {
    progress.close();
  }
}
