import { grown } from '../core/columns.ts';
import type { CanonicalUrl, Unit } from '../core/types.ts';
import { UrlNumbers } from '../core/url-numbers.ts';

/**
 * Links kept of one page, the first ones; what stands behind them is as if it were not there. It is what the extractor keeps of a page
 * (`MAX_OUTLINKS` of extract/links.ts): the cap is for other readers.
 */
export const MAX_LINKS = 5_000;
const START_CAPACITY = 1024;

/** The number of a URL in a `LinkGraph`, from 0. */
export type Node = number;
/** The number of a page that was read, from 0 in the order they were read. */
export type Page = number;

/**
 * The graph of links seen so far: pages that were read, the URLs they link to, and redirects. A page's links to itself are left out, and one
 * URL counts once of each page. A redirect makes its source the same node as its target, so that all that was passed to the one is the
 * other's, before and after.
 *
 * Memory: 12 bytes of columns and 13 to 19 of fingerprint and index for each URL, 4 for each link, 20 and its URL as a string for each page;
 * columns that grow may be half empty. No object for a link or a URL. A page of 60 links of which 20 are new takes about a kilobyte.
 */
export class LinkGraph {
  readonly #numbers = new UrlNumbers();
  /** What a node is the same as; itself, mostly. */
  #same = new Int32Array(START_CAPACITY);
  /** The page a node was read as; -1 before. */
  #pageOf = new Int32Array(START_CAPACITY);
  /** The last page seen to link to a node. */
  #linkedBy = new Int32Array(START_CAPACITY);
  readonly #urls: CanonicalUrl[] = [];
  #nodeOf = new Int32Array(START_CAPACITY);
  #relevance = new Float64Array(START_CAPACITY);
  /** Where the links of each page begin, and, last, where those of the next one will. */
  #starts = new Float64Array(START_CAPACITY);
  #targets = new Int32Array(START_CAPACITY);
  /** Is every target a node that is not the same as another? */
  #isFlat = true;

  /** Nodes so far. */
  get nodes(): number {
    return this.#numbers.size;
  }

  /** Pages so far. */
  get pages(): number {
    return this.#urls.length;
  }

  /** -1 for a URL that was never seen. */
  find(url: CanonicalUrl): Node {
    const node = this.#numbers.find(url);
    return node < 0 ? -1 : this.#rootOf(node);
  }

  /** A page that was read, with its links. @returns null where it was read before: it keeps the links it had then. O(links) */
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

  /** @returns the two nodes that are one from now on; null where they were before. */
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

  /** The page a node was read as; -1 for one that was not. */
  pageOf(node: Node): Page {
    return this.#pageOf[node] ?? -1;
  }

  /** The nodes a page links to; good until the graph grows. */
  targetsOf(page: Page): Int32Array {
    const [start, end] = [this.#start(page), this.#start(page + 1)];
    if (!this.#isFlat) this.#flatten(start, end);
    return this.#targets.subarray(start, end);
  }

  /** To go over the links of all pages: it then takes a third of the time. O(links), where there were redirects. */
  flatten(): void {
    if (!this.#isFlat) this.#flatten(0, this.#start(this.pages));
    this.#isFlat = true;
  }

  /** Pages that link to a node, in the order they were read; one that links to two URLs which are the same now comes twice. O(all links) */
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

  /** @param start of the links, as `end` */
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

  /** What a chain of redirects ends in. Chains are halved as they are gone along. */
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
