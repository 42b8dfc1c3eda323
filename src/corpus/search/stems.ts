/** Stems by the Snowball algorithms (Porter 2001), for the languages that have one. */
import { createRequire } from 'node:module';
import { languageCode } from '../../base/text/language-code.ts';

/** Algorithms of `snowball-stemmers` by language. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Longer runs are encoded data, not words. */
const MAX_WORD_CHARS = 40;
/** Distinct words whose stems are remembered: most words of a page are among them. Some 5 MB. */
const MAX_KNOWN = 50_000;

/** The package has no types. It is CommonJS with a mark of ES modules, which runtimes import in different ways. */
interface Snowball {
  newStemmer(algorithm: string): { stem(word: string): string };
}

/** Stems of words by language. Loading it reads 0.9 MB of code. */
export class Stems {
  readonly #newStemmer: (algorithm: string) => { stem(word: string): string };
  readonly #stemmers = new Map<string, Stemmer>();

  private constructor(newStemmer: (algorithm: string) => { stem(word: string): string }) {
    this.#newStemmer = newStemmer;
  }

  static load(): Stems {
    const snowball = createRequire(import.meta.url)('snowball-stemmers') as Snowball;
    return new Stems((algorithm) => snowball.newStemmer(algorithm));
  }

  /** The language of a tag if it has stems, else null. `de` for `de-AT`. */
  static languageOf(tag: string): string | null {
    const code = languageCode(tag);
    return code !== null && Object.hasOwn(ALGORITHMS, code) ? code : null;
  }

  /** The stem of a word, in lower case. @param language one that `languageOf` returns */
  stemOf(word: string, language: string): string {
    return this.#stemmerOf(language).stem(word.toLowerCase());
  }

  /** The stems of a text that differ from their words in lower case, in order, with spaces between. O(text). */
  otherThanWords(text: string, language: string): string {
    const stemmer = this.#stemmerOf(language);
    const stems: string[] = [];
    for (const [word] of text.matchAll(WORD)) {
      if (word.length > MAX_WORD_CHARS) continue;
      const plain = word.toLowerCase();
      const stem = stemmer.stem(plain);
      if (stem !== plain) stems.push(stem);
    }
    return stems.join(' ');
  }

  #stemmerOf(language: string): Stemmer {
    const known = this.#stemmers.get(language);
    if (known) return known;
    const algorithm = this.#newStemmer(ALGORITHMS[language] ?? '');
    const stemmer = new Stemmer((word) => algorithm.stem(word));
    this.#stemmers.set(language, stemmer);
    return stemmer;
  }
}

class Stemmer {
  readonly #stem: (word: string) => string;
  #known = new Map<string, string>();

  constructor(stem: (word: string) => string) {
    this.#stem = stem;
  }

  stem(word: string): string {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const stem = this.#stem(word);
    if (this.#known.size >= MAX_KNOWN) this.#known = new Map();
    this.#known.set(word, stem);
    return stem;
  }
}
