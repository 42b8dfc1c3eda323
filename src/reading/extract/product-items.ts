/** Items of products in a page's microdata (HTML Standard §5) and RDFa Lite, as the objects that JSON-LD would have. */
import { attributeValue } from './attributes.ts';
import { decoded } from './character-references.ts';
import type { LinkedObject } from './json-ld.ts';
import { localName } from './linked-graph.ts';
import { FLAG, knownTags, makeTag, type Tag } from './tags.ts';
import { type ContentModel, type TokenSink, tokenize } from './tokenizer.ts';

/** The properties that are read, by their lower-case names: pages write them in any case. */
const READ = new Map(
  (
    'name description brand sku gtin gtin8 gtin12 gtin13 gtin14 isbn ean mpn category offers hasVariant isVariantOf additionalProperty ' +
    'value unitText unitCode minValue maxValue price lowPrice highPrice minPrice maxPrice priceCurrency priceSpecification priceType availability ' +
    'itemCondition seller offeredBy url color material size pattern model manufacturer weight width height depth countryOfOrigin ' +
    'productionDate releaseDate vehicleModelDate mileageFromOdometer fuelType vehicleTransmission vehicleEngine bodyType mainEntity itemOffered ' +
    'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor itemListElement review aggregateRating item itemReviewed author'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);
/** Limits for one page. */
const MAX_ITEMS = 500;
const MAX_VALUES = 200;
const MAX_DEPTH = 512;
/** Longest part of a page that is read as a value, in UTF-16 units of HTML. */
const MAX_VALUE = 40_000;
/** All values of a page: elements inside each other have the same text. */
const MAX_CHARS = 2_000_000;
const SCRIPT = /<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*/gi;

const ATTRIBUTES: ReadonlySet<string> = new Set(
  'itemscope itemtype itemprop itemid typeof property resource content datetime href src value'.split(' '),
);
const TAGS = knownTags();

/** An item: its object, and whether the main heading of the page is in it. */
interface Item {
  readonly node: Record<string, unknown[]>;
  /** Is it the value of a property of another item? */
  readonly isInner: boolean;
  readonly source: 'microdata' | 'rdfa';
  hasHeading: boolean;
}

interface Open {
  readonly tag: Tag;
  readonly item: Item | null;
  readonly isForeign: boolean;
  /** Called with the end of its content. */
  readonly ended: ((to: number) => void) | null;
}

/** The outer items of a page, in their order. Time O(length). */
export function outerItems(
  html: string,
): readonly { readonly node: LinkedObject; readonly hasHeading: boolean; readonly source: Item['source'] }[] {
  const sink = new ItemSink(html);
  sink.run();
  return sink.items.filter(({ isInner }) => !isInner);
}

class ItemSink implements TokenSink {
  readonly items: Item[] = [];
  readonly #html: string;
  readonly #open: Open[] = [];
  readonly #attributes = new Map<string, string>();
  #left = MAX_CHARS;
  #name = '';
  #tagStart = 0;
  #tagEnd = 0;

  constructor(html: string) {
    this.#html = html;
  }

  run(): void {
    tokenize(this.#html, this);
    this.#popTo(0, this.#html.length);
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
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    if (ATTRIBUTES.has(name) && !this.#attributes.has(name) && valueEnd - valueStart <= MAX_VALUE)
      this.#attributes.set(name, attributeValue(this.#html, valueStart, valueEnd));
  }

  startTagEnd(selfClosing: boolean): ContentModel {
    const tag = TAGS.get(this.#name) ?? makeTag(this.#name);
    while (this.#open.length > 0 && tag.closes.has(this.#open.at(-1)?.tag.name ?? '')) this.#popTo(this.#open.length - 1, this.#tagStart);
    const close = this.#html.indexOf('>', this.#tagEnd);
    const from = close < 0 ? this.#html.length : close + 1;
    const opened = this.#opened(tag, from);
    if (tag.isVoid || (selfClosing && this.isForeign())) opened.ended?.(from);
    else if (this.#open.length < MAX_DEPTH) this.#open.push(opened);
    return tag.content;
  }

  endTag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const at = this.#open.findLastIndex(({ tag }) => tag.name === name);
    if (at >= 0) this.#popTo(at, start - 2);
  }

  #popTo(depth: number, to: number): void {
    while (this.#open.length > depth) this.#open.pop()?.ended?.(to);
  }

  #opened(tag: Tag, from: number): Open {
    const around = this.#open.at(-1)?.item ?? null;
    const isForeign = this.isForeign() || (tag.flags & FLAG.foreign) !== 0;
    if (tag.name === 'h1') for (const { item } of this.#open) if (item !== null) item.hasHeading = true;
    const properties = this.#attributes.get('itemprop') ?? this.#attributes.get('property') ?? '';
    const item = this.#item(properties.trim() !== '' && around !== null);
    if (item === null)
      return {
        tag,
        item: around,
        isForeign,
        ended: around === null || properties === '' ? null : this.#valueEnd(around, properties, from),
      };
    if (around !== null) add(around, properties, item.node);
    // An item without properties is its text: `itemprop=brand itemscope`.
    return {
      tag,
      item,
      isForeign,
      ended: (to) => item.isInner && Object.keys(item.node).length === 1 && add(item, 'name', this.#textIn(from, to)),
    };
  }

  #item(isInner: boolean): Item | null {
    const isMicrodata = this.#attributes.has('itemscope');
    const type = isMicrodata ? this.#attributes.get('itemtype') : this.#attributes.get('typeof');
    if ((!isMicrodata && type === undefined) || this.items.length >= MAX_ITEMS) return null;
    const types = (type ?? '').trim().split(/\s+/, 10).map(localName);
    const item: Item = { node: { '@type': types }, isInner, source: isMicrodata ? 'microdata' : 'rdfa', hasHeading: false };
    this.items.push(item);
    return item;
  }

  /** The value of a property (HTML Standard §5.2.4), and `content` on any element, as search engines read it. */
  #valueEnd(item: Item, properties: string, from: number): (to: number) => void {
    const given = ['content', 'datetime', 'value'].map((name) => this.#attributes.get(name)).find((value) => value?.trim());
    const url = this.#attributes.get('href') ?? this.#attributes.get('src') ?? this.#attributes.get('resource');
    return (to) => {
      const text = given ?? this.#textIn(from, to);
      add(item, properties, given !== undefined || url === undefined ? text : linked(properties, text, url));
    };
  }

  #textIn(from: number, to: number): string {
    const html = this.#html.slice(from, Math.min(to, from + Math.min(MAX_VALUE, this.#left)));
    this.#left -= html.length;
    return decoded(html.replaceAll(SCRIPT, '').replaceAll(/<[^>]*>?/g, ' '));
  }
}

/** The value of a link: an address or a term where the property has one, otherwise its text. */
function linked(properties: string, text: string, url: string): string {
  return /\b(?:url|availability|itemCondition|additionalType)\b/i.test(properties) || text.trim() === '' ? url : text;
}

function add({ node }: Item, properties: string, value: unknown): void {
  for (const written of properties.trim().split(/\s+/, 10)) {
    const name = READ.get(localName(written).toLowerCase());
    if (name === undefined) continue;
    const values = node[name];
    if (values === undefined) node[name] = [value];
    else if (values.length < MAX_VALUES) values.push(value);
  }
}
