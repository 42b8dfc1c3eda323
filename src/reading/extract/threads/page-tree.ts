/** The elements of a page as a tree, each with its class names. */
import { squeeze } from '../../../base/text/squeeze.ts';
import { decoded } from '../character-references.ts';
import type { PageElements } from '../page-elements.ts';
import type { Tag } from '../tags.ts';
import { ClassLists, type ClassNames } from './name-test.ts';

/** Longest value of an attribute, and longest HTML of a text, that is read. */
const MAX_VALUE = 2_048;

/** An element. Its descendants follow it in the list, up to `end`. */
export class PageElement {
  readonly index: number;
  readonly tag: string;
  /** Element of a line: a link, a name. Elements with names of their own may be anything. */
  readonly isInline: boolean;
  /** Index of the element around it; -1 for none. */
  readonly parent: number;
  /** Class names in lower case, with `#` for numbers. */
  readonly names: ClassNames;
  /** Place of its content in the page. */
  readonly from: number;
  readonly to: number;
  /** Index behind its last descendant. */
  readonly end: number;
  /** First and last block in it; `last` is below `first` if it has none. */
  readonly first: number;
  readonly last: number;
  /** Has it other attributes than `class`? */
  readonly hasMore: boolean;
  readonly #elements: PageElements;

  constructor(elements: PageElements, index: number, names: ClassNames) {
    const tag = elements.tag(index);
    this.#elements = elements;
    this.index = index;
    this.tag = tag.name;
    this.isInline = isInlineTag(tag);
    this.parent = elements.parent(index);
    this.names = names;
    this.from = elements.from(index);
    this.to = elements.to(index);
    this.end = elements.after(index);
    this.first = elements.first(index);
    this.last = elements.last(index);
    this.hasMore = elements.hasMore(index);
  }

  /** The value of `class`; '' without one. */
  get className(): string {
    return this.#elements.className(this.index) ?? '';
  }

  has(name: string): boolean {
    return this.hasMore && this.#elements.has(this.index, name);
  }

  /** The value of an attribute but `class`; undefined without it, and if it is longer than 2,048 characters. */
  attribute(name: string): string | undefined {
    if (!this.hasMore) return undefined;
    const value = this.#elements.attribute(this.index, name);
    return value !== undefined && value.length <= MAX_VALUE ? value : undefined;
  }
}

/** Elements with names of their own may be anything. */
export function isInlineTag({ kind, name }: Tag): boolean {
  return kind === 'inline' && !name.includes('-');
}

export interface PageTree {
  readonly parts: readonly PageElement[];
  /** The place of each block in the page; -1 for an unknown one. */
  readonly blockStarts: readonly number[];
  /** Visible text of a place in the page, on one line, at most 2,048 characters of HTML. */
  textOf(part: Pick<PageElement, 'from' | 'to'>): string;
}

/** The tree of a page. O(elements). */
export function pageTree(elements: PageElements): PageTree {
  const lists = new ClassLists();
  const parts = Array.from({ length: elements.count }, (_, i) => new PageElement(elements, i, lists.of(elements.className(i))));
  return { parts, blockStarts: elements.blockStarts(), textOf: ({ from, to }) => plainText(elements.html, from, to) };
}

/** Text of a range of HTML, on one line. Elements that are never seen are not told from others: for short ranges. */
function plainText(html: string, from: number, to: number): string {
  const written = html.slice(from, Math.min(to, from + MAX_VALUE));
  // Most names and dates are text alone.
  if (!written.includes('<')) return squeeze(decoded(written));
  return squeeze(decoded(written.replaceAll(/<(?:style|script|svg)\b[\s\S]*?<\/(?:style|script|svg)\s*>|<[^>]*>?/gi, ' ')));
}
