/** Pages of a crawl on several machines whose corpus is lost with its disk: they are named, and visited again. */
import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, HostKey, RecordId } from '../../base/core/types.ts';
import { readRecords } from '../../corpus/records/records.ts';
import { findEngineCrawl, giveUpRecords } from '../../crawling/cluster/crawl-list.ts';
import { readEngineAddress } from '../../crawling/cluster/engine-address.ts';
import { partitionsOf } from '../../crawling/cluster/partition-of.ts';
import { SqlClient } from '../../crawling/cluster/sql-client.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { logRowsOf } from '../../crawling/frontier/log-rows.ts';
import { type GatherOptions, type GatherReport, gather } from './gather-crawl.ts';

export interface RefetchLostOptions extends GatherOptions {
  /** Let the crawl visit the lost pages again. Default false: they are only named. */
  readonly refetch?: boolean;
}

export interface RefetchLostReport extends GatherReport {
  /** Kept pages of which no corpus that was reached has the record. */
  readonly lost: readonly CanonicalUrl[];
  /** Do they wait for another visit? */
  readonly refetched: boolean;
}

/**
 * Gathers the crawl, and looks for kept pages without a record. With `refetch`, they wait again, by their relevance; the next worker that joins asks for
 * them.
 * @throws as `gather`; UsageError with `refetch` while workers are in the crawl
 */
export async function refetchLost({ refetch = false, ...options }: RefetchLostOptions): Promise<RefetchLostReport> {
  const report = await gather(options);
  const lost = await lostPages(options.dir, options.signal);
  const named = { ...report, lost: lost.map(({ url }) => url), refetched: false };
  if (!refetch || lost.length === 0) return named;
  await giveUp(options.at, lost);
  return { ...named, ...(await gather(options)), refetched: true };
}

interface LostPage {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly record: RecordId;
}

/** O(kept pages). @throws DataError, StoreError */
async function lostPages(dir: string, signal: AbortSignal | undefined): Promise<LostPage[]> {
  const { paths, frontier } = openCrawl(dir);
  try {
    const there = new Set<string>();
    for await (const { id } of readRecords(paths.corpus)) {
      signal?.throwIfAborted();
      there.add(id);
    }
    const lost: LostPage[] = [];
    for (const { entry, fate } of frontier.settled())
      if (fate.recordId !== null && !there.has(fate.recordId)) lost.push({ url: entry.url, host: entry.host, record: fate.recordId });
    return lost;
  } finally {
    await frontier.close();
  }
}

async function giveUp(at: string, lost: readonly LostPage[]): Promise<void> {
  const address = readEngineAddress(at);
  const client = await SqlClient.connect(address);
  try {
    const crawl = await findEngineCrawl(client, address.crawl);
    if (crawl === null) throw new UsageError(`${address.shown}: the crawl was dropped a moment ago`);
    const entries = lost.map((page) => ({ kind: 'lost' as const, ...page }));
    await giveUpRecords(client, crawl, logRowsOf(entries, partitionsOf(crawl.partitions), []));
  } finally {
    await client.close();
  }
}
