/** Counts the pages and hosts that on-topic pages cite, with examples. */
import type { CanonicalUrl, HostKey, Outlink } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';

/** A link as an example of a citation. */
export interface Example {
  /** The on-topic page with the link. */
  readonly page: CanonicalUrl;
  readonly anchorText: string;
  readonly url: CanonicalUrl;
}

/** Citations of a page or host. */
export interface Cited {
  /** The URL of the first link found. */
  readonly first: CanonicalUrl;
  /** On-topic pages that link to it. */
  readonly pages: number;
  /** Hosts of these pages. */
  readonly hosts: number;
  /** One per host, the first ones found. */
  readonly examples: readonly Example[];
}

/** Number of citing pages to show for a page; nobody would read more. */
const EXAMPLES = 3;
/** Number of URLs to count at a time, at a few hundred bytes each. */
const MAX_URLS = 1_000_000;

class Count implements Cited {
  readonly first: CanonicalUrl;
  pages = 0;
  readonly examples: Example[] = [];
  readonly #hosts = new Set<HostKey>();

  constructor(first: CanonicalUrl) {
    this.first = first;
  }

  get hosts(): number {
    return this.#hosts.size;
  }

  add(host: HostKey, example: Example): void {
    this.pages += 1;
    if (!this.#hosts.has(host) && this.examples.length < EXAMPLES) this.examples.push(example);
    this.#hosts.add(host);
  }
}

/**
 * Counts the links of on-topic pages. Memory is bounded: beyond a million URLs, those that only one page has cited so far
 * are forgotten, so a count may then be one or two too low. Hosts are counted exactly.
 */
export class Citations {
  readonly #isVisited: (url: CanonicalUrl) => boolean;
  readonly #isVisitedHost: (host: HostKey) => boolean;
  readonly #urls = new Map<CanonicalUrl, Count>();
  readonly #hosts = new Map<HostKey, Count>();
  #room: number;

  constructor(isVisited: (url: CanonicalUrl) => boolean, isVisitedHost: (host: HostKey) => boolean, maxUrls = MAX_URLS) {
    this.#isVisited = isVisited;
    this.#isVisitedHost = isVisitedHost;
    this.#room = maxUrls;
  }

  /** An on-topic page with its links, each URL once. */
  add(page: CanonicalUrl, links: readonly Pick<Outlink, 'url' | 'anchorText'>[]): void {
    const from = hostKeyOf(page);
    const citedHosts = new Set<HostKey>();
    for (const { url, anchorText } of links) {
      const host = hostKeyOf(url);
      const example = { page, anchorText, url };
      if (!citedHosts.has(host) && !this.#isVisitedHost(host)) countOf(this.#hosts, host, url).add(from, example);
      citedHosts.add(host);
      if (url !== page && !this.#isVisited(url)) countOf(this.#urls, url, url).add(from, example);
    }
    if (this.#urls.size > this.#room) this.#forget();
  }

  /** Unvisited URLs, the most cited first: by hosts, then by pages. */
  pages(): [CanonicalUrl, Cited][] {
    return [...this.#urls].sort(byCitations);
  }

  /** Hosts without a visited URL, in the same order. */
  hosts(): [HostKey, Cited][] {
    return [...this.#hosts].sort(byCitations);
  }

  #forget(): void {
    for (const [url, { pages }] of this.#urls) if (pages === 1) this.#urls.delete(url);
    // If most URLs are cited more often, another look soon would free little.
    this.#room = Math.max(this.#room, 2 * this.#urls.size);
  }
}

function countOf<Key>(counts: Map<Key, Count>, key: Key, url: CanonicalUrl): Count {
  const known = counts.get(key) ?? new Count(url);
  counts.set(key, known);
  return known;
}

function byCitations([a, one]: readonly [string, Cited], [b, other]: readonly [string, Cited]): number {
  return other.hosts - one.hosts || other.pages - one.pages || (a < b ? -1 : 1);
}
