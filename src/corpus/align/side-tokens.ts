/** Words, numbers and signs of the sentences of a side, as columns. */
import { grown } from '../../base/core/columns.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { scanWords } from '../../base/text/tokens.ts';

/** Kinds of tokens by how likely a translation has them too, unchanged. */
export const TOKEN = { plain: 0, word: 1, sign: 2, number: 3 } as const;

/** Tokens of sentences. Sentence `i` has those from `starts[i]` to `starts[i + 1]`. */
export interface SideTokens {
  /** Number of UTF-16 code units of each sentence. */
  readonly lengths: Float64Array;
  readonly starts: Int32Array;
  /** Hash of the folded word. */
  readonly words: Int32Array;
  /** Equal for tokens that may be the same in two languages: numbers, signs, words with the same five first letters. Of plain tokens, any. */
  readonly keys: Int32Array;
  readonly kinds: Uint8Array;
}

/** Characters of a sentence that are read, and tokens that are kept: more do not make an alignment surer. */
const MAX_SENTENCE_CHARS = 2000;
const MAX_SENTENCE_TOKENS = 200;
/** Scripts without spaces are split as a whole. */
const ALL_SEGMENTED = { chars: MAX_SENTENCE_CHARS, perRun: 0 };
/** Signs that translations keep, each with its forms: those of Chinese and Japanese, Spanish, Arabic, Greek. */
const SIGNS: ReadonlyMap<string, number> = new Map(
  ['??？؟;', '!!！', '::：', ';;；؛', '((（', '))）', '//／', '%%％٪', '==＝', '““”„«»「」『』"'].flatMap((forms) =>
    [...forms.slice(1)].map((form) => [form, hashText(forms, 0, 1)] as const),
  ),
);
const SIGN = new RegExp(`[${[...SIGNS.keys()].map((sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`).join('')}]`, 'gu');
const DIGIT = /\p{N}/u;
const ACCENTS = /\p{M}+/gu;
const CAPITALS = /^\p{Lu}{2}/u;
/** Simard, Foster and Isabelle (1992) take the same four first letters for cognates; five are surer in texts with many short names. */
const COGNATE_CHARS = 5;
/** Shorter words are the same by chance. */
const MIN_WORD_CHARS = 4;

/** @param places of the sentences, as offsets in the text */
export function sideTokens(text: string, places: readonly { readonly start: number; readonly end: number }[]): SideTokens {
  const tokens = new TokenColumns();
  const lengths = new Float64Array(places.length);
  const starts = new Int32Array(places.length + 1);
  for (const [i, { start, end }] of places.entries()) {
    lengths[i] = end - start;
    tokens.add(text.slice(start, Math.min(end, start + MAX_SENTENCE_CHARS)));
    starts[i + 1] = tokens.size;
  }
  const { size } = tokens;
  return { lengths, starts, words: tokens.words.slice(0, size), keys: tokens.keys.slice(0, size), kinds: tokens.kinds.slice(0, size) };
}

/** Number of times that a token occurs in its sentence, at its first place there; 0 at the others. */
export function repeatsOf({ starts, words, kinds }: SideTokens): Uint8Array {
  const repeats = new Uint8Array(words.length);
  const places = new Map<number, number>();
  for (let sentence = 0; sentence + 1 < starts.length; sentence++) {
    const first = starts[sentence] as number;
    for (let at = first; at < (starts[sentence + 1] as number); at++) {
      const token = 4 * (words[at] as number) + (kinds[at] as number);
      const known = places.get(token) ?? -1;
      const place = known < first ? at : known;
      places.set(token, place);
      repeats[place] = (repeats[place] as number) + 1;
    }
  }
  return repeats;
}

class TokenColumns {
  size = 0;
  words = new Int32Array(256);
  keys = new Int32Array(256);
  kinds = new Uint8Array(256);

  add(sentence: string): void {
    const limit = this.size + MAX_SENTENCE_TOKENS;
    scanWords(
      sentence,
      (hash, start, end) => {
        if (this.size < limit) this.#addWord(hash, sentence.slice(start, end));
      },
      ALL_SEGMENTED,
    );
    for (const [sign] of sentence.matchAll(SIGN)) {
      const key = SIGNS.get(sign) ?? 0;
      if (this.size < limit) this.#push(key, key, TOKEN.sign);
    }
  }

  #addWord(hash: number, word: string): void {
    if (DIGIT.test(word)) this.#push(hash, hash, TOKEN.number);
    else if (CAPITALS.test(word) && word.length < MIN_WORD_CHARS) this.#push(hash, hash, TOKEN.word);
    else if (word.length < MIN_WORD_CHARS) this.#push(hash, hash, TOKEN.plain);
    else {
      const letters = word.normalize('NFD').replace(ACCENTS, '').toLowerCase();
      this.#push(hash, hashText(letters, 0, Math.min(letters.length, COGNATE_CHARS)), TOKEN.word);
    }
  }

  #push(word: number, key: number, kind: number): void {
    this.words = grown(this.words, this.size + 1, Int32Array);
    this.keys = grown(this.keys, this.size + 1, Int32Array);
    if (this.size === this.kinds.length) {
      const larger = new Uint8Array(2 * this.size);
      larger.set(this.kinds);
      this.kinds = larger;
    }
    this.words[this.size] = word;
    this.keys[this.size] = key;
    this.kinds[this.size++] = kind;
  }
}
