/** The judgement of each topic about a page, in a crawl with several topics. */

import { CommonThreshold } from '../../base/core/common-threshold.ts';
import { InvariantError } from '../../base/core/errors.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CorpusRecord, Topic, TopicJudgement, Unit } from '../../base/core/types.ts';

/** @param relevances to each topic, in their order */
export function judgementsOf(topics: readonly Topic[], relevances: readonly Unit[]): readonly TopicJudgement[] {
  return topics.map(({ name, id: modelId, threshold }, i) => {
    const relevance = relevances[i] ?? 0;
    return { name, modelId, relevance, threshold, onTopic: isOnTopic(relevance, threshold) };
  });
}

/** The topic to which a page is most relevant, by the distance from each topic's own threshold. @param judgements of at least one topic */
export function winnerOf(judgements: readonly TopicJudgement[]): TopicJudgement {
  const common = new CommonThreshold(judgements.map(({ threshold }) => threshold));
  const winner = judgements[common.winner(judgements.map(({ relevance }) => relevance))];
  if (winner === undefined) throw new InvariantError('a winner among no topics');
  return winner;
}

/** The judgement in a corpus record: with several topics, the one of the winner, and all of them. */
export function recordJudgement(
  topic: Parts['topic'],
  { relevance, relevances }: { readonly relevance: Unit; readonly relevances?: readonly Unit[] },
): Pick<CorpusRecord, 'relevance' | 'threshold' | 'modelId' | 'topics'> {
  if (relevances === undefined || topic.topics === undefined) return { relevance, threshold: topic.threshold, modelId: topic.id };
  const topics = judgementsOf(topic.topics, relevances);
  const { relevance: own, threshold, modelId } = winnerOf(topics);
  return { relevance: own, threshold, modelId, topics };
}
