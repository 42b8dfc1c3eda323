/** The objects of a page's structured data with the ones that they refer to by `@id`, for readers that go deeper than `structuredData`. */
import { innerText, isNode, type LinkedObject, listOf } from './json-ld.ts';

/** Number of objects read on one page, and the depth of the search. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 12;
/** Number of values read from one property. */
const MAX_VALUES = 200;
/** Properties between a page and the object that it is about. */
const AROUND = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemOffered'] as const;

export class LinkedGraph {
  readonly #byId = new Map<string, LinkedObject>();
  readonly #main: LinkedObject[] = [];
  readonly #entered = new Set<LinkedObject>();
  #left = MAX_NODES;

  /** @param values of JSON-LD scripts, or items of microdata */
  constructor(values: readonly unknown[]) {
    this.#collect(values, 0);
    for (const value of values) this.#enter(value, 0);
  }

  /** The objects of the page itself with such a type: outside of all others, in a graph, or the main entity of the page. */
  ofType(pattern: RegExp): readonly LinkedObject[] {
    return this.#main.filter((node) => typesOf(node).some((type) => pattern.test(type)));
  }

  /** The objects among the values of a property, each with the parts stated elsewhere under its `@id`. */
  objects(value: unknown): readonly LinkedObject[] {
    return listedValues(value).flatMap((item) => (isNode(item) ? [this.#whole(item)] : []));
  }

  /** The first text among the values of a property: of an object, that of the first of `properties` it has. Default: its name. */
  text(value: unknown, properties: readonly string[] = ['name', '@value']): string {
    for (const item of listedValues(value)) {
      const text = isNode(item) ? this.#textOf(this.#whole(item), properties) : innerText(item);
      if (text.trim() !== '') return text;
    }
    return '';
  }

  #textOf(node: LinkedObject, properties: readonly string[]): string {
    return properties.map((name) => innerText(node[name])).find((text) => text.trim() !== '') ?? '';
  }

  #collect(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null || this.#left <= 0) return;
    this.#left -= 1;
    if (isNode(value)) this.#name(value);
    for (const inner of Object.values(value)) this.#collect(inner, depth + 1);
  }

  /** A mere reference has no parts of its own. */
  #name(node: LinkedObject): void {
    const id = node['@id'];
    if (typeof id === 'string' && Object.keys(node).length > 1 && !this.#byId.has(id)) this.#byId.set(id, node);
  }

  #enter(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const item of listedValues(value)) {
      if (!isNode(item)) continue;
      const known = this.#known(item) ?? item;
      if (this.#entered.has(known) || this.#entered.size >= MAX_NODES) continue;
      this.#entered.add(known);
      const node = this.#whole(item);
      this.#main.push(node);
      for (const name of AROUND) if (node[name] !== undefined) this.#enter(node[name], depth + 1);
    }
  }

  #known(node: LinkedObject): LinkedObject | undefined {
    const id = node['@id'];
    return typeof id === 'string' ? this.#byId.get(id) : undefined;
  }

  #whole(node: LinkedObject): LinkedObject {
    const known = this.#known(node);
    return known === undefined || known === node ? node : Object.keys(node).length === 1 ? known : { ...known, ...node };
  }
}

/** The values of a property, at most 200. */
export function listedValues(value: unknown): readonly unknown[] {
  return listOf(value).slice(0, MAX_VALUES);
}

/** The names of an object's types, without the address of their vocabulary. */
export function typesOf(node: LinkedObject): readonly string[] {
  return listedValues(node['@type']).flatMap((type) => (typeof type === 'string' ? [localName(type)] : []));
}

/** `InStock` of `https://schema.org/InStock`, `schema:InStock` and `#InStock`. */
export function localName(name: string): string {
  return name.trim().replace(/^.*[/#:]/s, '');
}
