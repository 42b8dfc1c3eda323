/**
 * Words that a hyphen breaks at the end of a line: joined if the joined word is elsewhere in the document. If it is not, a compound keeps its hyphen: one
 * that is elsewhere, or whose parts are words of the document. Other parts are syllables.
 */
import { type TextLine, textOfLine } from './glyph-lines.ts';

const WORD = /[\p{L}\p{M}\p{Nd}]+(?:[-\u2010\u2011][\p{L}\p{M}\p{Nd}]+)*/gu;
const LAST_PART = /[\p{L}\p{M}\p{Nd}]+$/u;
const FIRST_PART = /^[\p{L}\p{M}\p{Nd}]+/u;
/** Letters of scripts that break words with a hyphen. */
const SYLLABLES = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{M}]+$/u;
const MARKS = /^\P{L}+|\P{L}+$/gu;
const SOFT_HYPHEN = '\u00ad';
/** A hyphen at the end: HYPHEN-MINUS, soft, HYPHEN. */
const HYPHEN_END = /[-\u00ad\u2010]$/;
/** Words of one document that are remembered; the rest of a longer one seldom has others. */
const MOST_WORDS = 200_000;

export class BrokenWords {
  readonly #words = new Set<string>();
  /** Words that are not a part of a broken or hyphenated one. */
  readonly #wholeWords = new Set<string>();

  /** @param lines of the whole document */
  constructor(lines: readonly TextLine[]) {
    for (const line of lines) {
      if (this.#words.size > MOST_WORDS) break;
      const text = textOfLine(line).toLowerCase();
      for (const word of text.match(WORD) ?? []) this.#words.add(word);
      // The first and last word of a line may be parts.
      for (const word of text.split(/\s+/).slice(1, -1)) this.#wholeWords.add(word.replace(MARKS, ''));
    }
  }

  /**
   * The text that ends a line, without its hyphen if it breaks a word, and whether the next line follows without a space.
   * @param next first words of the next line
   */
  joined(text: string, next: string): { readonly text: string; readonly spaced: boolean } {
    if (!HYPHEN_END.test(text)) return { text, spaced: true };
    const bare = text.slice(0, -1);
    const [first = ''] = LAST_PART.exec(bare) ?? [];
    const [rest = ''] = FIRST_PART.exec(next) ?? [];
    if (first === '' || rest === '') return { text: text.replaceAll(SOFT_HYPHEN, ''), spaced: !text.endsWith(SOFT_HYPHEN) };
    return { text: text.endsWith(SOFT_HYPHEN) || this.#isBroken(first.toLowerCase(), rest) ? bare : text, spaced: false };
  }

  #isBroken(first: string, rest: string): boolean {
    const second = rest.toLowerCase();
    if (this.#words.has(first + second)) return true;
    if (second !== rest || !SYLLABLES.test(first + second) || this.#words.has(`${first}-${second}`)) return false;
    return !this.#wholeWords.has(first) || !this.#wholeWords.has(second);
  }
}
