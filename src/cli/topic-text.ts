import type { TopicYield } from '../app/topic-yields.ts';
import type { Topic } from '../core/types.ts';
import { countText, percentText } from './progress.ts';

export function topicText({ name, id, threshold }: Topic): string {
  return `topic ${name} (model ${id}, threshold ${threshold.toFixed(3)})`;
}

/** What one of several topics came to. */
export function yieldText(topic: TopicYield): string {
  const { kept, harvestRate, meanRelevance } = topic;
  const mean = meanRelevance === null ? '' : `, mean relevance ${meanRelevance.toFixed(3)}`;
  return `  ${topicText(topic)}: kept ${countText(kept)}${mean}; harvest rate ${percentText(harvestRate)}`;
}
