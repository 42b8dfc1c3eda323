/** Whom on-topic pages cite: counts of pages and hosts, with examples. */
import type { CanonicalUrl, HostKey, Outlink } from '../core/types.ts';
import { hostKeyOf } from '../web/url.ts';

/** A link that speaks for what it leads to. */
export interface Example {
  /** The on-topic page it stands on. */
  readonly page: CanonicalUrl;
  readonly anchorText: string;
  readonly url: CanonicalUrl;
}

/** How often something is cited. */
export interface Cited {
  /** The URL of the first link met. */
  readonly first: CanonicalUrl;
  /** On-topic pages that link to it. */
  readonly pages: number;
  /** Hosts these are on. */
  readonly hosts: number;
  /** One a host, the first ones met. */
  readonly examples: readonly Example[];
}

/** A page is shown with a few of those that cite it; more would not be read. */
const EXAMPLES = 3;
/** URLs counted at a time, some hundreds of bytes each. */
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
 * Counts the links of on-topic pages. Memory is bounded: when more than a million URLs are counted, those that one page alone has cited so far
 * are forgotten, so beyond that a count may be one or two short. Hosts are counted exactly.
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

  /** URLs that were not visited, the most cited first: by hosts, then by pages. */
  pages(): [CanonicalUrl, Cited][] {
    return [...this.#urls].sort(byCitations);
  }

  /** Hosts of which no URL was visited, in the same order. */
  hosts(): [HostKey, Cited][] {
    return [...this.#hosts].sort(byCitations);
  }

  #forget(): void {
    for (const [url, { pages }] of this.#urls) if (pages === 1) this.#urls.delete(url);
    // Where most are cited more often there is nothing to win by looking again soon.
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
