/** Evidence of words: how much likelier the tokens of two groups of sentences are if they translate each other. */
import { grown } from '../../base/core/columns.ts';
import { MAX_BEAD } from './bead-search.ts';
import { repeatsOf, type SideTokens, TOKEN } from './side-tokens.ts';
import { TokenPlaces } from './token-places.ts';
import { type TokenWeights, tokenWeights } from './token-weights.ts';
import type { TranslationTable } from './translation-table.ts';

/** Probability of a token's partner, if both have the same word, or only the same first letters. */
const SAME_WORD = 0.6;
const SAME_START = 0.25;

/** Partners of a token in one sentence that count, so that a sentence of 200 words with one beginning costs as much as any. */
const MAX_PARTNERS = 8;

/** Logarithm of the share that one of so many sentences has of their tokens. */
const LOG_SHARES = Float64Array.from({ length: MAX_BEAD + 1 }, (_, sentences) => -Math.log(Math.max(1, sentences)));

/** Matches of the tokens of one left sentence with those of right ones. */
class MatchRow {
  first = 0;
  size = 0;
  /** First match of each right sentence, and the next one of the same sentence; -1 at the end. */
  heads = new Int32Array(0);
  next = new Int32Array(64);
  /** Left token that was matched last with each right sentence, and how often in turn. */
  last = new Int32Array(0);
  partners = new Int32Array(0);
  /** Gain of the tokens of each right sentence, and of the left one with it; and how many have a partner. */
  targetGains = new Float32Array(0);
  sourceGains = new Float32Array(0);
  targetCounts = new Float32Array(0);
  sourceCounts = new Float32Array(0);
  sources = new Int32Array(64);
  targets = new Int32Array(64);
  forward = new Float32Array(64);
  backward = new Float32Array(64);

  reset(first: number, end: number): void {
    this.first = first;
    this.size = 0;
    const size = Math.max(0, end - first);
    this.heads = new Int32Array(size).fill(-1);
    this.last = new Int32Array(size).fill(-1);
    this.partners = new Int32Array(size);
    this.targetGains = new Float32Array(size);
    this.sourceGains = new Float32Array(size);
    this.targetCounts = new Float32Array(size);
    this.sourceCounts = new Float32Array(size);
  }

  /** The matches of a left token come one after the other. */
  add(sentence: number, source: number, target: number, forward: number, backward: number): void {
    const column = sentence - this.first;
    const partners = this.last[column] === source ? (this.partners[column] as number) + 1 : 1;
    if (partners > MAX_PARTNERS) return;
    this.last[column] = source;
    this.partners[column] = partners;
    const at = this.size++;
    this.next = grown(this.next, this.size, Int32Array);
    this.sources = grown(this.sources, this.size, Int32Array);
    this.targets = grown(this.targets, this.size, Int32Array);
    this.forward = grown(this.forward, this.size, Float32Array);
    this.backward = grown(this.backward, this.size, Float32Array);
    this.next[at] = this.heads[column] as number;
    this.heads[column] = at;
    this.sources[at] = source;
    this.targets[at] = target;
    this.forward[at] = forward;
    this.backward[at] = backward;
  }
}

/** Sums of probabilities by token, cleared after use. */
class TokenSums {
  readonly #sums: Float32Array;
  readonly #repeats: Uint8Array;
  #met = new Int32Array(64);
  #size = 0;
  /** Number of tokens that were met, with their repetitions. */
  count = 0;

  constructor(repeats: Uint8Array) {
    this.#sums = new Float32Array(repeats.length);
    this.#repeats = repeats;
  }

  add(token: number, probability: number): void {
    if (this.#sums[token] === 0) {
      this.#met = grown(this.#met, this.#size + 1, Int32Array);
      this.#met[this.#size++] = token;
      this.count += this.#repeats[token] as number;
    }
    this.#sums[token] = (this.#sums[token] as number) + probability;
  }

  /** Gain of the tokens that were met, beyond that of tokens without partner. @param others number of tokens of the other side */
  gain({ chances, shares }: TokenWeights, others: number): number {
    let gain = 0;
    for (let at = 0; at < this.#size; at++) {
      const token = this.#met[at] as number;
      const chance = chances[token] as number;
      const ratio = ((this.#sums[token] as number) * chance) / (others * (shares[token] as number) * (1 - chance));
      if (chance > 0) gain += (this.#repeats[token] as number) * Math.log(1 + ratio);
      this.#sums[token] = 0;
    }
    this.#size = 0;
    this.count = 0;
    return gain;
  }
}

/** Evidence of the words of two texts. Memory: tokens of both, and the matches of four sentences. */
export class WordGains {
  readonly #left: SideTokens;
  readonly #right: SideTokens;
  readonly #table: TranslationTable | null;
  readonly #leftWeights: TokenWeights;
  readonly #rightWeights: TokenWeights;
  readonly #leftRepeats: Uint8Array;
  readonly #rightRepeats: Uint8Array;
  readonly #byWord: TokenPlaces;
  readonly #byKey: TokenPlaces;
  readonly #sentenceOf: Int32Array;
  readonly #sources: TokenSums;
  readonly #targets: TokenSums;
  readonly #rows = Array.from({ length: MAX_BEAD + 1 }, () => new MatchRow());

  constructor(left: SideTokens, right: SideTokens, table: TranslationTable | null) {
    this.#left = left;
    this.#right = right;
    this.#table = table;
    const repeats = repeatsOf(right);
    this.#leftRepeats = repeatsOf(left);
    this.#rightRepeats = repeats;
    this.#byWord = new TokenPlaces(right.words, repeats, (at) => right.kinds[at] !== TOKEN.sign);
    this.#byKey = new TokenPlaces(right.keys, repeats, (at) => right.kinds[at] !== TOKEN.plain);
    const leftKeys = new TokenPlaces(left.keys, this.#leftRepeats, (at) => left.kinds[at] !== TOKEN.plain);
    this.#leftWeights = tokenWeights(left, (key) => this.#byKey.has(key), table === null ? null : (word) => table.leftShare(word));
    this.#rightWeights = tokenWeights(right, (key) => leftKeys.has(key), table === null ? null : (word) => table.rightShare(word));
    this.#sentenceOf = new Int32Array(right.words.length);
    for (let j = 0; j < right.lengths.length; j++) this.#sentenceOf.fill(j, right.starts[j], right.starts[j + 1]);
    this.#sources = new TokenSums(this.#leftRepeats);
    this.#targets = new TokenSums(repeats);
  }

  /** Finds the matches of left sentence `i` with right sentences `first` to `end`. @param most places of a word in the text that are looked at */
  prepare(i: number, first: number, end: number, most: number): void {
    const row = this.#row(i);
    row.reset(first, end);
    const [from, to] = [this.#right.starts[first] as number, this.#right.starts[end] as number];
    for (let at = this.#left.starts[i] as number; at < (this.#left.starts[i + 1] as number); at++) {
      if (this.#leftRepeats[at] === 0) continue;
      if (this.#left.kinds[at] !== TOKEN.plain) this.#matchKey(row, at, from, to, most);
      if (this.#table !== null && this.#left.kinds[at] !== TOKEN.sign) this.#matchTranslations(row, this.#table, at, from, to, most);
    }
    for (let j = first; j < end; j++) if (row.heads[j - first] !== -1) this.#sum(row, i, j);
  }

  #sum(row: MatchRow, i: number, j: number): void {
    const column = j - row.first;
    this.#collect(row, row.heads[column] as number);
    row.targetCounts[column] = this.#targets.count;
    row.sourceCounts[column] = this.#sources.count;
    row.targetGains[column] = this.#targets.gain(this.#rightWeights, countOf(this.#left, i));
    row.sourceGains[column] = this.#sources.gain(this.#leftWeights, countOf(this.#right, j));
  }

  /** Evidence in nats, for the sentences of `prepare`. */
  gain(leftStart: number, leftEnd: number, rightStart: number, rightEnd: number): number {
    const { misses: leftMisses } = this.#leftWeights;
    const { misses: rightMisses } = this.#rightWeights;
    const missed =
      (leftMisses[leftEnd] as number) -
      (leftMisses[leftStart] as number) +
      (rightMisses[rightEnd] as number) -
      (rightMisses[rightStart] as number);
    let matched = 0;
    let gain = 0;
    for (let i = leftStart; i < leftEnd; i++) {
      const row = this.#row(i);
      for (let j = rightStart; j < rightEnd; j++) {
        const column = j - row.first;
        if ((row.heads[column] ?? -1) < 0) continue;
        if (++matched > 1) return (missed + this.#gainOfSeveral(leftStart, leftEnd, rightStart, rightEnd)) / 2;
        const leftShare = LOG_SHARES[leftEnd - leftStart] as number;
        const rightShare = LOG_SHARES[rightEnd - rightStart] as number;
        gain += Math.max(0, (row.targetGains[column] as number) + leftShare * (row.targetCounts[column] as number));
        gain += Math.max(0, (row.sourceGains[column] as number) + rightShare * (row.sourceCounts[column] as number));
      }
    }
    return (missed + gain) / 2;
  }

  /** A token that has partners in several sentences counts once. */
  #gainOfSeveral(leftStart: number, leftEnd: number, rightStart: number, rightEnd: number): number {
    for (let i = leftStart; i < leftEnd; i++) {
      const row = this.#row(i);
      for (let j = rightStart; j < rightEnd; j++) this.#collect(row, row.heads[j - row.first] ?? -1);
    }
    const lefts = (this.#left.starts[leftEnd] as number) - (this.#left.starts[leftStart] as number);
    const rights = (this.#right.starts[rightEnd] as number) - (this.#right.starts[rightStart] as number);
    return this.#targets.gain(this.#rightWeights, lefts) + this.#sources.gain(this.#leftWeights, rights);
  }

  #collect(row: MatchRow, head: number): void {
    for (let at = head; at >= 0; at = row.next[at] as number) {
      const [source, target] = [row.sources[at] as number, row.targets[at] as number];
      this.#targets.add(target, (row.forward[at] as number) * (this.#leftRepeats[source] as number));
      this.#sources.add(source, (row.backward[at] as number) * (this.#rightRepeats[target] as number));
    }
  }

  #row(i: number): MatchRow {
    return this.#rows[i % this.#rows.length] as MatchRow;
  }

  #matchKey(row: MatchRow, source: number, from: number, to: number, most: number): void {
    const key = this.#left.keys[source] as number;
    for (const target of this.#byKey.between(key, from, to, most)) {
      const probability = this.#isSameWord(source, target) ? SAME_WORD : SAME_START;
      row.add(this.#sentenceOf[target] as number, source, target, probability, probability);
    }
  }

  #matchTranslations(row: MatchRow, table: TranslationTable, source: number, from: number, to: number, most: number): void {
    const { starts, targets, forward, backward, right } = table.columns;
    const index = table.leftIndex(this.#left.words[source] as number);
    if (index < 0) return;
    for (let entry = starts[index] as number; entry < (starts[index + 1] as number); entry++) {
      const word = right.words[targets[entry] as number] as number;
      for (const target of this.#byWord.between(word, from, to, most)) {
        // The same word counted already.
        if (this.#left.kinds[source] !== TOKEN.plain && this.#isSameWord(source, target)) continue;
        row.add(this.#sentenceOf[target] as number, source, target, forward[entry] as number, backward[entry] as number);
      }
    }
  }

  #isSameWord(source: number, target: number): boolean {
    return this.#left.words[source] === this.#right.words[target];
  }
}

function countOf({ starts }: SideTokens, sentence: number): number {
  return (starts[sentence + 1] as number) - (starts[sentence] as number);
}
