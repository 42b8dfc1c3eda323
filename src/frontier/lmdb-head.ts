/** What a frontier's database says of itself: whose it is, its last commit, and how much is in it. */
import type { RootDatabase } from 'lmdb';
import { checkOf, checksummed } from '../core/checksum.ts';
import { StoreError } from '../core/errors.ts';
import type { CommitMark, CorpusOffsets } from '../core/parts/queueing.ts';
import { damaged } from './lmdb-file.ts';
import type { Unparking } from './store.ts';

/**
 * Layout version of the database: 1 had the links of a discovery one by one, 2 values without checksums; both are read, and stay as they are. Later
 * ones are refused.
 */
const FORMAT = 3;
/** From this one on values have checksums, and the head counts them. */
const CHECKED = 3;

export interface Head {
  readonly format: number;
  /** Id of the crawl; null where none was noted. */
  readonly crawl: string | null;
  /** null where nothing was ever committed. */
  readonly commit: CommitMark | null;
  readonly unparkings: readonly Unparking[];
  /** How many runs of the crawl its manifest named by then, at least. */
  readonly runs: number;
  /** The topic model that stored priorities follow from; null where none was noted. */
  readonly scoredBy: string | null;
  /** Entries of tables; null where none was noted. */
  readonly entries: EntryCounts | null;
}

export interface EntryCounts {
  readonly discoveries: number;
  readonly fates: number;
}

interface StoredHead extends CommitMark, EntryCounts {
  readonly crawl: string | null;
  readonly unparkings: readonly Unparking[];
  readonly runs: number;
  /** Left out by earlier versions. */
  readonly scoredBy?: string;
}

const [FORMAT_KEY, HEAD_KEY] = ['format', 'head'] as const;

/** Have values checksums? The same for the life of a database. */
export function isChecked(root: RootDatabase<unknown, string>): boolean {
  return Number(root.get(FORMAT_KEY) ?? FORMAT) >= CHECKED;
}

/** @throws StoreError for a database that is damaged or of another version */
export function readHead(root: RootDatabase<unknown, string>, path: string): Head {
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
  if (format !== undefined && known.format >= CHECKED) throw damaged(path, 'it has no head');
  const offsets = root.get('offsets') as CorpusOffsets | undefined;
  const unparkings = (root.get('unparkings') as readonly Unparking[] | undefined) ?? [];
  return { ...known, crawl: null, commit: offsets ? { number: 0, offsets } : null, unparkings, runs: 0, scoredBy: null, entries: null };
}

function headIn(stored: unknown, path: string): Pick<Head, 'crawl' | 'commit' | 'unparkings' | 'runs' | 'scoredBy' | 'entries'> {
  if (typeof stored !== 'string' || checkOf(Buffer.from(stored)) !== 'right') throw damaged(path, 'its head is not what was written');
  const { crawl, number, offsets, unparkings, runs, scoredBy = null, discoveries, fates } = JSON.parse(stored) as StoredHead;
  return { crawl, commit: { number, offsets }, unparkings, runs, scoredBy, entries: { discoveries, fates } };
}

/** Within the transaction of the commit. */
export function putHead(root: RootDatabase<unknown, string>, format: number, head: StoredHead): void {
  root.put(FORMAT_KEY, format);
  root.put(HEAD_KEY, checksummed(head).toString('utf8'));
}
