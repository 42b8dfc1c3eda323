/** Checks whether the corpus of a crawl belongs to its frontier. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../base/core/errors.ts';
import type { CommitMark, Ledger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { readMarks, type StoredMark, whyNotOf } from '../../corpus/records/commit-marks.ts';
import { KeptRecords } from '../../corpus/records/kept-records.ts';
import { RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';
import type { OpenCrawl } from './open-crawl.ts';

/**
 * The faults between frontier and corpus, in words, if commits and sizes show any; empty otherwise.
 * @param marks read before the frontier was opened, since a running crawl commits meanwhile
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
    return there < size ? [`${join(corpus, name)}: has ${there} bytes, but ${size} were committed`] : [];
  });
  const other =
    committed === null || committed.number === 0 ? null : whyNotOf(marksAround(marks, committed, corpus), committed, manifest.id);
  return { other: other === null ? null : `${corpus}: ${other}`, lost };
}

/**
 * A running crawl commits between the two reads. Its corpus notes a commit before its frontier has it. Marks read before the frontier was opened
 * can only be older, and marks read after it only newer.
 */
function marksAround(before: readonly StoredMark[], committed: CommitMark, corpus: string): readonly StoredMark[] {
  if ((before[0]?.number ?? 0) >= committed.number) return before;
  const after = readMarks(corpus);
  return (after[0]?.number ?? 0) > committed.number ? after.map((mark) => ({ ...mark, ...committed })) : after;
}

export interface CorpusFaults {
  /** Frontier and corpus belong to different commits; null if they agree. */
  readonly other: string | null;
  /** Files that are shorter than their committed size. */
  readonly lost: readonly string[];
}

/**
 * A frontier without a commit beside kept pages was emptied, or another one is in its place: each reader would tell of a crawl that visited nothing. The first
 * commit has the seeds, and comes before any page.
 * @throws StoreError
 */
export function refuseEmptyFrontier({ dir, corpus, database }: CrawlPaths, frontier: Pick<OpenCrawl['frontier'], 'lastCommit'>): void {
  if (frontier.lastCommit() !== null) return;
  const records = join(corpus, RECORDS_FILE);
  const size = statSync(records, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${database}: has no commit, and ${records} has ${size} bytes; restore it from a copy, or rebuild it from the corpus: ${commandOn('repair', dir)}`,
  );
}

/** @throws StoreError if files lost bytes and there is no `onDamaged`, or if frontier and corpus belong to different commits */
export function refuseUnsoundCorpus({ paths, corpusFaults: { other, lost }, onDamaged }: OpenCrawl): void {
  if (other !== null)
    throw new StoreError(
      'STORE_CORRUPT',
      `${other}; restore frontier and corpus of the same moment from a copy, or run ${commandOn('repair', paths.dir)}`,
    );
  for (const fault of lost) {
    if (!onDamaged)
      throw new StoreError(
        'STORE_CORRUPT',
        `${fault}; restore the file from a copy, or skip the lost records with --skip-damaged (${commandOn('verify', paths.dir)} lists them)`,
      );
    onDamaged(fault);
  }
}

/** Kept pages whose newest version cannot be read. One pass over the records. @throws DataError if the file cannot be read at all */
export async function lostPages(crawl: OpenCrawl): Promise<ReadonlySet<CanonicalUrl>> {
  const missing = recordsOf(crawl);
  const end = crawl.frontier.committedOffsets()[RECORDS_FILE] ?? 0;
  for await (const { id } of readRecords(crawl.paths.corpus, end, crawl.onDamaged)) missing.delete(id);
  return new Set(missing.values());
}

/** The newest version of each kept page, by the id of its record: the records that the corpus must have. */
export function recordsOf(crawl: WithVersions): Map<RecordId, CanonicalUrl> {
  const newest = new Map(versionsOf(crawl));
  return new Map([...newest].map(([url, id]) => [id, url]));
}

/** The records that the corpus must have, in little memory. URLs are read while the crawl is open. */
export function keptRecordsOf(crawl: WithVersions): KeptRecords {
  return new KeptRecords(() => versionsOf(crawl));
}

interface WithVersions {
  readonly frontier: Pick<Ledger, 'settled' | 'revisits'>;
}

function* versionsOf({ frontier }: WithVersions): Generator<readonly [CanonicalUrl, RecordId]> {
  for (const { entry, fate } of frontier.settled()) if (fate.recordId !== null) yield [entry.url, fate.recordId];
  for (const { url, revisit } of frontier.revisits()) if (revisit.version) yield [url, revisit.version.recordId];
}
