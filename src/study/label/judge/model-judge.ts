/** A language model that answers pages of a labelled crawl. */

import { systemClock } from '../../../base/core/clock.ts';
import { checkOptions } from '../../../crawling/settings/check-options.ts';
import type { LabelledTopic } from '../labelled-topic.ts';
import { budgetOf, JUDGED_PAGES, JUDGING, type JudgingOptions } from '../labelling-options.ts';
import type { StoredQuestions } from '../stored-questions.ts';
import { type AnswerPair, type Disagreement, disagreementsIn, type ModelAnswerFacts, modelAnswerFacts, pairOf } from './agreement.ts';
import type { JudgingReport } from './judge-crawl.ts';

/** The judge, and the comparison of its answers with those of the person. They are no labels, and count in no estimate. */
export class ModelJudge {
  readonly #topic: LabelledTopic;
  readonly #questions: StoredQuestions;

  constructor(topic: LabelledTopic, questions: StoredQuestions) {
    [this.#topic, this.#questions] = [topic, questions];
  }

  /**
   * Lets a language model answer pages, see `judgeCrawl`. Its answers train the topic only if they agree with those of the person, see `untaughtBy`.
   * @throws UsageError, StoreError, DataError, ModelError, EnvironmentError
   */
  async run(options: JudgingOptions): Promise<JudgingReport> {
    checkOptions('judge', JUDGING, options, 'judgeUrl', 'judgeModel');
    const { judgeUrl: url, judgeModel, judgeQuestion, judgeKey, count = JUDGED_PAGES } = options;
    // Their client takes a quarter of a second to load, and few sessions ask a language model.
    const [{ checkedKey }, { judgeCrawl }] = await Promise.all([import('./chat-client.ts'), import('./judge-crawl.ts')]);
    await this.#questions.follow();
    const topic = this.#topic;
    const { pages, plan, model } = topic.judge;
    const { paths, log } = topic;
    const judged = { paths, log, pages, plan, modelId: model.id, textOf: topic.text.bind(topic), mayWrite: () => topic.check() };
    return judgeCrawl(judged, {
      server: { url, model: judgeModel, key: checkedKey(judgeKey) },
      question: judgeQuestion ?? null,
      count,
      limits: budgetOf(options),
      clock: systemClock,
      signal: options.signal ?? new AbortController().signal,
      callTime: undefined,
      onProgress: options.onProgress ?? (() => undefined),
    });
  }

  /** Answers of the language model that answered last, and its agreement with the person; null without any. */
  get facts(): ModelAnswerFacts | null {
    return modelAnswerFacts(this.#topic.log);
  }

  /** Pages that the person and that language model answer differently. */
  get disagreements(): Disagreement[] {
    return disagreementsIn(this.#topic.log);
  }

  /** The answers of the person and of that language model to a page; null unless both answered the same text. */
  pair(url: string): AnswerPair | null {
    return pairOf(this.#topic.log, url);
  }
}
