/** Words in a row, as a rule or a keyword query names them. */
import { foldWord, LAST_CLASS, letterAt, SEPARATOR, UNSPACED } from '../text/letters.ts';
import { scanWords, wordsOf } from '../text/tokens.ts';

export interface PhraseWord {
  /** Folded. */
  readonly word: string;
  /** Of `word`, as `scanWords` gives it. */
  readonly hash: number;
  /** Written with `*`: any word that begins so will do. */
  readonly prefix: boolean;
  /** Of a script that writes no spaces between words. */
  readonly unspaced: boolean;
  /** Follows the word before it without a space, both being of such a script. */
  readonly joined: boolean;
}

export interface Phrase {
  /** Canonical spelling: `phraseOf(text)` is the same phrase. */
  readonly text: string;
  /** Empty where the source has no word that a text could have. */
  readonly words: readonly PhraseWord[];
}

/** Longer phrases are no terms but sentences; the finder keeps this many words of a text in sight. */
export const MAX_PHRASE_WORDS = 32;
/** Half-width kana may be cut into other words when they are written in full width; once is enough for all known, the rest is to spare. */
const MAX_RESPELLINGS = 4;

/**
 * The phrase a text spells, its words split and folded as those of pages are. `*` right behind a word of a script with spaces makes it
 * a prefix; elsewhere it is a separator like any other mark. O(length).
 */
export function phraseOf(source: string): Phrase {
  let phrase = spelled(source);
  for (let i = 0; i < MAX_RESPELLINGS; i++) {
    const again = spelled(phrase.text);
    if (again.text === phrase.text) return again;
    phrase = again;
  }
  return phrase;
}

function spelled(source: string): Phrase {
  const words: PhraseWord[] = [];
  let [text, lastEnd] = ['', -1];
  scanWords(source, (hash, start, end) => {
    const unspaced = isUnspaced(source, start);
    const joined = unspaced && start === lastEnd && words.at(-1)?.unspaced === true;
    const prefix = !unspaced && source[end] === '*' && letterAt(source, end + 1) === SEPARATOR;
    const word = foldWord(source.slice(start, end));
    words.push({ word, hash, prefix, unspaced, joined });
    text += `${joined || text === '' ? '' : ' '}${spellingOf(word, source.slice(start, end))}${prefix ? '*' : ''}`;
    lastEnd = end;
  });
  return { text, words };
}

function isUnspaced(text: string, at: number): boolean {
  const letter = letterAt(text, at);
  return letter >= UNSPACED && letter <= LAST_CLASS;
}

/** The folded word, but for those that fold to something else than one word: `½` becomes `1⁄2`, which is two. */
function spellingOf(word: string, written: string): string {
  const [first, second] = wordsOf(word);
  return first === word && second === undefined ? word : written;
}
