/** XML of documents as a tree: the parts of a word processor's file refer to each other in all directions. */
import { xmlDecoder } from '../extract/xml-decoder.ts';
import { localAttributeOf, type XmlHandlers, XmlScanner } from '../extract/xml-scanner.ts';

export interface XmlElement {
  /** Local, lower case: the prefixes are the choice of the program that wrote the file. */
  readonly name: string;
  /** The start tag as written. */
  readonly tag: string;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

export interface XmlTree {
  /** A nameless element around the root element. */
  readonly root: XmlElement;
  /** The rest of the file is not in the tree: it is too long, too deep, or its end is missing. */
  readonly cut: boolean;
}

/** Levels of elements: walks over the tree are recursive. Deeper ones become children of the last level. */
const MAX_DEPTH = 200;
/** Level from which on an element inside of one with its name adds to that one: rows of a table in forty tables are rows of the fortieth. */
const MERGED_FROM = 160;
/** Open elements among which that one is sought. */
const NEAR = 200;
/** Elements of one tree: a book of 1,000 pages has some 200,000. Each takes about 150 bytes. */
const MAX_ELEMENTS = 500_000;
/** Characters are passed on in pieces, so that a tag without an end costs no more than its piece. */
const PIECE = 256 * 1024;

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
  /** Number of elements around it. */
  readonly depth: number;
}

/** The tree of an XML file. Entities that the file declares are not resolved. O(bytes). @param omitted names of elements that are not wanted */
export function readXml(bytes: Uint8Array, omitted: ReadonlySet<string> = new Set()): XmlTree {
  const builder = new TreeBuilder(omitted);
  const isWhole = scanXml(xmlDecoder(bytes).decode(bytes), builder, () => builder.isFull);
  return { root: builder.root, cut: builder.isFull || builder.isFlattened || !isWhole };
}

/** Passes a text on to a scanner. @returns false if it has a construct without an end, or if `isEnough` ended it */
export function scanXml(text: string, handlers: XmlHandlers, isEnough: () => boolean, decode?: (text: string) => string): boolean {
  const scanner = new XmlScanner(handlers, decode);
  for (let at = 0; at < text.length; at += PIECE) {
    if (scanner.broken || isEnough()) return false;
    scanner.push(text.slice(at, at + PIECE));
  }
  return !scanner.broken;
}

class TreeBuilder implements XmlHandlers {
  readonly root: OpenElement = { name: '', tag: '', children: [], depth: 0 };
  readonly #open: OpenElement[] = [this.root];
  readonly #omitted: ReadonlySet<string>;
  /** Open elements of the name of the one that is being omitted. */
  #skipping: { readonly name: string; depth: number } | null = null;
  #elements = 0;
  /** Have its deepest elements lost their names? */
  isFlattened = false;

  constructor(omitted: ReadonlySet<string>) {
    this.#omitted = omitted;
  }

  get isFull(): boolean {
    return this.#elements >= MAX_ELEMENTS;
  }

  open(name: string, _prefix: string, tag: string): void {
    if (this.#skipping !== null) {
      if (name === this.#skipping.name) this.#skipping.depth += 1;
      return;
    }
    if (this.#omitted.has(name)) {
      this.#skipping = { name, depth: 1 };
      return;
    }
    if (this.isFull) return;
    this.#elements += 1;
    const around = this.#open.at(-1) ?? this.root;
    const merged = around.depth < MERGED_FROM ? undefined : this.#open[this.#nearest(name)];
    if (merged !== undefined) {
      this.#open.push(merged);
      return;
    }
    const element: OpenElement = { name, tag, children: [], depth: around.depth + 1 };
    around.children.push(element);
    if (around.depth < MAX_DEPTH) this.#open.push(element);
    else this.isFlattened = true;
  }

  /** Place of the innermost open element of a name; -1 without one nearby. */
  #nearest(name: string): number {
    for (let at = this.#open.length - 1; at > 0 && at >= this.#open.length - NEAR; at--) if (this.#open[at]?.name === name) return at;
    return -1;
  }

  close(name: string): void {
    if (this.#skipping !== null) {
      if (name !== this.#skipping.name) return;
      this.#skipping.depth -= 1;
      if (this.#skipping.depth === 0) this.#skipping = null;
      return;
    }
    const at = this.#nearest(name);
    if (at > 0) this.#open.length = at;
  }

  text(text: string): void {
    if (this.#skipping === null && !this.isFull) this.#open.at(-1)?.children.push(text);
  }
}

/** Value of an attribute by its local name in lower case; null without one. */
export function attribute(element: XmlElement | undefined, name: string): string | null {
  return element === undefined ? null : localAttributeOf(element.tag, name);
}

export function elementsOf(element: XmlElement | undefined): readonly XmlElement[] {
  return element === undefined ? [] : element.children.filter((child) => typeof child !== 'string');
}

/** The first child of a name, of that child the first of the next name, and so on. */
export function childAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce((from: XmlElement | undefined, name) => elementsOf(from).find((child) => child.name === name), element);
}

export function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return elementsOf(element).filter((child) => child.name === name);
}

/** Elements of a name at any depth, in the order of the file; none inside of one that is found. */
export function descendants(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : descendants(child, name)));
}

/** All text in an element. */
export function textIn(node: XmlNode | undefined): string {
  if (node === undefined || typeof node === 'string') return node ?? '';
  return node.children.map(textIn).join('');
}
