import { grown } from '../../base/core/columns.ts';
import { sideTokens, TOKEN } from './side-tokens.ts';
import { indexIn, type TableColumns, TranslationTable, type WordCounts } from './translation-table.ts';

/** Tokens of a side that the learner holds, with 4 bytes each. Beyond it every second pair is dropped, and every second one of the later ones not added. */
const MAX_TOKENS = 4_000_000;
/** Words of a side that are learned: the most frequent ones. */
const MAX_WORDS = 65_536;
/** A word that occurs once has as its translations all words of the other sentence. */
const MIN_COUNT = 2;
/** Candidates for translations of a word. */
const MAX_CANDIDATES = 32;
/** Rounds of expectation and maximisation: more of them fit rare words to their few sentences (Moore, "Improving IBM Word Alignment Model 1", 2004). */
const ROUNDS = 5;
/** Tokens added to those of a word, whose translations are unknown (ibid.). */
const UNSEEN = 1;
/** Entries that are less probable both ways are dropped. */
const MIN_PROBABILITY = 0.02;

/**
 * Learns a translation table from pairs of sentences. Memory: at most 60 MB, however many pairs are added. The same pairs in the same order give the same
 * table.
 */
export class TableLearner {
  readonly #left = new SentenceColumn();
  readonly #right = new SentenceColumn();
  readonly #most: number;
  #step = 1;
  #seen = 0;

  /** @param most tokens of a side that are held */
  constructor(most = MAX_TOKENS) {
    this.#most = most;
  }

  /** Pairs that the table is learned from. */
  get pairs(): number {
    return this.#left.count;
  }

  add(leftText: string, rightText: string): void {
    if (this.#seen++ % this.#step !== 0) return;
    this.#left.add(leftText);
    this.#right.add(rightText);
    if (Math.max(this.#left.size, this.#right.size) <= this.#most) return;
    this.#left.halve();
    this.#right.halve();
    this.#step *= 2;
  }

  /** O(tokens × 32 × rounds). The learner is not used after it. */
  learn(): TranslationTable {
    const left = this.#left.numbered();
    const right = this.#right.numbered();
    const candidates = candidatesOf(this.#left, this.#right, left, right);
    const table = new WordPairs(candidates, left.counts, right);
    for (let round = 0; round < ROUNDS; round++) table.improve(this.#left, this.#right);
    const ratio = Math.fround((this.#right.chars + 1) / (this.#left.chars + 1));
    return new TranslationTable({ left, right, ...table.finished(), ratio, pairs: this.pairs });
  }
}

/** Words of sentences, one after the other. */
class SentenceColumn {
  words = new Int32Array(1024);
  ends = new Int32Array(256);
  count = 0;
  /** Characters of all sentences that were added. */
  chars = 0;

  get size(): number {
    return this.end(this.count - 1);
  }

  end(sentence: number): number {
    return sentence < 0 ? 0 : (this.ends[sentence] as number);
  }

  add(text: string): void {
    const { words, kinds } = sideTokens(text, [{ start: 0, end: text.length }]);
    this.chars += text.length;
    let size = this.size;
    this.words = grown(this.words, size + kinds.length, Int32Array);
    for (const [i, word] of words.entries()) if (kinds[i] !== TOKEN.sign) this.words[size++] = word;
    this.ends = grown(this.ends, this.count + 1, Int32Array);
    this.ends[this.count++] = size;
  }

  /** Drops every second sentence. */
  halve(): void {
    let size = 0;
    const kept = (this.count + 1) >> 1;
    for (let i = 0; i < kept; i++) {
      const [start, end] = [this.end(2 * i - 1), this.end(2 * i)];
      this.words.copyWithin(size, start, end);
      size += end - start;
      this.ends[i] = size;
    }
    this.count = kept;
  }

  /** Replaces each word by its index in the result, -1 for those that are not learned. */
  numbered(): WordCounts {
    const found = new Map<number, number>();
    for (let i = 0; i < this.size; i++) found.set(this.words[i] as number, (found.get(this.words[i] as number) ?? 0) + 1);
    const kept = [...found].filter(([, count]) => count >= MIN_COUNT).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const words = Int32Array.from(kept.slice(0, MAX_WORDS), ([word]) => word).sort();
    const counts = Float64Array.from(words, (word) => found.get(word) ?? 0);
    for (let i = 0; i < this.size; i++) this.words[i] = indexIn(words, this.words[i] as number);
    return { words, counts };
  }
}

interface Candidates {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  /** Share of the sentences with either word that have both (Dice). */
  readonly shares: Float32Array;
}

/** Candidates of each left word: the right words that share most of its pairs. */
function candidatesOf(left: SentenceColumn, right: SentenceColumn, leftWords: WordCounts, rightWords: WordCounts): Candidates {
  const sentences = sentencesByWord(left, leftWords.words.length);
  const starts = new Int32Array(leftWords.words.length + 1);
  let targets = new Int32Array(1024);
  let shares = new Float32Array(1024);
  const together = new Float64Array(rightWords.words.length);
  for (let word = 0; word < leftWords.words.length; word++) {
    const met: number[] = [];
    for (let k = sentences.starts[word] as number; k < (sentences.starts[word + 1] as number); k++) {
      const sentence = sentences.of[k] as number;
      for (let at = right.end(sentence - 1); at < right.end(sentence); at++) {
        const target = right.words[at] as number;
        if (target < 0) continue;
        if (together[target] === 0) met.push(target);
        together[target] = (together[target] as number) + 1;
      }
    }
    const count = leftWords.counts[word] as number;
    const dice = (target: number): number => (2 * (together[target] as number)) / (count + (rightWords.counts[target] as number));
    const best = met.map((target) => [target, dice(target)] as const).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const size = starts[word] as number;
    targets = grown(targets, size + MAX_CANDIDATES, Int32Array);
    shares = grown(shares, size + MAX_CANDIDATES, Float32Array);
    let end = size;
    for (const [target, share] of best.slice(0, MAX_CANDIDATES)) {
      targets[end] = target;
      shares[end++] = Math.min(1, share);
    }
    starts[word + 1] = end;
    for (const target of met) together[target] = 0;
  }
  const size = starts.at(-1) as number;
  return { starts, targets: targets.slice(0, size), shares: shares.slice(0, size) };
}

/** The sentences with each word, once for each of its places. */
function sentencesByWord(column: SentenceColumn, words: number): { readonly starts: Int32Array; readonly of: Int32Array } {
  const starts = new Int32Array(words + 1);
  for (let at = 0; at < column.size; at++) {
    const word = column.words[at] as number;
    if (word >= 0) starts[word + 1] = (starts[word + 1] as number) + 1;
  }
  for (let word = 0; word < words; word++) starts[word + 1] = (starts[word + 1] as number) + (starts[word] as number);
  const next = starts.slice();
  const of = new Int32Array(starts[words] as number);
  for (let sentence = 0; sentence < column.count; sentence++)
    for (let at = column.end(sentence - 1); at < column.end(sentence); at++) {
      const word = column.words[at] as number;
      if (word < 0) continue;
      of[next[word] as number] = sentence;
      next[word] = (next[word] as number) + 1;
    }
  return { starts, of };
}

/** Probabilities of pairs of words, in both directions, and the rounds that improve them. */
class WordPairs {
  readonly #pairs: Candidates;
  readonly #forward: Float32Array;
  readonly #backward: Float32Array;
  readonly #leftNull: Float64Array;
  readonly #rightNull: Float64Array;
  /** Place of a right word in the current sentence, plus one. */
  readonly #places: Int32Array;

  constructor(pairs: Candidates, leftCounts: Float64Array, right: WordCounts) {
    this.#pairs = pairs;
    this.#forward = pairs.shares.slice();
    this.#backward = pairs.shares.slice();
    this.#leftNull = sharesOf(leftCounts);
    this.#rightNull = sharesOf(right.counts);
    this.#places = new Int32Array(right.words.length);
  }

  /** A round of expectation and maximisation. A word without partner comes from an empty word, which has all words by their frequency. */
  improve(left: SentenceColumn, right: SentenceColumn): void {
    const entries = this.#pairs.targets.length;
    const counts = { forward: new Float64Array(entries), backward: new Float64Array(entries) };
    const met = new MetPairs();
    for (let sentence = 0; sentence < left.count; sentence++) {
      this.#meet(left, right, sentence, met);
      for (let k = 0; k < met.size; k++) {
        const entry = met.entries[k] as number;
        const [source, target] = [met.sources[k] as number, met.targets[k] as number];
        counts.forward[entry] = (counts.forward[entry] as number) + (this.#forward[entry] as number) / (met.targetSums[target] as number);
        counts.backward[entry] =
          (counts.backward[entry] as number) + (this.#backward[entry] as number) / (met.sourceSums[source] as number);
      }
    }
    this.#maximise(counts.forward, counts.backward);
  }

  /** Finds the entries that a pair of sentences has, and the sums of their probabilities for each of its words. */
  #meet(left: SentenceColumn, right: SentenceColumn, sentence: number, met: MetPairs): void {
    const [from, to] = [left.end(sentence - 1), left.end(sentence)];
    const [first, end] = [right.end(sentence - 1), right.end(sentence)];
    met.reset(to - from, end - first);
    for (let at = first; at < end; at++) {
      const word = right.words[at] as number;
      if (word < 0) continue;
      met.targetSums[at - first] = this.#rightNull[word] as number;
      this.#places[word] = at - first + 1;
    }
    for (let at = from; at < to; at++) {
      const word = left.words[at] as number;
      if (word < 0) continue;
      met.sourceSums[at - from] = this.#leftNull[word] as number;
      for (let entry = this.#pairs.starts[word] as number; entry < (this.#pairs.starts[word + 1] as number); entry++) {
        const place = this.#places[this.#pairs.targets[entry] as number] as number;
        if (place > 0) met.add(at - from, place - 1, entry, this.#forward[entry] as number, this.#backward[entry] as number);
      }
    }
    for (let at = first; at < end; at++) if ((right.words[at] as number) >= 0) this.#places[right.words[at] as number] = 0;
  }

  #maximise(forward: Float64Array, backward: Float64Array): void {
    const { starts, targets } = this.#pairs;
    const targetSums = new Float64Array(this.#places.length);
    for (const [entry, target] of targets.entries()) targetSums[target] = (targetSums[target] as number) + (backward[entry] as number);
    for (let word = 0; word + 1 < starts.length; word++) {
      const [start, end] = [starts[word] as number, starts[word + 1] as number];
      let sum = UNSEEN;
      for (let entry = start; entry < end; entry++) sum += forward[entry] as number;
      for (let entry = start; entry < end; entry++) {
        this.#forward[entry] = (forward[entry] as number) / sum;
        this.#backward[entry] = (backward[entry] as number) / ((targetSums[targets[entry] as number] as number) + UNSEEN);
      }
    }
  }

  /** Columns of the table, without improbable pairs. */
  finished(): Pick<TableColumns, 'starts' | 'targets' | 'forward' | 'backward'> {
    const { starts, targets } = this.#pairs;
    const isKept = (entry: number): boolean => Math.max(this.#forward[entry] as number, this.#backward[entry] as number) >= MIN_PROBABILITY;
    const kept: number[] = [];
    const ends = new Int32Array(starts.length);
    for (let word = 0; word + 1 < starts.length; word++) {
      for (let entry = starts[word] as number; entry < (starts[word + 1] as number); entry++) if (isKept(entry)) kept.push(entry);
      ends[word + 1] = kept.length;
    }
    return {
      starts: ends,
      targets: Int32Array.from(kept, (entry) => targets[entry] as number),
      forward: Float32Array.from(kept, (entry) => this.#forward[entry] as number),
      backward: Float32Array.from(kept, (entry) => this.#backward[entry] as number),
    };
  }
}

/** The pairs of words of a pair of sentences that may translate each other. */
class MetPairs {
  size = 0;
  sources = new Int32Array(1024);
  targets = new Int32Array(1024);
  entries = new Int32Array(1024);
  sourceSums = new Float64Array(0);
  targetSums = new Float64Array(0);

  reset(sources: number, targets: number): void {
    this.size = 0;
    this.sourceSums = new Float64Array(sources);
    this.targetSums = new Float64Array(targets);
  }

  add(source: number, target: number, entry: number, forward: number, backward: number): void {
    this.sources = grown(this.sources, this.size + 1, Int32Array);
    this.targets = grown(this.targets, this.size + 1, Int32Array);
    this.entries = grown(this.entries, this.size + 1, Int32Array);
    this.sources[this.size] = source;
    this.targets[this.size] = target;
    this.entries[this.size++] = entry;
    this.sourceSums[source] = (this.sourceSums[source] as number) + backward;
    this.targetSums[target] = (this.targetSums[target] as number) + forward;
  }
}

function sharesOf(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
}
