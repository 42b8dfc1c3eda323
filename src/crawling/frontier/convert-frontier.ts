/** Makes a log of the tables of a frontier of Forager 0.1 or 0.2. */
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { StoreError, storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { DATABASE } from '../../base/disk/own-names.ts';
import { noteConversion } from '../../base/text/conversion-notice.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { megabytesText } from '../../base/text/number-text.ts';
import { FormerTables } from './former-tables.ts';
import { openErrorFrom } from './lmdb-file.ts';
import { isFormer, refuseOtherCrawl } from './lmdb-head.ts';
import { giveUp, isReadableDatabase, openRoot } from './lmdb-read.ts';
import { OPTIONS, openTables } from './lmdb-tables.ts';
import type { LoggedStep } from './logged-step.ts';
import { toValue } from './logged-value.ts';
import { writeFrontier } from './write-frontier.ts';

/** Folder of the new database, until it replaces the former one. */
export const CONVERTING = 'converting';

/** Is it the database of an earlier layout? @throws StoreError */
export function isFormerDatabase(dir: string): boolean {
  const file = join(dir, DATABASE);
  if (!existsSync(file) || statSync(file).size === 0) return false;
  let root: RootDatabase<unknown, string> | null = null;
  try {
    root = openRoot({ path: dir, ...OPTIONS, readOnly: isReadableDatabase(dir) });
    const former = isFormer(root, file);
    void root.close();
    return former;
  } catch (error) {
    if (root) giveUp(root);
    throw openErrorFrom(error, dir);
  }
}

/**
 * Replaces the database of an earlier layout. The new one is written beside it, flushed and compared with it, step by step; then one rename decides. Killed
 * at any moment, one of the two is there, whole. O(discovered links), some 10 µs each. Nobody else may use the folder meanwhile.
 * @param crawl id of the expected crawl; null accepts any
 * @throws StoreError; the former database is then unchanged
 */
export function convertFrontier(dir: string, crawl: string | null): void {
  const made = join(dir, CONVERTING);
  const former = FormerTables.open(dir);
  try {
    refuseOtherCrawl(dir, former.head, crawl);
    rmSync(made, { recursive: true, force: true });
    noteConversion(dirname(dir), sizeOf(dir), 'write');
    writeConverted(former, made);
    refuseDifference(former, made);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw failed(error, dir, `free some, and run the same command again`);
  } finally {
    former.close();
  }
  renameSync(join(made, DATABASE), join(dir, DATABASE));
  // The lock table belongs to the former file.
  for (const name of ['lock.mdb', 'checkpoint.bin', CONVERTING]) rmSync(join(dir, name), { recursive: true, force: true });
  flushAtOnce(dir);
}

/** A converted copy in a folder of its own, for reading alone: the caller removes it. @param crawl id of the expected crawl; null accepts any @throws StoreError */
export function convertedCopy(dir: string, crawl: string | null): string {
  const former = FormerTables.open(dir);
  let made: string | null = null;
  try {
    refuseOtherCrawl(dir, former.head, crawl);
    made = mkdtempSync(join(tmpdir(), 'forager-former-'));
    noteConversion(dirname(dir), sizeOf(dir), 'read');
    writeConverted(former, made);
    return made;
  } catch (error) {
    if (made !== null) rmSync(made, { recursive: true, force: true });
    throw failed(
      error,
      dir,
      `free some in ${tmpdir()}, name another folder in TMPDIR, or convert it: ${commandOn('compact', dirname(dir))}`,
    );
  } finally {
    former.close();
  }
}

function sizeOf(dir: string): Bytes {
  return statSync(join(dir, DATABASE)).size;
}

function failed(error: unknown, dir: string, remedy: string): StoreError {
  const failure = storeErrorFrom(error, 'converting the frontier', dir);
  if (failure.code !== 'STORE_FULL') return failure;
  const size = megabytesText(sizeOf(dir));
  return new StoreError(
    'STORE_FULL',
    `${dir}: is of an earlier version, and no space is left for its new form of about ${size}; ${remedy}`,
    {
      cause: error,
    },
  );
}

function writeConverted(former: FormerTables, to: string): void {
  const { unparkings: _, discoveries: __, fates: ___, ...head } = former.head;
  writeFrontier(to, { head, steps: former.history(), priorities: former.priorities(), rejudgements: former.rejudgements() });
}

/** @throws StoreError if a step of the log is not the one of the tables */
function refuseDifference(former: FormerTables, made: string): void {
  const root = openRoot({ path: made, ...OPTIONS, readOnly: true });
  try {
    const { log, texts } = openTables(root, made, 'read');
    let place = 0;
    for (const step of former.history()) {
      place += 1;
      const there = log.stored?.get(place);
      const isSame = there !== undefined && isSameStep(step, there.packed) && isSameText(step.texts, texts.stored?.get(place) ?? null);
      if (!isSame)
        throw new StoreError(
          'STORE_IO',
          `${made}: the disk gave other bytes for entry ${place} than were written; check the disk, then run the command again`,
        );
    }
  } finally {
    void root.close();
  }
}

function isSameStep({ key, entry }: LoggedStep, packed: Uint8Array): boolean {
  return Buffer.compare(toValue({ key, entry }).packed, packed) === 0;
}

function isSameText(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}
