/** The head of a frontier's database: its crawl, its last commit, and the sizes of its tables. */
import { dirname } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { checkOf, checksummed } from '../../base/core/checksum.ts';
import { StoreError } from '../../base/core/errors.ts';
import type { CommitMark, CrawlNotes } from '../../base/core/parts/queueing.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import type { LogMark } from './frontier-log.ts';
import { damagedDatabase } from './lmdb-file.ts';

/** Layout version of the database: one log. Databases of versions 1 to 3 have a table for each kind of step, and are converted (`former-tables.ts`). */
const FORMAT = 4;

export interface Head {
  /** Id of the crawl; null if none was stored. */
  readonly crawl: string | null;
  /** null where nothing was ever committed. */
  readonly commit: CommitMark | null;
  /** The number of runs that the crawl's manifest listed at that time, at least. */
  readonly runs: number;
  /** The topic model on which stored priorities are based; null if none was stored. */
  readonly scoredBy: string | null;
  /** {} if none were stored. */
  readonly notes: CrawlNotes;
  /** Number of entries in the log. */
  readonly entries: number;
  /** Id of the checkpoint of exactly this state; null if there is none. */
  readonly checkpoint: string | null;
  /** The number of the last commit that a view of a shared log has, by partition. Empty for a crawl with a log of its own. */
  readonly heads: ReadonlyMap<number, number>;
  /** The last commit that a view of a shared log knows with its id; null for none. */
  readonly logged: LogMark | null;
  /** Number of the last commit that stored priorities of links; null for none. */
  readonly scored: number | null;
  /** Id of the process that made the last commit; null for none. After kill -9, the next one may continue from an earlier commit. */
  readonly writer: string | null;
}

export interface StoredHead extends CommitMark {
  readonly crawl: string | null;
  readonly runs: number;
  readonly entries: number;
  /** Absent in versions up to 0.1. */
  readonly scoredBy?: string;
  /** Absent without any. */
  readonly notes?: CrawlNotes;
  /** Absent unless the database was closed with one: each write omits it. */
  readonly checkpoint?: string;
  /** Absent without a shared log. */
  readonly heads?: readonly (readonly [partition: number, commit: number])[];
  /** Absent without a shared log, and in a view of a log of Forager 0.2. */
  readonly logged?: LogMark;
  /** Absent before the first. */
  readonly scored?: number;
  /** Absent in crawls that were converted, and not written since. */
  readonly writer?: string;
}

const [FORMAT_KEY, HEAD_KEY] = ['format', 'head'] as const;

const NO_HEAD: Head = {
  crawl: null,
  commit: null,
  runs: 0,
  scoredBy: null,
  notes: {},
  entries: 0,
  checkpoint: null,
  heads: new Map(),
  logged: null,
  scored: null,
  writer: null,
};

/** The layout version; null for a database that nothing was committed to. @throws StoreError for a later one, or one of something else */
export function formatOf(root: RootDatabase<unknown, string>, path: string): number | null {
  const format = root.get(FORMAT_KEY);
  // Version 1 wrote its number later than its first tables.
  if (format === undefined) return root.get('offsets') === undefined ? null : 1;
  if (Number(format) <= FORMAT) return Number(format);
  throw new StoreError(
    'STORE_CORRUPT',
    `${path}: written by another version (format ${String(format)}, this is ${FORMAT}); use that version, or start a new crawl directory`,
  );
}

/** Is it a database of an earlier layout? @throws StoreError */
export function isFormer(root: RootDatabase<unknown, string>, path: string): boolean {
  return (formatOf(root, path) ?? FORMAT) < FORMAT;
}

/** @throws StoreError for a database that is damaged or of another version */
export function readDatabaseHead(root: RootDatabase<unknown, string>, path: string): Head {
  const format = formatOf(root, path);
  const stored = root.get(HEAD_KEY);
  if (stored !== undefined) return headIn(headFieldsIn<StoredHead>(stored, path));
  if (format !== null) throw damagedDatabase(path, 'it has no head');
  return NO_HEAD;
}

/** The head in words of the program. */
export function headIn(stored: StoredHead): Head {
  const { crawl, number, offsets, runs, entries, scoredBy = null, notes = {}, checkpoint = null, heads = [], ...rest } = stored;
  const { logged = null, scored = null, writer = null } = rest;
  return { crawl, commit: { number, offsets }, runs, scoredBy, notes, entries, checkpoint, heads: new Map(heads), logged, scored, writer };
}

/** @throws StoreError for a head that has changed since it was written */
export function headFieldsIn<T>(stored: unknown, path: string): T {
  if (typeof stored !== 'string' || checkOf(Buffer.from(stored)) !== 'right')
    throw damagedDatabase(path, 'its head has changed since it was written');
  const { crc32: _, ...fields } = JSON.parse(stored) as T & { readonly crc32: string };
  return fields as T;
}

/** Call it within the transaction of the commit. */
export function putHead(root: RootDatabase<unknown, string>, head: StoredHead): void {
  root.put(FORMAT_KEY, FORMAT);
  root.put(HEAD_KEY, checksummed(head).toString('utf8'));
}

/**
 * Names the checkpoint of the state of a commit, unless something was written since, or the head names `known`. Call it within a transaction.
 * @param number of the commit
 * @param known id of a checkpoint that can be read; null for none
 * @param write makes the checkpoint; null if it could not
 */
export function putCheckpoint(
  root: RootDatabase<unknown, string>,
  path: string,
  number: number,
  known: string | null,
  write: () => string | null,
): void {
  const stored = root.get(HEAD_KEY);
  const head = stored === undefined ? null : headFieldsIn<StoredHead>(stored, path);
  if (head?.number !== number || (known !== null && head.checkpoint === known)) return;
  const checkpoint = write();
  if (checkpoint !== null) root.put(HEAD_KEY, checksummed({ ...head, checkpoint }).toString('utf8'));
}

/**
 * @param path folder of the database
 * @param crawl id of the expected crawl; null accepts any
 * @throws StoreError that names both crawls
 */
export function refuseOtherCrawl(path: string, { crawl: own }: Pick<Head, 'crawl'>, crawl: string | null): void {
  if (own === null || crawl === null || own === crawl) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${path}: is the frontier of crawl ${own}, but this is crawl ${crawl}; restore this crawl's frontier from a copy, or rebuild it from the corpus: ${commandOn('repair', dirname(path))}`,
  );
}
