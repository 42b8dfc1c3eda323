import { decodeHTML } from 'entities';
import { CodeUnits } from '../../src/base/core/code-units.ts';
import { squeeze } from '../../src/base/text/squeeze.ts';
import { blockLines, type LinkSighting, type PageContent } from '../../src/reading/extract/blocks.ts';
import { decoded } from '../../src/reading/extract/character-references.ts';
import { DeclarationReader, NO_REL, relTokens } from '../../src/reading/extract/declarations.ts';
import { type HtmlParser, MAX_BLOCKS, MAX_DEPTH, MAX_SIGHTINGS, MAX_TITLE } from '../../src/reading/extract/html-parser.ts';
import type { TextSpans } from '../../src/reading/extract/markup-sink.ts';
import { PageElements } from '../../src/reading/extract/page-elements.ts';
import { FORMULA_ALT, FORMULA_NAMES, SIGN } from '../../src/reading/extract/page-signs.ts';
import { FLAG, HINTS, knownTags, LABELS, makeTag, PROSE, TABLE_PARTS, type Tag, type TagKind } from '../../src/reading/extract/tags.ts';
import { CONTENT_MODELS, type ContentModel, type TokenSink, tokenize } from '../../src/reading/extract/tokenizer.ts';
import { Attributes } from './attributes.ts';
import { BlockWriter } from './block-writer.ts';
import { buttonFlags, codeAfterButton, isCustom, isInSentence, isSmall, MAX_NUMBER, quietFlags, unveiled } from './element-sight.ts';
import { ElementStack } from './element-stack.ts';
import { edgeOf, hintedEdge, keepsOf } from './line-edges.ts';
import { looksOf } from './text-buffer.ts';
import { ElementRows } from './told-elements.ts';

const MAX_UNKNOWN_TAGS = 2_000;
const TAG_NAMES = [...knownTags().keys()];
/** Number of the first unknown tag. */
const UNKNOWN = 256;

const VOICES = FLAG.quiet | FLAG.spoken;

/** Receives the events of a parse. */
export interface ParseObserver {
  /** Visible text starts at `start` of the page, in the block with this index. @param keeps the white space that it keeps */
  add(start: number, block: number, keeps: number): void;
  /** A sink between tokenizer and parser. */
  recording(parser: PageParser): TokenSink;
}

/**
 * Parses HTML to blocks, links and declarations in one pass over its tokens, without a tree. One parser serves many pages, one after another. Time
 * O(length of the page), memory bounded by the caps above.
 */
export class PageParser implements HtmlParser, TokenSink {
  readonly #elements = new ElementRows();
  readonly #stack = new ElementStack(this.#elements);
  readonly #attributes = new Attributes();
  readonly #writer: BlockWriter;
  readonly #detailed: boolean;
  readonly #tags = knownTags();
  readonly #unknown = new Map<string, Tag>();
  #html = '';
  readonly #pageUnits = new CodeUnits();
  readonly #decodedUnits = new CodeUnits();
  /** Units of the page. */
  #units: Uint16Array = new Uint16Array(0);
  #observer: ParseObserver | null = null;
  readonly #notes = new Notes();
  #tag: Tag | null = null;
  /** End of the name of that tag in the page. */
  #nameEnd = 0;
  #nameStart = 0;
  /** End of its last attribute. */
  #tagEnd = 0;
  #attributeCount = 0;
  /** End of the piece of text that is read, as written in the page. */
  #textEnd = 0;
  #row = -1;
  readonly #declared = new DeclarationReader();
  #links: LinkSighting[] = [];
  #title = '';
  #warnings = new Set<string>();
  #signs = 0;
  #link: LinkSighting | null = null;
  #linkDepth = -1;
  #headingStart = -1;
  #headingEnd = -1;
  #titleDone = false;
  /** Starts in the text of the outermost veiled elements. */
  #veils: number[] = [];

  /** @param detailed whether blocks get the details that only the block model reads. Default true. */
  constructor(detailed = true) {
    this.#writer = new BlockWriter(detailed);
    this.#detailed = detailed;
  }

  /**
   * @param observer receives the places of visible text in `html`
   * @returns the page's content; never throws, for any markup
   */
  observed(html: string, observer: ParseObserver): PageContent {
    this.#start(html);
    this.#observer = observer;
    tokenize(html, observer.recording(this));
    return this.#finish();
  }

  parse(html: string): PageContent {
    return this.observed(html, this.#notes.clear());
  }

  spans(): TextSpans {
    return this.#notes.spans();
  }

  elements(html: string): PageElements {
    return new PageElements(html, ...this.#elements.told());
  }

  /** Length of the visible text so far. */
  get textLength(): number {
    return this.#writer.length;
  }

  #start(html: string): void {
    this.#html = html;
    this.#units = this.#pageUnits.of(html);
    this.#declared.start();
    this.#links = [];
    this.#title = '';
    this.#warnings = new Set();
    this.#signs = 0;
    this.#stack.clear();
    this.#elements.clear();
    this.#unknown.clear();
    this.#writer.start(html.length + 16);
    this.#tag = null;
    this.#link = null;
    this.#linkDepth = -1;
    this.#headingStart = this.#headingEnd = -1;
    this.#titleDone = false;
    this.#veils = [];
  }

  #finish(): PageContent {
    const { parents } = this.#stack;
    if (this.#stack.flags & FLAG.unseen) this.#warnings.add(`the page ends inside <${this.#stack.top?.name ?? '?'}>`);
    this.#elements.here = this.#html.length;
    this.#popTo(0);
    this.#endLink();
    const { text, blocks: written, lineNotes } = this.#writer.finish();
    const blocks = unveiled(written, this.#veils);
    if (this.#writer.isFull) this.#warnings.add(`more than ${MAX_BLOCKS} blocks; the rest reads as one`);
    this.#html = '';
    this.#attributes.release();
    return {
      ...this.#declared.finish(),
      links: this.#links,
      blocks,
      lines: blockLines(blocks, parents),
      lineNotes,
      parents,
      text,
      title: squeeze(this.#title),
      heading: this.#headingEnd < 0 ? '' : squeeze(text.slice(this.#headingStart, this.#headingEnd).slice(0, MAX_TITLE)),
      warnings: [...this.#warnings],
      signs: this.#signs,
    };
  }

  // Events of the tokenizer. Offsets refer to the page.

  isForeign(): boolean {
    return (this.#stack.flags & FLAG.foreign) !== 0;
  }

  text(start: number, end: number, references: boolean): void {
    if (this.#stack.flags & FLAG.unseen) {
      if (this.#isInTitle()) this.#title += decoded(this.#html.slice(start, Math.min(end, start + MAX_TITLE)));
      else if (this.#stack.top?.reader === 'script') this.#declared.unseenText(this.#html, start, end);
      return;
    }
    this.#textEnd = end;
    if (references) {
      const text = decodeHTML(this.#html.slice(start, end));
      this.#write(start, this.#decodedUnits.of(text), 0, text.length);
    } else this.#write(start, this.#units, start, end);
  }

  startTag(start: number, end: number): void {
    const tag = this.#tagNamed(start, end);
    if (this.#isNamed('time', start, end)) this.#signs |= SIGN.time;
    if (this.#isNamed('math', start, end)) this.#signs |= SIGN.formula;
    this.#attributes.clear();
    this.#tag = tag;
    this.#nameStart = start;
    this.#nameEnd = this.#tagEnd = end;
    this.#attributeCount = 0;
    if (tag !== null) this.#elements.here = start - 1;
    if (tag !== null && tag.closes.size > 0) this.#implyEnds(tag);
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    this.#tagEnd = valueEnd;
    this.#attributeCount += 1;
    if (this.#tag === null) return;
    if (this.#isNamed('itemprop', nameStart, nameEnd)) this.#signs |= SIGN.itemprop;
    if (this.#isNamed('typeof', nameStart, nameEnd)) this.#signs |= SIGN.typeof;
    if (this.#isNamed('shadowrootmode', nameStart, nameEnd)) this.#signs |= SIGN.shadowRoot;
    const names = this.#isNamed('alt', nameStart, nameEnd) ? FORMULA_ALT : FORMULA_NAMES;
    const isRead = names === FORMULA_ALT || this.#isNamed('class', nameStart, nameEnd) || this.#isNamed('type', nameStart, nameEnd);
    if (isRead && names.test(this.#html.slice(valueStart, valueEnd))) this.#signs |= SIGN.formula;
    this.#attributes.take(this.#html, nameStart, nameEnd, valueStart, valueEnd, this.#tag.reader);
  }

  #isNamed(name: string, start: number, end: number): boolean {
    return end - start === name.length && this.#html.slice(start, end).toLowerCase() === name;
  }

  startTagEnd(selfClosing: boolean): ContentModel {
    const tag = this.#tag;
    this.#tag = null;
    if (tag === null) return 'data';
    const isForeign = ((this.#stack.flags | tag.flags) & FLAG.foreign) !== 0;
    this.#row = this.#addElement(tag);
    // Outside svg and math the slash means nothing (HTML Standard §13.1.2.1).
    this.#open(tag, tag.isVoid || (selfClosing && isForeign));
    return isForeign ? 'data' : tag.content;
  }

  #addElement(tag: Tag): number {
    const number = TAG_NAMES.indexOf(tag.name);
    const known = number < 0 ? UNKNOWN + [...this.#unknown.keys()].indexOf(tag.name) : number;
    const from = this.#html.indexOf('>', this.#tagEnd) + 1;
    return this.#elements.add(known, this.#nameStart - 1, from, this.#stack.row, this.#attributes.classAt, this.#attributeCount);
  }

  endTag(start: number, end: number): void {
    const tag = this.#tagNamed(start, end);
    if (tag === null) return;
    this.#elements.here = start - 2;
    if (tag.kind === 'break') this.#writer.lineBreak();
    else if (!tag.isVoid) this.#close(tag);
  }

  // Text.

  /** @param place of the text in the page */
  #write(place: number, source: Uint16Array, start: number, end: number): void {
    if (this.#stack.flags & VOICES && !this.#isShown(source, start, end)) return;
    this.#observer?.add(place, this.#writer.blockCount, this.#stack.keeps);
    this.#elements.show(this.#html.slice(place, this.#textEnd), this.#writer.blockCount, place);
    this.#writer.write(source, start, end, this.#stack, this.#link !== null);
  }

  /**
   * Whether a text is shown. Ornaments that nobody reads aloud are not, nor is the second of two versions: one to be seen, one to be read
   * aloud.
   */
  #isShown(source: Uint16Array, start: number, end: number): boolean {
    const looks = looksOf(source, start, end);
    return this.#isVoiceShown(FLAG.quiet, FLAG.spoken, looks) && this.#isVoiceShown(FLAG.spoken, FLAG.quiet, looks);
  }

  #isVoiceShown(own: number, other: number, looks: 'words' | 'blank' | 'ornament'): boolean {
    const stack = this.#stack;
    const element = stack.flags & own ? stack.innermostWith(own) : -1;
    if (element < 0) return true;
    const beside = stack.voicesBeside(element);
    if (beside & other) return false;
    if (looks === 'words') stack.addVoice(element, own);
    // Letters that are animated one by one have signs among them.
    return looks !== 'ornament' || own !== FLAG.quiet || (beside & own) !== 0;
  }

  #isInTitle(): boolean {
    return (this.#stack.flags & (FLAG.title | FLAG.foreign)) === FLAG.title && !this.#titleDone && this.#title.length < MAX_TITLE;
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
    const given = tag.flags | this.#attributes.flags();
    const kind = isEmpty ? tag.kind : this.#kindOf(tag, given);
    const own = this.#ownFlags(tag, kind, given);
    const edge = hintedEdge(tag, kind, this.#stack, this.#attributes);
    if (kind === 'break') this.#writer.lineBreak();
    else if (!(own & FLAG.quiet)) this.#writer.tag(kind, edge, false);
    if (tag.reader !== 'none') this.#read(tag, isEmpty);
    if (isEmpty) return;
    if (tag.name === 'h1' && this.#headingStart < 0) this.#headingStart = this.#writer.length;
    if (this.#stack.depth >= MAX_DEPTH) this.#warnings.add(`elements nested deeper than ${MAX_DEPTH} read as flat`);
    else {
      if (own & ~this.#stack.flags & FLAG.veiled) this.#veils.push(this.#writer.length);
      const keeps = keepsOf(tag, own, this.#stack, this.#attributes);
      this.#stack.push(tag, kind, own, this.#detailed ? this.#attributes.classHash() : 0, { edge, keeps, row: this.#row });
    }
  }

  /** @param given flags of the tag and of its attributes */
  #kindOf(tag: Tag, given: number): TagKind {
    if (tag.name === 'button') return this.#isWordButton() ? 'inline' : 'block';
    if (tag.kind !== 'inline' || tag.flags & FLAG.unseen) return tag.kind;
    return this.#attributes.kind ?? (given & FLAG.veiled && isCustom(tag) ? 'block' : 'inline');
  }

  /** The button is the heading or the term itself, as in accordions, or a word of a sentence. */
  #isWordButton(): boolean {
    if (this.#stack.flags & FLAG.heading || LABELS.has(this.#stack.blockName)) return this.#writer.blockLength <= MAX_NUMBER;
    const next = codeAfterButton(this.#html, this.#nameEnd);
    if (this.#writer.isInSentence) return isInSentence(next);
    return this.#writer.blockLength === 0 && PROSE.has(this.#stack.blockName) && isSmall(next);
  }

  #ownFlags(tag: Tag, kind: TagKind, given: number): number {
    let own = given;
    // Anti-flicker styles hide whole pages until a script has run.
    if (tag.name === 'body' || tag.name === 'html') own &= ~(FLAG.hidden | FLAG.veiled | FLAG.quiet | HINTS);
    else if (kind === 'inline') own &= ~HINTS;
    if (own & FLAG.header && this.#stack.flags & FLAG.main) own &= ~FLAG.header;
    if (tag.name === 'button') own = buttonFlags(own, kind, this.#attributes);
    if (own & FLAG.quiet) own = quietFlags(own, kind, tag);
    if (own & FLAG.spoken && kind !== 'inline') own &= ~FLAG.spoken;
    if (own & (FLAG.hidden | FLAG.veiled) && tag.kind === 'inline' && !(own & FLAG.veiled && isCustom(tag))) own |= FLAG.unseen;
    return own & ~FLAG.icon;
  }

  #close(tag: Tag): void {
    const index = this.#stack.indexOf(tag, TABLE_PARTS.has(tag.name));
    if (index < 0) {
      this.#writer.tag(tag.kind, edgeOf(tag, tag.kind, this.#stack), true);
      return;
    }
    const kind = this.#stack.kindAt(index);
    const own = this.#stack.ownAt(index);
    // Unseen content ends with its element, even if another is open inside.
    if (kind === 'inline' && !(own & FLAG.unseen) && this.#stack.hasBlockAbove(index)) {
      if (index === this.#linkDepth) this.#endLink();
      this.#stack.strike(index);
    } else this.#popTo(index);
    // Words that are animated letter by letter have a tag for each letter.
    if (!(own & FLAG.quiet)) this.#writer.count(kind);
  }

  #popTo(depth: number): void {
    while (this.#stack.depth > depth) {
      if (this.#link !== null && this.#stack.depth - 1 === this.#linkDepth) this.#endLink();
      const kind = this.#stack.kindAt(this.#stack.depth - 1);
      const tag = this.#stack.pop();
      if (tag === null) continue;
      if (tag.name === 'h1') this.#endHeading();
      else if (tag.name === 'title') this.#titleDone = true;
      this.#writer.cut(kind, this.#stack.edgeAt(this.#stack.depth), true);
    }
  }

  /** The first `h1` with text is the page's heading; a logo in an empty one is not. */
  #endHeading(): void {
    if (this.#headingStart < 0 || this.#headingEnd >= 0) return;
    if (this.#writer.length > this.#headingStart) this.#headingEnd = this.#writer.length;
    else this.#headingStart = -1;
  }

  // Elements with a meaning of their own.

  #read(tag: Tag, isEmpty: boolean): void {
    if (tag.reader === 'link') this.#readLink(tag, isEmpty);
    else if (tag.reader === 'image') this.#readImage();
    else if (tag.reader === 'frame') this.#sight(this.#attributes.get('src'), tag, null);
    else this.#declared.read(tag.reader, this.#attributes);
  }

  #readLink(tag: Tag, isEmpty: boolean): void {
    if (this.#attributes.get('hreflang') !== null) this.#declared.read('link', this.#attributes);
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
    const links = this.#links;
    if (links.length >= MAX_SIGHTINGS) {
      this.#warnings.add(`more than ${MAX_SIGHTINGS} links; the rest is omitted`);
      return null;
    }
    const at = this.#writer.length;
    const sighting: LinkSighting = {
      href,
      start: at,
      end: at,
      block: this.#writer.blockCount,
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
    this.#link.end = this.#writer.length;
    this.#link = null;
    this.#linkDepth = -1;
  }

  #readImage(): void {
    const alt = this.#attributes.get('alt');
    if (this.#link === null || alt === null || alt === '' || this.#link.imageAlt.length > MAX_TITLE) return;
    this.#link.imageAlt = this.#link.imageAlt === '' ? alt : `${this.#link.imageAlt} ${alt}`;
  }
}

/** Notes of a parse for a second pass over the tags. */
class Notes implements ParseObserver {
  #starts: number[] = [];
  #blocks: number[] = [];
  #keeps: number[] = [];
  #contents: number[] = [];
  #foreigns: number[] = [];

  clear(): this {
    this.#starts = [];
    this.#blocks = [];
    this.#keeps = [];
    this.#contents = [];
    this.#foreigns = [];
    return this;
  }

  spans(): TextSpans {
    return {
      starts: Int32Array.from(this.#starts),
      blocks: Int32Array.from(this.#blocks),
      keeps: Uint8Array.from(this.#keeps),
      contents: Uint8Array.from(this.#contents),
      foreigns: Uint8Array.from(this.#foreigns),
    };
  }

  add(start: number, block: number, keeps: number): void {
    this.#starts.push(start);
    this.#blocks.push(block);
    this.#keeps.push(keeps);
  }

  /** `sink`, with its answers noted. */
  recording(sink: TokenSink): TokenSink {
    return {
      text: (start, end, references) => sink.text(start, end, references),
      startTag: (start, end) => sink.startTag(start, end),
      attribute: (nameStart, nameEnd, valueStart, valueEnd) => sink.attribute(nameStart, nameEnd, valueStart, valueEnd),
      endTag: (start, end) => sink.endTag(start, end),
      startTagEnd: (selfClosing) => {
        const content = sink.startTagEnd(selfClosing);
        this.#contents.push(CONTENT_MODELS.indexOf(content));
        return content;
      },
      isForeign: () => {
        const foreign = sink.isForeign();
        this.#foreigns.push(Number(foreign));
        return foreign;
      },
    };
  }
}
