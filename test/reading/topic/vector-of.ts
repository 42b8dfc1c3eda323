import { hashWord } from '../../../src/base/text/tokens.ts';
import { wordBucket } from '../../../src/reading/topic/features.ts';
import type { WordVectors } from '../../../src/reading/topic/word-vectors.ts';

/** The vector of a word's bucket; null without one. */
export function vectorOf({ rows, table, dimensions }: WordVectors, word: string): Int8Array | null {
  const row = rows[wordBucket(hashWord(word))] ?? -1;
  return row < 0 ? null : table.subarray(row * dimensions, (row + 1) * dimensions);
}
