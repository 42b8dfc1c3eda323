/** Queries for search engines, suggested by the words of a topic. Pure. */
import { hashWord } from '../../base/text/tokens.ts';
import { wordBucket } from './features.ts';
import { isWord, type TopicWords } from './topic-words.ts';
import type { WordVectors } from './word-vectors.ts';

export interface SuggestedQuery {
  readonly query: string;
  /** Source of its words: the subject as the user wrote it, words of the model, or words that word vectors put near them. */
  readonly by: 'subject' | 'terms' | 'vectors';
}

/** Words of a subject that is a query itself; a longer one is a sentence. */
const SUBJECT_WORDS = 6;
/** Strongest words, each of which joins the subject in a query. */
const WITH_SUBJECT = 5;
/** Strongest words whose sum is the direction of the subject. */
const CENTRE = 20;
/** Least cosine with that direction: below it, the hash of a rare word of the examples has the name of another one. */
const LEAST_COSINE = 0.15;
/** Most queries with a word that no example has, and its least cosine. */
const NEIGHBOURS = 2;
const NEAR = 0.5;

/**
 * Distinct short queries, the broadest first: the subject, the subject with each strong word, phrases, pairs of strong words, and a pair with a word near them.
 * @param vectors of any model, for English; null without any
 */
export function suggestQueries(topic: TopicWords, count: number, vectors: WordVectors | null = null): readonly SuggestedQuery[] {
  const centre =
    vectors &&
    sumOf(
      topic.words.slice(0, CENTRE).map(({ word }) => word),
      vectors,
    );
  const words = topic.words.map(({ word }) => word).filter((word) => !isFar(word, centre, vectors));
  const isQuery = topic.subject !== '' && topic.subject.split(' ').length <= SUBJECT_WORDS;
  const subject = isQuery ? [topic.subject, ...words.slice(0, WITH_SUBJECT).map((word) => `${topic.subject} ${word}`)] : [];
  const terms = interleaved(topic.phrases, pairsOf(words));
  const near = centre === null || vectors === null ? [] : wordsNear(words, centre, vectors);
  const own: SuggestedQuery[] = [
    ...subject.map((query) => ({ query, by: 'subject' as const })),
    ...terms.map((query) => ({ query, by: 'terms' as const })),
  ];
  const last = near.map((word): SuggestedQuery => ({ query: `${words[0] ?? ''} ${word}`.trim(), by: 'vectors' }));
  return distinct([...distinct(own).slice(0, Math.max(1, count - last.length)), ...last]).slice(0, count);
}

/** Each word behind the strongest one of another stem. A single word is a query itself. */
function pairsOf(words: readonly string[]): string[] {
  if (words.length === 1) return [...words];
  return words.flatMap((word, i) => {
    const partner = words.slice(0, i).find((other) => !haveOneStem(other, word));
    return partner === undefined ? [] : [`${partner} ${word}`];
  });
}

function haveOneStem(a: string, b: string): boolean {
  return a.startsWith(b.slice(0, -1)) || b.startsWith(a.slice(0, -1));
}

function interleaved(a: readonly string[], b: readonly string[]): string[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]].filter((one) => one !== undefined)).flat();
}

/** Queries of the same words are one. */
function distinct(queries: readonly SuggestedQuery[]): SuggestedQuery[] {
  const byWords = new Map<string, SuggestedQuery>();
  for (const one of queries) {
    const key = [...new Set(one.query.toLowerCase().split(' '))].sort().join(' ');
    if (key !== '' && !byWords.has(key)) byWords.set(key, one);
  }
  return [...byWords.values()];
}

/** A word without a vector is not far. */
function isFar(word: string, centre: Float64Array | null, vectors: WordVectors | null): boolean {
  const row = vectors && rowOf(word, vectors);
  return centre !== null && row !== null && cosine(centre, row) < LEAST_COSINE;
}

/** Words near the direction of the subject, and not among its own. */
function wordsNear(own: readonly string[], centre: Float64Array, vectors: WordVectors): string[] {
  const near = vectors.words.flatMap((word) => {
    const row = rowOf(word, vectors);
    const similarity = row === null || !isWord(word) || own.some((one) => haveOneStem(one, word)) ? 0 : cosine(centre, row);
    return similarity >= NEAR ? [{ word, similarity }] : [];
  });
  return near
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, NEIGHBOURS)
    .map(({ word }) => word);
}

function rowOf(word: string, { rows, table, dimensions }: WordVectors): Int8Array | null {
  const row = rows[wordBucket(hashWord(word))] ?? -1;
  return row < 0 ? null : table.subarray(row * dimensions, (row + 1) * dimensions);
}

/** The sum of unit vectors; null if no word has one. */
function sumOf(words: readonly string[], vectors: WordVectors): Float64Array | null {
  const found = words.flatMap((word) => rowOf(word, vectors) ?? []);
  if (found.length === 0) return null;
  const sum = new Float64Array(vectors.dimensions);
  for (const row of found) {
    const length = Math.hypot(...row) || 1;
    row.forEach((value, d) => {
      sum[d] = (sum[d] as number) + value / length;
    });
  }
  return sum;
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, own, other] = [0, 0, 0];
  for (let d = 0; d < a.length; d++) {
    const [x, y] = [a[d] as number, b[d] as number];
    dot += x * y;
    own += x * x;
    other += y * y;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(own * other);
}
