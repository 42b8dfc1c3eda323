/**
 * The last two commits of a corpus folder, stored in the folder itself. If a corpus were cut on the word of the frontier alone, an empty database,
 * one from a backup, or that of another crawl would cut off kept pages.
 */
import { readFileSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flush } from '../../base/core/on-disk.ts';
import type { CommitMark } from '../../base/core/parts/queueing.ts';
import { writeAll } from './corpus-file.ts';

/** Commits take turns: a crash can only damage the mark of the commit that was not finished. */
const FILES = ['commit-0.json', 'commit-1.json'] as const;

/** A commit as its corpus folder stores it. */
export interface StoredMark extends CommitMark {
  /** Id of the crawl; null if it has none. */
  readonly crawl: string | null;
}

const markSchema = z.strictObject({
  crawl: z.string().nullable(),
  number: z.number().int().positive(),
  offsets: z.record(z.string(), z.number().int().nonnegative()),
  crc32: z.string(),
});

/** The undamaged marks of a corpus folder, newest first: at most two. */
export function readMarks(dir: string): readonly StoredMark[] {
  return FILES.flatMap((name) => markIn(join(dir, name)) ?? []).sort((a, b) => b.number - a.number);
}

function markIn(path: string): StoredMark | null {
  try {
    const line = readFileSync(path);
    if (checkOf(line.subarray(0, -1)) !== 'right') return null;
    const { crawl, number, offsets } = markSchema.parse(JSON.parse(line.toString('utf8')));
    return { crawl, number, offsets };
  } catch {
    return null; // missing or damaged
  }
}

/**
 * The reason why a corpus must not be cut to the commit of a frontier; null if the frontier belongs to the corpus.
 * @param committed the frontier's last commit; null if it has none
 * @param crawl id of the crawl; null if it has none
 */
export function whyNotOf(marks: readonly StoredMark[], committed: CommitMark | null, crawl: string | null): string | null {
  const [newest] = marks;
  const number = committed?.number ?? 0;
  if (newest === undefined)
    return number === 0 ? null : `the frontier is at commit ${number}, and the corpus has no word of its commits left`;
  if (newest.crawl !== null && crawl !== null && newest.crawl !== crawl)
    return `the corpus is of crawl ${newest.crawl}, and this is crawl ${crawl}`;
  // The corpus is on disk before the frontier's commit: it may be one ahead.
  if (newest.number > number + 1)
    return `the frontier is at commit ${number}, and the corpus at ${newest.number}: the frontier is an older copy`;
  if (newest.number < number)
    return `the frontier is at commit ${number}, and the newest mark in the corpus is of ${newest.number}: the corpus is an older copy, or a mark is lost`;
  const same = marks.find((mark) => mark.number === number);
  if (same && committed && !sameOffsets(same, committed))
    return `commit ${number} of the frontier is not that of the corpus: they are not of one history`;
  return null;
}

/** Do two commits have the same sizes? A file without bytes may be absent. */
export function sameOffsets(a: Pick<CommitMark, 'offsets'>, b: Pick<CommitMark, 'offsets'>): boolean {
  const grown = ({ offsets }: Pick<CommitMark, 'offsets'>) =>
    JSON.stringify(
      Object.entries(offsets)
        .filter(([, size]) => size > 0)
        .sort(),
    );
  return grown(a) === grown(b);
}

/** Stores a commit beside the one before it: a crash meanwhile leaves either. @throws StoreError */
export async function writeMark(dir: string, committed: CommitMark, crawl: string | null): Promise<void> {
  const marks = new CommitMarks(dir, crawl);
  try {
    await marks.write(committed);
  } finally {
    await marks.close();
  }
}

/** Makes this commit the only one that the folder stores; the files must match it. A crash meanwhile leaves it, too, once it is written. @throws StoreError */
export async function resetMarks(dir: string, committed: CommitMark | null, crawl: string | null): Promise<void> {
  const kept = committed === null || committed.number === 0 ? null : committed;
  if (kept !== null) await writeMark(dir, kept, crawl);
  for (const name of FILES) if (kept === null || name !== fileOf(kept)) await rm(join(dir, name), { force: true });
}

function fileOf({ number }: CommitMark): (typeof FILES)[number] {
  return FILES[number % FILES.length] ?? FILES[0];
}

/** Stores commits in a corpus folder. */
export class CommitMarks {
  readonly #dir: string;
  readonly #crawl: string | null;
  readonly #handles = new Map<string, FileHandle>();

  constructor(dir: string, crawl: string | null) {
    this.#dir = dir;
    this.#crawl = crawl;
  }

  /** Writes a mark, which is on disk when the promise resolves. Calls must not overlap. @throws StoreError */
  async write({ number, offsets }: CommitMark): Promise<void> {
    const name = fileOf({ number, offsets });
    const path = join(this.#dir, name);
    try {
      const handle = this.#handles.get(name) ?? (await this.#open(name, path));
      const bytes = checksummedLine({ crawl: this.#crawl, number, offsets });
      await writeAll(handle, bytes, 0);
      await handle.truncate(bytes.length);
      await handle.datasync();
    } catch (error) {
      throw storeErrorFrom(error, 'writing the corpus', path);
    }
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
  }

  async #open(name: string, path: string): Promise<FileHandle> {
    const handle = await open(path, 'a').then(async (made) => {
      await made.close();
      return open(path, 'r+');
    });
    this.#handles.set(name, handle);
    await flush(this.#dir);
    return handle;
  }
}
