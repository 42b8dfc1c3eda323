import { shareOf } from '../../../base/core/share.ts';
import type { QualityLanguage } from './quality-languages.ts';

const SPACE = 1;
const LETTER = 2;
const DIGIT = 4;
/** Classes of UTF-16 code units; 0 for punctuation and symbols. Made when the first text is measured: it takes 20 ms. */
let classes: Uint8Array | null = null;

const BLANKS = /[ \t]{2,}/g;
const BLANK_LINE = /\n\s*\n/;

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/**
 * A text as the rules read it. A token is a run of characters without white space; a word is a token with a letter or digit, without the punctuation
 * at its ends. Lines are trimmed; empty ones do not count.
 */
export class MeasuredText {
  /** The lines: neither blank lines nor the blanks of code count as characters of a text. */
  readonly text: string;
  /** Parts of the text between blank lines. */
  readonly paragraphs: readonly string[];
  readonly language: QualityLanguage;
  readonly lines: readonly string[];
  /** Number of tokens. */
  readonly tokens: number;
  /** Number of words that have a letter. */
  readonly alphabetic: number;
  /** Number of different stop words. */
  readonly stopWords: number;
  /** Hash of each word as written, 32 bits signed, shape [words]. */
  readonly words: Int32Array;
  /** Number of code units of each word, shape [words]. */
  readonly lengths: Uint32Array;

  constructor(text: string, language: QualityLanguage) {
    this.language = language;
    this.lines = text.split('\n').flatMap((line) => line.trim().replaceAll(BLANKS, ' ') || []);
    this.text = this.lines.join('\n');
    this.paragraphs = text.trim().split(BLANK_LINE);
    const scanned = scanTokens(text);
    this.tokens = scanned.tokens;
    this.alphabetic = scanned.alphabetic;
    this.words = scanned.words;
    this.lengths = scanned.lengths;
    this.stopWords = countStopWords(this.words, language);
  }

  /** Share of lines for which `holds`, in [0, 1]; 0 without lines. */
  shareOfLines(holds: (line: string) => boolean): number {
    return shareOf(this.lines.filter(holds).length, this.lines.length);
  }

  endsInTerminal(line: string): boolean {
    return this.language.terminal.includes(line.at(-1) ?? ' ');
  }
}

/** Number of items, and of their code units, that equal an earlier one. */
export function duplicatesIn(items: readonly string[]): { readonly items: number; readonly chars: number } {
  const seen = new Set<string>();
  let [count, chars] = [0, 0];
  for (const item of items) {
    if (seen.has(item)) {
      count++;
      chars += item.length;
    } else seen.add(item);
  }
  return { items: count, chars };
}

function scanTokens(text: string): Pick<MeasuredText, 'tokens' | 'alphabetic' | 'words' | 'lengths'> {
  classes ??= classesOfUnits();
  const words = new Int32Array((text.length >> 1) + 1);
  const lengths = new Uint32Array((text.length >> 1) + 1);
  let tokens = 0;
  let alphabetic = 0;
  let count = 0;
  for (let i = 0; i < text.length; ) {
    if (classes[text.charCodeAt(i)] === SPACE) {
      i++;
      continue;
    }
    tokens++;
    let first = -1;
    let last = -1;
    let kinds = 0;
    let hash = FNV_OFFSET;
    let whole = FNV_OFFSET;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const kind = classes[code] as number;
      if (kind === SPACE) break;
      if (kind === 0 && first < 0) continue;
      if (first < 0) first = i;
      hash = Math.imul(hash ^ code, FNV_PRIME);
      if (kind === 0) continue;
      last = i;
      whole = hash;
      kinds |= kind;
    }
    if (first < 0) continue;
    if (kinds & LETTER) alphabetic++;
    words[count] = whole;
    lengths[count] = last + 1 - first;
    count++;
  }
  return { tokens, alphabetic, words: words.subarray(0, count), lengths: lengths.subarray(0, count) };
}

function classesOfUnits(): Uint8Array {
  return Uint8Array.from({ length: 65536 }, (_, unit) => {
    const char = String.fromCharCode(unit);
    if (/\s/.test(char)) return SPACE;
    // Halves of surrogate pairs: of letters of rare scripts, and of emoji, which no rule needs to tell apart.
    if (/[\p{L}\p{M}\p{Cs}]/u.test(char)) return LETTER;
    return /\p{N}/u.test(char) ? DIGIT : 0;
  });
}

const stopHashes = new Map<QualityLanguage, ReadonlyMap<number, number>>();

/** Counts stop words in lower case, with a capital, and in capitals. */
function countStopWords(words: Int32Array, language: QualityLanguage): number {
  const known = stopHashes.get(language) ?? hashesOf(language);
  stopHashes.set(language, known);
  const found = new Set<number>();
  for (const word of words) {
    const place = known.get(word);
    if (place !== undefined) found.add(place);
  }
  return found.size;
}

function hashesOf({ stopWords }: QualityLanguage): Map<number, number> {
  const forms = (word: string) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
  return new Map(stopWords.flatMap((word, place) => forms(word).map((form) => [hashOf(form), place] as const)));
}

function hashOf(word: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME);
  return hash;
}
