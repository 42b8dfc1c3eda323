/** The words of runs of scripts without spaces, by the dictionaries of `Intl.Segmenter`. */
import { ownString } from '../core/own-string.ts';
import { widthAt } from './letters.ts';

/**
 * Amount of a text that the segmenter reads. The rest of its unspaced runs becomes pairs of characters, which distinguish topics about as
 * well.
 */
export interface Segmented {
  /** Number of characters of scripts without spaces. */
  readonly chars: number;
  /** Number of characters that each run counts more. */
  readonly perRun: number;
}

/**
 * Amount segmented of a page. The segmenter processes 1 to 2 M characters a second, so this takes 1 to 2 ms, the whole budget of a page. A
 * median Chinese page is still split completely, and a huge one cannot stall a crawl.
 */
export const SEGMENTED_OF_PAGE: Segmented = { chars: 2048, perRun: 0 };
/**
 * Amount segmented of the words of a link, of which a page has up to 5,000. Each call of the segmenter takes the time of 8 characters more.
 * A run of 40 characters is split completely. `npm run bench -- link-scripts` measures the cost.
 */
export const SEGMENTED_OF_LINK: Segmented = { chars: 48, perRun: 8 };
export const NOT_SEGMENTED: Segmented = { chars: 0, perRun: 0 };

/** Longer runs are cut into pieces: on runs of 30,000 characters, the segmenter is four times slower than on 300. */
const PIECE_CHARS = 512;
/** Runs of up to this length are remembered with their words: anchors are read three times, and a site repeats its runs. */
const KNOWN_CHARS = 48;
/** Number of runs whose words are kept. They take at most 3 MB: 48 characters of two bytes, and their words, for each. */
const MAX_KNOWN = 2 ** 14;

/** The words of runs, each by the offsets of its start and end. */
const known = new Map<string, string>();
let segmenter: Intl.Segmenter | null = null;

/** Receives a word, as offsets of UTF-16 code units in the text. */
type VisitRange = (start: number, end: number) => void;

/** Visits the words of an unspaced run, or of a part of one, in order. O(length). */
export function visitSegments(text: string, start: number, end: number, visit: VisitRange): void {
  for (let from = start; from < end; ) {
    const to = Math.min(end, wholeAt(text, from + PIECE_CHARS));
    const piece = text.slice(from, to);
    const words = piece.length > KNOWN_CHARS ? wordsIn(piece) : knownWords(piece);
    for (let i = 0; i < words.length; i += 2) visit(from + words.charCodeAt(i), from + words.charCodeAt(i + 1));
    from = to;
  }
}

/** `at`, or one less if it would cut a surrogate pair in two. */
export function wholeAt(text: string, at: number): number {
  return at > 0 && widthAt(text, at - 1) === 2 ? at - 1 : at;
}

function knownWords(run: string): string {
  let words = known.get(run);
  if (words === undefined) {
    words = wordsIn(run);
    if (known.size === MAX_KNOWN) known.clear();
    known.set(ownString(run), words);
  }
  return words;
}

function wordsIn(piece: string): string {
  // One for all scripts: ICU chooses its dictionary by script, not by locale.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const ends: number[] = [];
  for (const { index, segment, isWordLike } of segmenter.segment(piece)) if (isWordLike) ends.push(index, index + segment.length);
  return String.fromCharCode(...ends);
}
