/** The declarations of a page in JSON-LD with the vocabulary of schema.org that metadata needs. */
import { decodeHTML } from 'entities';
import { jsonValues } from './loose-json.ts';

/** Number of objects read on one page, and the depth of the search. Graphs of real pages have some dozens, four levels down. */
const MAX_NODES = 2_000;
const MAX_DEPTH = 8;
/** Number of values read from one property. */
const MAX_VALUES = 20;

/** An object of JSON-LD, or an item of microdata. */
export type LinkedObject = Readonly<Record<string, unknown>>;

/** Properties of the object that describes the page; lists are empty and strings '' without a value. Values are as written. */
export interface StructuredData {
  readonly description: string;
  readonly authors: readonly string[];
  readonly siteName: string;
  /** Best first: one may be unreadable. */
  readonly published: readonly string[];
  readonly modified: readonly string[];
  readonly licences: readonly string[];
  readonly rights: string;
  readonly lang: string;
}

/** Properties between a page and the objects that may describe it. */
const AROUND = ['@graph', 'mainEntity', 'mainEntityOfPage'] as const;
/** The written work itself. Ends of the type names of schema.org 28: NewsArticle, BlogPosting, QAPage's Question, … */
export const WORK =
  /(?:Article|Posting|Report|Question|Recipe|HowTo|Book|Chapter|Thesis|Dataset|Course|Review|Product|Event|Movie|CreativeWork)$/;
export const PAGE_TYPE = /Page$/;
/** Properties whose objects others may refer to. */
const CREDITED = ['author', 'creator', 'publisher'] as const;
/** Stands for the parts of a person's name. */
const FULL_NAME = 'givenName familyName';
/** Depth of a name inside a name. */
const MAX_INNER = 3;

/**
 * The declarations of JSON-LD scripts about the page: first those of its works, then those of the page; the site's name also from the site. Damaged
 * scripts declare nothing. Time O(length), never throws.
 */
export function structuredData(scripts: readonly string[]): StructuredData {
  return statedBy(scripts.flatMap(jsonValues));
}

/** Declarations of values with the vocabulary of schema.org, read as `structuredData` reads scripts. */
export function statedBy(values: readonly unknown[]): StructuredData {
  const nodes = new Nodes();
  for (const value of values) nodes.collect(value, 0);
  const works = nodes.ofType(WORK);
  const pages = nodes.ofType(PAGE_TYPE);
  const all = [...works, ...pages];
  const written = (property: string) => (node: LinkedObject) => nodes.texts(node[property]).filter((text) => text.trim() !== '');
  const days = (property: string) => [...firstList(works, written(property)), ...firstList(pages, written(property))];
  const first = (property: string) => firstOf(all, (node) => nodes.texts(node[property])[0] ?? '');
  return {
    description: first('description'),
    authors: firstList(all, (node) => nodes.names(node['author'] ?? node['creator'])),
    siteName:
      firstOf(nodes.ofType(/^WebSite$/), (node) => nodes.names(node['name'])[0] ?? '') ||
      firstOf(all, (node) => nodes.names(node['publisher'])[0] ?? ''),
    published: [...days('datePublished'), ...days('dateCreated')],
    modified: days('dateModified'),
    licences: firstList(all, (node) => nodes.addresses(node['license'])),
    rights: first('copyrightNotice'),
    lang: firstOf(all, (node) => nodes.languages(node['inLanguage'])[0] ?? ''),
  };
}

function firstOf(nodes: readonly LinkedObject[], read: (node: LinkedObject) => string): string {
  for (const node of nodes) {
    const found = read(node);
    if (found !== '') return found;
  }
  return '';
}

function firstList(nodes: readonly LinkedObject[], read: (node: LinkedObject) => readonly string[]): readonly string[] {
  return nodes.map(read).find((list) => list.length > 0) ?? [];
}

/** The objects of a page with a type, and those that another may refer to by `@id`. */
class Nodes {
  readonly #typed: { readonly node: LinkedObject; readonly types: readonly string[] }[] = [];
  readonly #byId = new Map<string, LinkedObject>();
  #left = MAX_NODES;

  collect(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const node of listOf(value)) {
      if (!isNode(node)) continue;
      this.#left -= 1;
      if (this.#left < 0) return;
      this.#keep(node);
      for (const name of AROUND) if (node[name] !== undefined) this.collect(node[name], depth + 1);
    }
  }

  #keep(node: LinkedObject): void {
    const id = node['@id'];
    if (typeof id === 'string') this.#name(id, node);
    for (const property of CREDITED) for (const value of listOf(node[property])) if (isNode(value)) this.#name(value['@id'], value);
    const types = listOf(node['@type']).flatMap((type) => (typeof type === 'string' ? [type.slice(type.lastIndexOf('/') + 1)] : []));
    if (types.length > 0) this.#typed.push({ node, types });
  }

  /** Notes the target of references to `id`. A mere reference has no name of its own. */
  #name(id: unknown, node: LinkedObject): void {
    if (typeof id === 'string' && Object.keys(node).length > 1 && !this.#byId.has(id)) this.#byId.set(id, node);
  }

  ofType(pattern: RegExp): LinkedObject[] {
    return this.#typed.filter(({ types }) => types.some((type) => pattern.test(type))).map(({ node }) => node);
  }

  texts(value: unknown): string[] {
    return this.#strings(value, ['@value']);
  }

  names(value: unknown): string[] {
    return this.#strings(value, ['name', '@value', FULL_NAME, 'alternateName', 'legalName']);
  }

  addresses(value: unknown): string[] {
    return this.#strings(value, ['url', '@id']);
  }

  languages(value: unknown): string[] {
    return this.#strings(value, ['alternateName', '@value', 'name']);
  }

  /** The strings among the values, and for objects, the first of `properties` that is a string. */
  #strings(value: unknown, properties: readonly string[]): string[] {
    return listOf(value)
      .slice(0, MAX_VALUES)
      .map((item) => (isNode(item) ? firstText(this.#whole(item), properties) : innerText(item)))
      .filter((text) => text !== '');
  }

  /** The object together with the one that its `@id` refers to: many references repeat the type. */
  #whole(node: LinkedObject): LinkedObject {
    const id = node['@id'];
    const known = typeof id === 'string' ? this.#byId.get(id) : undefined;
    return known === undefined || known === node ? node : { ...known, ...node };
  }
}

/** Is a value an object, and no list? */
export function isNode(value: unknown): value is LinkedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstText(node: LinkedObject, properties: readonly string[]): string {
  return properties.map((name) => (name === FULL_NAME ? fullName(node) : innerText(node[name]))).find((text) => text !== '') ?? '';
}

/** The first text of a value: of several values, of a language, or of an object one level down. */
export function innerText(value: unknown, depth = 0): string {
  for (const item of listOf(value).slice(0, MAX_VALUES)) {
    const text = isNode(item) && depth < MAX_INNER ? innerText(item['@value'] ?? item['name'] ?? item['@list'], depth + 1) : plain(item);
    if (text.trim() !== '') return text;
  }
  return '';
}

function fullName(node: LinkedObject): string {
  return ['givenName', 'additionalName', 'familyName']
    .map((part) => innerText(node[part]))
    .filter((part) => part !== '')
    .join(' ');
}

/** The values of a property: of one, of a list, of a list or set object. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flat(1).flatMap(membersOf);
  return value === undefined || value === null ? [] : membersOf(value);
}

/** Members of a list or set object; other values are their own only member. */
function membersOf(value: unknown): readonly unknown[] {
  const members = isNode(value) ? (value['@list'] ?? value['@set']) : undefined;
  return members === undefined ? [value] : [members].flat(1);
}

/** Publishing systems write entities that a script does not have. */
function plain(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return value.includes('&') ? decodeHTML(value) : value;
}
