import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { Attributes } from './attributes.ts';
import type { Block, LinkSighting, MetaTag, PageContent } from './blocks.ts';
import { ElementStack, MAX_DEPTH } from './element-stack.ts';
import { FLAG, knownTags, makeTag, type Tag } from './tags.ts';
import { TextBuffer } from './text-buffer.ts';

/** Bounds on what one page may make us hold; each is far above what real pages have and gives a warning when met. */
const MAX_BLOCKS = 50_000;
const MAX_SIGHTINGS = 20_000;
const MAX_METAS = 500;
const MAX_UNKNOWN_TAGS = 2_000;
const MAX_TITLE = 1_000;
/** A cell of at most this many half words is read together with its neighbours: a row of a reference table is one line. */
const SHORT_CELL = 16;
const NO_REL: readonly string[] = [];
const TABLE_PARTS = new Set(['table', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption', 'body', 'html']);

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function blankPage(): Writable<Omit<PageContent, 'text' | 'heading' | 'warnings'>> & {
  blocks: Block[];
  links: LinkSighting[];
  metas: MetaTag[];
} {
  return { blocks: [], links: [], metas: [], title: '', lang: null, baseHref: null, canonicalHref: null, firstTime: null };
}

/**
 * HTML to blocks, links and declarations in one pass over htmlparser2's tokens, without a tree.
 * One parser serves many pages, one after another. Time O(length of the page), memory bounded by the caps above.
 */
export class PageParser implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({}, this);
  readonly #stack = new ElementStack();
  readonly #attributes = new Attributes();
  readonly #text = new TextBuffer();
  readonly #tags = knownTags();
  readonly #unknown = new Map<string, Tag>();
  #html = '';
  #tag: Tag | null = null;
  #page = blankPage();
  #warnings = new Set<string>();
  #blockFlags = 0;
  #linkHalfWords = 0;
  #blockTags = 0;
  #inlineTags = 0;
  #link: LinkSighting | null = null;
  #linkDepth = -1;
  #breakAt = -1;
  #headingStart = -1;
  #headingEnd = -1;
  #titleDone = false;

  /** @returns the page's content; never throws, whatever the markup. */
  parse(html: string): PageContent {
    this.#start(html);
    this.#tokenizer.reset();
    this.#tokenizer.write(html);
    this.#tokenizer.end();
    return this.#finish();
  }

  #start(html: string): void {
    this.#html = html;
    this.#page = blankPage();
    this.#warnings = new Set();
    this.#stack.clear();
    this.#unknown.clear();
    this.#attributes.clear();
    this.#text.reset(html.length + 16);
    this.#tag = null;
    this.#linkHalfWords = this.#blockTags = this.#inlineTags = this.#blockFlags = 0;
    this.#link = null;
    this.#linkDepth = -1;
    this.#breakAt = this.#headingStart = this.#headingEnd = -1;
    this.#titleDone = false;
  }

  #finish(): PageContent {
    if (this.#stack.flags & FLAG.unseen) this.#warnings.add(`the page ends inside <${this.#stack.top?.name ?? '?'}>`);
    this.#popTo(0);
    this.#endLink();
    this.#endBlock();
    const text = this.#text.text();
    const page = this.#page;
    this.#html = '';
    return {
      ...page,
      text,
      title: squeeze(page.title),
      heading: this.#headingEnd < 0 ? '' : squeeze(text.slice(this.#headingStart, this.#headingEnd).slice(0, MAX_TITLE)),
      warnings: [...this.#warnings],
    };
  }

  // Tokenizer callbacks. Offsets are into the page.

  isInForeignContext(): boolean {
    return (this.#stack.flags & FLAG.foreign) !== 0;
  }

  ontext(start: number, end: number): void {
    if (this.#stack.flags & FLAG.unseen) this.#unseenText(start, end);
    else this.#write(this.#html, start, end);
  }

  ontextentity(codePoint: number): void {
    const characters = String.fromCodePoint(codePoint);
    if ((this.#stack.flags & FLAG.unseen) === 0) this.#write(characters, 0, characters.length);
    else if (this.#isInTitle()) this.#page.title += characters;
  }

  onopentagname(start: number, end: number): void {
    const tag = this.#tagNamed(start, end);
    this.#attributes.clear();
    this.#tag = tag;
    if (tag === null) return;
    if (tag.closes.size > 0) this.#implyEnds(tag);
  }

  onattribname(start: number, end: number): void {
    if (this.#tag !== null) this.#attributes.begin(this.#html, start, end, this.#tag.reader);
  }

  onattribdata(start: number, end: number): void {
    this.#attributes.append(this.#html, start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attributes.appendCodePoint(codePoint);
  }

  onattribend(): void {
    this.#attributes.end();
  }

  onopentagend(): void {
    if (this.#tag !== null) this.#open(this.#tag, this.#tag.isVoid);
    this.#tag = null;
  }

  onselfclosingtag(): void {
    const tag = this.#tag;
    this.#tag = null;
    // Outside svg and math the slash means nothing (HTML Standard 13.1.2.1).
    if (tag !== null) this.#open(tag, tag.isVoid || ((this.#stack.flags | tag.flags) & FLAG.foreign) !== 0);
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#tagNamed(start, end);
    if (tag === null) return;
    if (tag.kind === 'break') this.#lineBreak();
    else if (!tag.isVoid) this.#close(tag);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isInForeignContext()) this.ontext(start, end - endOffset);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  // Text.

  #write(source: string, start: number, end: number): void {
    const text = this.#text;
    const before = text.halfWords;
    const hadText = text.hasText;
    text.write(source, start, end);
    if (!hadText && text.hasText) this.#blockFlags = this.#stack.flags;
    if (this.#link !== null) this.#linkHalfWords += text.halfWords - before;
  }

  #isInTitle(): boolean {
    return (this.#stack.flags & (FLAG.title | FLAG.foreign)) === FLAG.title && !this.#titleDone && this.#page.title.length < MAX_TITLE;
  }

  #unseenText(start: number, end: number): void {
    if (this.#isInTitle()) this.#page.title += this.#html.slice(start, Math.min(end, start + MAX_TITLE));
  }

  #endBlock(): void {
    const text = this.#text;
    if (!text.hasText) return;
    if (this.#page.blocks.length >= MAX_BLOCKS) {
      this.#warnings.add(`more than ${MAX_BLOCKS} blocks; the rest reads as one`);
      text.space();
      return;
    }
    this.#page.blocks.push({
      start: text.blockStart,
      end: text.length,
      words: text.halfWords / 2,
      linkWords: this.#linkHalfWords / 2,
      blockTags: this.#blockTags,
      inlineTags: this.#inlineTags,
      commas: text.commas,
      sentenceEnds: text.closingSentenceEnds(),
      flags: this.#blockFlags,
    });
    text.startBlock();
    this.#linkHalfWords = this.#blockTags = this.#inlineTags = 0;
    this.#breakAt = -1;
  }

  #cut(kind: Tag['kind']): void {
    if (kind === 'inline') {
      this.#inlineTags += 1;
      return;
    }
    if (kind === 'block') this.#endBlock();
    else this.#cellEdge();
    this.#blockTags += 1;
  }

  /** Long cells and cells with lines of their own are blocks; short ones read on. */
  #cellEdge(): void {
    if (this.#text.halfWords > SHORT_CELL || this.#breakAt >= this.#text.blockStart) this.#endBlock();
    else this.#text.space();
  }

  #lineBreak(): void {
    this.#inlineTags += 1;
    if (this.#breakAt === this.#text.length) this.#endBlock();
    else this.#text.space();
    this.#breakAt = this.#text.length;
  }

  // Elements.

  #tagNamed(start: number, end: number): Tag | null {
    const name = this.#html.slice(start, end);
    const known = this.#tags.get(name);
    return known ?? this.#otherTag(name.toLowerCase());
  }

  #otherTag(name: string): Tag | null {
    const tag = this.#tags.get(name) ?? this.#unknown.get(name);
    if (tag !== undefined) return tag;
    if (this.#unknown.size >= MAX_UNKNOWN_TAGS || name.length > 64) return null;
    const made = makeTag(name);
    this.#unknown.set(name, made);
    return made;
  }

  #implyEnds(tag: Tag): void {
    for (let top = this.#stack.top; top !== null && tag.closes.has(top.name); top = this.#stack.top) this.#popTo(this.#stack.depth - 1);
  }

  #open(tag: Tag, isEmpty: boolean): void {
    if (tag.kind === 'break') this.#lineBreak();
    else this.#cut(tag.kind);
    const flags = this.#flagsInside(tag);
    if (tag.reader !== 'none') this.#read(tag, isEmpty);
    if (isEmpty) return;
    if (tag.name === 'h1' && this.#headingStart < 0) this.#headingStart = this.#text.length;
    if (this.#stack.depth >= MAX_DEPTH) this.#warnings.add(`elements nested deeper than ${MAX_DEPTH} read as flat`);
    else this.#stack.push(tag, flags);
  }

  #flagsInside(tag: Tag): number {
    const outer = this.#stack.flags;
    let own = tag.flags | this.#attributes.flags();
    // Anti-flicker styles hide whole pages until a script has run.
    if (tag.name === 'body' || tag.name === 'html') own &= ~(FLAG.hidden | FLAG.furniture | FLAG.body);
    else if (tag.kind === 'inline') own &= ~(FLAG.furniture | FLAG.body);
    if (own & FLAG.header && outer & FLAG.main) own &= ~FLAG.header;
    if (own & FLAG.hidden && tag.kind === 'inline') own |= FLAG.unseen;
    return outer | own;
  }

  #close(tag: Tag): void {
    const index = this.#stack.indexOf(tag, TABLE_PARTS.has(tag.name));
    if (index < 0) {
      this.#cut(tag.kind);
      return;
    }
    if (tag.kind === 'inline' && this.#stack.hasBlockAbove(index)) {
      if (index === this.#linkDepth) this.#endLink();
      this.#stack.strike(index);
    } else this.#popTo(index);
    if (tag.kind === 'inline') this.#inlineTags += 1;
    else this.#blockTags += 1;
  }

  #popTo(depth: number): void {
    while (this.#stack.depth > depth) {
      if (this.#link !== null && this.#stack.depth - 1 === this.#linkDepth) this.#endLink();
      const tag = this.#stack.pop();
      if (tag === null) continue;
      if (tag.name === 'h1') this.#endHeading();
      else if (tag.name === 'title') this.#titleDone = true;
      if (tag.kind === 'block') this.#endBlock();
      else if (tag.kind === 'cell') this.#cellEdge();
    }
  }

  /** The first `h1` with text is the page's heading; a logo in an empty one is not. */
  #endHeading(): void {
    if (this.#headingStart < 0 || this.#headingEnd >= 0) return;
    if (this.#text.length > this.#headingStart) this.#headingEnd = this.#text.length;
    else this.#headingStart = -1;
  }

  // Elements with a meaning of their own.

  #read(tag: Tag, isEmpty: boolean): void {
    const attributes = this.#attributes;
    const page = this.#page;
    if (tag.reader === 'link') this.#readLink(tag, isEmpty);
    else if (tag.reader === 'image') this.#readImage();
    else if (tag.reader === 'frame') this.#sight(attributes.get('src'), tag, null);
    else if (tag.reader === 'meta') this.#readMeta();
    else if (tag.reader === 'linkrel') this.#readLinkRel();
    else if (tag.reader === 'base') page.baseHref ??= attributes.get('href');
    else if (tag.reader === 'html') page.lang ??= attributes.get('lang') ?? attributes.get('xml:lang');
    else if (tag.reader === 'time') page.firstTime ??= attributes.get('datetime');
  }

  #readLink(tag: Tag, isEmpty: boolean): void {
    if (!isEmpty) this.#endLink();
    const sighting = this.#sight(this.#attributes.get('href'), tag, this.#attributes.get('rel'));
    if (sighting === null) return;
    if (isEmpty) sighting.imageAlt = this.#attributes.get('alt') ?? '';
    else {
      this.#link = sighting;
      this.#linkDepth = this.#stack.depth;
    }
  }

  #sight(href: string | null, tag: Tag, rel: string | null): LinkSighting | null {
    if (href === null) return null;
    const { links, blocks } = this.#page;
    if (links.length >= MAX_SIGHTINGS) {
      this.#warnings.add(`more than ${MAX_SIGHTINGS} links; the rest is left out`);
      return null;
    }
    const at = this.#text.length;
    const sighting: LinkSighting = {
      href,
      start: at,
      end: at,
      block: blocks.length,
      flags: this.#stack.flags,
      tagPath: this.#stack.path(tag.name),
      rel: rel === null ? NO_REL : relTokens(rel),
      imageAlt: '',
    };
    links.push(sighting);
    return sighting;
  }

  #endLink(): void {
    if (this.#link === null) return;
    this.#link.end = this.#text.length;
    this.#link = null;
    this.#linkDepth = -1;
  }

  #readImage(): void {
    const alt = this.#attributes.get('alt');
    if (this.#link === null || alt === null || alt === '' || this.#link.imageAlt.length > MAX_TITLE) return;
    this.#link.imageAlt = this.#link.imageAlt === '' ? alt : `${this.#link.imageAlt} ${alt}`;
  }

  #readMeta(): void {
    const content = this.#attributes.get('content');
    if (content === null || this.#page.metas.length >= MAX_METAS) return;
    for (const key of ['name', 'property', 'itemprop']) {
      const name = this.#attributes.get(key);
      if (name !== null) this.#page.metas.push({ name: name.trim().toLowerCase(), content });
    }
    const equiv = this.#attributes.get('http-equiv');
    if (equiv !== null) this.#page.metas.push({ name: `http-equiv:${equiv.trim().toLowerCase()}`, content });
  }

  #readLinkRel(): void {
    const rel = this.#attributes.get('rel');
    if (rel !== null && relTokens(rel).includes('canonical')) this.#page.canonicalHref ??= this.#attributes.get('href');
  }
}

function relTokens(rel: string): readonly string[] {
  return rel === '' ? NO_REL : rel.toLowerCase().trim().split(/\s+/, 20);
}

/** White space collapsed and trimmed. For short strings, not for the text of a page. */
export function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
