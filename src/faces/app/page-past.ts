/** The past of a page: in a crawl, or in a harvest with all versions. */
import { UsageError } from '../../base/core/errors.ts';
import { FolderSource } from '../../corpus/harvest/folder-source.ts';
import type { HarvestedPage } from '../../corpus/select/harvested-page.ts';
import { isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { givenUrl } from '../../study/inspect/given-url.ts';
import {
  diffOf,
  historyOf,
  numbered,
  type PageHistory,
  type PagePast,
  pastIn,
  type VersionDiff,
} from '../../study/inspect/page-history.ts';

/** See `pageHistory` of the library. */
export async function pageHistory(dir: string, url: string): Promise<PageHistory> {
  return historyOf(await pastOf(dir, url));
}

/** See `versionDiff` of the library. */
export async function versionDiff(dir: string, url: string, between: readonly string[] = []): Promise<VersionDiff> {
  return diffOf(await pastOf(dir, url), between);
}

async function pastOf(dir: string, url: string): Promise<PagePast> {
  if (!isCrawlIn(dir)) return pastInHarvest(dir, url);
  const crawl = openCrawl(dir);
  try {
    return await pastIn(crawl, url);
  } finally {
    await crawl.close();
  }
}

/** Reads all records of the harvest. Its absences are not stored, only the time since which the page is gone. */
async function pastInHarvest(dir: string, given: string): Promise<PagePast> {
  const url = givenUrl(given);
  const source = await FolderSource.open(dir, { keepsColumns: true, versions: 'all' });
  const found: HarvestedPage[] = [];
  for await (const record of source.records()) if (record.url === url) found.push(record as HarvestedPage);
  const versions = numbered(found);
  const newest = versions.at(-1);
  if (newest === undefined) throw new UsageError(`${url}: is not a page of this corpus; left-out.jsonl lists the pages that it omits`);
  const gone = found.find(({ id }) => id === newest.id)?.gone;
  const absence = { at: gone ?? '', status: null, state: 'gone', to: null, recordId: newest.id } as const;
  return { url, lastSeen: gone ?? newest.fetchedAt, versions, absences: gone === undefined ? [] : [absence] };
}
