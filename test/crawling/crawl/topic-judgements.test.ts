import { expect, test } from 'vitest';
import { judgementsOf, recordJudgement, winnerOf } from '../../../src/crawling/crawl/topic-judgements.ts';

const topics = [
  { name: 'moss', id: 'a', threshold: 0.4 },
  { name: 'peat', id: 'b', threshold: 0.6 },
  { name: 'tram', id: 'c', threshold: 0.5 },
];

test('each topic judges by its own threshold', () => {
  expect(judgementsOf(topics, [0.4, 0.59, 0.1])).toEqual([
    { name: 'moss', modelId: 'a', relevance: 0.4, threshold: 0.4, onTopic: true },
    { name: 'peat', modelId: 'b', relevance: 0.59, threshold: 0.6, onTopic: false },
    { name: 'tram', modelId: 'c', relevance: 0.1, threshold: 0.5, onTopic: false },
  ]);
});

test('a record has the judgement of the topic it is furthest above the threshold of, and all', () => {
  const relevances = [0.7, 0.75, 0.3];
  const judged = recordJudgement({ id: 'abc', threshold: 0.5, topics }, { relevance: 0.8, relevances });
  expect(judged).toEqual({ relevance: 0.7, threshold: 0.4, modelId: 'a', topics: judgementsOf(topics, relevances) });
  expect(winnerOf(judgementsOf(topics, [0.41, 0.75, 0.3])).name).toBe('peat');
});

test('the record of a crawl of one topic has that judgement alone', () => {
  expect(recordJudgement({ id: 'a', threshold: 0.4 }, { relevance: 0.8 })).toEqual({ relevance: 0.8, threshold: 0.4, modelId: 'a' });
});
