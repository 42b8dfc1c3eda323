/** A crawl divided among several crawlers: their shares, and the links that lead from one to another (Cho and Garcia-Molina, "Parallel Crawlers", 2002). */
import { fingerprint } from '../../base/core/fingerprint.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlLedgerLine } from './ledger-lines.ts';

/** A partition by the whole URL, by host, or by registrable domain. */
export type PartitionKey = 'url' | 'host' | 'site';

export interface Partitioning {
  readonly by: PartitionKey;
  readonly count: number;
}

export interface PartitionShare {
  readonly discovered: number;
  readonly visited: number;
  readonly kept: number;
}

export interface PartitionReport extends Partitioning {
  /** Share of each partition, by its number. */
  readonly shares: readonly PartitionShare[];
  /** Visited URLs of the largest partition beside an equal share: 1 is perfect. null without visits. */
  readonly balance: number | null;
  /** Distinct links of kept pages to discovered URLs. */
  readonly links: number;
  /** Links whose ends are in two partitions. */
  readonly across: number;
  /** null without links. */
  readonly acrossShare: Unit | null;
}

const KEYS: Readonly<Record<PartitionKey, (url: CanonicalUrl) => string>> = { url: (url) => url, host: hostKeyOf, site: registrableDomain };

/** Counts URLs and links by partition. O(discovered URLs) of memory. */
export class PartitionShares {
  readonly #partitioning: Partitioning;
  readonly #shares: { discovered: number; visited: number; kept: number }[];
  readonly #discovered = new Set<CanonicalUrl>();
  #links = 0;
  #across = 0;

  constructor(partitioning: Partitioning) {
    this.#partitioning = partitioning;
    this.#shares = Array.from({ length: partitioning.count }, () => ({ discovered: 0, visited: 0, kept: 0 }));
  }

  line({ url, order, state }: Pick<CrawlLedgerLine, 'url' | 'order' | 'state'>): void {
    this.#discovered.add(url);
    const share = this.#shares[this.#partitionOf(url)];
    if (share === undefined) return;
    share.discovered += 1;
    if (order !== null) share.visited += 1;
    if (state === 'kept') share.kept += 1;
  }

  links(from: CanonicalUrl, to: Iterable<CanonicalUrl>): void {
    const source = this.#partitionOf(from);
    for (const url of new Set(to)) {
      if (!this.#discovered.has(url)) continue;
      this.#links += 1;
      if (this.#partitionOf(url) !== source) this.#across += 1;
    }
  }

  report(): PartitionReport {
    const visited = this.#shares.map((share) => share.visited);
    const all = visited.reduce((sum, one) => sum + one, 0);
    return {
      ...this.#partitioning,
      shares: this.#shares,
      balance: all === 0 ? null : (Math.max(...visited) * visited.length) / all,
      links: this.#links,
      across: this.#across,
      acrossShare: this.#links === 0 ? null : this.#across / this.#links,
    };
  }

  /** The lower half of a 64-bit fingerprint of the key, modulo the number of partitions. */
  #partitionOf(url: CanonicalUrl): number {
    return fingerprint(KEYS[this.#partitioning.by](url), { hi: 0, lo: 0 }).lo % this.#partitioning.count;
  }
}
