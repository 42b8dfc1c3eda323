/** A session that labels the pages of a crawl. */

import { checkOptions } from '../../crawling/settings/check-options.ts';
import { ModelJudge } from './judge/model-judge.ts';
import { LabelledTopic } from './labelled-topic.ts';
import { LABELLING, type LabellingOptions } from './labelling-options.ts';
import { PageQuestions } from './page-questions.ts';
import { StoredAnswers } from './stored-answers.ts';
import { StoredQuestions } from './stored-questions.ts';
import { TopicTraining } from './topic-training.ts';

/**
 * A crawl that is being labelled. Each answer is on disk before its call resolves, so the session may end at any moment without loss. If the crawl runs
 * already, this session only writes answers, and `training.request` lets the crawl train itself. Otherwise no crawl can run on the directory meanwhile.
 */
export class LabellingSession {
  readonly questions: PageQuestions;
  readonly answers: StoredAnswers;
  readonly judge: ModelJudge;
  readonly training: TopicTraining;
  readonly #topic: LabelledTopic;

  private constructor(topic: LabelledTopic, options: LabellingOptions) {
    const ofCrawl = new StoredQuestions(topic);
    this.#topic = topic;
    this.answers = new StoredAnswers(topic, ofCrawl, options.name);
    this.questions = new PageQuestions(topic, ofCrawl, this.answers, options);
    this.judge = new ModelJudge(topic, ofCrawl);
    this.training = new TopicTraining(topic);
  }

  /**
   * @throws UsageError if there is no crawl, if it has several topics and none is named, or if its labels have another seed; StoreError STORE_LOCKED while it is labelled
   * elsewhere, or while another command changes it; ModelError, DataError, StoreError if a file in the directory is damaged
   */
  static async open(options: LabellingOptions): Promise<LabellingSession> {
    checkOptions('openLabelling', LABELLING, options, 'dir');
    const topic = await LabelledTopic.open(options);
    try {
      return new LabellingSession(topic, options);
    } catch (error) {
      await topic.close();
      throw error;
    }
  }

  /** Did the crawl run when the session started? Then this session cannot train, but ask the crawl for it. */
  get isRunning(): boolean {
    return this.#topic.isRunning;
  }

  /** Has a crawl that ran when the session started ended? Another session may then train. */
  get crawlHasEnded(): boolean {
    return this.#topic.crawlHasEnded;
  }

  /** A second call does nothing. */
  async close(): Promise<void> {
    await this.#topic.close();
  }
}
