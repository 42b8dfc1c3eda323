import { expect, test } from 'vitest';
import { TopicYields } from '../../../src/study/inspect/topic-yields.ts';
import { fate } from '../../support/frontier-values.ts';

const topics = [
  { name: 'moss', id: 'a', threshold: 0.5 },
  { name: 'peat', id: 'b', threshold: 0.6 },
  { name: 'tram', id: 'c', threshold: 0.7 },
];

test('a page counts for each topic it is on; a copy for the harvest rate alone', () => {
  const yields = new TopicYields(topics);
  yields.add(fate('kept', { relevance: 0.9, relevances: [0.5, 0.8, 0.1] }));
  yields.add(fate('kept', { relevance: 0.9, relevances: [0.7, 0.59, 0.1] }));
  yields.add(fate('duplicate', { relevance: 0.9, relevances: [0.9, 0.1, 0.1] }));
  yields.add(fate('off-topic', { relevance: 0.1, relevances: [0.1, 0.1, 0.1] }));
  yields.add(fate('failed'));
  yields.add(fate('refused', { visited: false }));
  const [moss, peat, tram] = yields.measured();
  expect(moss).toMatchObject({ name: 'moss', id: 'a', threshold: 0.5, kept: 2, harvestRate: 3 / 5 });
  expect(moss?.meanRelevance).toBeCloseTo(0.6, 12);
  expect(peat).toMatchObject({ kept: 1, harvestRate: 1 / 5, meanRelevance: 0.8 });
  expect(tram).toMatchObject({ kept: 0, harvestRate: 0, meanRelevance: null });
});

test('a crawl of one topic has none to tell of, one without visits no rate', () => {
  expect(new TopicYields([]).measured()).toEqual([]);
  expect(new TopicYields(topics.slice(0, 1)).measured()).toEqual([{ ...topics[0], kept: 0, harvestRate: 0, meanRelevance: null }]);
});
