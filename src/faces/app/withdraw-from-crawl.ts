import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { type Withdrawal, Withdrawals, withdrawalOf } from '../../corpus/records/withdrawals.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { settlePurge } from '../../crawling/crawl-dir/purged-crawl.ts';
import { purgeCrawl } from '../../study/repair/purge-crawl.ts';
import type { WithdrawalWork, WithdrawReport } from './withdraw-pages.ts';

/** Adds pages to the list of a crawl, which may be running. Each harvest from now on omits them, and no run requests them. A purge needs a crawl at rest. */
export async function withdrawFromCrawl(work: WithdrawalWork): Promise<WithdrawReport> {
  const { corpus: dir, purge = false, signal, warn } = work.options;
  const waiting = { ...(signal && { signal }), ...(warn && { warn }) };
  await settlePurge(dir, waiting);
  const withdrawn = await listed(work);
  if (purge) await purgeCrawl(dir, waiting);
  return { withdrawn, outDir: null, card: null };
}

async function listed({ options, choice, date }: WithdrawalWork): Promise<readonly Withdrawal[]> {
  const { corpus: dir, reason } = options;
  const crawl = openCrawl(dir, options.onDamaged);
  try {
    const before = Withdrawals.at(crawl.paths.withdrawn);
    const withdrawn: Withdrawal[] = [];
    for (const [url, id] of visitedPages(crawl)) {
      options.signal?.throwIfAborted();
      if (choice.has({ id, url }) && !before.has(url)) withdrawn.push(withdrawalOf({ id, url }, date, reason));
    }
    choice.refuseMissing(dir);
    replaceFile(crawl.paths.withdrawn, before.with(withdrawn).lines());
    flushAtOnce(dir);
    return withdrawn;
  } finally {
    await crawl.close();
  }
}

/** Each page that was requested, with the id of its newest version; null if it was not kept. O(settled URLs). */
function visitedPages({ frontier }: OpenCrawl): ReadonlyMap<CanonicalUrl, RecordId | null> {
  const pages = new Map<CanonicalUrl, RecordId | null>();
  for (const { entry, fate } of frontier.settled()) if (fate.visited) pages.set(entry.url, fate.recordId);
  for (const { url, revisit } of frontier.revisits()) if (revisit.version) pages.set(url, revisit.version.recordId);
  return pages;
}
