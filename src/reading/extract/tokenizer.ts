/**
 * HTML to tags and text, following the tokenization of the HTML Standard (§13.2.5) where it affects text and links. `indexOf` finds text, at the
 * speed of a memory scan; only tags are read character by character.
 */

/** The way that the content of an element is read (HTML Standard §13.2.5): `rcdata` has character references and no tags, `raw` neither. */
export type ContentModel = (typeof CONTENT_MODELS)[number];
/** Content models in the order of their numbers in the WebAssembly reader. */
export const CONTENT_MODELS = ['data', 'rcdata', 'raw', 'script', 'plaintext'] as const;

/** Receives the content of the page, in order. Offsets refer to the page. */
export interface TokenSink {
  /** @param references whether it may contain character references, which are not decoded. */
  text(start: number, end: number, references: boolean): void;
  /** A start tag begins; a tag that is cut by the end of the page is never followed by `startTagEnd`, and does not count. */
  startTag(nameStart: number, nameEnd: number): void;
  /** Belongs to the last start tag. Without a value, both ends are those of the name. */
  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void;
  /** @returns how to read the element's content. */
  startTagEnd(selfClosing: boolean): ContentModel;
  endTag(nameStart: number, nameEnd: number): void;
  /** Is the innermost element one of svg or math? There, `<![CDATA[` is text. */
  isForeign(): boolean;
}

const TAB = 9;
const LF = 10;
const FF = 12;
const CR = 13;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

/** Characters that end a tag name, an attribute name, and an unquoted value: one bit each, for the codes under 64. */
export const ENDS = new Uint8Array(64);
const NAME = 1;
const ATTRIBUTE = 2;
const VALUE = 4;
const BLANK = 8;
for (const code of [TAB, LF, FF, CR, SPACE]) ENDS[code] = NAME | ATTRIBUTE | VALUE | BLANK;
ENDS[SLASH] = NAME | ATTRIBUTE;
ENDS[EQUALS] = ATTRIBUTE;
ENDS[GREATER] = NAME | ATTRIBUTE | VALUE;

/** Marks in a script that may start or end a commented part, and tags named script. */
const SCRIPT_MARK = /<!--|-->|<(\/?)script[\t\n\f\r />]/gi;

/** Passes the content of `html` to `sink`. Never throws by itself. O(length), for any markup. */
export function tokenize(html: string, sink: TokenSink): void {
  new Tokenizer(html, sink).run();
}

class Tokenizer {
  readonly #html: string;
  readonly #sink: TokenSink;
  readonly #length: number;
  /** First `&` at or after the current text, and first `--!>` at or after the current comment; the length if there is none. */
  #ampersand = -1;
  #bangEnd = -1;
  readonly #attributes: AttributeReader;

  constructor(html: string, sink: TokenSink) {
    this.#html = html;
    this.#sink = sink;
    this.#length = html.length;
    this.#attributes = new AttributeReader(html, sink);
  }

  run(): void {
    const html = this.#html;
    const length = this.#length;
    let textFrom = 0;
    let at = html.indexOf('<');
    while (at >= 0 && at + 1 < length) {
      const next = html.charCodeAt(at + 1);
      const isEnd = next === SLASH;
      if (isLetter(isEnd ? html.charCodeAt(at + 2) : next)) {
        this.#text(textFrom, at);
        textFrom = isEnd ? this.#endTag(at + 2) : this.#startTag(at + 1);
      } else if (next === BANG || next === QUESTION || (isEnd && at + 2 < length)) {
        this.#text(textFrom, at);
        textFrom = next === BANG ? this.#declaration(at + 2) : this.#bogusComment(at + 2);
      } else {
        // A `<` that starts no tag is text.
        at = html.indexOf('<', at + 1);
        continue;
      }
      at = textFrom >= length ? -1 : html.indexOf('<', textFrom);
    }
    this.#text(textFrom, length);
  }

  #text(start: number, end: number): void {
    if (start >= end) return;
    if (this.#ampersand < start) this.#ampersand = orLength(this.#html.indexOf('&', start), this.#length);
    this.#sink.text(start, end, this.#ampersand < end);
  }

  /** @returns the position to continue at, like all methods below. */
  #endTag(nameStart: number): number {
    const nameEnd = nameEndAt(this.#html, nameStart);
    const end = this.#attributes.read(nameEnd, false);
    if (end > this.#length) return this.#length;
    this.#sink.endTag(nameStart, nameEnd);
    return end;
  }

  #startTag(nameStart: number): number {
    const nameEnd = nameEndAt(this.#html, nameStart);
    this.#sink.startTag(nameStart, nameEnd);
    const end = this.#attributes.read(nameEnd, true);
    if (end > this.#length) return this.#length;
    const content = this.#sink.startTagEnd(this.#attributes.selfClosing);
    return content === 'data' ? end : this.#content(content, end, nameStart, nameEnd);
  }

  /** Reads the declaration or comment after `<!`. */
  #declaration(from: number): number {
    if (this.#html.startsWith('--', from)) return this.#comment(from + 2);
    if (this.#html.startsWith('[CDATA[', from) && this.#sink.isForeign()) return this.#cdata(from + 7);
    return this.#bogusComment(from);
  }

  #comment(from: number): number {
    const html = this.#html;
    // `<!-->` and `<!--->` are whole comments.
    if (html.charCodeAt(from) === GREATER) return from + 1;
    if (html.startsWith('->', from)) return from + 2;
    const end = html.indexOf('-->', from);
    if (this.#bangEnd < from) this.#bangEnd = orLength(html.indexOf('--!>', from), this.#length);
    if (end < 0) return Math.min(this.#bangEnd + 4, this.#length);
    return this.#bangEnd < end ? this.#bangEnd + 4 : end + 3;
  }

  #cdata(from: number): number {
    const end = orLength(this.#html.indexOf(']]>', from), this.#length);
    if (end > from) this.#sink.text(from, end, false);
    return Math.min(end + 3, this.#length);
  }

  #bogusComment(from: number): number {
    return orLength(this.#html.indexOf('>', from), this.#length - 1) + 1;
  }

  /** The content of an element without markup, up to its end tag. */
  #content(model: ContentModel, from: number, nameStart: number, nameEnd: number): number {
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    const end = model === 'plaintext' ? this.#length : model === 'script' ? this.#scriptEnd(from) : this.#rawEnd(name, from);
    if (model === 'rcdata') this.#text(from, end);
    else if (end > from) this.#sink.text(from, end, false);
    return end >= this.#length ? this.#length : this.#endTag(end + 2);
  }

  /** The start of the end tag of this name; the length if there is none. */
  #rawEnd(name: string, from: number): number {
    const html = this.#html;
    for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
      const end = at + 2 + name.length;
      if (endsAt(html.charCodeAt(end), NAME) && html.slice(at + 2, end).toLowerCase() === name) return at;
    }
    return this.#length;
  }

  /** End of a script, as `#rawEnd` of other elements: `<!-- <script> </script>` does not end it (HTML Standard §13.2.5.27). */
  #scriptEnd(from: number): number {
    let depth: 'plain' | 'escaped' | 'double' = 'plain';
    SCRIPT_MARK.lastIndex = from;
    for (let mark = SCRIPT_MARK.exec(this.#html); mark !== null; mark = SCRIPT_MARK.exec(this.#html)) {
      const [found, slash] = mark;
      if (found === '-->') depth = 'plain';
      else if (found === '<!--') {
        if (depth === 'plain') depth = 'escaped';
        // The dashes may also be those of `-->`.
        SCRIPT_MARK.lastIndex -= 2;
      } else if (slash === '') {
        if (depth === 'escaped') depth = 'double';
      } else if (depth === 'double') depth = 'escaped';
      else return mark.index;
    }
    return this.#length;
  }
}

/** The end of the tag name that starts at `from`. */
export function nameEndAt(html: string, from: number): number {
  let at = from + 1;
  while (at < html.length && !endsAt(html.charCodeAt(at), NAME)) at += 1;
  return at;
}

/** Reads the attributes of start tags. */
export class AttributeReader {
  readonly #html: string;
  readonly #sink: Pick<TokenSink, 'attribute'>;
  readonly #length: number;
  /** The last tag ended with a `/>` whose slash was not part of a value. */
  selfClosing = false;

  constructor(html: string, sink: Pick<TokenSink, 'attribute'>) {
    this.#html = html;
    this.#sink = sink;
    this.#length = html.length;
  }

  /** Reads attributes from the end of a tag's name. @returns the position after its `>`; beyond the length if the page ends first */
  read(from: number, reports = true): number {
    const html = this.#html;
    const length = this.#length;
    this.selfClosing = false;
    let at = from;
    for (;;) {
      while (at < length && endsAt(html.charCodeAt(at), BLANK)) at += 1;
      if (at >= length) return length + 1;
      const code = html.charCodeAt(at);
      if (code === GREATER) return at + 1;
      if (code === SLASH) {
        this.selfClosing = html.charCodeAt(at + 1) === GREATER;
        at += 1;
        continue;
      }
      at = this.#attribute(at, reports);
    }
  }

  #attribute(nameStart: number, reports: boolean): number {
    const html = this.#html;
    const length = this.#length;
    // A `=` in the first place is part of the name.
    let at = nameStart + 1;
    while (at < length && !endsAt(html.charCodeAt(at), ATTRIBUTE)) at += 1;
    const nameEnd = at;
    while (at < length && endsAt(html.charCodeAt(at), BLANK)) at += 1;
    let valueStart = nameEnd;
    let valueEnd = nameEnd;
    if (html.charCodeAt(at) === EQUALS) {
      at += 1;
      while (at < length && endsAt(html.charCodeAt(at), BLANK)) at += 1;
      const quote = html.charCodeAt(at);
      valueStart = at;
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
        valueStart += 1;
        valueEnd = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", valueStart);
        if (valueEnd < 0) return length;
        at = valueEnd + 1;
      } else {
        while (at < length && !endsAt(html.charCodeAt(at), VALUE)) at += 1;
        valueEnd = at;
      }
    } else at = nameEnd;
    if (reports) this.#sink.attribute(nameStart, nameEnd, valueStart, valueEnd);
    return at;
  }
}

function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function endsAt(code: number, bit: number): boolean {
  return code < 64 && ((ENDS[code] as number) & bit) !== 0;
}

function orLength(found: number, length: number): number {
  return found < 0 ? length : found;
}
