/** Score of a URL that nobody has requested, by the words that somebody wrote about it and those of its path. */
import { hashWord, wordsOf } from '../../base/text/tokens.ts';
import { pathText, wordBucket } from './features.ts';
import { subjectWords, type TopicWords } from './topic-words.ts';

/** A URL with its words. */
export interface CandidateWords {
  readonly url: string;
  /** Title, or text of a link; '' without one. */
  readonly title: string;
  /** Summary, tags, folders, or text around a link. */
  readonly context?: string;
}

export interface CandidateScore {
  readonly score: number;
  /** The words that count, the strongest first. */
  readonly words: readonly string[];
}

/** A word of the subject weighs as much as three strongest terms: `npm run bench -- seed-queries --split dev`. */
const SUBJECT_WEIGHT = 3;
/** Score of a candidate that is good: it has a word of the subject, or terms that weigh together as much as the strongest one. */
export const GOOD_SCORE = 1;

/**
 * Sum of the weights of distinct words: of the subject 3 each, of the model's strongest term 1, of others less. A page model divides by the length of a text,
 * so a title of one weak word would be as relevant as any.
 */
export class CandidateScorer {
  readonly #weights = new Map<number, number>();

  constructor({ subject, words }: TopicWords, isCommon: (word: string) => boolean) {
    for (const { word, weight } of words) this.#weights.set(bucketOf(word), weight);
    for (const word of subjectWords(subject, isCommon)) this.#weights.set(bucketOf(word), SUBJECT_WEIGHT);
  }

  /** O(characters). */
  scoreOf({ url, title, context = '' }: CandidateWords): CandidateScore {
    const found = new Map<number, string>();
    for (const word of wordsOf(`${title}\n${context}\n${pathText(url)}`)) {
      const bucket = bucketOf(word);
      if (this.#weights.has(bucket) && !found.has(bucket)) found.set(bucket, word);
    }
    const weightOf = (bucket: number) => this.#weights.get(bucket) ?? 0;
    const words = [...found].sort(([a], [b]) => weightOf(b) - weightOf(a));
    return { score: words.reduce((sum, [bucket]) => sum + weightOf(bucket), 0), words: words.map(([, word]) => word) };
  }
}

function bucketOf(word: string): number {
  return wordBucket(hashWord(word));
}
