/** The HTML that documents become. */
import { decodeHTML } from 'entities';
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { MAX_PAGE_CHARS } from '../extract/page-caps.ts';
import type { DocumentFacts, DocumentReading } from './document-kind.ts';
import { documentPage } from './document-page.ts';

/** Room for the head of the page. */
const MAX_BODY_CHARS = MAX_PAGE_CHARS - 64 * 1024;
const MAX_TITLE_CHARS = 1000;
/** Scripts without spaces have no end of a word near by. */
const LONGEST_WORD = 1000;

/** Blocks of a document, up to the length that is read of a page. */
export class HtmlBody {
  readonly #blocks: string[] = [];
  #chars = 0;
  #isCut = false;

  get isCut(): boolean {
    return this.#isCut;
  }

  get html(): string {
    return this.#blocks.join('\n');
  }

  /** Text of the first heading; null without one. */
  get heading(): string | null {
    for (const block of this.#blocks) {
      const [, , html = ''] = /<(h[1-6])\b[^>]*>([\s\S]*?)<\/\1>/.exec(block) ?? [];
      const text = squeeze(decodeHTML(html.replaceAll(/<[^>]*>/g, '')));
      if (text !== '') return text.slice(0, MAX_TITLE_CHARS);
    }
    return null;
  }

  /** Has it any text? */
  get isEmpty(): boolean {
    return this.#blocks.every((block) => block.replaceAll(/<[^>]*>|\s+/g, '') === '');
  }

  /** Adds a block, or the part of it that has room. @returns false if nothing more has room */
  add(block: string): boolean {
    if (this.#isCut) return false;
    const room = MAX_BODY_CHARS - this.#chars;
    this.#isCut = block.length > room;
    if (block !== '') this.#blocks.push(this.#isCut ? cutHtml(block, room) : block);
    this.#chars += block.length + 1;
    return !this.#isCut;
  }
}

/** The start of HTML, up to the end of a tag or a word. The parser ends its open elements. */
function cutHtml(html: string, length: number): string {
  const start = html.slice(0, length);
  const [tag, tagEnd] = [start.lastIndexOf('<'), start.lastIndexOf('>')];
  if (tag > tagEnd) return start.slice(0, tag);
  const end = Math.max(start.lastIndexOf(' '), tagEnd + 1);
  return length - end < LONGEST_WORD ? start.slice(0, end) : start;
}

/** The outcome for a body and its facts; `no-text` for a body without any text. */
export function documentOf(body: HtmlBody, facts: DocumentFacts): DocumentReading {
  if (body.isEmpty) return { kind: 'refused', reason: 'no-text', pages: facts.pages };
  const html = documentPage(facts, body.heading, body.html);
  return { kind: 'document', html, facts: { ...facts, cut: facts.cut || body.isCut } };
}

/** An element around HTML; '' without content. */
export function elementHtml(name: string, html: string, attributes = ''): string {
  return html === '' ? '' : `<${name}${attributes}>${html}</${name}>`;
}

/** A link. Only addresses that a reader can follow are kept. @param base address of the document */
export function linked(html: string, written: string | null, base: string | null): string {
  const href = written === null ? null : hrefOf(written, base);
  return href === null ? html : elementHtml('a', html, ` href="${escapeSigns(href)}"`);
}

/** Is it a mail address without its scheme, or a path of Windows? Neither is a place beside the document. */
export function isNoPlace(href: string): boolean {
  return /^[^\s/:?#]+@[^\s/:?#]+$|^\\/.test(href);
}

const FOLLOWED = /^(?:https?|ftp|mailto|doi|urn):/i;

/** The absolute address of a link, or its `#fragment`; null if there is none: scripts, files of the author's disk. */
export function hrefOf(written: string, base: string | null): string | null {
  const plain = squeeze(written);
  if (isNoPlace(plain)) return null;
  if (plain === '' || plain.startsWith('#')) return plain === '' ? null : plain;
  if (base !== null && URL.canParse(plain, base)) {
    const { href } = new URL(plain, base);
    return FOLLOWED.test(href) ? href : null;
  }
  return FOLLOWED.test(plain) ? plain : null;
}
