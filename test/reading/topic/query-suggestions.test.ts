import { expect, test } from 'vitest';
import { suggestQueries } from '../../../src/reading/topic/query-suggestions.ts';
import type { TopicWords } from '../../../src/reading/topic/topic-words.ts';
import { wordVectors } from '../../../src/reading/topic/word-vectors.ts';

const topic = (subject: string, words: readonly string[], phrases: readonly string[] = []): TopicWords => ({
  subject,
  phrases,
  words: words.map((word, i) => ({ word, weight: 1 - i / 20 })),
});
const texts = (queries: ReturnType<typeof suggestQueries>) => queries.map(({ query }) => query);

test('queries are the subject alone and with strong words, phrases, and pairs of words of two stems', () => {
  const queries = suggestQueries(topic('Wetlands', ['peat', 'bogs', 'bog'], ['raised bog']), 10);
  expect(texts(queries)).toEqual(['Wetlands', 'Wetlands peat', 'Wetlands bogs', 'Wetlands bog', 'raised bog', 'peat bogs', 'peat bog']);
  expect(queries.map(({ by }) => by)).toEqual([...Array(4).fill('subject'), ...Array(3).fill('terms')]);
});

test('queries are distinct, and no more than asked', () => {
  const queries = texts(suggestQueries(topic('peat bog', ['peat', 'bog', 'moss'], ['bog peat']), 10));
  expect(queries).toEqual(['peat bog', 'peat bog moss', 'peat moss']);
  expect(suggestQueries(topic('', ['peat', 'fen', 'moss', 'sedge']), 2)).toHaveLength(2);
});

test('a single word, a long subject and no word at all', () => {
  expect(texts(suggestQueries(topic('', ['peat']), 10))).toEqual(['peat']);
  expect(suggestQueries(topic('all that grows in the bogs of the north', []), 10)).toEqual([]);
});

test('word vectors add words near the subject, and omit names that are far from it', () => {
  const words = ['moor', 'tram', 'peat', 'moss', 'elaine'];
  const vectors = Int8Array.from([95, 10, 0, 100, 100, 0, 95, 5, -100, 5]);
  const near = wordVectors({ words, vectors }, { name: 'test', sha256: '', dimensions: 2, languages: null });
  const queries = suggestQueries(topic('', ['peat', 'moss', 'elaine']), 10, near);
  expect(queries).toEqual([
    { query: 'peat moss', by: 'terms' },
    { query: 'peat moor', by: 'vectors' },
  ]);
});
