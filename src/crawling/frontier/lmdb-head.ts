/** The head of a frontier's database: its crawl, its last commit, and the sizes of its tables. */
import type { RootDatabase } from 'lmdb';
import { checkOf, checksummed } from '../../base/core/checksum.ts';
import { StoreError } from '../../base/core/errors.ts';
import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { LogMark } from './frontier-log.ts';
import { damagedDatabase } from './lmdb-file.ts';
import type { Unparking } from './store.ts';

/**
 * Layout version of the database. Version 1 stored the links of a discovery one by one; version 2 stored values without checksums. Both can be read,
 * and keep their version. Newer versions are refused.
 */
const FORMAT = 3;
/** First version whose values have checksums and whose head counts entries. */
const CHECKED = 3;

export interface Head {
  readonly format: number;
  /** Id of the crawl; null if none was stored. */
  readonly crawl: string | null;
  /** null where nothing was ever committed. */
  readonly commit: CommitMark | null;
  readonly unparkings: readonly Unparking[];
  /** The number of runs that the crawl's manifest listed at that time, at least. */
  readonly runs: number;
  /** The topic model on which stored priorities are based; null if none was stored. */
  readonly scoredBy: string | null;
  /** {} if none were stored. */
  readonly notes: CrawlNotes;
  /** Numbers of entries in tables; null if none were stored. */
  readonly entries: EntryCounts | null;
  /** Id of the checkpoint of exactly this state; null if there is none. */
  readonly checkpoint: string | null;
  /** The number of the last commit that a view of a shared log has, by partition. Empty for a crawl with a log of its own. */
  readonly heads: ReadonlyMap<number, number>;
  /** The last commit that a view of a shared log knows with its id; null for none. */
  readonly logged: LogMark | null;
}

export interface EntryCounts {
  readonly discoveries: number;
  readonly fates: number;
}

interface StoredHead extends CommitMark, EntryCounts {
  readonly crawl: string | null;
  readonly unparkings: readonly Unparking[];
  readonly runs: number;
  /** Absent in earlier versions. */
  readonly scoredBy?: string;
  /** Absent without any, and in earlier versions. */
  readonly notes?: CrawlNotes;
  /** Absent unless the database was closed with one: each write omits it. */
  readonly checkpoint?: string;
  /** Absent without a shared log. */
  readonly heads?: readonly (readonly [partition: number, commit: number])[];
  /** Absent without a shared log, and in earlier versions. */
  readonly logged?: LogMark;
}

const [FORMAT_KEY, HEAD_KEY] = ['format', 'head'] as const;

/** Do values have checksums? This never changes for a database. */
export function isChecked(root: RootDatabase<unknown, string>): boolean {
  return Number(root.get(FORMAT_KEY) ?? FORMAT) >= CHECKED;
}

/** @throws StoreError for a database that is damaged or of another version */
export function readDatabaseHead(root: RootDatabase<unknown, string>, path: string): Head {
  const format = root.get(FORMAT_KEY);
  if (format !== undefined && !(Number(format) <= FORMAT)) {
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: written by another version (format ${String(format)}, this is ${FORMAT}); use that version, or start a new crawl directory`,
    );
  }
  const known = { format: Number(format ?? FORMAT) };
  const stored = root.get(HEAD_KEY);
  if (stored !== undefined) return { ...known, ...headIn(stored, path) };
  if (format !== undefined && known.format >= CHECKED) throw damagedDatabase(path, 'it has no head');
  const offsets = root.get('offsets') as CorpusOffsets | undefined;
  const unparkings = (root.get('unparkings') as readonly Unparking[] | undefined) ?? [];
  const commit = offsets ? { number: 0, offsets } : null;
  const nothing = { crawl: null, runs: 0, scoredBy: null, notes: {}, entries: null, checkpoint: null, heads: new Map(), logged: null };
  return { ...known, ...nothing, commit, unparkings };
}

function headIn(stored: unknown, path: string): Omit<Head, 'format'> {
  const {
    crawl,
    number,
    offsets,
    unparkings,
    runs,
    scoredBy = null,
    notes = {},
    discoveries,
    fates,
    checkpoint = null,
    heads = [],
    logged = null,
  } = fieldsIn(stored, path);
  const entries = { discoveries, fates };
  return { crawl, commit: { number, offsets }, unparkings, runs, scoredBy, notes, entries, checkpoint, heads: new Map(heads), logged };
}

/** @throws StoreError for a head that has changed since it was written */
function fieldsIn(stored: unknown, path: string): StoredHead {
  if (typeof stored !== 'string' || checkOf(Buffer.from(stored)) !== 'right')
    throw damagedDatabase(path, 'its head has changed since it was written');
  const { crc32: _, ...fields } = JSON.parse(stored) as StoredHead & { readonly crc32: string };
  return fields;
}

/** Call it within the transaction of the commit. */
export function putHead(root: RootDatabase<unknown, string>, format: number, head: StoredHead): void {
  root.put(FORMAT_KEY, format);
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
  const head = stored === undefined ? null : fieldsIn(stored, path);
  if (head?.number !== number || (known !== null && head.checkpoint === known)) return;
  const checkpoint = write();
  if (checkpoint !== null) root.put(HEAD_KEY, checksummed({ ...head, checkpoint }).toString('utf8'));
}
