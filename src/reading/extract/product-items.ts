/** Items of products in a page's microdata (HTML Standard §5) and RDFa Lite, as the objects that JSON-LD would have. */
import { decoded } from './character-references.ts';
import { type OpenElement, OpenElements } from './element-walk.ts';
import type { LinkedObject } from './json-ld.ts';
import { localName } from './linked-graph.ts';
import type { PageElements } from './page-elements.ts';

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
/** Longest part of a page that is read as a value, in UTF-16 units of HTML. */
const MAX_VALUE = 40_000;
/** All values of a page: elements inside each other have the same text. */
const MAX_CHARS = 2_000_000;
const SCRIPT = /<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*/gi;

/** Types of products. */
const PRODUCT = /Product|SomeProducts|Vehicle|\b(?:Car|Motorcycle|MotorizedBicycle|BusOrCoach|Drug|DietarySupplement)\b/i;

/** An item: its object, and whether the main heading of the page is in it. */
interface Item {
  readonly node: Record<string, unknown[]>;
  /** Is it the value of a property of another item? */
  readonly isInner: boolean;
  readonly source: 'microdata' | 'rdfa';
  hasHeading: boolean;
}

/** An open element that is an item, or the value of a property. */
interface Open extends OpenElement {
  readonly item: Item;
}

type OuterItem = Pick<Item, 'hasHeading' | 'source'> & { readonly node: LinkedObject };

/** The outer items of a page, in their order; [] if none of its items is a product. Time O(elements). */
export function outerItems(elements: PageElements): readonly OuterItem[] {
  return hasProduct(elements) ? new ItemReader(elements).items.filter(({ isInner }) => !isInner) : [];
}

/** Most pages with microdata are about something else. */
function hasProduct(elements: PageElements): boolean {
  for (let index = 0; index < elements.count; index += 1) {
    const type = elements.attribute(index, 'itemtype') ?? elements.attribute(index, 'typeof');
    if (type !== undefined && PRODUCT.test(type)) return true;
  }
  return false;
}

class ItemReader {
  readonly items: Item[] = [];
  readonly #elements: PageElements;
  readonly #open: OpenElements<Open>;
  /** The element that is read. */
  #index = 0;
  #left = MAX_CHARS;

  constructor(elements: PageElements) {
    this.#elements = elements;
    this.#open = new OpenElements(elements);
    this.#open.walk((index) => this.#start(index));
  }

  #get(name: string): string | undefined {
    return this.#elements.attribute(this.#index, name);
  }

  #start(index: number): void {
    if (this.#elements.tag(index).name === 'h1') for (const { item } of this.#open.all) item.hasHeading = true;
    this.#index = index;
    const opened = this.#opened(index);
    if (opened !== null) this.#open.open(opened);
  }

  /** null for other elements. */
  #opened(index: number): Open | null {
    const around = this.#open.innermost?.item ?? null;
    const from = this.#elements.from(index);
    const properties = this.#get('itemprop') ?? this.#get('property') ?? '';
    const item = this.#item(properties.trim() !== '' && around !== null);
    if (item === null)
      return around === null || properties === '' ? null : { index, item: around, ended: this.#valueEnd(around, properties, from) };
    if (around !== null) add(around, properties, item.node);
    // An item without properties is its text: `itemprop=brand itemscope`.
    const ended = (to: number) => item.isInner && Object.keys(item.node).length === 1 && add(item, 'name', this.#textIn(from, to));
    return { index, item, ended };
  }

  #item(isInner: boolean): Item | null {
    const isMicrodata = this.#elements.has(this.#index, 'itemscope');
    const type = isMicrodata ? this.#get('itemtype') : this.#get('typeof');
    if ((!isMicrodata && type === undefined) || this.items.length >= MAX_ITEMS) return null;
    const types = (type ?? '').trim().split(/\s+/, 10).map(localName);
    const item: Item = { node: { '@type': types }, isInner, source: isMicrodata ? 'microdata' : 'rdfa', hasHeading: false };
    this.items.push(item);
    return item;
  }

  /** The value of a property (HTML Standard §5.2.4), and `content` on any element, as search engines read it. */
  #valueEnd(item: Item, properties: string, from: number): (to: number) => void {
    const given = ['content', 'datetime', 'value'].map((name) => this.#get(name)).find((value) => value?.trim());
    const url = this.#get('href') ?? this.#get('src') ?? this.#get('resource');
    return (to) => {
      const text = given ?? this.#textIn(from, to);
      add(item, properties, given !== undefined || url === undefined ? text : linked(properties, text, url));
    };
  }

  #textIn(from: number, to: number): string {
    const html = this.#elements.html.slice(from, Math.min(to, from + Math.min(MAX_VALUE, this.#left)));
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
