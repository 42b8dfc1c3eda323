/**
 * Effects of a style attribute on sight, lines and white space (CSS Syntax 3, Display 3, Text 3). Names and keywords are in any case; a later declaration wins, unless an
 * earlier one is important; a value that is not in the lists is invalid, and browsers ignore it.
 */
import { PROPERTY, STYLE_PROPERTIES, STYLE_VALUES, VALUE } from '../../src/reading/extract/inline-style.ts';

/** Effects of a style attribute: not seen; `display` says otherwise, against the attribute `hidden`; a line or a cell of its own; the white space that is kept. */
export const STYLE = { unseen: 1, shown: 2, block: 4, cell: 8, keepsBlanks: 16, keepsLines: 32, keepsNothing: 64 } as const;

/** Most styles are about colours and sizes. */
const IS_READ = /display|visibility|white-space/i;
const BANG = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const OPEN = 40;
const CLOSE = 41;
const STAR = 42;
const HYPHEN = 45;
const SLASH = 47;
const COLON = 58;
const SEMICOLON = 59;
const BACKSLASH = 92;

/** The effects of a style attribute, bits of `STYLE`. O(length). */
export function effectOfStyle(style: string): number {
  return IS_READ.test(style) ? new StyleReader(style).read() : 0;
}

const WHITE_SPACE: ReadonlyMap<number, number> = new Map([
  [VALUE.pre, STYLE.keepsBlanks],
  [VALUE.preLine, STYLE.keepsLines],
  [VALUE.normal, STYLE.keepsNothing],
]);

function takesKind(property: number, kind: number): boolean {
  if (property === PROPERTY.display) return kind <= VALUE.inline;
  return property === PROPERTY.whiteSpace ? kind > VALUE.visible : kind > VALUE.inline && kind <= VALUE.visible;
}

class StyleReader {
  readonly #style: string;
  #at = 0;
  /** By property: the kind of its value, and whether it is important. */
  readonly #values = [0, 0, 0, 0, 0];
  readonly #important = [false, false, false, false, false];

  constructor(style: string) {
    this.#style = style;
  }

  read(): number {
    while (this.#at < this.#style.length) {
      this.#skipBlanks();
      const property = this.#keyword(STYLE_PROPERTIES);
      this.#skipBlanks();
      if (property > 0 && this.#code() === COLON) this.#value(property);
      this.#skipDeclaration();
    }
    const [, display = 0, visibility, contents, whiteSpace = 0] = this.#values;
    let effect = display === VALUE.none || visibility === VALUE.hidden || contents === VALUE.hidden ? STYLE.unseen : 0;
    if (display > VALUE.none) effect |= STYLE.shown;
    if (display === VALUE.block) effect |= STYLE.block;
    else if (display === VALUE.cell) effect |= STYLE.cell;
    return effect | (WHITE_SPACE.get(whiteSpace) ?? 0);
  }

  #code(): number {
    return this.#style.charCodeAt(this.#at);
  }

  /** After a colon: keywords, perhaps `!important`. Anything else makes the value invalid. */
  #value(property: number): void {
    this.#at += 1;
    let found = 0;
    let important = false;
    for (;;) {
      this.#skipBlanks();
      const code = this.#code();
      if (this.#at >= this.#style.length || code === SEMICOLON) break;
      if (code === BANG && found > 0 && !important) {
        this.#at += 1;
        this.#skipBlanks();
        if (this.#name().toLowerCase() !== 'important') return;
        important = true;
        continue;
      }
      const value = important ? 0 : this.#keyword(STYLE_VALUES);
      if (value <= 0 || (found > 0 && (value > VALUE.inline || found > VALUE.inline))) return;
      found = Math.max(found, value);
    }
    if (found === 0 || !takesKind(property, found)) return;
    if (this.#important[property] && !important) return;
    this.#values[property] = found;
    this.#important[property] = important;
  }

  /** White space and comments. */
  #skipBlanks(): void {
    for (; this.#at < this.#style.length; this.#at += 1) {
      if (this.#code() <= 32) continue;
      if (!this.#isComment()) return;
      this.#skipComment();
    }
  }

  #isComment(): boolean {
    return this.#code() === SLASH && this.#style.charCodeAt(this.#at + 1) === STAR;
  }

  /** To the last sign of the comment. */
  #skipComment(): void {
    const end = this.#style.indexOf('*/', this.#at + 2);
    this.#at = end < 0 ? this.#style.length : end + 1;
  }

  #name(): string {
    const from = this.#at;
    while (this.#at < this.#style.length && isNamed(this.#code())) this.#at += 1;
    return this.#style.slice(from, this.#at);
  }

  /** The number of the name here; 0 if it is none of them. */
  #keyword(names: ReadonlyMap<string, number>): number {
    return names.get(this.#name().toLowerCase()) ?? 0;
  }

  /** Behind the semicolon that is in no string, comment or parenthesis. */
  #skipDeclaration(): void {
    let depth = 0;
    for (; this.#at < this.#style.length; this.#at += 1) {
      const code = this.#code();
      if (code === BACKSLASH) this.#at += 1;
      else if (code === QUOTE || code === APOSTROPHE) this.#skipString(code);
      else if (this.#isComment()) this.#skipComment();
      else if (code === OPEN) depth += 1;
      else if (code === CLOSE) depth -= 1;
      else if (code === SEMICOLON && depth <= 0) break;
    }
    this.#at += 1;
  }

  #skipString(quote: number): void {
    for (this.#at += 1; this.#at < this.#style.length && this.#code() !== quote; this.#at += 1)
      if (this.#code() === BACKSLASH) this.#at += 1;
  }
}

/** Of the names that are read; any other character ends a name, and makes it unknown or its value invalid. */
function isNamed(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || code === HYPHEN;
}
