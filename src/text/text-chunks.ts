/** Texts in pieces of a bounded number of words, at the ends of paragraphs or sentences. */

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
const WORD =
  /(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]\p{M}*|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}\p{M}])+/gu;
/** `Intl.Segmenter` takes the square of very long lines: they are cut into pieces, which may part a sentence. */
const SEGMENTED_CHARS = 10_000;

let segmenter: Intl.Segmenter | null = null;

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
  for (const [start, end] of unit === 'paragraph' ? linesOf(text, from, to) : sentencesOf(text, from, to)) {
    const piece = trimmed(text, start, end);
    if (piece === null) continue;
    if (piece.words <= most) yield piece;
    else yield* piecesOf(text, start, end, most, unit === 'paragraph' ? 'sentence' : 'words');
  }
}

function* linesOf(text: string, from: number, to: number): Generator<readonly [number, number]> {
  for (let start = from; start < to; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 || feed >= to ? to : feed;
    yield [start, end];
    start = end + 1;
  }
}

function* sentencesOf(text: string, from: number, to: number): Generator<readonly [number, number]> {
  // One for all languages: the rules of Unicode (UAX 29) have no words of any language in them.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const [line, lineEnd] of linesOf(text, from, to))
    for (let start = line; start < lineEnd; start += SEGMENTED_CHARS)
      for (const { index, segment } of segmenter.segment(text.slice(start, Math.min(lineEnd, start + SEGMENTED_CHARS))))
        yield [start + index, start + index + segment.length];
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

/** Without white space at the ends; null if nothing else is there. */
function trimmed(text: string, start: number, end: number, words?: number): Chunk | null {
  const piece = text.slice(start, end);
  const inside = piece.trim();
  if (inside === '') return null;
  const first = start + piece.indexOf(inside);
  return { start: first, end: first + inside.length, words: words ?? inside.match(WORD)?.length ?? 0 };
}
