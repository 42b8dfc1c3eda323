/** A sequence of words, as in a rule or a keyword query. */
import { foldWord, LAST_CLASS, letterAt, SEPARATOR, UNSPACED } from '../../base/text/letters.ts';
import { scanWords, wordsOf } from '../../base/text/tokens.ts';

export interface PhraseWord {
  /** Folded. */
  readonly word: string;
  /** Hash of `word`, as `scanWords` returns it. */
  readonly hash: number;
  /** Written with `*`: matches any word with that start. */
  readonly prefix: boolean;
  /** Whether the word is of a script that writes no spaces between words. */
  readonly unspaced: boolean;
  /** Follows the word before it without a space, both in such a script. */
  readonly joined: boolean;
}

export interface Phrase {
  /** Canonical spelling: `phraseOf(text)` is the same phrase. */
  readonly text: string;
  /** Empty if the source has no word that a text could contain. */
  readonly words: readonly PhraseWord[];
}

/** Longer phrases are sentences, not terms; the finder remembers this many words of a text. */
export const MAX_PHRASE_WORDS = 32;
/** Half-width kana may be cut into other words when they are written in full width. One pass is enough for all known cases; the rest is a reserve. */
const MAX_RESPELLINGS = 4;

/**
 * The phrase in a text, with its words split and folded like those of pages. `*` directly after a word of a script with spaces makes it a prefix;
 * elsewhere it is a separator like any other mark. O(length).
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

/** The folded word, except for words that fold to something other than one word: `½` becomes `1⁄2`, which is two. */
function spellingOf(word: string, written: string): string {
  const [first, second] = wordsOf(word);
  return first === word && second === undefined ? word : written;
}
