import { expect, test } from 'vitest';
import { hashWord } from '../../../src/base/text/tokens.ts';
import { CandidateScorer } from '../../../src/reading/topic/candidate-words.ts';
import { BUCKETS, wordBucket } from '../../../src/reading/topic/features.ts';
import { type TopicWordSource, topicWords } from '../../../src/reading/topic/topic-words.ts';
import type { StoredRow } from '../../../src/reading/topic/training-file.ts';

const VOCABULARY = ['peat', 'moss', 'sitename', 'that', 'tram'];
const bucketOf = (word: string) => wordBucket(hashWord(word));

function row(host: string | null, id: string, counts: Readonly<Record<string, number>>): StoredRow {
  const buckets = Int32Array.from(Object.keys(counts).map(bucketOf));
  return {
    role: 'example',
    id,
    url: null,
    host,
    language: 'en',
    title: '',
    counts: { buckets, counts: Uint16Array.from(Object.values(counts)) },
  };
}

/** A model that gives each of these words a weight, with an idf of 1. */
function source(weights: Readonly<Record<string, number>>, rows: readonly StoredRow[] | null): TopicWordSource {
  const all = new Float32Array(BUCKETS);
  for (const [word, weight] of Object.entries(weights)) all[bucketOf(word)] = weight;
  return {
    model: { tables: { weights: all, idfCodes: new Uint8Array(BUCKETS) }, paired: new Float32Array(2 * BUCKETS).fill(1) },
    card: {
      subject: ' Raised  bogs ',
      termsFor: ['title:peat', '"peat bog"', 'url:rare|other', 'character:泥'].map((feature) => ({ feature, contribution: 1 })),
    },
    training: rows === null ? null : { rows },
    vocabulary: { words: VOCABULARY },
    isCommon: (word) => word === 'that',
  };
}

test('a word counts if examples of several hosts have it, and more if more hosts have it', () => {
  const weights = { peat: 1, moss: 1, sitename: 9, that: 9, tram: -1 };
  const rows = [
    row('a.example', '1', { peat: 1, moss: 1, sitename: 5, that: 3, tram: 1 }),
    row('b.example', '2', { peat: 1, moss: 1, that: 3, tram: 1 }),
    row('c.example', '3', { peat: 1 }),
  ];
  const { subject, words, phrases } = topicWords(source(weights, rows));
  expect(subject).toBe('Raised bogs');
  expect(phrases).toEqual(['peat bog']);
  expect(words.map(({ word }) => word)).toEqual(['peat', 'moss']);
  expect(words[0]?.weight).toBe(1);
  expect(words[1]?.weight).toBeCloseTo(4 / 9);
});

test('examples of one host give its words; files without a host are one each', () => {
  expect(topicWords(source({ peat: 1 }, [row('a.example', '1', { peat: 1 })])).words).toEqual([{ word: 'peat', weight: 1 }]);
  const files = [row(null, 'a.html', { peat: 1, moss: 1 }), row(null, 'b.html', { peat: 1 })];
  expect(topicWords(source({ peat: 1, moss: 1 }, files)).words.map(({ word }) => word)).toEqual(['peat']);
});

test('a topic of keywords has the words of its query', () => {
  expect(topicWords(source({}, null)).words.map(({ word }) => word)).toEqual(['peat', 'bog', 'rare']);
});

test('a candidate has the sum of its distinct words, of the subject three each', () => {
  const scorer = new CandidateScorer(
    {
      subject: 'raised that',
      words: [
        { word: 'peat', weight: 1 },
        { word: 'moss', weight: 0.5 },
      ],
      phrases: [],
    },
    (word) => word === 'that',
  );
  expect(scorer.scoreOf({ url: 'http://a.example/moss/peat.html', title: 'Peat, peat and more' })).toEqual({
    score: 1.5,
    words: ['peat', 'moss'],
  });
  expect(scorer.scoreOf({ url: 'http://a.example/', title: 'All that', context: 'a RAISED bog' })).toEqual({ score: 3, words: ['raised'] });
  expect(scorer.scoreOf({ url: 'http://peat.example/', title: '' })).toEqual({ score: 0, words: [] });
});
