/** Alternates of pages that a crawl kept before it followed their languages: from now on they wait. */
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, FollowedLanguages } from '../../base/core/types.ts';
import { counted } from '../../base/text/number-text.ts';
import { alternatesOfPage } from '../../crawling/crawl/alternates.ts';
import { commitAll } from '../../crawling/crawl/committer.ts';
import { keptExtractions, type ReadableCrawl } from './kept-links.ts';

/** Pages after which their alternates are committed. */
const COMMIT_AFTER = 1000;

/** Does a crawl follow languages in which the alternates of its kept pages may be unknown? */
export function followsMore(alternates: FollowedLanguages, known: FollowedLanguages): boolean {
  if (known === 'all') return false;
  return alternates === 'all' || alternates.some((lang) => !known.includes(lang));
}

/**
 * Reads the kept pages again, and adds their alternates to the frontier, which ignores those that it knows.
 * @returns whether all pages were read; false if `signal` aborted
 * @throws DataError for damage, unless the crawl skips it; StoreError
 */
export async function followKept(
  crawl: Omit<ReadableCrawl, 'frontier'>,
  parts: Parts,
  warn: (message: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { frontier, corpus } = parts;
  const kept = new Map<string, CanonicalUrl>();
  for (const { entry, fate } of frontier.settled()) if (fate.recordId !== null) kept.set(fate.recordId, entry.url);
  if (kept.size === 0) return true;
  warn(`${crawl.paths.dir}: reads ${counted(kept.size, 'kept page')} again, whose alternates it follows from now on`);
  let [read, added] = [0, 0];
  for await (const { url, extraction } of keptExtractions({ ...crawl, frontier }, kept)) {
    if (signal.aborted) break;
    const found = frontier.find(url);
    if (found?.line.state !== 'kept' || !found.fate) continue;
    const { relevance, relevances, reason } = found.fate;
    const alternateOf = typeof reason === 'object' && reason.kind === 'alternate' ? { alternateOf: reason.of } : {};
    const page = { extraction, relevance: relevance ?? 0, ...(relevances && { relevances }), ...alternateOf };
    const discovery = alternatesOfPage(found.entry, page, parts);
    if (discovery) frontier.add(discovery);
    added += discovery?.links.length ?? 0;
    if (++read % COMMIT_AFTER === 0) await commitAll(frontier, corpus);
  }
  await commitAll(frontier, corpus);
  if (signal.aborted) return false;
  warn(`${crawl.paths.dir}: ${counted(added, 'alternate')} of its kept pages may be visited`);
  return true;
}
