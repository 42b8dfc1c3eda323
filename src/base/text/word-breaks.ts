/** Words of scripts without spaces, marked for programs that find words by spaces. */
import { wordSegments } from './segments.ts';
import { UNSPACED_LETTERS } from './unspaced-scripts.ts';

/** ZERO WIDTH SPACE: it is made for word boundaries in such scripts (Unicode 23.2). It is not seen, and no tokenizer takes it for a letter. */
export const WORD_BREAK = '\u200b';
/** Runs of scripts without spaces, with their marks. */
const UNSPACED_RUN = new RegExp(`(?:[${UNSPACED_LETTERS}][\\p{M}\\u200c\\u200d]*)+`, 'gu');
const OTHER = `(?![${UNSPACED_LETTERS}])[\\p{L}\\p{N}]`;
/** A letter of another script next to a run is another word: `用Node写`. */
const AFTER_RUN = new RegExp(`([${UNSPACED_LETTERS}]\\p{M}*)(${OTHER})`, 'gu');
const BEFORE_RUN = new RegExp(`(${OTHER}\\p{M}*)([${UNSPACED_LETTERS}])`, 'gu');

/**
 * The text with a `WORD_BREAK` between the words of scripts without spaces, as `Intl.Segmenter` cuts them; null if it has no such script. About a million
 * characters of such scripts a second.
 */
export function withWordBreaks(text: string): string | null {
  let found = false;
  const broken = text.replace(UNSPACED_RUN, (run) => {
    found = true;
    return wordsOfRun(run).join(WORD_BREAK);
  });
  if (!found) return null;
  return broken.replace(AFTER_RUN, `$1${WORD_BREAK}$2`).replace(BEFORE_RUN, `$1${WORD_BREAK}$2`);
}

/** The words of a run of one or more scripts without spaces, in order; joined they are the run. */
export function wordsOfRun(run: string): string[] {
  return [...wordSegments(run, 'und')];
}
