/** Trains the topic of a labelled crawl with its answers, or takes a training back. */

import { lockState } from '../../base/disk/lock.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import type { RelabelOptions } from './activate-model.ts';
import { shareNow } from './harvest-share.ts';
import { type MissingLabels, missingLabels } from './label-enough.ts';
import type { ShareEstimate } from './label-estimate.ts';
import type { LabelledTopic } from './labelled-topic.ts';
import { RELABEL } from './labelling-options.ts';
import { type RelabelReport, relabel } from './retrain.ts';
import { countsOf } from './stored-answers.ts';
import { hasUnused, isKeptBeside, isUndone } from './training-state.ts';
import { type UndoReport, undoRelabelling } from './undo-retraining.ts';

/** The trainings of a topic. A running crawl trains itself. */
export class TopicTraining {
  readonly #topic: LabelledTopic;

  constructor(topic: LabelledTopic) {
    this.#topic = topic;
  }

  /** Does the crawl's first model contain its training rows, as `run` needs them? */
  get trainable(): boolean {
    return this.#topic.trainable;
  }

  /** Folder of the crawl's copy of that model. */
  get modelFolder(): string {
    return this.#topic.paths.model;
  }

  /** Labels that are missing before `run` can activate a model; null if there are enough. */
  get missing(): MissingLabels | null {
    return missingLabels(countsOf(this.#topic.log), this.#topic.judge.ofKeywords);
  }

  /** Was the last training taken back, without an answer since? */
  get undone(): boolean {
    return isUndone(this.#topic.judge.part.manifest, this.#topic.log);
  }

  /** Was the last trained model not activated, without an answer since? */
  get keptBeside(): boolean {
    return isKeptBeside(this.#topic.judge.part.manifest, this.#topic.log);
  }

  /** Do the labels, and the answers of a language model if they may teach, differ from those that the model was trained with? */
  get unused(): boolean {
    return hasUnused(this.#topic.judge.part.manifest, this.#topic.log);
  }

  /** Precision of the pages that a harvest takes now; null if the topic was not trained again, or its answers do not tell. @throws DamageError */
  harvested(): ShareEstimate | null {
    const { part, pages } = this.#topic.judge;
    return shareNow(pages, part, this.#topic.log);
  }

  /** Trains the topic again with the labels, and judges all pages and links again: see `relabel`. @throws UsageError, ModelError, StoreError */
  async run(options: RelabelOptions = {}): Promise<RelabelReport> {
    checkOptions('relabel', RELABEL, options);
    const done = await this.#topic.activating((labelled) => relabel(labelled, options));
    return { ...done, harvest: done.active ? this.harvested() : null };
  }

  /** Activates the model before the last training again; all labels stay. @throws UsageError if there is none; ModelError, StoreError */
  async undo(options: RelabelOptions = {}): Promise<UndoReport> {
    checkOptions('undoRelabelling', RELABEL, options);
    return this.#topic.activating((labelled) => undoRelabelling(labelled, options));
  }

  /**
   * Asks the running crawl to train with all answers so far. The crawl sees that within ten visits.
   * @returns false if the crawl has ended meanwhile, so that nobody trains before its next run
   * @throws StoreError
   */
  async request(): Promise<boolean> {
    const topic = this.#topic;
    topic.check();
    await topic.log.requestTraining(new Date().toISOString());
    topic.settle();
    return lockState(topic.paths.lock) === 'held';
  }
}
