/** The elements of a page as a tree, each with its place in the page and its blocks: a second pass over the tags, for pages that may have a thread. */
import { squeeze } from '../../../base/text/squeeze.ts';
import { attributeValue } from '../attributes.ts';
import { decoded } from '../character-references.ts';
import type { TextSpans } from '../markup-sink.ts';
import { knownTags, makeTag, type Tag } from '../tags.ts';
import { CONTENT_MODELS, type ContentModel, type TokenSink, tokenize } from '../tokenizer.ts';

/** Limits for one page: real threads of a thousand posts have some 50,000 elements. */
const MAX_PARTS = 200_000;
const MAX_OPEN = 512;
const MAX_VALUE = 2_048;
/** Names of classes that are read of an element. */
const MAX_NAMES = 12;
const SPACE = 0x20;

const ATTRIBUTES = new Set(
  (
    'class id itemprop itemtype itemscope datetime title rel href content name style indent width src role aria-level data-depth data-level data-indent ' +
    'data-author data-username data-user data-time data-timestamp data-utime data-date-string data-date'
  ).split(' '),
);
const LONGEST_ATTRIBUTE = 16;
const TAGS = knownTags();

/** An element. Its descendants follow it in the list, up to `end`. */
export interface PageElement {
  readonly index: number;
  readonly tag: string;
  /** PageElement of a line: a link, a name. Elements with names of their own may be anything. */
  readonly isInline: boolean;
  /** Index of the element around it; -1 for none. */
  readonly parent: number;
  /** Class names in lower case, with `#` for numbers. */
  readonly names: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
  /** Place of its content in the page. */
  readonly from: number;
  to: number;
  /** Index behind its last descendant. */
  end: number;
  /** First and last block in it; `last` is below `first` if it has none. */
  first: number;
  last: number;
}

export interface PageTree {
  readonly parts: readonly PageElement[];
  /** The place of each block in the page; -1 for an unknown one. */
  readonly blockStarts: readonly number[];
  /** Visible text of a place in the page, on one line, at most 2,048 characters of HTML. */
  textOf(part: Pick<PageElement, 'from' | 'to'>): string;
}

/** The tree of a page; its end is missing on a page of more than `MAX_PARTS` elements. O(length), never throws. */
export function pageTree(html: string, spans: TextSpans): PageTree {
  const sink = new TreeSink(html, spans);
  tokenize(html, sink);
  sink.finish();
  return { parts: sink.parts, blockStarts: sink.blockStarts, textOf: ({ from, to }) => plainText(html, from, to) };
}

/** Text of a range of HTML, on one line. Elements that are never seen are not told from others: for short ranges. */
function plainText(html: string, from: number, to: number): string {
  const written = html
    .slice(from, Math.min(to, from + MAX_VALUE))
    .replaceAll(/<(?:style|script|svg)\b[\s\S]*?<\/(?:style|script|svg)\s*>|<[^>]*>?/gi, ' ');
  return squeeze(decoded(written));
}

class TreeSink implements TokenSink {
  readonly parts: PageElement[] = [];
  readonly blockStarts: number[] = [];
  readonly #html: string;
  readonly #spans: TextSpans;
  readonly #open: PageElement[] = [];
  readonly #names = new NameLists();
  #span = 0;
  /** The blocks of the pieces of text so far, without those of white space: they may be of a block that comes later. */
  readonly #seen: number[] = [];
  #answered = 0;
  #answeredForeign = 0;
  #tag: Tag = makeTag('');
  #attributes: Map<string, string> = new Map();
  #tagStart = 0;
  #tagEnd = 0;

  constructor(html: string, spans: TextSpans) {
    this.#html = html;
    this.#spans = spans;
  }

  finish(): void {
    this.#popTo(0, this.#html.length);
  }

  isForeign(): boolean {
    this.#answeredForeign += 1;
    return this.#spans.foreigns[this.#answeredForeign - 1] === 1;
  }

  text(start: number, end: number): void {
    const { starts, blocks } = this.#spans;
    while (this.#span < starts.length && (starts[this.#span] ?? 0) < start) this.#span += 1;
    if (starts[this.#span] !== start || isBlank(this.#html, start, end)) return;
    const block = blocks[this.#span] ?? 0;
    this.#seen.push(block);
    while (this.blockStarts.length < block) this.blockStarts.push(-1);
    if (this.blockStarts.length === block) this.blockStarts.push(start);
  }

  startTag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#tag = TAGS.get(name) ?? makeTag(name);
    this.#attributes = new Map();
    this.#tagStart = start - 1;
    this.#tagEnd = end;
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    this.#tagEnd = valueEnd;
    if (nameEnd - nameStart > LONGEST_ATTRIBUTE || valueEnd - valueStart > MAX_VALUE) return;
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    if (ATTRIBUTES.has(name) && !this.#attributes.has(name)) this.#attributes.set(name, attributeValue(this.#html, valueStart, valueEnd));
  }

  startTagEnd(): ContentModel {
    const tag = this.#tag;
    while (this.#open.length > 0 && tag.closes.has(this.#open.at(-1)?.tag ?? '')) this.#popTo(this.#open.length - 1, this.#tagStart);
    const close = this.#html.indexOf('>', this.#tagEnd);
    const from = close < 0 ? this.#html.length : close + 1;
    if (this.parts.length < MAX_PARTS) this.#push(tag, from);
    this.#answered += 1;
    return CONTENT_MODELS[this.#spans.contents[this.#answered - 1] ?? 0] ?? 'data';
  }

  #push(tag: Tag, from: number): void {
    const index = this.parts.length;
    const part: PageElement = {
      index,
      tag: tag.name,
      isInline: tag.kind === 'inline' && !tag.name.includes('-'),
      parent: this.#open.at(-1)?.index ?? -1,
      names: this.#names.of(this.#attributes.get('class')),
      attributes: this.#attributes,
      from,
      to: from,
      end: index + 1,
      first: this.#seen.length,
      last: -1,
    };
    this.parts.push(part);
    if (tag.isVoid) this.#end(part, from);
    else if (this.#open.length < MAX_OPEN) this.#open.push(part);
  }

  endTag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const at = this.#open.findLastIndex(({ tag }) => tag === name);
    if (at < 0) return;
    this.#popTo(at, start - 2);
  }

  #popTo(depth: number, to: number): void {
    for (let part = this.#open.length > depth && this.#open.pop(); part; part = this.#open.length > depth && this.#open.pop())
      this.#end(part, to);
  }

  #end(part: PageElement, to: number): void {
    part.to = to;
    part.end = this.parts.length;
    const first = this.#seen[part.first];
    part.last = first === undefined ? -1 : (this.#seen.at(-1) ?? 0);
    part.first = first ?? 0;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (text.charCodeAt(i) > SPACE) return false;
  return true;
}

const NO_NAMES: readonly string[] = [];

/** Lists of names by the value of `class`: elements that are alike share one. */
class NameLists {
  readonly #known = new Map<string, readonly string[]>();

  of(value: string | undefined): readonly string[] {
    if (value === undefined) return NO_NAMES;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const names = value.toLowerCase().replaceAll(/\d+/g, '#').trim().split(/\s+/, MAX_NAMES);
    const found = names[0] === '' ? NO_NAMES : names;
    this.#known.set(value, found);
    return found;
  }
}
