/** Sentences of a main text with their places, for alignment. */
import { paragraphRanges, sentenceSegments } from '../../base/text/segments.ts';

/** Place of a sentence in a main text, as offsets of UTF-16 code units, without white space around it. */
export interface TextSentence {
  readonly start: number;
  readonly end: number;
}

/** Borders before a sentence: none inside of a paragraph; that of a line, an item of a list or a cell of a table; that of a paragraph. */
export type SentenceBorder = 'none' | 'line' | 'paragraph';

export interface CutText {
  readonly sentences: readonly TextSentence[];
  /** The border before each sentence. */
  readonly borders: readonly SentenceBorder[];
  /** Whether the text has more than these sentences. */
  readonly isCapped: boolean;
}

/** Limits of a text that is aligned. The longest manual of Debian's installation guide has 8,000 sentences and 1 MB. */
const MAX_TEXT_CHARS = 4 * 1024 * 1024;
const MAX_SENTENCES = 40_000;

/** Ends of lines and of short cells, which a tab separates. */
const PART_END = /[\n\t]+/g;
const STARTS_SMALL = /^\s*["'“‘«(]*\p{Ll}/u;
const CONTINUES = /[,;–—،、，；-]\s*$/u;
/** UAX #29 ends a sentence at each of them. */
const LINE_ENDS = /[\n\r\u0085\u2028\u2029]/g;
const VISIBLE = /[\p{L}\p{N}]/u;

/**
 * Sentences of a main text, in order. A line ends one, if the next line does not continue it; so does a cell of a table. A sentence without letters and digits belongs to the
 * one before. O(length), at most 40,000 sentences of 4 M characters.
 * @param lang BCP 47, `und` for unknown
 */
export function cutText(text: string, lang: string): CutText {
  const read = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  const sentences: TextSentence[] = [];
  const borders: SentenceBorder[] = [];
  for (const [start, end] of paragraphRanges(read)) {
    let border: SentenceBorder = 'paragraph';
    for (const [from, to] of partRanges(read, start, end)) {
      for (const sentence of sentencesBetween(read, from, to, lang)) {
        if (sentences.length === MAX_SENTENCES) return { sentences, borders, isCapped: true };
        sentences.push(sentence);
        borders.push(border);
        border = 'none';
      }
      if (border === 'none') border = 'line';
    }
  }
  return { sentences, borders, isCapped: read.length < text.length };
}

/** Parts of a paragraph that no sentence crosses. */
function* partRanges(text: string, start: number, end: number): Generator<readonly [number, number]> {
  const paragraph = text.slice(start, end);
  let from = 0;
  for (const { index, 0: gap } of paragraph.matchAll(PART_END)) {
    const next = index + gap.length;
    const isContinued = !gap.includes('\t') && continues(paragraph.slice(from, index).slice(-2), paragraph.slice(next, next + 8));
    if (isContinued) continue;
    yield [start + from, start + index];
    from = next;
  }
  yield [start + from, end];
}

function continues(lastOfLine: string, startOfNext: string): boolean {
  return STARTS_SMALL.test(startOfNext) || CONTINUES.test(lastOfLine);
}

function* sentencesBetween(text: string, start: number, end: number, lang: string): Generator<TextSentence> {
  let last: TextSentence | null = null;
  let at = start;
  for (const segment of sentenceSegments(text.slice(start, end).replace(LINE_ENDS, ' '), lang)) {
    const lead = segment.length - segment.trimStart().length;
    const length = segment.trim().length;
    if (length > 0) {
      const sentence: TextSentence = { start: at + lead, end: at + lead + length };
      if (last !== null && !VISIBLE.test(segment)) last = { start: last.start, end: sentence.end };
      else {
        if (last !== null) yield last;
        last = sentence;
      }
    }
    at += segment.length;
  }
  if (last !== null) yield last;
}
