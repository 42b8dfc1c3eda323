/** Texts in pieces of a bounded number of words, at the ends of paragraphs or sentences. */
import { paragraphRanges, type SegmentRange, sentenceSegments } from './segments.ts';
import { UNSPACED_EXTENDED } from './unspaced-scripts.ts';

/** Units that a chunk does not cut, if they are short enough. */
export const CHUNK_UNITS = ['paragraph', 'sentence', 'words'] as const;
export type ChunkUnit = (typeof CHUNK_UNITS)[number];

/** Offsets of UTF-16 code units in the text, and the number of words between them. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

/** A word: a run of letters, digits and marks; of scripts without spaces, a character. Punctuation up to the next white space belongs to it. */
const WORD = new RegExp(`(?=[\\p{L}\\p{N}])[${UNSPACED_EXTENDED}]\\p{M}*|(?:(?![${UNSPACED_EXTENDED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/**
 * The chunks of a text in order: as many units as fit into `most` words, at least one. A unit with more words is parted: a paragraph by sentences, a sentence
 * by words. Chunks have no white space at their ends, do not overlap, and have all other characters between them. O(text).
 * @param most at least 1
 */
export function* chunksOf(text: string, most: number, unit: ChunkUnit): Generator<Chunk> {
  let held: Chunk | null = null;
  for (const piece of piecesOf(text, 0, text.length, most, unit)) {
    if (held !== null && held.words + piece.words <= most) held = { start: held.start, end: piece.end, words: held.words + piece.words };
    else {
      if (held !== null) yield held;
      held = piece;
    }
  }
  if (held !== null) yield held;
}

/** Units that have at most `most` words. */
function* piecesOf(text: string, from: number, to: number, most: number, unit: ChunkUnit): Generator<Chunk> {
  if (unit === 'words') {
    yield* runsOfWords(text, from, to, most);
    return;
  }
  for (const [start, end] of unit === 'paragraph' ? rangesOf(text, from, to) : sentencesOf(text, from, to)) {
    const piece = trimmed(text, start, end);
    if (piece === null) continue;
    if (piece.words <= most) yield piece;
    else yield* piecesOf(text, start, end, most, unit === 'paragraph' ? 'sentence' : 'words');
  }
}

function* sentencesOf(text: string, from: number, to: number): Generator<SegmentRange> {
  for (const [start, end] of rangesOf(text, from, to)) {
    let at = start;
    // By the rules of Unicode (UAX 29), which have no words of any language in them.
    for (const { length } of sentenceSegments(text.slice(start, end), 'und')) {
      yield [at, at + length];
      at += length;
    }
  }
}

/** The paragraphs of a part of the text. */
function* rangesOf(text: string, from: number, to: number): Generator<SegmentRange> {
  for (const [start, end] of paragraphRanges(text.slice(from, to))) yield [from + start, from + end];
}

/** Runs of `most` words, each up to the white space before the next word, where there is some. */
function* runsOfWords(text: string, from: number, to: number, most: number): Generator<Chunk> {
  let start = from;
  let words = 0;
  for (const { index } of text.slice(from, to).matchAll(WORD)) {
    if (words === most) {
      const piece = trimmed(text, start, from + index, words);
      if (piece !== null) yield piece;
      start = from + index;
      words = 0;
    }
    words++;
  }
  const last = trimmed(text, start, to, words);
  if (last !== null) yield last;
}

/** Chunk without white space at its ends; null if nothing else is there. */
function trimmed(text: string, start: number, end: number, words?: number): Chunk | null {
  const piece = text.slice(start, end);
  const inside = piece.trim();
  if (inside === '') return null;
  const first = start + piece.indexOf(inside);
  return { start: first, end: first + inside.length, words: words ?? inside.match(WORD)?.length ?? 0 };
}
