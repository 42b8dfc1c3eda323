import type { Topic } from '../../base/core/types.ts';
import { countText } from '../../base/text/number-text.ts';
import type { Doubt } from '../../reading/topic/doubts.ts';
import type { TopicYield } from '../../study/inspect/topic-yields.ts';
import { harvestRateText } from './grounds-text.ts';

export function topicText({ name, id, threshold }: Topic): string {
  return `topic ${name} (model ${id}, threshold ${threshold.toFixed(3)})`;
}

/** Result of one of several topics. @param doubts of the crawl */
export function yieldText(topic: TopicYield, doubts: readonly Doubt[]): string {
  const { kept, harvestRate, meanRelevance } = topic;
  const mean = meanRelevance === null ? '' : `, mean relevance ${meanRelevance.toFixed(3)} (by the model)`;
  return `  ${topicText(topic)}: kept ${countText(kept)}${mean}; ${harvestRateText(harvestRate, doubts)}`;
}
