/** Alternates of pages that a crawl kept before it followed their languages: from now on they wait. */
import { DamageError } from '../../base/core/errors.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, Discovery, FollowedLanguages, Ms, RecordId } from '../../base/core/types.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import { alternatesOfPage } from '../../crawling/crawl/alternates.ts';
import { commitAll } from '../../crawling/crawl/committer.ts';
import { recordsOf } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { keptExtractions, type ReadableCrawl } from './kept-links.ts';

/** Pages after which their alternates are committed. */
const COMMIT_AFTER = 1000;
/** Time between two lines about the pages read. */
const PROGRESS_EVERY: Ms = 30_000;

/** A crawl that reads its kept pages again; its parts have the frontier. */
export interface FollowingCrawl extends Omit<ReadableCrawl, 'frontier'> {
  readonly warn: (message: string) => void;
  /** Is the time over, or has somebody stopped the crawl? Asked before each page. */
  readonly isOver: () => boolean;
}

type FollowingParts = Parameters<typeof alternatesOfPage>[2] & Pick<Parts, 'clock' | 'corpus' | 'frontier'>;
type KeptExtraction = { readonly url: CanonicalUrl } & Pick<Parameters<typeof alternatesOfPage>[1], 'extraction'>;

/** Does a crawl follow languages in which the alternates of its kept pages may be unknown? */
export function followsMore(alternates: FollowedLanguages, known: FollowedLanguages): boolean {
  if (known === 'all') return false;
  return alternates === 'all' || alternates.some((lang) => !known.includes(lang));
}

/**
 * Reads the newest versions of the kept pages of this corpus again, and adds their alternates to the frontier, which ignores those that it knows.
 * @returns whether all pages were read; false if `isOver` ended it
 * @throws DataError for damage, unless the crawl skips it; StoreError
 */
export async function followKept(crawl: FollowingCrawl, parts: FollowingParts): Promise<boolean> {
  const { frontier, corpus } = parts;
  const { paths, warn, isOver } = crawl;
  const kept = await ownRecords(crawl, parts);
  if (kept.size === 0) return true;
  warn(`${paths.dir}: reads ${counted(kept.size, 'kept page')} again, whose alternates it follows from now on`);
  let [read, waiting, isCommitted, isStopped] = [0, 0, true, false];
  for await (const page of extractionsOf(crawl, parts, kept)) {
    isStopped = isOver();
    if (isStopped) break;
    const discovery = alternatesOfKeptPage(page, parts);
    if (discovery) waiting += waitingSince(discovery, parts);
    if (discovery) isCommitted = false;
    if (++read % COMMIT_AFTER !== 0 || isCommitted) continue;
    await commitAll(frontier, corpus);
    isCommitted = true;
  }
  if (!isCommitted) await commitAll(frontier, corpus);
  if (isStopped) {
    warn(`${paths.dir}: stopped after ${countText(read)} of them; the next run reads all of them again, and needs the time for it`);
    return false;
  }
  warn(`${paths.dir}: ${counted(waiting, 'more alternate')} of its kept pages may be visited`);
  return true;
}

/** The newest version of each kept page by its record. A worker has the records of its own corpus alone. */
async function ownRecords(
  { manifest, paths, onDamaged }: FollowingCrawl,
  { frontier }: FollowingParts,
): Promise<Map<RecordId, CanonicalUrl>> {
  const kept = recordsOf({ frontier });
  if (manifest.at === null) return kept;
  const own = new Map<RecordId, CanonicalUrl>();
  for await (const { id } of readRecords(paths.corpus, frontier.committedOffsets()[RECORDS_FILE] ?? 0, onDamaged)) {
    const url = kept.get(id);
    if (url !== undefined) own.set(id, url);
  }
  return own;
}

/** @throws DamageError which names the option that skips the damage */
async function* extractionsOf(
  crawl: FollowingCrawl,
  { frontier, clock }: FollowingParts,
  kept: ReadonlyMap<RecordId, CanonicalUrl>,
): AsyncGenerator<KeptExtraction> {
  let shownAt = clock.now();
  const onProgress = (done: number, total: number) => {
    if (clock.now() < shownAt + PROGRESS_EVERY) return;
    shownAt = clock.now();
    crawl.warn(`${crawl.paths.dir}: has read ${countText(done)} of ${counted(total, 'kept page')} again`);
  };
  try {
    yield* keptExtractions({ ...crawl, frontier }, kept, { onProgress });
  } catch (error) {
    if (crawl.onDamaged || !(error instanceof DamageError) || error.code !== 'STORE_CORRUPT') throw error;
    throw new DamageError(`${error.message}, or crawl without the alternates of damaged pages: --skip-damaged`, { cause: error.cause });
  }
}

/** null if none could be visited. Relevance and reason are those of the newest version. */
function alternatesOfKeptPage({ url, extraction }: KeptExtraction, parts: FollowingParts): Discovery | null {
  const found = parts.frontier.find(url);
  if (found?.line.state !== 'kept' || !found.fate) return null;
  const { relevance, relevances } = found.line;
  const { reason } = found.fate;
  const alternateOf = typeof reason === 'object' && reason.kind === 'alternate' ? { alternateOf: reason.of } : {};
  const page = { extraction, relevance: relevance ?? 0, ...(relevances && { relevances }), ...alternateOf };
  return alternatesOfPage(found.entry, page, parts);
}

/** @returns the number of URLs that wait because of it: new ones, and those that were off topic or refused for their way */
function waitingSince(discovery: Discovery, { frontier }: FollowingParts): number {
  const before = frontier.counts().waiting;
  frontier.add(discovery);
  return frontier.counts().waiting - before;
}
