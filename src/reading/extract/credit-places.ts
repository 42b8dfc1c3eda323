/** The credits in the body of a page, each with its place: items of microdata, `<time>`, links of authors, and headings, which tell whose they are. */
import { squeeze } from '../../base/text/squeeze.ts';
import { decoded } from './character-references.ts';
import { type OpenElement, OpenElements } from './element-walk.ts';
import { FOREIGN, meaningOf, NO_MEANING } from './foreign-parts.ts';
import { Item, isRead, MAX_ITEMS, type Value } from './microdata.ts';
import type { PageElements } from './page-elements.ts';
import { FLAG, type Tag } from './tags.ts';
import { type AuthorSighting, type Heading, type TimeSighting, titleOf } from './times.ts';

/** Longest part of a page that is read as a value, in UTF-16 units of HTML. */
const MAX_VALUE = 4_096;
/** Limits for one page. */
const MAX_TIMES = 200;
const MAX_AUTHORS = 50;
const MAX_HEADINGS = 200;

const NONE: readonly number[] = [];
/** Items that somebody else wrote below the page. */
const REPLY = /(?:Comment|UserComments|Answer)$/;
const REPLIES = /^(?:comment|comments|review|reviews|suggestedanswer|acceptedanswer)$/i;

/** Attributes of credits. */
const CREDITED = ['itemprop', 'itemscope', 'rel'] as const;
/** Parts of a page: their class names are not about a time. */
const PARTS: ReadonlySet<string> = new Set(['article', 'main', 'section', 'body']);

/** An open element: block-level, or with a credit. */
interface Open extends OpenElement {
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
  /** Start of its content in the page. */
  readonly from: number;
  readonly item: Item;
}

const NOWHERE = { foreign: 0, hints: NONE, articles: 0, entries: NONE, isBanner: false } as const;

/** Reads one page. Time O(elements). */
export class CreditPlaces {
  readonly items: Item[] = [];
  readonly times: TimeSighting[] = [];
  readonly authors: AuthorSighting[] = [];
  readonly loose = new Item('WebPage', '');
  readonly title: Heading | null;
  readonly #headings: Heading[] = [];
  readonly #elements: PageElements;
  readonly #hasMicrodata: boolean;
  readonly #open: OpenElements<Open>;
  /** The element that is read. */
  #index = 0;
  /** Start of the current block of text, and the times in it. */
  #blockStart = 0;
  #inBlock: TimeSighting[] = [];
  #entries = 0;
  #hinted = 0;
  #timesLeft = MAX_TIMES;
  /** Steps that wait for the title. */
  readonly #later: (() => void)[] = [];

  /** @param hasMicrodata whether some element has a property */
  constructor(elements: PageElements, hasMicrodata: boolean) {
    this.#elements = elements;
    this.#hasMicrodata = hasMicrodata;
    this.#open = new OpenElements(elements, ({ tag }, to) => tag.kind !== 'inline' && this.#cut(to));
    this.#open.walk((index) => this.#start(index));
    this.#cut(elements.html.length);
    this.title = titleOf(this.#headings);
    for (const item of this.title?.items ?? []) item.hasTitle = true;
    for (const read of this.#later) read();
  }

  #start(index: number): void {
    const elements = this.#elements;
    const tag = elements.tag(index);
    const isInline = tag.kind === 'inline';
    // Most elements.
    if (isInline && tag.name !== 'time' && (!elements.hasMore(index) || (!this.#hasMicrodata && tag.name !== 'a'))) return;
    this.#index = index;
    const isCredited = elements.hasMore(index) && CREDITED.some((name) => this.#has(name));
    if (isInline && !isCredited && tag.name !== 'time') return;
    if (!isInline) this.#cut(elements.start(index));
    const opened = this.#opened(index, tag, isCredited);
    this.#open.open(opened);
    if (!isInline) this.#blockStart = opened.from;
  }

  #get(name: string): string | undefined {
    return this.#elements.attribute(this.#index, name);
  }

  #has(name: string): boolean {
    return this.#elements.has(this.#index, name);
  }

  /** A block of text ends: the times in it know its text now. */
  #cut(to: number): void {
    for (const time of this.#inBlock) time.block = this.#textIn(this.#blockStart, to);
    this.#inBlock = [];
    this.#blockStart = to;
  }

  #textIn(from: number, to: number): string {
    return squeeze(decoded(this.#elements.html.slice(from, Math.min(to, from + MAX_VALUE)).replaceAll(/<[^>]*>?/g, ' ')));
  }

  #opened(index: number, tag: Tag, isCredited: boolean): Open {
    const around = this.#open.innermost ?? { ...NOWHERE, item: this.loose };
    const own = tag.kind === 'inline' ? NO_MEANING : meaningOf(this.#elements.className(index), this.#get('id'));
    const articles = around.articles + (tag.name === 'article' ? 1 : 0);
    const foreign = this.#foreignIn(tag, around.foreign, articles);
    // The footer of an article is part of it: themes write its day there.
    const isOwnFooter = tag.name === 'footer' && articles > 0;
    const hints = this.#hintsIn(tag, around.hints, isOwnFooter ? 0 : own.foreign);
    const isEntry = tag.name === 'article' || own.isEntry;
    const entries = isEntry ? [...around.entries, ++this.#entries] : around.entries;
    const opened = {
      index,
      tag,
      foreign,
      hints,
      articles,
      entries,
      from: this.#elements.from(index),
      isBanner: tag.name !== 'main' && (around.isBanner || (tag.name === 'header' && articles === 0 && !this.#inMain())),
      item: this.#itemIn(around.item, foreign === 0, hints),
      ended: null,
    };
    const ended = isCredited || tag.name === 'time' || (tag.flags & FLAG.heading) !== 0 ? this.#endOf(opened) : null;
    return ended === null ? opened : { ...opened, ended };
  }

  #inMain(): boolean {
    return this.#open.all.some(({ tag }) => tag.name === 'main');
  }

  #foreignIn(tag: Tag, around: number, articles: number): number {
    if (tag.name === 'body' || tag.name === 'html') return 0;
    let own = around;
    if (tag.name === 'nav' || tag.name === 'aside') own |= FOREIGN.menu;
    if (tag.name === 'footer' && articles === 0) own |= FOREIGN.footer;
    // HTML Standard §4.3.2: an article inside an article is a comment on it.
    if (articles > 1) own |= FOREIGN.reply;
    return this.#has('itemscope') ? own | this.#foreignItem() : own;
  }

  #hintsIn(tag: Tag, around: readonly number[], foreign: number): readonly number[] {
    if (foreign === 0 || tag.name === 'body' || tag.name === 'html' || tag.name === 'main') return around;
    this.#hinted += 1;
    return [...around, foreign === FOREIGN.comment ? -this.#hinted : this.#hinted];
  }

  /** Is a part with these hints of the page? Class names of elements around the title say nothing. */
  #isOwn(hints: readonly number[]): boolean {
    const around = this.title?.hints ?? NONE;
    return hints.every((hint) => around.includes(hint));
  }

  #foreignItem(): number {
    const type = this.#get('itemtype') ?? '';
    if (REPLY.test(type) || REPLIES.test(this.#get('itemprop') ?? '')) return FOREIGN.reply;
    return /Event$/.test(type) ? FOREIGN.event : 0;
  }

  #itemIn(around: Item, isOwn: boolean, hints: readonly number[]): Item {
    if (!this.#has('itemscope') || this.items.length >= MAX_ITEMS) return around;
    const property = this.#get('itemprop') ?? '';
    const item = new Item(this.#get('itemtype') ?? '', property.trim().toLowerCase());
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
    const property = this.#get('itemprop');
    // A heading is named `headline` by microdata as well, which is not read.
    if (/^h[1-6]$/.test(tag.name) && this.#headings.length < MAX_HEADINGS) return this.#headingEnd(opened);
    if (this.#has('itemscope')) return (to) => item.isEmpty && item.add('name', this.#textIn(from, to));
    if (property !== undefined && isRead(property)) return this.#propertyEnd(opened, property);
    // The day of a birth or an event.
    if (tag.name === 'time' && property !== undefined) return null;
    if (tag.name === 'time' && foreign === 0 && this.#timesLeft > 0) return this.#timeEnd(opened);
    const isAuthor = tag.name === 'a' && foreign === 0 && /(?:^|\s)author(?:\s|$)/i.test(this.#get('rel') ?? '');
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
    const given = this.#get('content') ?? (tag.name === 'time' ? this.#get('datetime') : this.#get('value'));
    const url = this.#get('href') ?? this.#get('src');
    return (to) => {
      const text = given?.trim() ? given : this.#textIn(from, to);
      const value = given?.trim() || url === undefined ? text : { name: text, url };
      this.#add(item, property, value, foreign === 0, hints);
    };
  }

  #timeEnd({ index, from, entries, articles, hints }: Open): Open['ended'] {
    const time: TimeSighting = {
      datetime: this.#get('datetime') ?? '',
      text: '',
      block: '',
      at: this.#elements.start(index),
      words: this.#elements.className(index) ?? '',
      wordsAround: this.#wordsAround(index),
      isPubdate: this.#has('pubdate'),
      inTable: this.#open.all.some(({ tag }) => (tag.flags & FLAG.table) !== 0),
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

  /** Class names of the four elements around one, the outermost first. */
  #wordsAround(index: number): string {
    const words: string[] = [];
    let at = index;
    for (let left = 4; left > 0; left -= 1) {
      at = this.#elements.parent(at);
      if (at < 0) break;
      if (!PARTS.has(this.#elements.tag(at).name)) words.unshift(this.#elements.className(at) ?? '');
    }
    return words.join(' ');
  }

  #headingEnd({ tag, from, entries, articles, foreign, hints, isBanner }: Open): Open['ended'] {
    const items = [...new Set(this.#open.all.map(({ item }) => item))];
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
