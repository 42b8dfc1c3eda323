/** The words of a topic, and the queries for search engines that they suggest. */
import { loadBackground } from '../../reading/topic/background.ts';
import { CandidateScorer } from '../../reading/topic/candidate-words.ts';
import { isCommon } from '../../reading/topic/common-terms.ts';
import { loadCard, loadModel } from '../../reading/topic/files.ts';
import { type SuggestedQuery, suggestQueries } from '../../reading/topic/query-suggestions.ts';
import { type TopicWords, topicWords } from '../../reading/topic/topic-words.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { vectorsBehind } from '../../reading/topic/word-vector-source.ts';
import { loadWordVectors, type WordVectors } from '../../reading/topic/word-vectors.ts';

/** The words of a topic, opened for scores and queries. */
export interface OpenTopicWords {
  readonly topic: TopicWords;
  readonly scorer: CandidateScorer;
  /** Vectors of the model; null without any. */
  readonly vectors: WordVectors | null;
}

/** @param folder of a topic model. @throws ModelError */
export async function openTopicWords(folder: string): Promise<OpenTopicWords> {
  const [card, model, training, background] = await Promise.all([
    loadCard(folder),
    loadModel(folder),
    readTraining(folder),
    loadBackground(),
  ]);
  const vectors = await vectorsBehind(model, training?.wordVectors ?? null);
  const saysNothing = (word: string) => isCommon(word, background);
  const topic = topicWords({ card, model, training, vocabulary: vectors ?? (await loadWordVectors()), isCommon: saysNothing });
  return { topic, scorer: new CandidateScorer(topic, saysNothing), vectors };
}

/** See `suggestedQueries` of the library. */
export async function suggestedQueries(folder: string, count: number): Promise<readonly SuggestedQuery[]> {
  const { topic, vectors } = await openTopicWords(folder);
  return suggestQueries(topic, count, vectors);
}
