/** Judges pages from any input: one record per page. */

import { isOnTopic } from '../../base/core/on-topic.ts';
import type { TopicExplanation } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { loadTopic, methodOf } from '../../crawling/crawl-dir/load-topic.ts';
import { INPUT, type InputOptions, inputPages } from '../../crawling/input/inputs.ts';
import { type Bad, pageOr, type SourcePage } from '../../crawling/input/source-page.ts';
import { type PageReading, pageReading } from '../../crawling/reader/page-reading.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { nearWords } from '../../reading/topic/near-words.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { vectorsBehind } from '../../reading/topic/word-vector-source.ts';
import { readable } from './page-in-memory.ts';

export interface JudgeOptions extends InputOptions {
  /** Include the contribution of every term. Default false. */
  readonly explain?: boolean;
}

const JUDGE: OptionTable<JudgeOptions> = { ...INPUT, explain: checksOf(COMMANDS.judge).explain };

export interface JudgedPage {
  readonly id: string;
  readonly url: CanonicalUrl | null;
  readonly title: string;
  readonly relevance: Unit;
  readonly threshold: Unit;
  readonly onTopic: boolean;
  /** null unless requested. */
  readonly explanation: TopicExplanation | null;
}

/** See `judgePages` of the library. */
export async function* judgePages(model: string, input: string, options: JudgeOptions = {}): AsyncGenerator<JudgedPage> {
  checkOptions('judgePages', JUDGE, options);
  const { explain = false, ...rest } = options;
  const topic = await loadTopic(model);
  const reading = await pageReading([topic], 'none', { productToken: PRODUCT_TOKEN, extractor: methodOf(topic, model) });
  const near = explain ? nearWords(topic, await vectorsBehind(topic, (await readTraining(model))?.wordVectors ?? null)) : null;
  for await (const page of inputPages(input, rest)) {
    const skip: Bad = ({ message }) => rest.warn?.(`${page.id}: ${message}; skipped`);
    const judged = await pageOr(skip, () => judgedPage(page, topic, reading, near));
    if (judged !== null) yield judged;
  }
}

/** @throws DataError if the reader fails on the page */
function judgedPage(
  source: SourcePage,
  topic: LinearTopicModel,
  reading: PageReading,
  near: ReturnType<typeof nearWords> | null,
): JudgedPage {
  const { id, url } = source;
  const { extraction, layout } = reading.extractor.extractWithLayout(readable(source));
  const page = { ...extraction, url: url ?? extraction.metadata.canonical, lang: reading.languageOf(extraction) };
  reading.core?.open(page, layout);
  const { relevance } = reading.core?.judge(page) ?? reading.committee.judge(page);
  return {
    id,
    url,
    title: extraction.title,
    relevance,
    threshold: topic.threshold,
    onTopic: isOnTopic(relevance, topic.threshold),
    explanation: near === null ? null : near(topic.explain(page)),
  };
}
