/** Items of microdata (HTML Standard §5), as the objects that JSON-LD would have. */
import { type LinkedObject, PAGE_TYPE, WORK } from './json-ld.ts';

/** The properties that are read, by their lower-case names: pages write them in any case. */
const READ = new Map(
  'datePublished dateModified dateCreated author creator publisher name givenName familyName alternateName license copyrightNotice inLanguage'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);
/** Properties of metas that are read here, with their place on the page, and not as declarations of the whole page. */
export const CREDITS: ReadonlySet<string> = new Set(['datepublished', 'datemodified', 'datecreated', 'author', 'creator']);
/** Properties whose item may be the work of the page. */
const MAIN = new Set(['mainentity', 'mainentityofpage', 'blogpost', 'blogposts', 'article', 'newsarticle', 'itemreviewed']);
/** Values of one property, and items of one page. */
const MAX_VALUES = 20;
export const MAX_ITEMS = 500;
const MAX_DEPTH = 6;

/** Is one of the names of an `itemprop` read? */
export function isRead(properties: string): boolean {
  return properties
    .toLowerCase()
    .trim()
    .split(/\s+/, 10)
    .some((name) => READ.has(name));
}

/** A value as text, a link with its text, or an item. */
export type Value = string | LinkedObject | Item;

export class Item {
  readonly types: readonly string[];
  /** The property whose value it is, lower case; '' for an item of its own. */
  readonly property: string;
  /** Does it belong to the page, and not to its comments, menus or neighbours? */
  isOwn = false;
  /** Is the heading of the page in it? */
  hasTitle = false;
  readonly #values = new Map<string, Value[]>();

  constructor(itemtype: string, property: string) {
    this.types = itemtype
      .trim()
      .split(/\s+/, 10)
      .map((type) => type.slice(type.lastIndexOf('/') + 1));
    this.property = property;
  }

  own(isOwn: boolean): void {
    this.isOwn = isOwn;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  add(properties: string, value: Value): void {
    for (const written of properties.toLowerCase().trim().split(/\s+/, 10)) {
      const name = READ.get(written);
      if (name === undefined) continue;
      const values = this.#values.get(name);
      if (values === undefined) this.#values.set(name, [value]);
      else if (values.length < MAX_VALUES) values.push(value);
    }
  }

  is(pattern: RegExp): boolean {
    return this.types.some((type) => pattern.test(type));
  }

  node(depth = 0): LinkedObject {
    const inner = (value: Value) => (value instanceof Item ? (depth < MAX_DEPTH ? value.node(depth + 1) : '') : value);
    return { '@type': this.types, ...Object.fromEntries(Array.from(this.#values, ([name, values]) => [name, values.map(inner)])) };
  }
}

/**
 * The items that describe the page: its work, if there is one or if one of them has the heading of the page, then the page itself, then the
 * properties outside of all items. A list of works describes none of them.
 */
export function mainItems(items: readonly Item[], loose: Item): readonly LinkedObject[] {
  const own = items.filter(({ isOwn, property }) => isOwn && (property === '' || MAIN.has(property)));
  const works = own.filter((item) => item.is(WORK));
  const titled = works.filter(({ hasTitle }) => hasTitle);
  const chosen = works.length === 1 ? works : titled.slice(-1);
  return [...chosen, ...own.filter((item) => item.is(PAGE_TYPE)), loose].map((item) => item.node());
}
