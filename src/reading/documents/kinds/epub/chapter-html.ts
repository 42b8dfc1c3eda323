/** A chapter of a book as a part of the page that the book becomes. */
import { decodeHTML } from 'entities';
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { xmlDecoder } from '../../../extract/xml-decoder.ts';
import { localAttributeOf, type XmlHandlers } from '../../../extract/xml-scanner.ts';
import { hrefOf } from '../../document-html.ts';
import { entryName } from '../../office-package.ts';
import { scanXml } from '../../xml-tree.ts';

export interface ChapterPlace {
  /** Name of its entry. */
  readonly name: string;
  /** Place in the order of reading, from 1. */
  readonly number: number;
  /** Numbers of all chapters by their names in lower case: links between them become links in the page. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly base: string | null;
}

/** The body of a chapter in a section. Ids have the number of the chapter in front. O(bytes) */
export function chapterHtml(bytes: Uint8Array, place: ChapterPlace): { readonly html: string; readonly language: string | null } {
  const writer = new ChapterWriter(place);
  scanXml(xmlDecoder(bytes).decode(bytes), writer, () => false, decodeHTML);
  return writer.finish();
}

/** Elements that are no text of the book, with everything in them. Pictures have no text, and forms and programs are not run. */
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

class ChapterWriter implements XmlHandlers {
  readonly #place: ChapterPlace;
  readonly #open: string[] = [];
  #html = '';
  #language: string | null = null;
  /** Omitted element, and how many of its name are open. */
  #omitted: { readonly name: string; depth: number } | null = null;

  constructor(place: ChapterPlace) {
    this.#place = place;
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

  /** The section, in which elements that the chapter leaves open end. */
  finish(): { readonly html: string; readonly language: string | null } {
    this.#closeTo(0);
    const lang = this.#language === null ? '' : ` lang="${escapeSigns(this.#language)}"`;
    return { html: `<section id="c${this.#place.number}"${lang}>${this.#html}</section>`, language: this.#language };
  }

  #start(name: string | null, tag: string): void {
    if (name === null || this.#open.length >= MAX_OPEN) return;
    this.#open.push(name);
    this.#html += `<${name}${this.#attributes(name, tag)}>`;
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#html += `</${this.#open.pop()}>`;
  }

  #attributes(name: string, tag: string): string {
    if (!tag.includes('=')) return '';
    const id = localAttributeOf(tag, 'id');
    const href = name === 'a' ? this.#href(localAttributeOf(tag, 'href')) : null;
    const values: (readonly [string, string | null])[] = [
      ['id', id === null ? null : `c${this.#place.number}-${id}`],
      ['href', href],
      ['lang', normaliseLang(localAttributeOf(tag, 'lang'))],
      ...ATTRIBUTES.map((attribute) => [attribute, localAttributeOf(tag, attribute)] as const),
    ];
    return values.map(([attribute, value]) => (value === null ? '' : ` ${attribute}="${escapeSigns(value)}"`)).join('');
  }

  /** A place in the book, or an address outside of it. Other files of the book have no address. */
  #href(written: string | null): string | null {
    if (written === null || written.trim() === '') return null;
    const plain = written.trim();
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(plain)) return hrefOf(plain, this.#place.base);
    const number = plain.startsWith('#') ? this.#place.number : this.#place.numbers.get(entryName(plain, this.#place.name).toLowerCase());
    const fragment = plain.includes('#') ? plain.slice(plain.indexOf('#') + 1) : '';
    return number === undefined ? null : `#c${number}${fragment === '' ? '' : `-${fragment}`}`;
  }
}

/** The name that an element has in the page; null if only its content is written. */
function writtenName(name: string): string | null {
  if (PLAIN.has(name)) return 'div';
  return KEPT.has(name) || HEADING.test(name) ? name : null;
}

/** The number of a page of the printed book, in the midst of a sentence, or the arrow behind a note (EPUB 3 Structural Semantics, DPUB-ARIA 1.1). */
function isSign(tag: string): boolean {
  if (!/pagebreak|backlink/.test(tag)) return false;
  return /\b(?:pagebreak|backlink)\b/.test(`${localAttributeOf(tag, 'type')} ${localAttributeOf(tag, 'role')}`);
}
