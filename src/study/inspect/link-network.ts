/** The network of a crawl for programs that draw and measure networks: its visited pages or their hosts, and the links between them. */
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { NETWORK_NODES } from '../../crawling/settings/settings.ts';
import type { CrawlLedgerLine } from './ledger-lines.ts';

export type NetworkNodes = (typeof NETWORK_NODES)[number];

export interface NetworkNode {
  /** URL of a page, or host with its scheme. */
  readonly id: string;
  /** Number of visited and of kept pages: of a page, 1 and 0 or 1. */
  readonly visited: number;
  readonly kept: number;
  /** Mean over judged pages; null if none was judged. */
  readonly relevance: Unit | null;
  /** The least of its pages. */
  readonly depth: number;
}

export interface NetworkEdge {
  readonly source: string;
  readonly target: string;
  /** Number of distinct links between pages: of pages, 1. */
  readonly weight: number;
}

interface Sums {
  visited: number;
  kept: number;
  judged: number;
  relevance: number;
  depth: number;
}

/** O(visited URLs + links) of time and memory. */
export class LinkNetwork {
  readonly #nameOf: (url: CanonicalUrl) => string;
  readonly #nodes = new Map<string, Sums>();
  readonly #visited = new Set<CanonicalUrl>();
  readonly #edges = new Map<string, Map<string, number>>();

  constructor(nodes: NetworkNodes) {
    this.#nameOf = nodes === 'hosts' ? hostKeyOf : (url) => url;
  }

  /** Counts a line of the ledger; URLs that were not visited are no nodes. */
  line({ url, order, state, relevance, depth }: Pick<CrawlLedgerLine, 'url' | 'order' | 'state' | 'relevance' | 'depth'>): void {
    if (order === null) return;
    this.#visited.add(url);
    const name = this.#nameOf(url);
    const sums = this.#nodes.get(name) ?? { visited: 0, kept: 0, judged: 0, relevance: 0, depth };
    this.#nodes.set(name, sums);
    sums.visited += 1;
    if (state === 'kept') sums.kept += 1;
    if (relevance !== null) sums.judged += 1;
    sums.relevance += relevance ?? 0;
    sums.depth = Math.min(sums.depth, depth);
  }

  /** Counts the links of a page to visited pages, each target once; none from a page to itself, and with hosts none within a host. */
  links(from: CanonicalUrl, to: Iterable<CanonicalUrl>): void {
    const source = this.#nameOf(from);
    for (const url of new Set(to)) {
      const target = this.#nameOf(url);
      if (!this.#visited.has(url) || target === source) continue;
      const targets = this.#edges.get(source) ?? new Map<string, number>();
      this.#edges.set(source, targets);
      targets.set(target, (targets.get(target) ?? 0) + 1);
    }
  }

  /** Nodes in the order in which the crawl discovered them. */
  *nodes(): Generator<NetworkNode> {
    for (const [id, { visited, kept, judged, relevance, depth }] of this.#nodes)
      yield { id, visited, kept, relevance: judged === 0 ? null : relevance / judged, depth };
  }

  *edges(): Generator<NetworkEdge> {
    for (const [source, targets] of this.#edges) for (const [target, weight] of targets) yield { source, target, weight };
  }
}
