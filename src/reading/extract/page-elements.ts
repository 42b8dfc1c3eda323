/** The elements of a page, as its parser has read them: for readers of more than its text, so that its tags are read once. */
import { attributeValue } from './attributes.ts';
import { knownTags, makeTag, type Tag } from './tags.ts';
import { AttributeReader, nameEndAt } from './tokenizer.ts';

/** Numbers of an element, in this order. */
const AT = { tag: 0, start: 1, from: 2, to: 3, parent: 4, after: 5, first: 6, last: 7, classFrom: 8, classTo: 9, attributes: 10 } as const;
export const ELEMENT_SIZE = 11;
/** Numbers of a piece of visible text that is not blank: its block, its place in the page. */
export const SHOWN_SIZE = 2;
/** Elements beyond are not told: real threads of a thousand posts have some 50,000. */
export const MAX_ELEMENTS = 200_000;
/** Tags with higher numbers are unknown ones. */
const TAGS: readonly Tag[] = [...knownTags().values()];
/** Longest value of an attribute that is read: the description of a product in a meta. */
const MAX_VALUE = 40_000;

/** The attributes that are read, a bit each. */
const NAMES = [
  ...'id itemprop itemscope itemtype typeof property resource content datetime href src value rel pubdate title name style indent width'.split(
    ' ',
  ),
  ...'aria-level data-depth data-level data-indent data-author data-username data-time data-timestamp data-utime data-date'.split(' '),
];
const BITS = new Map(NAMES.map((name, place) => [name, 1 << place]));
const LONGEST_NAME = NAMES.reduce((longest, { length }) => Math.max(longest, length), 0);
/** Bit of an element whose attributes are read. */
const READ = 1 << 30;
/** Numbers of an attribute: its bit, start and end of its value. */
const ATTRIBUTE_SIZE = 3;

/** Elements by their index, in the order of their start tags. Places are offsets in the page. Attributes are read when they are asked for. */
export class PageElements {
  readonly html: string;
  readonly count: number;
  readonly rows: Int32Array;
  readonly shown: Int32Array;
  readonly #unknown = new Map<string, Tag>();
  readonly #reader: AttributeReader;
  /** Bits of the attributes of each element, and the place of the first of them in `#attributes`. */
  readonly #present: Int32Array;
  readonly #firsts: Int32Array;
  readonly #attributes: number[] = [];
  /** Bits of the element that is read. */
  #found = 0;

  /** @param rows `ELEMENT_SIZE` numbers for each element @param shown `SHOWN_SIZE` numbers for each piece of visible text that is not blank */
  constructor(html: string, rows: Int32Array, shown: Int32Array) {
    this.html = html;
    this.count = rows.length / ELEMENT_SIZE;
    this.rows = rows;
    this.shown = shown;
    this.#present = new Int32Array(this.count);
    this.#firsts = new Int32Array(this.count);
    this.#reader = new AttributeReader(html, {
      attribute: (nameStart, nameEnd, valueStart, valueEnd) => this.#take(nameStart, nameEnd, valueStart, valueEnd),
    });
  }

  #at(index: number, field: number): number {
    return this.rows[ELEMENT_SIZE * index + field] ?? -1;
  }

  tag(index: number): Tag {
    return TAGS[this.#at(index, AT.tag)] ?? this.#unknownTag(index);
  }

  #unknownTag(index: number): Tag {
    const start = this.start(index) + 1;
    const name = this.html.slice(start, nameEndAt(this.html, start)).toLowerCase();
    const known = this.#unknown.get(name) ?? makeTag(name);
    this.#unknown.set(name, known);
    return known;
  }

  /** The start of its tag. */
  start(index: number): number {
    return this.#at(index, AT.start);
  }

  /** The start of its content. */
  from(index: number): number {
    return this.#at(index, AT.from);
  }

  /** The end of its content. */
  to(index: number): number {
    return this.#at(index, AT.to);
  }

  /** The element around it; -1 for none. */
  parent(index: number): number {
    return this.#at(index, AT.parent);
  }

  /** The index after its last descendant; after a misplaced end tag, a descendant may end later. */
  after(index: number): number {
    return this.#at(index, AT.after);
  }

  /** The first block of it with words. */
  first(index: number): number {
    return this.#at(index, AT.first);
  }

  /** The last block of it with words; below `first` if it has none. */
  last(index: number): number {
    return this.#at(index, AT.last);
  }

  /** The value of its `class`; undefined without one, and for some elements of the head. */
  className(index: number): string | undefined {
    const from = this.#at(index, AT.classFrom);
    return from < 0 ? undefined : attributeValue(this.html, from, this.#at(index, AT.classTo));
  }

  /** Has it another attribute than `class`? */
  hasMore(index: number): boolean {
    return this.#at(index, AT.attributes) > (this.#at(index, AT.classFrom) < 0 ? 0 : 1);
  }

  /** The value of an attribute but `class`, of those that any reader asks for; undefined without it. The first of two with the same name wins. */
  attribute(index: number, name: string): string | undefined {
    const bit = BITS.get(name) ?? 0;
    if ((this.#bitsOf(index) & bit) === 0) return undefined;
    let at = this.#firsts[index] ?? 0;
    while (this.#attributes[at] !== bit) at += ATTRIBUTE_SIZE;
    return attributeValue(this.html, this.#attributes[at + 1] ?? 0, this.#attributes[at + 2] ?? 0);
  }

  has(index: number, name: string): boolean {
    return (this.#bitsOf(index) & (BITS.get(name) ?? 0)) !== 0;
  }

  #bitsOf(index: number): number {
    if (!this.hasMore(index)) return 0;
    const known = this.#present[index] ?? 0;
    if (known !== 0) return known;
    this.#firsts[index] = this.#attributes.length;
    this.#found = READ;
    this.#reader.read(nameEndAt(this.html, this.start(index) + 1));
    this.#present[index] = this.#found;
    return this.#found;
  }

  #take(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const length = nameEnd - nameStart;
    if (length > LONGEST_NAME || length < 2 || valueEnd - valueStart > MAX_VALUE) return;
    const name = this.html.slice(nameStart, nameEnd);
    const bit = BITS.get(name) ?? BITS.get(name.toLowerCase()) ?? 0;
    if (bit === 0 || this.#found & bit) return;
    this.#found |= bit;
    this.#attributes.push(bit, valueStart, valueEnd);
  }

  /** The place in the page of the first word of each block; -1 for an unknown one. */
  blockStarts(): readonly number[] {
    const starts: number[] = [];
    for (let at = 0; at < this.shown.length; at += SHOWN_SIZE) {
      const block = this.shown[at] ?? 0;
      while (starts.length < block) starts.push(-1);
      if (starts.length === block) starts.push(this.shown[at + 1] ?? -1);
    }
    return starts;
  }
}
