/** The hosts of a crawl's examples, and those of them that it never visited. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { hostNameOf } from '../../base/web/url.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { UNKNOWN_HOST } from '../../reading/topic/card.ts';
import { loadCard } from '../../reading/topic/files.ts';

export interface ExampleHosts {
  /** Number of host names of the examples that the person gave. */
  readonly hosts: number;
  /** Hosts without a visit, in alphabetical order. */
  readonly unvisited: readonly string[];
}

/**
 * The hosts of the examples with a URL, in the first model of each topic. A model whose card cannot be read names none. O(discovered URLs),
 * while any host is unvisited.
 */
export async function exampleHosts({
  manifest,
  paths,
  frontier,
}: {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: Pick<Ledger, 'requested'>;
}): Promise<ExampleHosts> {
  const cards = await Promise.all(topicParts(paths.dir, manifest).map((part) => loadCard(part.paths.model).catch(() => null)));
  const given = new Set(cards.flatMap((card) => card?.examplesByHost.map(({ host }) => host) ?? []));
  given.delete(UNKNOWN_HOST);
  const unvisited = new Set(given);
  // A page that waits for another visit has no place in the order of the visits, and its relevance.
  if (given.size > 0)
    for (const { url, order, relevance } of frontier.requested())
      if ((order !== null || relevance !== null) && unvisited.delete(hostNameOf(url)) && unvisited.size === 0) break;
  return { hosts: given.size, unvisited: [...unvisited].sort() };
}
