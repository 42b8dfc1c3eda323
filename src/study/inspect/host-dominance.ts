/** A host with most of the kept pages of a crawl, in words. */
import { dominantHostText } from '../../corpus/describe/dominant-host.ts';
import type { CrawlStatus } from './status.ts';

/** @param top the hosts with most kept pages first @returns null without such a host */
export function dominantHostOf(top: CrawlStatus['topHosts'], kept: number): string | null {
  const [first, ...others] = top.filter((host) => host.kept > 0);
  return dominantHostText(first && { host: first.host, pages: first.kept }, kept, 1 + others.length);
}
