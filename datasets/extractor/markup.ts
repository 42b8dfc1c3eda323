/** Pages with less said in their markup: what a model makes of them is what it owes to that part of the markup. */

import type { TokenSink } from '../../src/reading/extract/tokenizer.ts';
import { PageParser, type ParseObserver } from '../../test/oracle/page-parser.ts';

const SEMANTIC = new Set(['nav', 'header', 'footer', 'aside', 'main', 'article', 'section', 'figure']);
const KEPT = new Set(['script', 'style', 'svg', 'template', 'noscript']);
const HINTS = new Set(['class', 'id']);
/** No reader of attributes wants it. */
const UNREAD = 'x';

/** What is taken out of a page's markup. */
export interface Stripping {
  /** Attributes `class` and `id`. */
  readonly hints: boolean;
  /** Semantic elements, which become `div`, and attributes `role`. */
  readonly semantics: boolean;
}

/** The page with names in its tags changed, and nothing else: the parser itself says what is a tag. */
export function strippedMarkup(html: string, stripping: Stripping): string {
  if (!stripping.hints && !stripping.semantics) return html;
  const renaming = new Renaming(html, stripping);
  new PageParser(false).observed(html, renaming);
  return renaming.finish();
}

/** Writes the page anew as the parser goes over it. */
class Renaming implements ParseObserver {
  readonly #html: string;
  readonly #stripping: Stripping;
  readonly #parts: string[] = [];
  #done = 0;

  constructor(html: string, stripping: Stripping) {
    this.#html = html;
    this.#stripping = stripping;
  }

  add(): void {}

  recording(parser: PageParser): TokenSink {
    return {
      text: (start, end, references) => parser.text(start, end, references),
      startTag: (start, end) => {
        this.#element(start, end);
        parser.startTag(start, end);
      },
      attribute: (nameStart, nameEnd, valueStart, valueEnd) => {
        this.#attribute(nameStart, nameEnd);
        parser.attribute(nameStart, nameEnd, valueStart, valueEnd);
      },
      startTagEnd: (selfClosing) => parser.startTagEnd(selfClosing),
      endTag: (start, end) => {
        this.#element(start, end);
        parser.endTag(start, end);
      },
      isForeign: () => parser.isForeign(),
    };
  }

  finish(): string {
    this.#parts.push(this.#html.slice(this.#done));
    return this.#parts.join('');
  }

  #element(start: number, end: number): void {
    if (this.#stripping.semantics && SEMANTIC.has(this.#name(start, end))) this.#rename(start, end, 'div');
  }

  #attribute(start: number, end: number): void {
    const name = this.#name(start, end);
    if ((this.#stripping.hints && HINTS.has(name)) || (this.#stripping.semantics && name === 'role')) this.#rename(start, end, UNREAD);
  }

  #name(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }

  #rename(start: number, end: number, name: string): void {
    this.#parts.push(this.#html.slice(this.#done, start), name);
    this.#done = end;
  }
}

/** The page with nothing left of its markup but element names that say nothing, and links. What else the attributes said, e.g. `hidden`, is gone too. */
export function plainMarkup(html: string): string {
  return html.replace(/<(\/?)([a-z][a-z0-9]*)(\s[^>]*)?>/gi, (tag: string, slash: string, name: string, attributes: string | undefined) => {
    const lower = name.toLowerCase();
    if (KEPT.has(lower)) return tag;
    const plain = SEMANTIC.has(lower) ? 'div' : lower;
    const href = lower === 'a' && slash === '' ? / href\s*=\s*("[^"]*"|'[^']*')/i.exec(attributes ?? '')?.[0] : undefined;
    return `<${slash}${plain}${href ?? ''}>`;
  });
}
