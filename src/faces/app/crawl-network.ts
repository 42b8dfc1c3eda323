/** The links of a crawl, counted: as a network, or across partitions. Its URLs come from the ledger, the links of its kept pages from the corpus. */
import type { CanonicalUrl } from '../../base/core/types.ts';
import { recordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type LedgerVisitor, walkLines } from '../../study/inspect/ledger-walk.ts';
import { LinkNetwork, type NetworkNodes } from '../../study/inspect/link-network.ts';
import { type Partitioning, type PartitionReport, PartitionShares } from '../../study/inspect/partition-shares.ts';
import { type KeptPagesOptions, keptLinks } from './kept-links.ts';

export interface CrawlLinksOptions extends KeptPagesOptions {
  /** Directory of the crawl. */
  readonly dir: string;
}

/** The network of visited pages or their hosts. @throws UsageError if there is no crawl; DataError for damage; the reason of the signal */
export function crawlNetwork(nodes: NetworkNodes, options: CrawlLinksOptions): Promise<LinkNetwork> {
  return counted(new LinkNetwork(nodes), options);
}

/** Shares, balance and links across partitions. @throws as `crawlNetwork` */
export async function partitionShares(partitioning: Partitioning, options: CrawlLinksOptions): Promise<PartitionReport> {
  return (await counted(new PartitionShares(partitioning), options)).report();
}

interface LinkCount extends LedgerVisitor {
  links(from: CanonicalUrl, to: Iterable<CanonicalUrl>): void;
}

async function counted<C extends LinkCount>(count: C, options: CrawlLinksOptions): Promise<C> {
  const crawl = openCrawl(options.dir);
  try {
    refuseUnsoundCorpus(crawl);
    const kept = recordsOf(crawl);
    walkLines(crawl, [count]);
    for await (const { url, outlinks } of keptLinks(crawl, kept, options)) {
      count.links(
        url,
        outlinks.map((link) => link.url),
      );
    }
    return count;
  } finally {
    await crawl.close();
  }
}
