import { grown } from '../../base/core/columns.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';

/**
 * Number of links kept per page, the first ones; further links are ignored. It equals the number that the extractor keeps (`MAX_OUTLINKS` of
 * reading/extract/links.ts): this cap protects against other readers.
 */
export const MAX_LINKS = 5_000;
const START_CAPACITY = 1024;

/** The number of a URL in a `LinkGraph`, from 0. */
export type Node = number;
/** The number of a page that was read, from 0 in the order of reading. */
export type Page = number;

/**
 * The graph of links seen so far: pages that were read, the URLs they link to, and redirects. Links of a page to itself are omitted, and a URL counts
 * once per page. A redirect makes its source and its target one node, which has everything that was passed to either, before and after.
 *
 * Memory: 12 bytes of columns and 13 to 19 of fingerprint and index for each URL; 4 for each link; 20 and the URL as a string for each page. Growing
 * columns may be half empty. No object for a link or a URL. A page of 60 links, 20 of them new, takes about a kilobyte.
 */
export class LinkGraph {
  readonly #numbers = new UrlNumbers();
  /** The node that a node is the same as; mostly itself. */
  #same = new Int32Array(START_CAPACITY);
  /** The page that a node was read as; -1 before. */
  #pageOf = new Int32Array(START_CAPACITY);
  /** The last page seen to link to a node. */
  #linkedBy = new Int32Array(START_CAPACITY);
  readonly #urls: CanonicalUrl[] = [];
  #nodeOf = new Int32Array(START_CAPACITY);
  #relevance = new Float64Array(START_CAPACITY);
  /** The index where the links of each page start; the last value is where the links of the next page will start. */
  #starts = new Float64Array(START_CAPACITY);
  #targets = new Int32Array(START_CAPACITY);
  /** Is no target the source of a redirect? */
  #isFlat = true;

  /** Number of nodes so far. */
  get nodes(): number {
    return this.#numbers.size;
  }

  /** Number of pages so far. */
  get pages(): number {
    return this.#urls.length;
  }

  /** -1 for a URL that was never seen. */
  find(url: CanonicalUrl): Node {
    const node = this.#numbers.find(url);
    return node < 0 ? -1 : this.#rootOf(node);
  }

  /** Adds a page that was read, with its links. @returns null if it was read before: it keeps its earlier links. O(links) */
  add(url: CanonicalUrl, relevance: Unit, links: readonly CanonicalUrl[]): Page | null {
    const node = this.#rootOf(this.#claim(url));
    if ((this.#pageOf[node] ?? -1) >= 0) return null;
    const page = this.#urls.push(url) - 1;
    this.#pageOf[node] = page;
    this.#nodeOf = grown(this.#nodeOf, page + 1, Int32Array);
    this.#relevance = grown(this.#relevance, page + 1, Float64Array);
    this.#nodeOf[page] = node;
    this.#relevance[page] = relevance;
    this.#addLinks(page, node, links);
    return page;
  }

  /** @returns the two nodes that are now one; null if they were one before. */
  redirect(from: CanonicalUrl, to: CanonicalUrl): { readonly from: Node; readonly to: Node } | null {
    const source = this.#rootOf(this.#claim(from));
    const target = this.#rootOf(this.#claim(to));
    if (source === target) return null;
    this.#same[source] = target;
    this.#isFlat = false;
    if ((this.#pageOf[target] ?? -1) < 0) this.#pageOf[target] = this.#pageOf[source] ?? -1;
    return { from: source, to: target };
  }

  urlOf(page: Page): CanonicalUrl | undefined {
    return this.#urls[page];
  }

  nodeOf(page: Page): Node {
    return this.#rootOf(this.#nodeOf[page] ?? 0);
  }

  relevanceOf(page: Page): Unit {
    return this.#relevance[page] ?? 0;
  }

  /** The page that a node was read as; -1 if it was not read. */
  pageOf(node: Node): Page {
    return this.#pageOf[node] ?? -1;
  }

  /** The nodes that a page links to; valid until the graph grows. */
  targetsOf(page: Page): Int32Array {
    const [start, end] = [this.#start(page), this.#start(page + 1)];
    if (!this.#isFlat) this.#flatten(start, end);
    return this.#targets.subarray(start, end);
  }

  /** Makes iterations over all links take a third of the time. O(links) if there were redirects. */
  flatten(): void {
    if (!this.#isFlat) this.#flatten(0, this.#start(this.pages));
    this.#isFlat = true;
  }

  /** The pages that link to a node, in the order of reading. A page that links to two URLs which are now the same comes twice. O(all links) */
  *pagesLinkingTo(node: Node): Generator<Page> {
    for (let page = 0; page < this.pages; page++) for (const target of this.targetsOf(page)) if (target === node) yield page;
  }

  #addLinks(page: Page, node: Node, links: readonly CanonicalUrl[]): void {
    const start = this.#start(page);
    let end = start;
    for (const url of links) {
      if (end - start === MAX_LINKS) break;
      const target = this.#rootOf(this.#claim(url));
      if (target === node || this.#linkedBy[target] === page) continue;
      this.#linkedBy[target] = page;
      this.#targets = grown(this.#targets, end + 1, Int32Array);
      this.#targets[end++] = target;
    }
    this.#starts = grown(this.#starts, page + 2, Float64Array);
    this.#starts[page + 1] = end;
  }

  #start(page: Page): number {
    return this.#starts[page] ?? 0;
  }

  /** @param start index of the first link; `end` likewise */
  #flatten(start: number, end: number): void {
    for (let link = start; link < end; link++) this.#targets[link] = this.#rootOf(this.#targets[link] ?? 0);
  }

  #claim(url: CanonicalUrl): Node {
    const known = this.#numbers.size;
    const node = this.#numbers.of(url);
    if (node < known) return node;
    this.#same = grown(this.#same, node + 1, Int32Array);
    this.#pageOf = grown(this.#pageOf, node + 1, Int32Array);
    this.#linkedBy = grown(this.#linkedBy, node + 1, Int32Array);
    this.#same[node] = node;
    this.#pageOf[node] = -1;
    this.#linkedBy[node] = -1;
    return node;
  }

  /** The end of a chain of redirects. Chains are halved on the way. */
  #rootOf(node: Node): Node {
    let at = node;
    for (;;) {
      const next = this.#same[at] ?? at;
      if (next === at) return at;
      const after = this.#same[next] ?? next;
      this.#same[at] = after;
      at = after;
    }
  }
}
