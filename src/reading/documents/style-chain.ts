import type { XmlElement } from './xml-tree.ts';

/** Styles are based on others; a chain that is longer is a ring. */
const MAX_CHAIN = 20;

/** The style of an id, the one it is based on, and so on. Empty for an unknown id. @param parentOf id of the style that a style is based on */
export function styleChain(
  styles: ReadonlyMap<string, XmlElement>,
  id: string,
  parentOf: (style: XmlElement) => string | null,
): readonly XmlElement[] {
  const chain: XmlElement[] = [];
  for (let next: string | null = id; next !== null && chain.length < MAX_CHAIN; ) {
    const style = styles.get(next);
    if (style === undefined) break;
    chain.push(style);
    next = parentOf(style);
  }
  return chain;
}

/** The value of the first that has one: a style counts more than those it is based on. */
export function firstKnown<T, V>(all: readonly T[], read: (one: T) => V | null): V | null {
  for (const one of all) {
    const value = read(one);
    if (value !== null) return value;
  }
  return null;
}
