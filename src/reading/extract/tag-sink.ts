import type { ContentModel, TokenSink } from './tokenizer.ts';

/** A reader of tokens that looks at a start tag when all its attributes are read. */
export abstract class TagSink implements TokenSink {
  protected readonly html: string;
  /** The name of the last start tag, in lower case, and its place. */
  protected name = '';
  protected tagStart = 0;
  /** Open elements of svg and math. */
  protected foreign = 0;
  /** The place behind the last name or value that was read. */
  #readTo = 0;
  readonly #attributes = new Map<string, string>();

  constructor(html: string) {
    this.html = html;
  }

  abstract text(start: number, end: number, references: boolean): void;

  abstract startTagEnd(selfClosing: boolean): ContentModel;

  abstract endTag(start: number, end: number): void;

  isForeign(): boolean {
    return this.foreign > 0;
  }

  startTag(start: number, end: number): void {
    this.tagStart = start - 1;
    this.#readTo = end;
    this.name = this.html.slice(start, end).toLowerCase();
    this.#attributes.clear();
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const name = this.html.slice(nameStart, nameEnd).toLowerCase();
    if (!this.#attributes.has(name)) this.#attributes.set(name, this.html.slice(valueStart, valueEnd));
    this.#readTo = valueEnd;
  }

  /** Has the last start tag this attribute? */
  protected has(attribute: string): boolean {
    return this.#attributes.has(attribute);
  }

  /** The value of an attribute of the last start tag, as written; '' without it. */
  protected valueOf(attribute: string): string {
    return this.#attributes.get(attribute) ?? '';
  }

  /** The place behind the last start tag. */
  protected get tagEnd(): number {
    return this.behindTag(this.#readTo);
  }

  /** The place behind a tag. @param from a place in it, behind its values */
  protected behindTag(from: number): number {
    const end = this.html.indexOf('>', from);
    return end < 0 ? this.html.length : end + 1;
  }
}
