/** Words that training pages have, near a word that none of them has. */
import type { Contribution, TopicExplanation } from '../../base/core/parts/reading.ts';
import { hashWord } from '../../base/text/tokens.ts';
import { wordBucket } from './features.ts';
import { type MeaningTables, placesOfBuckets, SHOWN } from './meaning-tables.ts';
import type { LinearTopicModel } from './model.ts';
import type { WordVectors } from './word-vectors.ts';

/** Words named for each unshown one. */
const NAMED = 3;
/** Contributions that get such words: more than a reader is shown. */
const MOST = 50;

/**
 * Adds to explanations the shown words that their largest unshown words stand near: words of examples near a word that counts for the topic, words of the
 * other given pages near one that counts against it, each only if it counts for the same side. It changes nothing if the vectors are not those of the model.
 */
export function nearWords(model: LinearTopicModel, vectors: WordVectors | null): (explanation: TopicExplanation) => TopicExplanation {
  const { wordVectors } = model.settings;
  const { meaning } = model.tables;
  if (meaning === undefined || vectors === null || wordVectors?.sha256 !== vectors.sha256) return (explanation) => explanation;
  const namer = new NearWords(meaning, vectors);
  return (explanation) => {
    let left = MOST;
    const contributions = explanation.contributions.map((one) => (one.unshown === true && left-- > 0 ? namer.with(one) : one));
    return { ...explanation, contributions };
  };
}

class NearWords {
  readonly #vectors: WordVectors;
  readonly #names: readonly (string | undefined)[];
  /** Rows of shown words that count for the topic. */
  readonly #for: readonly number[];
  /** Rows of shown words that count against it. */
  readonly #against: readonly number[];

  constructor({ buckets, weights, shown }: MeaningTables, vectors: WordVectors) {
    this.#vectors = vectors;
    this.#names = namesOf(vectors);
    const rows = [...buckets.keys()];
    const has = (row: number, bit: number) => ((shown[row] as number) & bit) !== 0;
    this.#for = rows.filter((row) => (weights[row] as number) > 0 && has(row, SHOWN.byExample));
    this.#against = rows.filter((row) => (weights[row] as number) < 0 && has(row, SHOWN.byOther));
  }

  with(one: Contribution): Contribution {
    const row = this.#vectors.rows[wordBucket(hashWord(one.feature))] ?? -1;
    if (row < 0) return one;
    const candidates = one.contribution > 0 ? this.#for : this.#against;
    const scored = candidates.map((other) => ({ other, cosine: this.#cosine(row, other) })).filter(({ cosine }) => cosine > 0);
    const near = scored
      .sort((a, b) => b.cosine - a.cosine || a.other - b.other)
      .slice(0, NAMED)
      .flatMap(({ other }) => this.#names[other] ?? []);
    return near.length === 0 ? one : { ...one, near };
  }

  #cosine(a: number, b: number): number {
    const { table, dimensions } = this.#vectors;
    let [dot, own, other] = [0, 0, 0];
    for (let d = 0; d < dimensions; d++) {
      const [x, y] = [table[a * dimensions + d] as number, table[b * dimensions + d] as number];
      dot += x * y;
      own += x * x;
      other += y * y;
    }
    return dot === 0 ? 0 : dot / Math.sqrt(own * other);
  }
}

/** The most frequent word of each row. */
function namesOf({ words, buckets }: WordVectors): (string | undefined)[] {
  const rows = placesOfBuckets(buckets);
  const names = new Array<string | undefined>(buckets.length);
  for (const word of words) {
    const row = rows[wordBucket(hashWord(word))] as number;
    names[row] ??= word;
  }
  return names;
}
