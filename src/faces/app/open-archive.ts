/** Opens an archive in place of the web: its index, its answers, and its robots.txt files. Only for files at an address it opens sockets. */
import { systemClock } from '../../base/core/clock.ts';
import type { RobotsPolicy } from '../../base/core/parts/fetching.ts';
import type { Ms } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { ArchiveFetcher } from '../../crawling/archive/archive-fetcher.ts';
import { archiveFiles } from '../../crawling/archive/archive-files.ts';
import { ArchiveIndex } from '../../crawling/archive/archive-index.ts';
import { ArchiveRoute } from '../../crawling/archive/archive-route.ts';
import { ArchivedResponses, type ReadRange } from '../../crawling/archive/archived-response.ts';
import { type ArchiveFile, readSources } from '../../crawling/archive/read-sources.ts';
import { type CrawlManifest, crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { hostPolicyOf } from '../../crawling/fetch/host-policy.ts';
import { HttpFetcher } from '../../crawling/fetch/http-fetcher.ts';
import { RobotsCache } from '../../crawling/fetch/robots-cache.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { HostFiles, Network } from './open-parts.ts';

/** Pause between two events of progress. */
const PROGRESS: Ms = 2000;

/** @throws UsageError, DataError, StoreError; the reason of the signal of the run, if it ends the reading of the archive */
export async function openArchive(manifest: CrawlManifest, options: CrawlOptions, lists: HostFiles): Promise<Network> {
  const { userAgent, contact, documents, archiveDate, archiveFrom } = manifest;
  const index = new ArchiveIndex(crawlPaths(options.dir).archive);
  try {
    const files = await readAll(index, manifest, options);
    const { read, close } = await remoteRanges(archiveFrom, manifest, options);
    const responses = new ArchivedResponses(index, files, archiveDate === null ? null : Date.parse(archiveDate), read);
    const route = new ArchiveRoute(responses);
    // Addresses and deadlines are of a network, which an archive is not.
    const unhurried = { allowPrivate: true, headersTimeoutMs: Number.POSITIVE_INFINITY, totalDeadlineMs: Number.POSITIVE_INFINITY };
    const http = new HttpFetcher({
      userAgent,
      contact,
      clock: systemClock,
      documents,
      route,
      ...unhurried,
      ...(lists.optOut && { optOut: lists.optOut }),
    });
    const fetcher = new ArchiveFetcher(http, async () => {
      tellRobots(fetcher, options);
      await close();
      await index.close();
    });
    const hostPolicy = hostPolicyOf(manifest, fetcher, lists);
    const robots = withoutDelay(new RobotsCache(fetcher, PRODUCT_TOKEN, systemClock));
    return { fetcher, hostPolicy, robots };
  } catch (error) {
    await index.close();
    throw error;
  }
}

async function readAll(index: ArchiveIndex, manifest: CrawlManifest, { signal, onEvent }: CrawlOptions): Promise<readonly ArchiveFile[]> {
  const { archive, archiveIndex, archiveFrom } = manifest;
  const remote = archiveIndex === null || archiveFrom === null ? null : { index: archiveIndex, from: archiveFrom };
  const files = archive.length === 0 ? { warcs: [], indexes: [] } : await archiveFiles(archive);
  let shownAt = systemClock.now();
  return readSources(
    index,
    { ...files, remote },
    {
      signal: signal ?? new AbortController().signal,
      onProgress: (file, captures) => {
        if (systemClock.now() - shownAt < PROGRESS) return;
        shownAt = systemClock.now();
        onEvent?.({ type: 'indexed', at: shownAt, file, captures });
      },
      warn: (message) => onEvent?.({ type: 'warning', at: systemClock.now(), message }),
    },
  );
}

async function remoteRanges(from: string | null, manifest: CrawlManifest, options: CrawlOptions) {
  if (from === null) return { read: NO_RANGES, close: async () => undefined };
  return (await import('./remote-ranges.ts')).openRanges(from, manifest, options);
}

const NO_RANGES: ReadRange = () => Promise.reject(new TypeError('the archive has files on the disk alone'));

/** Nobody waits for an archive. */
function withoutDelay(robots: RobotsCache): RobotsPolicy {
  return {
    verdict: (url) => robots.verdict(url),
    asks: (host) => robots.asks(host),
    load: async (host, signal) => ({ ...(await robots.load(host, signal)), crawlDelay: null }),
    unreachable: (host) => robots.unreachable(host),
    sitemaps: (host) => robots.sitemaps(host),
    statements: (url) => robots.statements(url),
  };
}

function tellRobots({ robots: { hosts, absent } }: ArchiveFetcher, { onEvent }: CrawlOptions): void {
  if (absent === 0) return;
  const message = `robots.txt of ${absent} of ${hosts} hosts is not in the archive: these hosts count as having none`;
  onEvent?.({ type: 'warning', at: systemClock.now(), message });
}
