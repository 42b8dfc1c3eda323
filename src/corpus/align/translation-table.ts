/** Translations of words, learned from pairs of sentences: model 1 of Brown et al., "The Mathematics of Statistical Machine Translation" (1993). */
import { DataError } from '../../base/core/errors.ts';

/** Words of a side, in the order of their hashes, with their counts. */
export interface WordCounts {
  readonly words: Int32Array;
  readonly counts: Float64Array;
}

/** Columns of a table: entries `starts[i]` to `starts[i + 1]` are the translations of left word `i`. */
export interface TableColumns {
  readonly left: WordCounts;
  readonly right: WordCounts;
  readonly starts: Int32Array;
  /** Index of the right word of each entry. */
  readonly targets: Int32Array;
  /** Probability of the right word, given the left one. */
  readonly forward: Float32Array;
  /** Probability of the left word, given the right one. */
  readonly backward: Float32Array;
  /** Characters of the right texts for each of the left ones. */
  readonly ratio: number;
  /** Pairs of sentences that it was learned from. */
  readonly pairs: number;
}

const MAGIC = 0x31545446;

/** Translations of the words of one language into another one, and how frequent its words are. */
export class TranslationTable {
  readonly columns: TableColumns;
  readonly #leftTotal: number;
  readonly #rightTotal: number;

  constructor(columns: TableColumns) {
    this.columns = columns;
    this.#leftTotal = sumOf(columns.left.counts);
    this.#rightTotal = sumOf(columns.right.counts);
  }

  /** Number of pairs of words. */
  get size(): number {
    return this.columns.targets.length;
  }

  /** Index of a left word; -1 if it is unknown. @param word hash of `scanWords` */
  leftIndex(word: number): number {
    return indexIn(this.columns.left.words, word);
  }

  /** Share of the tokens of the left side that are this word; 0 if it is unknown. */
  leftShare(word: number): number {
    return shareOf(this.columns.left, word, this.#leftTotal);
  }

  rightShare(word: number): number {
    return shareOf(this.columns.right, word, this.#rightTotal);
  }

  /** Bytes of the table: equal tables have equal bytes. */
  toBytes(): Uint8Array {
    const { left, right, starts, targets, forward, backward, ratio, pairs } = this.columns;
    const head = Int32Array.of(MAGIC, left.words.length, right.words.length, targets.length);
    const parts = [
      head,
      left.words,
      right.words,
      starts,
      targets,
      forward,
      backward,
      Float32Array.from(left.counts),
      Float32Array.from(right.counts),
      Float32Array.of(ratio),
      Int32Array.of(pairs),
    ];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
      at += part.byteLength;
    }
    return bytes;
  }

  /** @throws DataError when the bytes are not a table */
  static fromBytes(bytes: Uint8Array): TranslationTable {
    const data = bytes.slice().buffer;
    const [magic, lefts = 0, rights = 0, entries = 0] = new Int32Array(data, 0, data.byteLength < 16 ? 0 : 4);
    if (magic !== MAGIC || data.byteLength !== 4 * (7 + 3 * lefts + 2 * rights + 3 * entries))
      throw new DataError('a translation table is damaged: delete it, and align again');
    let at = 16;
    const next = <T>(Kind: new (buffer: ArrayBuffer, start: number, length: number) => T, length: number): T => {
      const part = new Kind(data, at, length);
      at += 4 * length;
      return part;
    };
    const [leftWords, rightWords] = [next(Int32Array, lefts), next(Int32Array, rights)];
    const [starts, targets] = [next(Int32Array, lefts + 1), next(Int32Array, entries)];
    const [forward, backward] = [next(Float32Array, entries), next(Float32Array, entries)];
    const left = { words: leftWords, counts: Float64Array.from(next(Float32Array, lefts)) };
    const right = { words: rightWords, counts: Float64Array.from(next(Float32Array, rights)) };
    const [ratio = 1] = next(Float32Array, 1);
    const [pairs = 0] = next(Int32Array, 1);
    return new TranslationTable({ left, right, starts, targets, forward, backward, ratio, pairs });
  }
}

/** Index of a value in sorted ones; -1 if it is not there. */
export function indexIn(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function shareOf({ words, counts }: WordCounts, word: number, total: number): number {
  const at = indexIn(words, word);
  return at < 0 ? 0 : (counts[at] as number) / total;
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
