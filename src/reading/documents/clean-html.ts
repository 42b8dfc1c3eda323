/** Markup of others as clean HTML: text, headings, lists, tables, links and emphasis, without looks and programs. */
import { decodeHTML } from 'entities';
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { normaliseLang } from '../../base/text/language.ts';
import { TagSink } from '../extract/tag-sink.ts';
import { knownTags } from '../extract/tags.ts';
import { type ContentModel, tokenize } from '../extract/tokenizer.ts';
import { localAttributeOf, type XmlHandlers } from '../extract/xml-scanner.ts';

export interface CleanOptions {
  /** The address of a link; null if it leads nowhere. */
  href(written: string): string | null;
  /** The id of an element in the page; null omits ids. */
  readonly id: ((written: string) => string) | null;
}

export interface CleanMarkup {
  readonly html: string;
  /** Declared by its `html` or `body`; null without a declaration. */
  readonly language: string | null;
}

/** Markup, XHTML or HTML, as clean HTML. Elements that it leaves open end with it. O(characters) */
export function cleanHtml(markup: string, options: CleanOptions): CleanMarkup {
  const writer = new CleanWriter(options);
  tokenize(markup, new Tokens(markup, writer));
  return writer.finish();
}

const TAGS = knownTags();

/** Tokens of HTML, or of XHTML, whose elements may end in their start tags, and which has CDATA anywhere. */
class Tokens extends TagSink {
  readonly #writer: CleanWriter;

  constructor(markup: string, writer: CleanWriter) {
    super(markup);
    this.#writer = writer;
  }

  override text(start: number, end: number, references: boolean): void {
    const text = this.html.slice(start, end);
    this.#writer.text(references ? decodeHTML(text) : text);
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    const name = localName(this.name);
    this.#writer.open(name, '', this.html.slice(this.tagStart, this.tagEnd));
    if (selfClosing) this.#writer.close(name);
    return selfClosing ? 'data' : (TAGS.get(name)?.content ?? 'data');
  }

  override endTag(start: number, end: number): void {
    this.#writer.close(localName(this.html.slice(start, end)));
  }

  override isForeign(): boolean {
    return true;
  }
}

/** @param name perhaps with a prefix */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** Elements that are no text, with everything in them. Pictures have no text, and forms and programs are not run. */
const OMITTED = new Set('head script style template iframe object audio video canvas svg nav select textarea button case'.split(' '));
/** Elements that would make the text look like something around it: an aside of a book is a note, its header is a title. */
const PLAIN = new Set('header footer aside main article form dialog menu hgroup address fieldset details summary search center'.split(' '));
const VOID = new Set('br hr wbr col'.split(' '));
/** Elements that are written as they are, beside headings. */
const KEPT = new Set(
  (
    'section div p blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr td th colgroup figure figcaption ' +
    'a abbr b bdi bdo cite code del dfn em i ins kbd mark q ruby rb rt rp s samp small span strong sub sup time u var ' +
    'math mi mn mo ms mtext mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd semantics annotation annotation-xml'
  ).split(' '),
);
const HEADING = /^h[1-6]$/;
const ATTRIBUTES = ['dir', 'colspan', 'rowspan', 'start', 'reversed', 'value', 'datetime', 'encoding', 'alttext', 'display'] as const;
/** Elements in each other that the page has at most. */
const MAX_OPEN = 200;

class CleanWriter implements XmlHandlers {
  readonly #options: CleanOptions;
  readonly #open: string[] = [];
  #html = '';
  #language: string | null = null;
  /** Omitted element, and how many of its name are open. */
  #omitted: { readonly name: string; depth: number } | null = null;

  constructor(options: CleanOptions) {
    this.#options = options;
  }

  open(name: string, _prefix: string, tag: string): void {
    if (this.#omitted !== null) {
      if (this.#omitted.name === name) this.#omitted.depth += 1;
    } else if (name === 'html' || name === 'body') this.#language ??= normaliseLang(localAttributeOf(tag, 'lang'));
    else if (OMITTED.has(name) || isSign(tag)) this.#omitted = { name, depth: 1 };
    else if (VOID.has(name)) this.#html += `<${name}>`;
    else this.#start(writtenName(name), tag);
  }

  close(name: string): void {
    if (this.#omitted !== null) {
      if (this.#omitted.name === name) this.#omitted.depth -= 1;
      if (this.#omitted.depth === 0) this.#omitted = null;
      return;
    }
    const written = writtenName(name);
    if (VOID.has(name) || written === null) return;
    const at = this.#open.lastIndexOf(written);
    if (at >= 0) this.#closeTo(at);
  }

  text(text: string): void {
    if (this.#omitted === null) this.#html += escapeSigns(text);
  }

  finish(): CleanMarkup {
    this.#closeTo(0);
    return { html: this.#html, language: this.#language };
  }

  #start(name: string | null, tag: string): void {
    if (name === null || this.#open.length >= MAX_OPEN) return;
    this.#open.push(name);
    // The number of a note is no part of the word before it.
    if (name === 'a' && hasRole(tag, /\b(?:doc-)?noteref\b/)) this.#html += ' ';
    this.#html += `<${name}${this.#attributes(name, tag)}>`;
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#html += `</${this.#open.pop()}>`;
  }

  #attributes(name: string, tag: string): string {
    if (!tag.includes('=')) return '';
    const id = this.#options.id === null ? null : localAttributeOf(tag, 'id');
    const href = name === 'a' ? localAttributeOf(tag, 'href') : null;
    const values: (readonly [string, string | null])[] = [
      ['id', id === null ? null : (this.#options.id?.(id) ?? null)],
      ['href', href === null || href.trim() === '' ? null : this.#options.href(href.trim())],
      ['lang', normaliseLang(localAttributeOf(tag, 'lang'))],
      ...ATTRIBUTES.map((attribute) => [attribute, localAttributeOf(tag, attribute)] as const),
    ];
    return values.map(([attribute, value]) => (value === null ? '' : ` ${attribute}="${escapeSigns(value)}"`)).join('');
  }
}

/** The name that an element has in the page; null if only its content is written. */
function writtenName(name: string): string | null {
  if (PLAIN.has(name)) return 'div';
  return KEPT.has(name) || HEADING.test(name) ? name : null;
}

/** The number of a page of the printed book, in the midst of a sentence, or the arrow behind a note (EPUB 3 Structural Semantics, DPUB-ARIA 1.1). */
function isSign(tag: string): boolean {
  return hasRole(tag, /\b(?:pagebreak|backlink)\b/);
}

function hasRole(tag: string, role: RegExp): boolean {
  return role.test(tag) && role.test(`${localAttributeOf(tag, 'type')} ${localAttributeOf(tag, 'role')}`);
}
