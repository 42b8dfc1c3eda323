import { spelled } from '../../base/text/joiners.ts';
import { type Container, MarkupWriter } from '../../reading/extract/markup-writer.ts';
import { withoutMail } from '../personal/mail-urls.ts';
import { escapedPart, uri } from './tei-text.ts';

/** Deeper lists and quotes are not distinguished. A list and its item are two elements, and libxml2 refuses more than 256 inside each other. */
const MAX_NESTING = 50;
/** Characters that code has and the main text has not: soft hyphens, zero-width spaces, direction marks. */
const NO_TEXT = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

/** Level of a division behind a post, below all headings. */
const AFTER_POST = 7;

/** An open list or quote. */
interface Parent {
  readonly container: Container;
  /** Whether an item of a list is open. */
  inItem: boolean;
  /** Number of blocks in the open item. */
  blocks: number;
  /** Index of the only block of the open item, a plain paragraph; -1 without. */
  lone: number;
}

/**
 * Blocks to the content of a TEI `<body>`: `<div>` by headings and for posts, `<p>`, `<list>`, `<quote>`, `<table>`, `<ab>` for preformatted text and for headings inside
 * lists and quotes, where TEI has no `<div>`. Blocks of a `<div>` precede the divisions in it, as TEI wants.
 */
export class TeiWriter extends MarkupWriter {
  readonly #parts: string[] = [];
  /** Levels of the open divisions. */
  readonly #divisions: number[] = [];
  readonly #parents: Parent[] = [];
  /** Number of divisions around the open post; -1 without a post. */
  #floor = -1;
  /** Has a post ended? Nothing but divisions may follow one. */
  #hasPosts = false;
  readonly #masks: boolean;

  /** @param masks do links have no personal data? */
  constructor(masks = false) {
    super();
    this.#masks = masks;
  }

  override text(words: string): string {
    return escapedPart(words);
  }

  override codeSpan(code: string): string {
    return `<code>${escapedPart(spelled(code.replace(NO_TEXT, '')))}</code>`;
  }

  override formula(text: string): string {
    return `<formula>${escapedPart(spelled(text.replace(NO_TEXT, '')))}</formula>`;
  }

  override link(text: string, href: string): string {
    if (!this.#masks) return `<ref target="${uri(href)}">${text}</ref>`;
    // Other schemes than those of the web are addresses of persons: mailto, tel, sms.
    return /^https?:/i.test(href) ? `<ref target="${uri(withoutMail(href))}">${text}</ref>` : text;
  }

  override paragraph(text: string): void {
    const lines = text.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim());
    this.#write('p', lines.join('\n<lb/>'));
  }

  override heading(level: number, text: string): void {
    const line = text.replaceAll(/\s+/g, ' ');
    if (this.containers(1).length > 0) {
      this.#write('ab type="heading"', line);
      return;
    }
    this.#closeParents(0);
    this.#closeDivisions(level);
    if (this.#floor < 0) this.#hasPosts = false;
    this.#divisions.push(level);
    this.#parts.push(`<div>\n<head>${line}</head>\n`);
  }

  override preformatted(text: string, language: string): void {
    const lines = escapedPart(spelled(text.replace(NO_TEXT, '')));
    this.#write('ab type="preformatted" xml:space="preserve"', language === '' ? lines : `<code lang="${language}">${lines}</code>`);
  }

  override table(rows: readonly (readonly string[])[]): void {
    const cells = (row: readonly string[]) => row.map((cell) => `<cell>${cell.replaceAll(/\s+/g, ' ')}</cell>\n`).join('');
    this.#write('table', `\n${rows.map((row) => `<row>\n${cells(row)}</row>\n`).join('')}`);
  }

  override page(number: number): void {
    this.#parts.push(`<pb n="${number}"/>\n`);
  }

  /** A division for each post; its number is that of its note in the header. */
  override post(index: number | null): void {
    this.#closeParents(0);
    if (this.#floor >= 0) {
      this.#closeDivisions(0);
      this.#floor = -1;
      this.#parts.push('</div>\n');
      this.#hasPosts = true;
    }
    if (index === null) return;
    this.#closeDivisions(AFTER_POST);
    this.#floor = this.#divisions.length;
    this.#parts.push(`<div type="post" n="${index + 1}">\n`);
  }

  /** The content, with line breaks between blocks; '' if nothing was written. */
  finish(): string {
    this.post(null);
    this.#closeDivisions(1);
    return this.#parts.join('');
  }

  /** @param tag name and attributes */
  #write(tag: string, content: string): void {
    if (this.#hasPosts && this.#floor < 0 && this.#parents.length === 0) this.#openAfterPost();
    this.#openParents(this.containers(MAX_NESTING));
    const item = this.#parents.at(-1);
    const isLone = tag === 'p' && item?.inItem && item.blocks === 0;
    this.#enter(item);
    if (isLone) item.lone = this.#parts.length;
    this.#parts.push(isLone ? content : `<${tag}>${content}</${tag.split(' ', 1)[0]}>\n`);
  }

  /** A division without a heading, for text behind a post. */
  #openAfterPost(): void {
    this.#hasPosts = false;
    this.#divisions.push(AFTER_POST);
    this.#parts.push('<div>\n');
  }

  #openParents(open: readonly Container[]): void {
    let shared = 0;
    while (shared < this.#parents.length && this.#parents[shared]?.container === open[shared]) {
      shared += 1;
      if (open[shared - 1]?.pending) break;
    }
    this.#closeParents(shared);
    for (const [i, container] of open.entries()) {
      let parent = this.#parents[i];
      if (parent === undefined) {
        this.#enter(this.#parents.at(-1));
        this.#parts.push(`<${startOf(container)}>\n`);
        parent = { container, inItem: false, blocks: 0, lone: -1 };
        this.#parents.push(parent);
      }
      if (container.kind === 'quote' || (parent.inItem && !container.pending)) continue;
      this.#closeItem(parent);
      parent.inItem = true;
      this.#parts.push('<item>');
    }
    this.placed(open);
  }

  /** A block starts in the open item. A first one that is a paragraph needs its own element beside it. */
  #enter(parent: Parent | undefined): void {
    if (!parent?.inItem) return;
    if (parent.lone >= 0) this.#parts[parent.lone] = `\n<p>${this.#parts[parent.lone]}</p>\n`;
    parent.lone = -1;
    parent.blocks += 1;
  }

  #closeItem(parent: Parent): void {
    if (parent.inItem) this.#parts.push('</item>\n');
    parent.inItem = false;
    parent.blocks = 0;
    parent.lone = -1;
  }

  #closeParents(kept: number): void {
    for (
      let parent = this.#parents[kept] && this.#parents.pop();
      parent !== undefined;
      parent = this.#parents[kept] && this.#parents.pop()
    ) {
      this.#closeItem(parent);
      this.#parts.push(parent.container.kind === 'quote' ? '</quote>\n' : '</list>\n');
    }
  }

  /** Ends the divisions of this level and deeper ones. */
  #closeDivisions(level: number): void {
    while (this.#divisions.length > this.#floor && (this.#divisions.at(-1) ?? -1) >= level) {
      this.#divisions.pop();
      this.#parts.push('</div>\n');
    }
  }
}

function startOf({ kind }: Container): string {
  if (kind === 'quote') return 'quote';
  return kind === 'bullets' ? 'list rend="bulleted"' : 'list rend="numbered"';
}
