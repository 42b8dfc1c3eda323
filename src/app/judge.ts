/** Judge pages from anywhere: one record a page. */
import type { TopicExplanation } from '../core/parts.ts';
import type { CanonicalUrl, Unit } from '../core/types.ts';
import { checkOptions } from '../settings/check-options.ts';
import type { InputOptions } from './inputs.ts';
import { loadTopic, methodOf } from './load-topic.ts';
import { JUDGE } from './option-tables.ts';
import { pageLanguage } from './page-language.ts';
import { extractPages } from './read.ts';

export interface JudgeOptions extends InputOptions {
  /** With the contribution of every term. Default false. */
  readonly explain?: boolean;
}

export interface JudgedPage {
  readonly id: string;
  readonly url: CanonicalUrl | null;
  readonly title: string;
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly onTopic: boolean;
  /** null unless asked for. */
  readonly explanation: TopicExplanation | null;
}

/** The pages of an input, read as those the model was trained on and judged one by one. @throws ModelError, UsageError, DataError */
export async function* judgePages(model: string, input: string, options: JudgeOptions): AsyncGenerator<JudgedPage> {
  checkOptions('judgePages', JUDGE, options);
  const { explain = false, ...rest } = options;
  const topic = await loadTopic(model);
  const languageOf = await pageLanguage(topic);
  for await (const { id, url, extraction } of extractPages(input, { ...rest, extractor: methodOf(topic, model) })) {
    const page = { ...extraction, url: url ?? extraction.metadata.canonical, lang: languageOf(extraction) };
    const relevance = topic.judge(page);
    yield {
      id,
      url,
      title: extraction.title,
      relevance,
      threshold: topic.threshold,
      onTopic: relevance >= topic.threshold,
      explanation: explain ? topic.explain(page) : null,
    };
  }
}
