/** Names and sizes of files, as a database gives them. Anyone who can write to it may have written them: each is checked before a file is touched. */
import * as z from 'zod';
import { StoreError } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import { isPlainPath } from '../../base/core/plain-names.ts';
import { isCorpusFile } from '../../corpus/records/corpus-writer.ts';

/** Files that a crawl shares with its workers: models, seeds, rules, and the labels of an activated model. */
const SHARED =
  /^(?:model\/[^/]+|models\/[^/]+\/[^/]+|seeds\.txt|fields\.yaml|link-model\.json\.gz|opt-out\.txt|(?:labelling\/topic-[1-9]\d*\/)?labels\.jsonl)$/;

/** @returns the path, if it is of a file that a crawl directory shares. @throws StoreError */
export function sharedPath(path: string, where: string): string {
  if (isPlainPath(path) && SHARED.test(path)) return path;
  throw foreign(where, `has a file that no crawl shares (${shown(path)})`);
}

const sizesSchema = z.record(z.string(), z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER));

/** Sizes of the files of a corpus. @throws StoreError for a file that no corpus has, and for anything but sizes */
export function corpusSizesIn(stored: unknown, where: string): CorpusOffsets {
  const { success, data } = sizesSchema.safeParse(stored);
  if (!success) throw foreign(where, `has no sizes where those of a corpus belong (${shown(stored)})`);
  const other = Object.keys(data).find((name) => !isCorpusFile(name));
  if (other !== undefined) throw foreign(where, `has the size of a file that no corpus has (${shown(other)})`);
  return data;
}

/** The CRC-32 of each file of a corpus up to its size. */
export type CorpusSums = Readonly<Record<string, number>>;

const sumsSchema = z.record(z.string(), z.number().int().nonnegative().max(0xffff_ffff)).nullable();

/** null for a commit of Forager 0.2. @throws StoreError for anything but sums */
export function corpusSumsIn(stored: unknown, where: string): CorpusSums | null {
  const { success, data } = sumsSchema.safeParse(stored);
  if (success) return data;
  throw foreign(where, `has no sums where those of a corpus belong (${shown(stored)})`);
}

function foreign(where: string, what: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `${where}: ${what}, so somebody else has written to it; no file was written. Find out who, and restore the database from a copy`,
  );
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'nothing';
}
