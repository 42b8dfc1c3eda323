/** Deeper containers are not distinguished. */
const MAX_OPEN = 100;

/** An open list or quote. */
export interface Container {
  /** The element that ends it. */
  readonly name: string;
  readonly kind: 'quote' | 'bullets' | 'numbers';
  /** Number of the first item. */
  readonly first: number;
  /** Number of items with text. */
  items: number;
  /** An item has started, and has no text yet. */
  pending: boolean;
}

/** Receives the blocks of a page in document order, in lists, quotes and the page. Blocks and cells are text that the writer has marked up itself. */
export abstract class MarkupWriter {
  #open: Container[] = [];

  /** Words as text of this markup, with their spaces at the ends. */
  abstract text(words: string): string;
  /** Code inside a line, not marked up before. */
  abstract codeSpan(code: string): string;
  /** A formula inside a line: TeX, or signs as people type them. Not marked up before. */
  abstract formula(text: string, isDisplay: boolean): string;
  abstract link(text: string, href: string): string;

  /** A line feed is a line break of the page. */
  abstract paragraph(text: string): void;
  /** @param level from 1 to 6 */
  abstract heading(level: number, text: string): void;
  /** Text with its line breaks, not marked up before. @param language of a program; '' if unknown */
  abstract preformatted(text: string, language: string): void;
  /** Writes a table of at least two rows. */
  abstract table(rows: readonly (readonly string[])[]): void;

  begin(name: string, kind: Container['kind'], first = 1): void {
    if (this.#open.length < MAX_OPEN) this.#open.push({ name, kind, first, items: 0, pending: false });
  }

  /** Ends the innermost container of that name and everything open inside it; does nothing if there is none. */
  end(name: string): void {
    const index = this.#open.findLastIndex((container) => container.name === name);
    if (index >= 0) this.#open.length = index;
  }

  /** The next block is of this post of a thread, from 0; null for none. */
  post(_index: number | null): void {}

  /** The next block is on this page of a document, from 1. */
  page(_number: number): void {}

  /** Is a quote open? */
  get isInQuote(): boolean {
    return this.#open.some(({ kind }) => kind === 'quote');
  }

  /** Writes a block outside of the open containers, which stay open. */
  apart(write: () => void): void {
    const open = this.#open;
    this.#open = [];
    write();
    this.#open = open;
  }

  /** The next block is the first of an item of the innermost list. */
  item(): void {
    const list = this.#list();
    if (list !== undefined) list.pending = true;
  }

  /** The next block belongs to the open item; the first block of a list starts one. */
  inItem(): void {
    const list = this.#list();
    if (list !== undefined) list.pending = list.items === 0;
  }

  /** The containers of the next block, from the outermost; not those inside more than `most`. */
  protected containers(most: number): readonly Container[] {
    return this.#open.slice(0, most);
  }

  /** A block has been written into these containers. */
  protected placed(containers: readonly Container[]): void {
    for (const container of containers) {
      if (container.pending) container.items += 1;
      container.pending = false;
    }
  }

  #list(): Container | undefined {
    return this.#open.findLast(({ kind }) => kind !== 'quote');
  }
}
