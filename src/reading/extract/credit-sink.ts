/** The credits in the body of a page, each with its place: items of microdata, `<time>`, links of authors, and headings, which tell whose they are. */
import { squeeze } from '../../base/text/squeeze.ts';
import { decoded } from './character-references.ts';
import { CreditAttributes, MAX_VALUE } from './credit-attributes.ts';
import { FOREIGN, meaningOf, NO_MEANING } from './foreign-parts.ts';
import { Item, isRead, MAX_ITEMS, type Value } from './microdata.ts';
import { FLAG, knownTags, makeTag, type Tag } from './tags.ts';
import { type AuthorSighting, type Heading, type TimeSighting, titleOf } from './times.ts';
import { type ContentModel, type TokenSink, tokenize } from './tokenizer.ts';

/** Limits for one page. */
const MAX_TIMES = 200;
const MAX_AUTHORS = 50;
const MAX_HEADINGS = 200;
const MAX_DEPTH = 512;

const NONE: readonly number[] = [];
/** Items that somebody else wrote below the page. */
const REPLY = /(?:Comment|UserComments|Answer)$/;
const REPLIES = /^(?:comment|comments|review|reviews|suggestedanswer|acceptedanswer)$/i;

/** An open element. */
interface Open {
  readonly tag: Tag;
  /** Bits of `FOREIGN` by elements and items. */
  readonly foreign: number;
  /** Numbers of the elements whose class names say that they are foreign; of comments, below zero. */
  readonly hints: readonly number[];
  readonly articles: number;
  /** The entries of a list around it, innermost last. */
  readonly entries: readonly number[];
  /** Whether it is in a header of the whole site: its heading may be the name of the site. */
  readonly isBanner: boolean;
  /** Whether it is in svg or math. */
  readonly isForeign: boolean;
  /** Start of its class in the page; -1 without one. */
  readonly classFrom: number;
  readonly classTo: number;
  /** Start of its content in the page. */
  readonly from: number;
  readonly item: Item;
  /** Called with the end of its content. */
  readonly ended: ((to: number) => void) | null;
}

const TAGS = knownTags();
const NOWHERE = { foreign: 0, hints: NONE, articles: 0, entries: NONE, isBanner: false, isForeign: false } as const;

/** Reads one page. Time O(length). */
export class CreditSink implements TokenSink {
  readonly items: Item[] = [];
  readonly times: TimeSighting[] = [];
  readonly authors: AuthorSighting[] = [];
  readonly loose = new Item('WebPage', '');
  readonly #headings: Heading[] = [];
  #title: Heading | null = null;
  readonly #html: string;
  readonly #open: Open[] = [];
  /** Attributes of the tag. */
  readonly #attributes: CreditAttributes;
  #name = '';
  #tagStart = 0;
  #tagEnd = 0;
  /** Start of the current block of text, and the times in it. */
  #blockStart = 0;
  #inBlock: TimeSighting[] = [];
  #entries = 0;
  #elements = 0;
  #timesLeft = MAX_TIMES;
  /** Steps that wait for the title. */
  readonly #later: (() => void)[] = [];

  constructor(html: string) {
    this.#html = html;
    this.#attributes = new CreditAttributes(html);
  }

  run(): void {
    tokenize(this.#html, this);
    this.#popTo(0, this.#html.length);
    this.#cut(this.#html.length);
    this.#title = titleOf(this.#headings);
    for (const item of this.#title?.items ?? []) item.hasTitle = true;
    for (const read of this.#later) read();
  }

  get title(): Heading | null {
    return this.#title;
  }

  isForeign(): boolean {
    return this.#open.at(-1)?.isForeign ?? false;
  }

  text(): void {}

  startTag(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#tagStart = start - 1;
    this.#tagEnd = end;
    this.#attributes.clear();
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    this.#tagEnd = valueEnd;
    this.#attributes.take(nameStart, nameEnd, valueStart, valueEnd);
  }

  startTagEnd(selfClosing: boolean): ContentModel {
    const tag = TAGS.get(this.#name) ?? makeTag(this.#name);
    while (this.#open.length > 0 && tag.closes.has(this.#open.at(-1)?.tag.name ?? '')) this.#popTo(this.#open.length - 1, this.#tagStart);
    if (tag.kind !== 'inline') this.#cut(this.#tagStart);
    const close = this.#html.indexOf('>', this.#tagEnd);
    const from = close < 0 ? this.#html.length : close + 1;
    const opened = this.#opened(tag, from);
    const isEmpty = tag.isVoid || (selfClosing && this.isForeign());
    if (isEmpty) opened.ended?.(from);
    else if (this.#open.length < MAX_DEPTH) this.#open.push(opened);
    if (tag.kind !== 'inline') this.#blockStart = from;
    return tag.content;
  }

  endTag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const at = this.#open.findLastIndex(({ tag }) => tag.name === name);
    const to = start - 2;
    if ((TAGS.get(name)?.kind ?? 'inline') !== 'inline') {
      this.#cut(to);
      this.#blockStart = end + 1;
    }
    if (at >= 0) this.#popTo(at, to);
  }

  #popTo(depth: number, to: number): void {
    while (this.#open.length > depth) this.#open.pop()?.ended?.(to);
  }

  /** A block of text ends: the times in it know its text now. */
  #cut(to: number): void {
    for (const time of this.#inBlock) time.block = this.#textIn(this.#blockStart, to);
    this.#inBlock = [];
    this.#blockStart = to;
  }

  #textIn(from: number, to: number): string {
    return squeeze(decoded(this.#html.slice(from, Math.min(to, from + MAX_VALUE)).replaceAll(/<[^>]*>?/g, ' ')));
  }

  #opened(tag: Tag, from: number): Open {
    const around = this.#open.at(-1) ?? { ...NOWHERE, item: this.loose };
    const own =
      tag.kind === 'inline' ? NO_MEANING : meaningOf(`${this.#attributes.get('class') ?? ''} ${this.#attributes.get('id') ?? ''}`);
    const articles = around.articles + (tag.name === 'article' ? 1 : 0);
    const foreign = this.#foreignIn(tag, around.foreign, articles);
    // The footer of an article is part of it: themes write its day there.
    const isOwnFooter = tag.name === 'footer' && articles > 0;
    const hints = this.#hintsIn(tag, around.hints, isOwnFooter ? 0 : own.foreign);
    const isEntry = tag.name === 'article' || own.isEntry;
    const entries = isEntry ? [...around.entries, ++this.#entries] : around.entries;
    const opened = {
      tag,
      foreign,
      hints,
      articles,
      entries,
      from,
      isBanner: tag.name !== 'main' && (around.isBanner || (tag.name === 'header' && articles === 0 && !this.#inMain())),
      isForeign: around.isForeign || (tag.flags & FLAG.foreign) !== 0,
      classFrom: this.#attributes.has('class') ? this.#attributes.start('class') : -1,
      classTo: this.#attributes.end('class'),
      item: this.#itemIn(around.item, foreign === 0, hints),
      ended: null,
    };
    const ended = this.#endOf(opened);
    return ended === null ? opened : { ...opened, ended };
  }

  #inMain(): boolean {
    return this.#open.some(({ tag }) => tag.name === 'main');
  }

  #foreignIn(tag: Tag, around: number, articles: number): number {
    if (tag.name === 'body' || tag.name === 'html') return 0;
    let own = around;
    if (tag.name === 'nav' || tag.name === 'aside') own |= FOREIGN.menu;
    if (tag.name === 'footer' && articles === 0) own |= FOREIGN.footer;
    // HTML Standard §4.3.2: an article inside an article is a comment on it.
    if (articles > 1) own |= FOREIGN.reply;
    return this.#attributes.has('itemscope') ? own | this.#foreignItem() : own;
  }

  #hintsIn(tag: Tag, around: readonly number[], foreign: number): readonly number[] {
    if (foreign === 0 || tag.name === 'body' || tag.name === 'html' || tag.name === 'main') return around;
    this.#elements += 1;
    return [...around, foreign === FOREIGN.comment ? -this.#elements : this.#elements];
  }

  /** Is a part with these hints of the page? Class names of elements around the title say nothing. */
  #isOwn(hints: readonly number[]): boolean {
    const around = this.title?.hints ?? NONE;
    return hints.every((hint) => around.includes(hint));
  }

  #foreignItem(): number {
    const type = this.#attributes.get('itemtype') ?? '';
    if (REPLY.test(type) || REPLIES.test(this.#attributes.get('itemprop') ?? '')) return FOREIGN.reply;
    return /Event$/.test(type) ? FOREIGN.event : 0;
  }

  #itemIn(around: Item, isOwn: boolean, hints: readonly number[]): Item {
    if (!this.#attributes.has('itemscope') || this.items.length >= MAX_ITEMS) return around;
    const property = this.#attributes.get('itemprop') ?? '';
    const item = new Item(this.#attributes.get('itemtype') ?? '', property.trim().toLowerCase());
    this.items.push(item);
    // On a forum, the page itself has class names of comments.
    if (isOwn) this.#later.push(() => item.own(this.#isOwn(hints.filter((hint) => hint > 0))));
    if (property !== '') this.#add(around, property, item, isOwn, hints);
    return item;
  }

  /** A property outside of all items counts if it is of the page, which is known at the end. */
  #add(item: Item, property: string, value: Value, isOwn: boolean, hints: readonly number[]): void {
    if (item !== this.loose) item.add(property, value);
    else if (isOwn) this.#later.push(() => this.#isOwn(hints) && item.add(property, value));
  }

  /** The step that reads the element when it ends. */
  #endOf(opened: Open): Open['ended'] {
    const { tag, item, from, foreign } = opened;
    // Most tags.
    if (!this.#attributes.areCredited && tag.name !== 'time' && (tag.flags & FLAG.heading) === 0) return null;
    const property = this.#attributes.get('itemprop');
    // A heading is named `headline` by microdata as well, which is not read.
    if (/^h[1-6]$/.test(tag.name) && this.#headings.length < MAX_HEADINGS) return this.#headingEnd(opened);
    if (this.#attributes.has('itemscope')) return (to) => item.isEmpty && item.add('name', this.#textIn(from, to));
    if (property !== undefined && isRead(property)) return this.#propertyEnd(opened, property);
    // The day of a birth or an event.
    if (tag.name === 'time' && property !== undefined) return null;
    if (tag.name === 'time' && foreign === 0 && this.#timesLeft > 0) return this.#timeEnd(opened);
    const isAuthor = tag.name === 'a' && foreign === 0 && /(?:^|\s)author(?:\s|$)/i.test(this.#attributes.get('rel') ?? '');
    return isAuthor ? this.#authorEnd(opened) : null;
  }

  #authorEnd({ from, hints, entries }: Open): Open['ended'] {
    return (to) =>
      void this.#later.push(() => {
        if (this.authors.length < MAX_AUTHORS && this.#isOwn(hints)) this.authors.push({ text: this.#textIn(from, to), at: from, entries });
      });
  }

  /** The value of a property (HTML Standard §5.2.4), and `content` on any element, as search engines read it. */
  #propertyEnd({ item, tag, from, foreign, hints }: Open, property: string): Open['ended'] {
    const given =
      this.#attributes.get('content') ?? (tag.name === 'time' ? this.#attributes.get('datetime') : this.#attributes.get('value'));
    const url = this.#attributes.get('href') ?? this.#attributes.get('src');
    return (to) => {
      const text = given?.trim() ? given : this.#textIn(from, to);
      const value = given?.trim() || url === undefined ? text : { name: text, url };
      this.#add(item, property, value, foreign === 0, hints);
    };
  }

  #timeEnd({ from, entries, articles, hints }: Open): Open['ended'] {
    const outer = this.#open.slice(-4).filter(({ tag }) => !['article', 'main', 'section', 'body'].includes(tag.name));
    const time: TimeSighting = {
      datetime: this.#attributes.get('datetime') ?? '',
      text: '',
      block: '',
      at: this.#tagStart,
      words: this.#attributes.get('class') ?? '',
      wordsAround: outer.map(({ classFrom, classTo }) => (classFrom < 0 ? '' : this.#html.slice(classFrom, classTo))).join(' '),
      isPubdate: this.#attributes.has('pubdate'),
      inTable: this.#open.some(({ tag }) => (tag.flags & FLAG.table) !== 0),
      entries,
      articles,
    };
    this.#later.push(() => this.#isOwn(hints) && this.times.push(time));
    this.#timesLeft -= 1;
    this.#inBlock.push(time);
    return (to) => {
      time.text = this.#textIn(from, to);
    };
  }

  #headingEnd({ tag, from, entries, articles, foreign, hints, isBanner }: Open): Open['ended'] {
    const items = [...new Set(this.#open.map(({ item }) => item))];
    return (to) => {
      if (foreign === 0 && this.#textIn(from, to) !== '')
        this.#headings.push({ level: Number(tag.name[1]), from, to, entries, articles, items, hints, isBanner });
    };
  }

  /** The text between two places of the page; null if it is longer than `most` characters. */
  readonly textBetween = (from: number, to: number, most: number): string | null => {
    if (to - from > MAX_VALUE) return null;
    const text = this.#textIn(from, to);
    return text.length <= most ? text : null;
  };
}
