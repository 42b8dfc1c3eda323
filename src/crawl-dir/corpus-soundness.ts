/** Is the corpus of a crawl the one that its frontier speaks of? */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../core/errors.ts';
import type { CommitMark } from '../core/parts/queueing.ts';
import type { CanonicalUrl, RecordId } from '../core/types.ts';
import { readMarks, type StoredMark, whyNotOf } from '../corpus/commit-marks.ts';
import { RECORDS_FILE, readRecords } from '../corpus/records.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';
import type { OpenCrawl } from './open-crawl.ts';

/**
 * What is wrong between frontier and corpus, in words, as far as commits and sizes tell; empty where nothing is.
 * @param marks read before the frontier was opened: a crawl that runs commits meanwhile
 */
export function faultsBetween(
  manifest: CrawlManifest,
  { corpus }: CrawlPaths,
  marks: readonly StoredMark[],
  frontier: Pick<OpenCrawl['frontier'], 'lastCommit'>,
): CorpusFaults {
  const committed = frontier.lastCommit();
  const lost = Object.entries(committed?.offsets ?? {}).flatMap(([name, size]) => {
    const there = statSync(join(corpus, name), { throwIfNoEntry: false })?.size ?? 0;
    return there < size ? [`${join(corpus, name)}: has ${there} bytes where ${size} were committed`] : [];
  });
  const other =
    committed === null || committed.number === 0 ? null : whyNotOf(marksAround(marks, committed, corpus), committed, manifest.id);
  return { other: other === null ? null : `${corpus}: ${other}`, lost };
}

/**
 * A crawl that runs commits between the two readings. Its corpus notes a commit before its frontier has it: what was noted before the frontier was
 * opened can only be behind, what is noted after it only ahead.
 */
function marksAround(before: readonly StoredMark[], committed: CommitMark, corpus: string): readonly StoredMark[] {
  if ((before[0]?.number ?? 0) >= committed.number) return before;
  const after = readMarks(corpus);
  return (after[0]?.number ?? 0) > committed.number ? after.map((mark) => ({ ...mark, ...committed })) : after;
}

export interface CorpusFaults {
  /** Frontier and corpus are not of one moment; null where they are. */
  readonly other: string | null;
  /** Files that are shorter than was committed. */
  readonly lost: readonly string[];
}

/** @throws StoreError where files have lost something and nobody is told, or frontier and corpus are not of one moment */
export function refuseUnsoundCorpus({ paths, corpusFaults: { other, lost }, onDamaged }: OpenCrawl): void {
  if (other !== null)
    throw new StoreError(
      'STORE_CORRUPT',
      `${other}; restore frontier and corpus of one moment from a copy, or run forager repair ${paths.dir}`,
    );
  for (const fault of lost) {
    if (!onDamaged)
      throw new StoreError(
        'STORE_CORRUPT',
        `${fault}; restore the file from a copy, or leave out what is lost with --skip-damaged (forager verify ${paths.dir} tells all)`,
      );
    onDamaged(fault);
  }
}

/** Kept pages whose newest version cannot be read. One pass over the records. @throws DataError where the file cannot be read at all */
export async function lostPages(crawl: OpenCrawl): Promise<ReadonlySet<CanonicalUrl>> {
  const missing = recordsOf(crawl);
  const end = crawl.frontier.committedOffsets()[RECORDS_FILE] ?? 0;
  for await (const { id } of readRecords(crawl.paths.corpus, end, crawl.onDamaged)) missing.delete(id);
  return new Set(missing.values());
}

/** The newest version of each kept page, by the id of its record: what the corpus must have. */
export function recordsOf({ frontier }: Pick<OpenCrawl, 'frontier'>): Map<RecordId, CanonicalUrl> {
  const newest = new Map<CanonicalUrl, RecordId>();
  for (const { entry, fate } of frontier.settled()) if (fate.recordId !== null) newest.set(entry.url, fate.recordId);
  for (const { url, revisit } of frontier.revisits()) if (revisit.version) newest.set(url, revisit.version.recordId);
  return new Map([...newest].map(([url, id]) => [id, url]));
}
